// Contents of the journal in words; its export keeps the stored names.

import { isDay } from '#domain/day.ts'
import { formatAmount } from '#domain/geld.ts'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'

export function subjectText(subject: string): string {
  switch (subject) {
    case 'rechnung':
      return t('Rechnung')
    case 'angebot':
      return t('Angebot')
    case 'bank':
      return t('Bankumsatz')
    case 'datev':
      return t('DATEV-Export')
    case 'pruefung':
      return t('Archiv für die Prüfung')
    case 'lieferant':
      return t('Unternehmen')
    case 'kunde_rechnung':
      return t('Rechnungsdaten eines Kunden')
    case 'mandat':
    case 'sepa_mandat':
      return t('Mandat')
    case 'lastschrift':
    case 'sepa_lauf':
      return t('Lastschriftdatei')
    case 'sepa_posten':
      return t('Zeile einer Lastschriftdatei')
    case 'zahllauf':
      return t('Überweisungsdatei')
    case 'zahlposten':
      return t('Zeile einer Überweisungsdatei')
    case 'eingang_zahlung':
      return t('Zahlung an einen Lieferanten')
    case 'nummernkreis':
      return t('Nummernkreis')
    case 'eingang':
      return t('Eingangsrechnung')
    case 'kreditor':
      return t('Lieferant')
    case 'pruefer':
      return t('Zugang zur Prüfung')
    case 'verweigert':
      return t('Abgewiesener Zugriff')
    default:
      return subject.replaceAll('_', ' ')
  }
}

export function fieldText(field: string): string {
  const known: Readonly<Record<string, string>> = {
    an_datum: t('Angebotsdatum'),
    anrede: t('Anrede'),
    anschreiben: t('Anschreiben'),
    anzahl: t('Menge'),
    anzahlung: t('Anzahlung, brutto'),
    bearbeiter: t('Bearbeiter'),
    bestellnummer: t('Bestellnummer des Kunden'),
    betrag: t('Betrag'),
    bez: t('Bezeichnung'),
    bis: t('Bis'),
    client_id: t('Kunde'),
    datei: t('Datei'),
    davor: t('Davor'),
    ep: t('Einzelpreis'),
    faellig: t('Fällig'),
    gebuehr: t('Gebühr'),
    zinsen: t('Verzugszinsen'),
    zinsen_ab: t('Zinsen ab'),
    pauschale: t('Verzugspauschale'),
    basiszins: t('Basiszinssätze'),
    besteuerung_ab: t('Wechsel der Besteuerung'),
    kleinunternehmer_ab: t('Wechsel bei § 19 UStG'),
    einzug_tage: t('Ankündigung von Lastschriften'),
    gueltig_bis: t('Gültig bis'),
    kaeufer_ref: t('Referenz des Kunden'),
    le_date: t('Leistung am oder ab'),
    le_date_bis: t('Leistung bis'),
    leistungsland: t('Land des Grundstücks'),
    leistungsort: t('Ort der Leistung'),
    objekt_nr: t('Objektnummer'),
    projekt_nr: t('Projektnummer'),
    rabatt_grund: t('Grund für Rabatt oder Zuschlag'),
    rabatt_prozent: t('Rabatt'),
    rn_datum: t('Rechnungsdatum'),
    sha256: t('Prüfsumme'),
    ust_satz: t('Steuersatz'),
    vergabe_nr: t('Vergabe- oder Losnummer'),
    vertrag_nr: t('Vertragsnummer'),
    zuerl: t('Schlusstext'),
  }
  const plain = field.replaceAll('_', ' ')
  return known[field] ?? plain.slice(0, 1).toLocaleUpperCase('de') + plain.slice(1)
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? t('ja') : t('nein')
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  if (isDay(text)) return formatDate(text)
  return /^-?\d{1,12}\.\d{2}$/.test(text) ? formatAmount(text) : text
}
const pairs = (content: object): string =>
  Object.entries(content)
    .map(([field, value]) => {
      const change = Array.isArray(value) && value.length === 2
      return `${fieldText(field)}: ${change ? `${valueText(value[0])} → ${valueText(value[1])}` : valueText(value)}`
    })
    .join('; ')

type TableRow = Readonly<Record<string, unknown>>
const rowsOf = (value: unknown): Readonly<Record<string, TableRow>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, TableRow>)
    : {}
/** A line as shown in the journal. */
const lineText = ({ bez, anzahl, ep, einheit, art }: TableRow): string => {
  const name = valueText(bez)
  if (art === 'ueberschrift' || anzahl === undefined) return name
  const plain = (text: unknown) =>
    /^-?[\d.]+$/.test(String(text)) ? String(Number(text)).replace('.', ',') : String(text)
  return `${name} (${plain(anzahl)} ${String(einheit ?? '')} × ${plain(ep)})`.replace('  ', ' ')
}
/** Added, removed and changed lines, each in a few words. */
function positionsText(
  before: Readonly<Record<string, TableRow>>,
  after: Readonly<Record<string, TableRow>>,
): string {
  const said: string[] = []
  for (const [id, row] of Object.entries(after)) {
    const old = before[id]
    if (old === undefined) said.push(t('neu: {was}', { was: lineText(row) }))
    else {
      const fields = [...new Set([...Object.keys(old), ...Object.keys(row)])].filter(
        (field) => old[field] !== row[field],
      )
      said.push(
        `${valueText(row['bez'])}: ${pairs(
          Object.fromEntries(fields.map((field) => [field, [old[field], row[field]]])),
        )}`,
      )
    }
  }
  for (const [id, row] of Object.entries(before))
    if (after[id] === undefined) said.push(t('entfernt: {was}', { was: lineText(row) }))
  return said.join('; ')
}

/** A row's contents in one line; for a change, before and after. */
export const contentText = (content: TableRow): string =>
  'vorher' in content && 'nachher' in content
    ? positionsText(rowsOf(content['vorher']), rowsOf(content['nachher']))
    : pairs(content)

const stored = (value: unknown): string => {
  if (value === null || value === undefined) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
/** The same for files, with nothing left out or renamed. */
export const rawContent = (content: TableRow): string =>
  Object.entries(content)
    .map(([key, value]) => {
      const isChange = Array.isArray(value) && value.length === 2
      return `${key}: ${isChange ? `${stored(value[0])} → ${stored(value[1])}` : stored(value)}`
    })
    .join('; ')
