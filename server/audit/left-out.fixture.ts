// What the archive for an auditor does not hold, and why. Together with the columns of tables.ts this is all
// that the books store (audit.sql.test.ts): a new column is put into one of the two.

const EDITING = 'counts edits of what is not issued yet; the log tells every change'
const CHANGED = 'of drafts and settings; the log tells every change with its time and person'
const OF_DOCUMENT = 'the customer of its document, which it refers to'
const DATEV = 'setting of the export to the tax adviser, whose batches contain the accounts'
const CONTACT = 'how people are reached; no tax data'
const RECEIVED = 'follows from the file itself, which is in the folder eingang'
const RUNNING = 'state of the mail queue while a delivery runs'

export const LEFT_OUT: Readonly<Record<string, string>> = {
  'rechnung.zustand': 'only issued ones are in the archive',
  'rechnung.skonto': 'the terms as issued are in the table skonto',
  'rechnung.version': EDITING,
  'rechnung.geaendert_am': CHANGED,
  'rechnung.geaendert_von': CHANGED,
  'rechnung.suchtext': 'made of other columns for searching',
  'angebot.chance': 'an estimate for the forecast, no part of the document',
  'angebot.version': EDITING,
  'angebot.geaendert_am': CHANGED,
  'angebot.geaendert_von': CHANGED,
  'angebot.suchtext': 'made of other columns for searching',
  'position.client_id': OF_DOCUMENT,
  'dokument.client_id': OF_DOCUMENT,
  'dokument.inhalt': 'the file itself, in the folder dokumente',
  'versand.naechster': RUNNING,
  'versand.begonnen_am': RUNNING,
  'nummernkreis.version': EDITING,
  'nummernkreis.geaendert_am': CHANGED,
  'nummernkreis.geaendert_von': CHANGED,
  'lieferant.ansprechpartner': CONTACT,
  'lieferant.telefon': CONTACT,
  'lieferant.mail': CONTACT,
  'lieferant.webseite': CONTACT,
  'lieferant.logo': 'a picture; it is in the stored documents',
  'lieferant.logo_typ': 'of the picture',
  'lieferant.datev_berater': DATEV,
  'lieferant.datev_mandant': DATEV,
  'lieferant.datev_kontenlaenge': DATEV,
  'lieferant.datev_erloeskonten': DATEV,
  'lieferant.datev_debitor_von': DATEV,
  'lieferant.datev_rahmen': DATEV,
  'lieferant.datev_jahresbeginn': DATEV,
  'lieferant.datev_debitor_sammel': DATEV,
  'lieferant.datev_bankkonto': DATEV,
  'lieferant.datev_skontokonten': DATEV,
  'lieferant.datev_anzahlungskonten': DATEV,
  'lieferant.datev_aufwandskonten': DATEV,
  'lieferant.datev_festschreiben': DATEV,
  'lieferant.version': EDITING,
  'lieferant.geaendert_am': CHANGED,
  'lieferant.geaendert_von': CHANGED,
  'anlage.client_id': OF_DOCUMENT,
  'anlage.inhalt': 'the file itself, in the folder anlagen',
  'eingang.inhalt': 'the file itself, in the folder eingang',
  'eingang.gelesen': RECEIVED,
  'eingang.suchtext': 'made of other columns for searching',
  'eingang.version': EDITING,
  'eingang.geaendert_am': CHANGED,
  'kreditor.version': EDITING,
  'kreditor.geaendert_am': CHANGED,
  'kunde_rechnung.client_id': 'the key of the table kunden',
  'kunde_rechnung.rechnung_mail':
    'where documents are sent; the table versand names the address of each delivery',
  'kunde_rechnung.version': EDITING,
  'kunde_rechnung.geaendert_am': CHANGED,
  'kunde_rechnung.geaendert_von': CHANGED,
}

/** Whole tables. */
export const LEFT_OUT_TABLES: Readonly<Record<string, string>> = {
  annahme_link: 'links for answering an offer; the answer is in the table angebote',
  buchpruefung: 'proofs that were made; what they proved is made again from the books',
  siegel: 'in the folder kette, which proves the archive (docs/verify-archive.md)',
  siegel_form: 'in the folder kette',
  dokument_auftrag: 'the queue of files to be made',
  eingang_postfach: 'when the mailbox was seen; no business record',
  eingang_mail:
    'mails and what became of their files; what was taken in is in the table eingang, with its sender in the log',
  serie: 'plans of recurring invoices; what they made is issued as invoices, and the log names the series',
  serie_lauf: 'which period of such a plan became which draft; the log of the invoice says so',
  rechnung_offen: 'what is open; follows from invoices and payments',
  angebot_offen: 'what is to be billed; follows from offers and invoices',
}
