// Texts for data protection: names of tables, what happens to rows, why something cannot be deleted.
import type { PrivacyOperation } from '#contract/privacy.ts'
import type { Consequence, Obstacle } from '#domain/privacy.ts'
import type { Tone } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'

export function tableText(tabelle: string): string {
  switch (tabelle) {
    case 'app.benutzer':
      return t('Personendaten')
    case 'app.benutzer_kunde':
      return t('Zuordnungen zu Kunden')
    case 'app.benutzer_hq':
      return t('Zuordnungen zu Forstbetrieben')
    case 'app.einstellung':
      return t('Persönliche Einstellungen')
    case 'app.ansicht':
      return t('Gespeicherte Ansichten')
    case 'app.meldung':
      return t('Benachrichtigungen')
    case 'rechte.meldung_post':
      return t('Versand von Benachrichtigungen')
    case 'app.import_lauf':
      return t('Importe')
    case 'app.import_zeile':
      return t('Hochgeladene Zeilen')
    case 'app.import_zuordnung':
      return t('Spaltenzuordnungen der Importe')
    case 'rechte.identitaet':
      return t('Verbindung zum Anmeldedienst')
    case 'rechte.kontakt':
      return t('Bestätigung der Kontaktadresse')
    case 'rechte.sitzungsende':
      return t('Ende früherer Sitzungen')
    case 'rechte.gutschein_versuch':
      return t('Eingegebene Gutscheincodes (nur Zeitpunkte)')
    case 'idp.konto':
      return t('Anmeldekonto')
    case 'idp.wiederherstellung':
      return t('Notfallcodes (nur Anzahl)')
    case 'idp.einmal_link':
      return t('Einladungen und Passwortlinks')
    case 'idp.post':
      return t('E-Mails der Anmeldung')
    case 'idp.artefakt':
      return t('Sitzungen')
    case 'idp.anmeldevorgang':
      return t('Begonnene Anmeldungen')
    case 'idp.ereignis':
      return t('Ereignisse der Anmeldung')
    case 'app.kunde':
      return t('Kundenstammdaten')
    case 'app.hq':
      return t('Forstbetriebe')
    case 'app.hq_flaeche':
      return t('Flächen')
    case 'app.kunde_hq':
      return t('Freigeschaltete Module')
    case 'app.abo':
      return t('Abos')
    case 'app.kunde_rechnung':
      return t('Rechnungsdaten')
    case 'app.angebot':
      return t('Angebote')
    case 'app.rechnung':
      return t('Rechnungen')
    case 'app.position':
      return t('Positionen')
    case 'app.dokument':
      return t('Dokumente')
    case 'app.dokument_auftrag':
      return t('Dokumente, die erzeugt werden')
    case 'app.zahlung':
      return t('Zahlungen')
    case 'app.mahnung':
      return t('Mahnungen')
    case 'app.annahme_link':
      return t('Links zur Annahme von Angeboten')
    case 'app.versand':
      return t('Versand von Belegen')
    case 'app.kartenblatt':
      return t('Karten')
    case 'app.karte_intern':
      return t('Interne Bemerkungen zu Karten')
    case 'app.karte_datei':
      return t('Dateien zu Karten')
    case 'app.karte_auftrag':
      return t('Aufträge zu Karten')
    case 'app.mappoint':
      return t('Passpunkte')
    case 'app.karte_stand':
      return t('Gespeicherte Stände der Passpunkte')
    case 'app.bestand':
      return t('Waldbestände')
    case 'app.baumarten':
      return t('Baumarten der Bestände')
    case 'app.bestand_import':
      return t('Importe der Forsteinrichtung')
    case 'app.habitatbaeume':
      return t('Habitatbäume')
    case 'app.habitatbilder':
      return t('Fotos von Habitatbäumen')
    case 'app.habitatkontrollen':
      return t('Kontrollen von Habitatbäumen')
    case 'rechte.habitat_empfangen':
      return t('Empfangene Erfassungen von Geräten')
    case 'rechte.habitat_geloescht':
      return t('Nummern gelöschter Erfassungen')
    case 'app.draenage':
      return t('Dränagen')
    case 'app.ausmuendung':
      return t('Ausmündungen')
    case 'app.schacht':
      return t('Schächte')
    case 'app.schlucker':
      return t('Schlucker')
    case 'app.einlauf':
      return t('Einläufe')
    case 'app.vermessung_import':
      return t('Importe der Vermessung')
    case 'app.protokoll':
      return t('Protokoll der Buchhaltung')
    case 'app.gutschein':
      return t('Eingelöste Gutscheine')
    case 'app.verlauf':
      return t('Änderungsverlauf')
    case 'app.datenschutz_vorgang':
      return t('Vorgänge des Datenschutzes')
    default:
      return tabelle
  }
}

export function consequenceText(folge: Consequence): string {
  switch (folge) {
    case 'geloescht':
      return t('wird gelöscht')
    case 'anonymisiert':
      return t('bleibt ohne persönliche Angaben')
    case 'bleibt':
      return t('bleibt als Nachweis')
  }
}

export function obstacleText(hindernis: Obstacle): string {
  switch (hindernis) {
    case 'schon_geloescht':
      return t('Die Daten dieser Person wurden bereits gelöscht.')
    case 'selbst':
      return t(
        'Ihre eigenen Daten kann nur eine andere Administratorin oder ein anderer Administrator löschen.',
      )
    case 'abo_laeuft':
      return t(
        'Für diesen Kunden laufen noch Abos. Kündigen Sie sie zuerst; nach ihrem Ende kann gelöscht werden.',
      )
    case 'gesperrt':
      return t('Dieser Kunde ist gesperrt. Nach dem Ende der Aufbewahrung wird er von selbst gelöscht.')
  }
}

export function kindText(art: PrivacyOperation['art']): string {
  switch (art) {
    case 'auskunft':
      return t('Auskunft')
    case 'selbstauskunft':
      return t('Eigene Auskunft')
    case 'loeschung':
      return t('Löschung')
    case 'sperrung':
      return t('Sperrung')
  }
}
export const KIND_TONES: Record<PrivacyOperation['art'], Tone> = {
  auskunft: 'info',
  selbstauskunft: 'neutral',
  loeschung: 'danger',
  sperrung: 'warning',
}
