// Catalogue of personal columns: classifies every column of every table of our schemas. A
// test compares it with the database, so a new column fails until somebody has classified it. `person`
// columns contain something about a person (a secret, a name, a number that identifies them), `kunde` columns
// something about a customer, `other` columns neither. What of it is handed out and deleted is defined in
// privacy.tables, and what a person's copy shows of it in privacy.content_of (db/nouns/privacy.sql).
import type { Field, Fields } from './fields.ts'
import { BENUTZER_FIELDS } from './benutzer-fields.ts'
import { EVENT_TABLES } from './event-columns.ts'
import { SURVEY_TABLES } from './survey-columns.ts'
import { HABITATBAUM_FIELDS } from './habitatbaum-fields.ts'
import { HQ_FIELDS, SWITCH_FIELDS } from './hq-fields.ts'
import { KUNDE_FIELDS } from './kunde-fields.ts'

export interface TableColumns {
  readonly person?: string
  readonly kunde?: string
  readonly other?: string
  /** Why a table with personal columns is not included in what is handed out. */
  readonly whyLeftOut?: string
}

const STAMP = 'version geaendert_am'
const VERMESSUNG =
  'id client_id schluessel geom vermessen erfq qdt art dn material hoehe sohlhoehe tiefe baujahr ' +
  'plan_nr karte_id zustand letzte_kontrolle genauigkeit_cm lage_fix genauigkeit_geschaetzt datum import_id ' +
  'angelegt_am kennung version geaendert_am'

/** Columns that say themselves what they are about. */
function declaredColumns(fields: Fields): TableColumns {
  const about = (privacy: Field['privacy']) => {
    const columns = Object.keys(fields).filter((column) => fields[column]?.privacy === privacy)
    return columns.length === 0 ? {} : { [privacy]: columns.join(' ') }
  }
  return { ...about('person'), ...about('kunde'), ...about('other') }
}

export const CATALOGUE: Readonly<Record<string, TableColumns>> = {
  'app.abkuerzung': {
    person: 'geaendert_von',
    other: `id abk bedeutung gruppe ${STAMP}`,
    whyLeftOut: 'who changed it last is handed out with the history',
  },
  'app.abo': {
    person: 'geaendert_von',
    kunde:
      'id client_id hqid modul beginn laufzeit ende preis rabatt rabatt_monate netto ust_satz ' +
      'gutschein_id rabatt_rest zustand gekuendigt_am vorgaenger_id schaltet',
    other: STAMP,
  },
  'app.abo_preis': { other: 'modul preis laufzeit ust_satz' },
  'app.angebot': {
    person: 'bearbeiter geaendert_von ausgestellt_von entschieden_von',
    kunde:
      'id client_id an_datum gueltig_bis anrede anschreiben zuerl ust_satz status sign nummer fassung ' +
      'ersetzt kopie_von chance rabatt_prozent rabatt_grund ausgestellt_am entschieden_am ' +
      'entschieden_als entscheidung archiviert netto steuer brutto auftrag_netto auftrag_steuer ' +
      'auftrag_brutto beleg suchtext leistungsort leistungsland kaeufer_ref projekt_nr vertrag_nr ' +
      'vergabe_nr objekt_nr',
    other: STAMP,
  },
  'app.annahme_link': {
    person: 'empfaenger angelegt_von benutzt_von zurueckgezogen_von',
    kunde: 'id client_id angebot_id gueltig_bis angelegt_am benutzt_am zurueckgezogen_am',
    other: 'code_hash',
  },
  'app.anlage': {
    kunde: 'id client_id rechnung_id name beschreibung dateiname mime inhalt sha256 groesse',
  },
  'app.ansicht': { person: 'id user_id liste name suche spalten standard' },
  'app.ausmuendung': { kunde: `${VERMESSUNG} eigentuemer bemerkung`, other: 'g3857 herkunft' },
  'app.baumarten': {
    kunde:
      'id bestand_id idHQ client_id sLVL01 sLVL02 sLVL03 sLVL04 sLVL05 iSTAND schicht baumart anteil ' +
      'flaeche_ha alter ertragsklasse vorrat bemerkung',
  },
  'app.benutzer': declaredColumns(BENUTZER_FIELDS),
  'app.benutzer_hq': { person: 'user_id hq_status', kunde: 'client_id hqid' },
  'app.benutzer_kunde': { person: 'user_id rolle kataster_enabled', kunde: 'client_id' },
  'app.bestand': {
    kunde:
      'id idHQ client_id import_id sLVL01 sLVL02 sLVL03 sLVL04 sLVL05 iSTAND geom flaeche_ha stichtag ' +
      'nutzungsart bestandestyp alter altersklasse vorrat bemerkung angelegt_am',
    other: 'g3857 sortadresse',
  },
  'app.bestand_import': {
    person: 'user_id wer',
    kunde: 'id idHQ client_id dateiname format groesse sha256 stand werte bericht angelegt_am beendet_am',
  },
  'app.buchpruefung': {
    person: 'user_id',
    other: 'id zeit art bis kopf anzahl groesse dauer_ms ok befunde',
    whyLeftOut: 'who checked the books when; nothing of a record',
  },
  'app.datenschutz_vorgang': {
    person: 'wer user_id person_id',
    kunde: 'client_id',
    other: 'id zeit art umfang',
  },
  'app.dokument': {
    kunde:
      'id client_id rechnung_id angebot_id mahnung_id art dateiname inhalt sha256 groesse regelwerk erzeugt_am',
  },
  'app.dokument_auftrag': {
    kunde: 'id client_id rechnung_id angebot_id mahnung_id versuche naechster fehler angelegt_am',
  },
  'app.draenage': {
    kunde: `${VERMESSUNG} eigentuemer bemerkung laenge gefaelle abstand`,
    other: 'g3857 herkunft',
  },
  'app.eingang': {
    person: 'name iban',
    other:
      'id dateiname inhalt sha256 groesse format profil geprueft gelesen befunde kreditor_id ust_id nummer datum ' +
      'faellig netto steuer brutto zahlbetrag aus_datei konto zustand eingegangen_am entschieden_am bemerkung ' +
      'bezahlt_am bezahlt vorsteuer vorsteuer_betrag vorsteuer_satz leistung erhalten suchtext version geaendert_am',
    whyLeftOut: 'invoices that suppliers sent to the provider, kept by law as they arrived',
  },
  'app.eingang_mail': {
    person: 'absender',
    other: 'id schluessel betreff gesendet_am zustand grund teile erledigt angelegt_am',
    whyLeftOut: 'who sent invoices to the provider by mail; forgotten after a year',
  },
  'app.eingang_postfach': { other: 'id adresse geschaut_am fehler fehler_am belegt_bis' },
  'app.eingang_zahlung': {
    other: 'id eingang_id datum betrag art bemerkung umsatz_id posten_id gegen_id angelegt_am',
  },
  'app.einlauf': { kunde: `${VERMESSUNG} eigentuemer bemerkung`, other: 'g3857 herkunft' },
  'app.einstellung': { person: 'user_id schluessel wert', other: 'geaendert_am' },
  'app.freitext': {
    person: 'geaendert_von',
    other: `id art titel text archiviert ${STAMP}`,
    whyLeftOut: 'who changed it last is handed out with the history',
  },
  'app.grenzvorschlag': {
    person: 'user_id wer entschieden_user_id entschieden_von',
    kunde:
      'id kennung idHQ client_id bestand_id sLVL01 sLVL02 sLVL03 sLVL04 sLVL05 iSTAND fassung geom flaeche_ha ' +
      'spur punkte genauigkeit_m genauigkeit_max_m toleranz_m bemerkung erfasst_am angelegt_am stand vorher ' +
      'vorher_ha danach danach_ha entschieden_am begruendung',
    other: 'digest version',
  },
  'app.gutschein': {
    person: 'angelegt_von eingeloest_von',
    kunde: 'eingeloest_hqid',
    other: 'id rabatt_abo rabatt_kawm expire_date laufzeit angelegt_am code_ausgegeben_am eingeloest_am',
  },
  'app.habitatbaeume': declaredColumns(HABITATBAUM_FIELDS),
  'app.habitatbilder': {
    person: 'created_by geaendert_von',
    kunde:
      'id kennung habitat_id client_id idHQ dateiname typ groesse breite hoehe sha256 klein mittel ' +
      'gross aufgenommen_am richtung exif_lage exif_abweichung_m bemerkung titelbild created_at',
    other: STAMP,
  },
  'app.habitatkontrollen': {
    person: 'kontrolleur angelegt_von',
    kunde: 'id kennung habitat_id client_id idHQ datum ergebnis bemerkung angelegt_am',
  },
  'app.hq': declaredColumns(HQ_FIELDS),
  'app.hq_flaeche': { person: 'geaendert_von', kunde: 'hqid client_id geom', other: STAMP },
  'app.import_lauf': { person: 'user_id dateiname bericht', other: 'import_id doppelte zustand angelegt_am' },
  'app.import_zeile': { person: 'user_id werte', other: 'import_id zeile' },
  'app.import_zuordnung': { person: 'user_id', other: 'kopf felder geaendert_am' },
  'app.karte_auftrag': {
    person: 'wer user_id',
    kunde:
      'id karte_id client_id datei_id art stand fortschritt fehler einzelheit werte angelegt_am begonnen_am beendet_am',
    other: 'versuche lebt_bis',
  },
  'app.karte_datei': {
    person: 'wer user_id',
    kunde:
      'id karte_id client_id art name mime groesse sha256 bild_sha256 kacheln_sha256 breite hoehe dpi ' +
      'epsg umriss georef_typ grau_von grau_bis beschaedigt angelegt_am',
    other: 'upload',
  },
  'app.karte_intern': { kunde: 'karte_id client_id bem_apus georef_bash' },
  'app.karte_stand': {
    person: 'wer user_id',
    kunde: 'id karte_id client_id angelegt_am epsg georef_typ res georef_label punkte',
  },
  'app.kartenblatt': {
    person: 'geaendert_von',
    kunde:
      'id client_id map_name width height din epsg georef_label res georef_typ typ scale jahr status ' +
      'client_status show_client bem_client bem_to_client ausf_unternehmen auftr_nr reg_nr kreis ' +
      'gemarkung gemeinde sortname suchtext',
    other: STAMP,
  },
  'app.kontoumsatz': {
    person: 'name iban zweck',
    other: 'id schluessel konto datum betrag datei quelle erledigt angelegt_am',
    whyLeftOut: 'entries of the provider’s own account, kept by law as the bank wrote them',
  },
  'app.kreditor': {
    person: 'name iban',
    other: 'id ust_id konto aufwandskonto version geaendert_am',
    whyLeftOut: 'suppliers of the provider, kept by law with their invoices',
  },
  'app.kunde': declaredColumns(KUNDE_FIELDS),
  'app.kunde_hq': declaredColumns(SWITCH_FIELDS),
  'app.kunde_rechnung': {
    person: 'geaendert_von',
    kunde:
      'client_id rechnungsformat leitweg_id rechnung_mail ust_id ist_privat zahlungsziel skonto ' +
      'bestellnummer debitor leistungsort leistungsland kaeufer_ref vertrag_nr syntax',
    other: STAMP,
  },
  'app.lieferant': {
    person: 'geaendert_von ansprechpartner telefon mail',
    other:
      'eines name name_zusatz strasse plz ort land steuernummer ust_id webseite bank kontoinhaber iban ' +
      'bic glaeubiger_id einzug_tage fusszeile kleinunternehmer kleinunternehmer_ab besteuerung ' +
      'besteuerung_ab zahlungsziel ' +
      'skonto angebot_tage ust_satz logo logo_typ ' +
      'mahngebuehren mahn_frist mahn_kulanz basiszins aufbewahrung_text datev_berater datev_mandant ' +
      'datev_kontenlaenge datev_erloeskonten datev_debitor_von datev_rahmen datev_jahresbeginn ' +
      `datev_debitor_sammel datev_bankkonto datev_skontokonten datev_anzahlungskonten ` +
      `datev_aufwandskonten datev_festschreiben anlagen_anzahl anlagen_mb ${STAMP}`,
    whyLeftOut: 'the provider’s own letterhead',
  },
  'app.mahnung': {
    kunde:
      'id client_id rechnung_id stufe datum faellig gebuehr zinsen zinsen_ab pauschale text beleg angelegt_am',
  },
  'app.mappoint': { kunde: 'id karte_id client_id nr mapx mapy pixelx pixely enable dx dy residual' },
  'app.meldung': {
    person: 'user_id params gelesen_am',
    kunde: 'client_id',
    other: 'id art schluessel ziel in_app erstellt',
  },
  'app.notiz': {
    person: 'wer user_id',
    kunde:
      'id client_id hqid angebot_id rechnung_id karte_id art datensatz text fuer_kunde angelegt_am geaendert_am',
    other: 'version',
  },
  'app.notiz_datei': {
    kunde: 'id notiz_id client_id name mime groesse sha256 angelegt_am',
    other: 'upload',
  },
  'app.notiz_erwaehnt': { person: 'user_id name', kunde: 'notiz_id client_id', other: 'angelegt_am' },
  'app.nummernkreis': {
    person: 'geaendert_von',
    other: `art muster jaehrlich jahr naechste ${STAMP}`,
    whyLeftOut: 'who changed it last is handed out with the audit chain',
  },
  'app.position': {
    kunde:
      'id client_id rechnung_id angebot_id lfd_nr art anzahl einheit bez ep rabatt_prozent ust_satz ' +
      'kategorie steuergrund erl erl_on erl_titel le_date le_date_bis angebot_position_id gewaehlt ' +
      'korrektur_position_id korrektur_menge',
  },
  'app.positionsvorlage': {
    person: 'geaendert_von',
    other: `id gruppe bez einheit ep ust_satz erl_titel erl erl_on archiviert ${STAMP}`,
    whyLeftOut: 'who changed it last is handed out with the history',
  },
  'app.prognose': {
    person: 'geaendert_von',
    other: `id datum betrag art kategorie bemerkung ${STAMP}`,
    whyLeftOut: 'who changed it last is handed out with the history',
  },
  'app.protokoll': {
    person: 'wer user_id',
    kunde: 'client_id gegenstand gegenstand_id ereignis inhalt',
    other: 'nr zeit vorher hash',
  },
  'app.rechnung': {
    person: 'bearbeiter geaendert_von ausgestellt_von',
    kunde:
      'id client_id le_date le_date_bis rn_datum anrede anschreiben zuerl ust_satz art zustand nummer ' +
      'folge ausgestellt_am storno_von storno_grund korrektur_von kopie_von angebot_id faellig zahlungsziel skonto ' +
      'rabatt_prozent rabatt_grund anzahlung bestellnummer format archiviert netto steuer brutto ' +
      'zahlbetrag beleg suchtext leistungsort leistungsland kaeufer_ref projekt_nr vertrag_nr vergabe_nr ' +
      'objekt_nr',
    other: STAMP,
  },
  'app.schacht': { kunde: `${VERMESSUNG} eigentuemer bemerkung`, other: 'g3857 herkunft' },
  'app.schlucker': { kunde: `${VERMESSUNG} eigentuemer bemerkung`, other: 'g3857 herkunft' },
  'app.sepa_lauf': {
    other: 'id tag name iban bic glaeubiger_id anzahl summe angelegt_am sha256 zurueckgezogen_am grund',
  },
  'app.sepa_mandat': {
    kunde: 'id client_id referenz unterschrieben inhaber iban bic art einmalig widerrufen_am angelegt_am',
  },
  'app.sepa_posten': {
    kunde:
      'id lauf_id client_id rechnung_id mandat_id nummer betrag folge art inhaber iban bic referenz ' +
      'unterschrieben',
  },
  'app.serie': {
    person: 'geaendert_von',
    kunde:
      'id client_id titel monate beginn ende anzahl faellig_am naechste zustand kopf positionen netto brutto',
    other: STAMP,
  },
  'app.serie_lauf': {
    kunde: 'id client_id serie_id nr von bis art rechnung_id grund stand angelegt_am',
  },
  'app.siegel': {
    person: 'user_id',
    other: 'nr zeit tabelle schluessel art durch form felder pruefsumme hash',
    whyLeftOut: 'digests; who wrote what is handed out with the log of the books',
  },
  'app.siegel_form': { other: 'form tabelle spalten' },
  'app.verlauf': {
    person: 'wer user_id person_id alt neu',
    kunde: 'client_id hqid',
    other: 'id zeit tabelle schluessel aktion',
  },
  'app.versand': {
    kunde:
      'id client_id rechnung_id angebot_id mahnung_id weg an betreff text zustand versuche naechster ' +
      'fehler angelegt_am gesendet_am begonnen_am grund',
  },
  // Follow from invoices, offers and payments, which are handed out.
  'app.rechnung_offen': { other: 'rechnung_id offen' },
  'app.angebot_offen': { other: 'angebot_id begonnen rest_brutto' },
  'app.zahllauf': {
    other: 'id tag name iban bic anzahl summe angelegt_am sha256 zurueckgezogen_am grund',
  },
  'app.zahlposten': {
    person: 'name iban',
    other: 'id lauf_id eingang_id nummer datum betrag skonto tag',
    whyLeftOut: 'lines of files for the bank that pay suppliers, kept by law',
  },
  'app.zahlung': {
    kunde: 'id client_id rechnung_id datum betrag art bemerkung umsatz_id gegen_id angelegt_am',
  },
  'idp.anmeldevorgang': { person: 'konto_id schritt amr totp_neu', other: 'vorgang_hash expires_at' },
  'idp.artefakt': {
    person: 'payload konto_id',
    other: 'model id_hash grant_hash uid_hash expires_at consumed_at',
  },
  'idp.drossel': { other: 'schluessel fenster anzahl' },
  'idp.einmal_link': { person: 'konto_id email', other: 'link_hash art created_at expires_at used_at' },
  'idp.ereignis': { person: 'konto_id email wer', other: 'id zeit art' },
  'idp.geheimnis': { other: 'nr siegel' },
  'idp.post': {
    person: 'konto_id empfaenger absender link_hash siegel',
    other: 'id art zustand versuche naechster erstellt gesendet_am',
  },
  'idp.konto': {
    person:
      'konto_id email pw_hash pw_changed_at must_change_pw totp_secret totp_confirmed_at ' +
      'totp_last_step last_sign_in_at email_bestaetigt',
    other: 'created_at',
  },
  'idp.schluessel': { other: 'kid alg zustand jwk created_at changed_at' },
  'idp.sperre': {
    person: 'schluessel',
    other: 'fehlversuche letzter gesperrt_bis',
    whyLeftOut: 'the address is a keyed hash that the database cannot make; gone after a day',
  },
  'idp.wiederherstellung': { person: 'konto_id code_hash', other: 'used_at' },
  'accounts.beendete_sitzung': { other: 'sid bis' },
  'abo.gutschein_code': { other: 'gutschein_id digest' },
  'abo.gutschein_versuch': { person: 'user_id', other: 'id zeit' },
  'accounts.zugang': {
    person: 'user_id name beendet_von',
    other:
      'id art digest zeichen haelfte gruppen nur_lesen client_id rollen token_gruppen bis erstellt_am ' +
      'zuletzt_am beendet_am beendet_grund client',
  },
  ...EVENT_TABLES,
  ...SURVEY_TABLES,
  'accounts.kept_answer': { person: 'user_id headers body', other: 'key digest status at' },
  'accounts.kept_import': {
    person: 'user_id answer',
    other: 'id zugang_id key digest was stand lauf fortschritt at lebt_am',
  },
  'forest.habitat_empfangen': { kunde: 'kennung client_id zeit', other: 'digest' },
  'forest.habitat_geloescht': { kunde: 'kennung art client_id idHQ geloescht_am' },
  'accounts.identitaet': { person: 'iss sub user_id', other: 'sessions_valid_after linked_at' },
  'accounts.kontakt': {
    person: 'user_id bestaetigt offen code_digest gesendet_an',
    other: 'code_bis versuche naechster gesendet_am stunde anzahl',
  },
  'accounts.sitzungsende': { person: 'user_id ehemals', other: 'ab' },
  'notices.meldung_post': { person: 'meldung_id', other: 'zustand versuche naechster gesendet_am grund' },
}

export const columnsOf = ({ person = '', kunde = '', other = '' }: TableColumns): string[] =>
  [person, kunde, other].flatMap((list) => list.split(' ')).filter((name) => name !== '')

/** What happens to the rows when somebody's data is deleted. */
export type Consequence = 'geloescht' | 'anonymisiert' | 'bleibt'
/** Why nothing can be deleted at the moment. */
export type Obstacle = 'schon_geloescht' | 'selbst' | 'abo_laeuft' | 'gesperrt'
