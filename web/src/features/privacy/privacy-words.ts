// Texts for data protection: names of tables, what happens to rows, why something cannot be deleted.
import type { PrivacyOperation } from '#contract/privacy.ts'
import type { Consequence, Obstacle } from '#domain/privacy.ts'
import type { Tone } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'

const TABLE_NAMES: Readonly<Record<string, () => string>> = {
  'app.benutzer': () => t('Personendaten'),
  'app.benutzer_kunde': () => t('Zuordnungen zu Kunden'),
  'app.benutzer_hq': () => t('Zuordnungen zu Forstbetrieben'),
  'app.einstellung': () => t('Persönliche Einstellungen'),
  'app.ansicht': () => t('Gespeicherte Ansichten'),
  'app.ereignis': () => t('Meldungen an Programme'),
  'dispatch.webhook': () => t('Empfänger von Meldungen an Programme'),
  'dispatch.zustellung': () => t('Gesendete Meldungen an Programme'),
  'app.meldung': () => t('Benachrichtigungen'),
  'notices.meldung_post': () => t('Versand von Benachrichtigungen'),
  'app.import_lauf': () => t('Importe'),
  'app.import_zeile': () => t('Hochgeladene Zeilen'),
  'app.import_zuordnung': () => t('Spaltenzuordnungen der Importe'),
  'accounts.identitaet': () => t('Verbindung zum Anmeldedienst'),
  'accounts.kontakt': () => t('Bestätigung der Kontaktadresse'),
  'accounts.sitzungsende': () => t('Ende früherer Sitzungen'),
  'accounts.zugang': () => t('Schlüssel für Programme'),
  'accounts.kept_answer': () => t('Antworten auf Speichervorgänge (einen Tag lang)'),
  'accounts.kept_import': () => t('Importe durch Programme (einen Tag lang)'),
  'abo.gutschein_versuch': () => t('Eingegebene Gutscheincodes (nur Zeitpunkte)'),
  'idp.konto': () => t('Anmeldekonto'),
  'idp.wiederherstellung': () => t('Notfallcodes (nur Anzahl)'),
  'idp.einmal_link': () => t('Einladungen und Passwortlinks'),
  'idp.post': () => t('E-Mails der Anmeldung'),
  'idp.artefakt': () => t('Sitzungen'),
  'idp.anmeldevorgang': () => t('Begonnene Anmeldungen'),
  'idp.ereignis': () => t('Ereignisse der Anmeldung'),
  'app.kunde': () => t('Kundenstammdaten'),
  'app.hq': () => t('Forstbetriebe'),
  'app.hq_flaeche': () => t('Flächen'),
  'app.kunde_hq': () => t('Freigeschaltete Module'),
  'app.abo': () => t('Abos'),
  'app.kunde_rechnung': () => t('Rechnungsangaben'),
  'app.angebot': () => t('Angebote'),
  'app.rechnung': () => t('Rechnungen'),
  'app.position': () => t('Positionen'),
  'app.anlage': () => t('Anlagen von Rechnungen'),
  'app.serie': () => t('Wiederkehrende Rechnungen'),
  'app.serie_lauf': () => t('Zeiträume wiederkehrender Rechnungen'),
  'app.dokument': () => t('Dokumente'),
  'app.dokument_auftrag': () => t('Dokumente, die erzeugt werden'),
  'app.zahlung': () => t('Zahlungen'),
  'app.mahnung': () => t('Mahnungen'),
  'app.sepa_mandat': () => t('SEPA-Mandate'),
  'app.sepa_posten': () => t('Lastschriften'),
  'app.annahme_link': () => t('Links zur Annahme von Angeboten'),
  'app.versand': () => t('Versand von Belegen'),
  'app.notiz': () => t('Notizen'),
  'app.notiz_datei': () => t('Dateien zu Notizen'),
  'app.notiz_erwaehnt': () => t('Erwähnungen in Notizen'),
  'app.kartenblatt': () => t('Pläne'),
  'app.karte_intern': () => t('Interne Bemerkungen zu Plänen'),
  'app.karte_datei': () => t('Dateien zu Plänen'),
  'app.karte_auftrag': () => t('Aufträge zu Plänen'),
  'app.mappoint': () => t('Passpunkte'),
  'app.karte_stand': () => t('Gespeicherte Stände der Passpunkte'),
  'app.bestand': () => t('Waldbestände'),
  'app.baumarten': () => t('Baumarten der Bestände'),
  'app.bestand_import': () => t('Importe der Forsteinrichtung'),
  'app.grenzvorschlag': () => t('Vorschläge für Bestandesgrenzen'),
  'app.habitatbaeume': () => t('Habitatbäume'),
  'app.habitatbilder': () => t('Fotos von Habitatbäumen'),
  'app.habitatkontrollen': () => t('Kontrollen von Habitatbäumen'),
  'forest.habitat_empfangen': () => t('Empfangene Erfassungen von Geräten'),
  'forest.habitat_geloescht': () => t('Nummern gelöschter Erfassungen'),
  'app.draenage': () => t('Dränagen'),
  'app.ausmuendung': () => t('Ausmündungen'),
  'app.schacht': () => t('Schächte'),
  'app.schlucker': () => t('Schlucker'),
  'app.einlauf': () => t('Einläufe'),
  'app.vermessungsbilder': () => t('Fotos von Vermessungsobjekten'),
  'app.vermessung_import': () => t('Importe der Vermessung'),
  'maps.vermessung_empfangen': () => t('Empfangene Vermessungsobjekte von Geräten'),
  'maps.vermessung_geloescht': () => t('Nummern gelöschter Vermessungsobjekte'),
  'app.protokoll': () => t('Protokoll der Buchhaltung'),
  'app.gutschein': () => t('Eingelöste Gutscheine'),
  'app.verlauf': () => t('Änderungsverlauf'),
  'app.datenschutz_vorgang': () => t('Vorgänge des Datenschutzes'),
}
/** What people call a table; tables without a name keep their own. */
export const tableText = (table: string): string => TABLE_NAMES[table]?.() ?? table

export function consequenceText(consequence: Consequence): string {
  switch (consequence) {
    case 'geloescht':
      return t('wird gelöscht')
    case 'anonymisiert':
      return t('bleibt ohne persönliche Angaben')
    case 'bleibt':
      return t('bleibt als Nachweis')
  }
}

export function obstacleText(obstacle: Obstacle): string {
  switch (obstacle) {
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
      return t('Dieser Kunde ist gesperrt. Nach dem Ende der Aufbewahrung wird er automatisch gelöscht.')
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
