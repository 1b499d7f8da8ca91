// Which column of a bank's CSV file is what, guessed by the headings of German banks, and how its days and
// amounts are written.
import { isDay } from '../day.ts'
import { type Decimal, parseDecimal } from '../geld.ts'

export const CSV_FIELDS = [
  'datum',
  'betrag',
  'out',
  'into',
  'richtung',
  'name',
  'zahler',
  'empfaenger',
  'iban',
  'zweck',
  'text',
  'referenz',
  'konto',
  'waehrung',
  'stand',
] as const
export type CsvField = (typeof CSV_FIELDS)[number]
/** Field → column, counted from 0. */
export type CsvColumns = Readonly<Partial<Record<CsvField, number>>>

/**
 * Day: by the order of day, month and year · decimal: the sign before the cents.
 */
export const DAY_ORDERS = ['TMJ', 'JMT', 'MTJ'] as const
export type DayOrder = (typeof DAY_ORDERS)[number]
export const DECIMAL_SIGNS = [',', '.'] as const
export type DecimalSign = (typeof DECIMAL_SIGNS)[number]
export interface CsvForm {
  readonly spalten: CsvColumns
  readonly tage: DayOrder
  readonly decimalSign: DecimalSign
}
export type CsvRow = readonly string[]

/** Headings without signs and umlauts; the first that a file has counts. */
const NAMES: Readonly<Record<CsvField, readonly string[]>> = {
  datum: ['buchungstag', 'buchungsdatum', 'buchung', 'datum', 'bookingdate', 'date', 'valutadatum', 'valuta'],
  betrag: [
    'betrag',
    'betrageur',
    'umsatz',
    'umsatzineur',
    'betragineur',
    'amount',
    'amounteur',
    'buchungsbetrag',
  ],
  out: ['soll', 'belastung', 'ausgang', 'lastschrift', 'debit'],
  into: ['haben', 'gutschrift', 'eingang', 'credit'],
  richtung: ['sollhaben', 'sh', 'sollhabenkennzeichen', 'vorzeichen', 'debitcredit'],
  name: [
    'beguenstigterzahlungspflichtiger',
    'namezahlungsbeteiligter',
    'auftraggeberempfaenger',
    'auftraggeberbeguenstigter',
    'beguenstigterauftraggeber',
    'empfaengerauftraggeber',
    'empfaengerzahlungspflichtiger',
    'auftraggeberzahlungsempfaenger',
    'name',
    'partnername',
    'gegenkontoname',
  ],
  zahler: ['zahlungspflichtiger', 'zahlungspflichtige', 'auftraggeber', 'auftraggeberin'],
  empfaenger: ['zahlungsempfaengerin', 'zahlungsempfaenger', 'empfaenger'],
  iban: [
    'kontonummeriban',
    'ibanzahlungsbeteiligter',
    'iban',
    'ibankontonummer',
    'partneriban',
    'gegenkontoiban',
    'kontonummer',
  ],
  zweck: [
    'verwendungszweck',
    'vwz',
    'zweck',
    'reference',
    'paymentreference',
    'buchungstext',
    'beschreibung',
  ],
  text: ['buchungstext', 'umsatzart', 'umsatztyp', 'vorgang', 'buchungsart', 'type'],
  referenz: ['kundenreferenzendtoend', 'kundenreferenz', 'endtoendreferenz', 'endtoendid', 'endtoendref'],
  konto: [
    'ibanauftragskonto',
    'ibanauftraggeberkonto',
    'auftragskonto',
    'eigeneiban',
    'kontoiban',
    'accountiban',
  ],
  waehrung: ['waehrung', 'currency'],
  stand: ['status', 'info', 'buchungsstatus', 'umsatzstatus'],
}

const plain = (head: string): string =>
  head
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]/g, '')

/** Columns by their headings; each column is one field. */
export function guessColumns(headers: CsvRow): CsvColumns {
  const plainHeads = headers.map(plain)
  const taken = new Set<number>()
  const columns: Partial<Record<CsvField, number>> = {}
  for (const field of CSV_FIELDS) {
    const found = NAMES[field]
      .map((name) => plainHeads.findIndex((head, at) => head === name && !taken.has(at)))
      .find((at) => at !== -1)
    if (found === undefined) continue
    columns[field] = found
    taken.add(found)
  }
  // An amount in one column leaves nothing for two.
  if (columns.betrag !== undefined) {
    delete columns.out
    delete columns.into
  }
  return columns
}

export const isAmount = ({ betrag, out, into }: CsvColumns): boolean =>
  betrag !== undefined || (out !== undefined && into !== undefined)
/** What is still to be said: 'datum', 'betrag'. */
export const missingColumns = (columns: CsvColumns): ('datum' | 'betrag')[] => [
  ...(columns.datum === undefined ? (['datum'] as const) : []),
  ...(isAmount(columns) ? [] : (['betrag'] as const)),
]

const HEAD_WITHIN = 40
/** Banks write lines about the account before the headings. Null: no row has the headings that are needed. */
export function headRow(rows: readonly CsvRow[]): number | null {
  let best: { at: number; count: number } | null = null
  for (const [at, row] of rows.slice(0, HEAD_WITHIN).entries()) {
    const columns = guessColumns(row)
    const count = Object.keys(columns).length
    if (missingColumns(columns).length === 0 && count > (best?.count ?? 0)) best = { at, count }
  }
  return best?.at ?? null
}

const DAY: Readonly<Record<DayOrder, RegExp>> = {
  TMJ: /^(?<t>\d{1,2})[./-](?<m>\d{1,2})[./-](?<j>\d{4}|\d{2})$/,
  JMT: /^(?<j>\d{4})[./-]?(?<m>\d{2})[./-]?(?<t>\d{2})(?:[T ][\d:.+Z-]*)?$/,
  MTJ: /^(?<m>\d{1,2})[./-](?<t>\d{1,2})[./-](?<j>\d{4}|\d{2})$/,
}
/** "2026-03-02"; null if it is no day in this order. */
export function csvDay(text: string, order: DayOrder): string | null {
  const found = DAY[order].exec(text)?.groups
  if (found === undefined) return null
  const { j = '', m = '', t = '' } = found
  const day = `${j.length === 2 ? `20${j}` : j}-${m.padStart(2, '0')}-${t.padStart(2, '0')}`
  return isDay(day) && day >= '2000-01-01' && day <= '2199-12-31' ? day : null
}

const AMOUNT: Readonly<Record<DecimalSign, RegExp>> = {
  ',': /^(?:\d{1,3}(?:[.']\d{3})+|\d+)(?:,\d{1,2})?$/,
  '.': /^(?:\d{1,3}(?:[,']\d{3})+|\d+)(?:\.\d{1,2})?$/,
}
/** "-1.234,50", "12,50-", "12,50 S", "+3 €"; null if it is no amount, or has too many digits. */
export function csvAmount(text: string, decimal: DecimalSign): Decimal | null {
  const bare = text.replace(/\s*(?:€|EUR)\s*/i, '').replaceAll(/[\s\u00A0\u202F]/g, '')
  const found = /^(?<before>[+\-−–]?)(?<digits>[\d.,']{1,30})(?<after>[+\-−–]|[SH])?$/.exec(bare)?.groups
  if (found === undefined || !AMOUNT[decimal].test(found['digits']!)) return null
  if (found['before'] !== '' && found['after'] !== undefined) return null
  const digits = found['digits']!.replaceAll(decimal === ',' ? /[.']/g : /[,']/g, '').replace(',', '.')
  const value = parseDecimal(digits)
  if (value === null || digits.split('.')[0]!.replace(/^0+(?=\d)/, '').length > 12) return null
  const isOut = /[-−–S]/.test(`${found['before']!}${found['after'] ?? ''}`)
  return { wert: isOut ? -value.wert : value.wert, decimals: value.decimals }
}

const SAMPLE = 200
const cellsOf = (rows: readonly CsvRow[], column: number | undefined): string[] =>
  column === undefined ? [] : rows.slice(0, SAMPLE).flatMap((row) => (row[column] ?? '') || [])
/** The choice with which most cells can be read; the first of equal ones. */
function best<T>(
  choices: readonly T[],
  cells: readonly string[],
  reads: (cell: string, by: T) => boolean,
): T {
  const counts = choices.map((choice) => cells.filter((cell) => reads(cell, choice)).length)
  return choices[counts.indexOf(Math.max(...counts))]!
}
/** Columns by the headings, days and amounts by the first rows. */
export function guessForm(headers: CsvRow, rows: readonly CsvRow[]): CsvForm {
  const chosenColumns = guessColumns(headers)
  const money = [chosenColumns.betrag, chosenColumns.out, chosenColumns.into].flatMap((column) =>
    cellsOf(rows, column),
  )
  return {
    spalten: chosenColumns,
    tage: best(DAY_ORDERS, cellsOf(rows, chosenColumns.datum), (cell, order) => csvDay(cell, order) !== null),
    decimalSign: best(DECIMAL_SIGNS, money, (cell, mark) => csvAmount(cell, mark) !== null),
  }
}

/** As it is remembered; texts alone. */
export const saveForm = ({ spalten, tage, decimalSign }: CsvForm): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(spalten).map(([field, column]) => [field, String(column)])),
  tage,
  decimalSign,
})
/** Null if what was remembered does not fit the file, or is not ours. */
export function restoreForm(headers: CsvRow, saved: Readonly<Record<string, unknown>>): CsvForm | null {
  const days = DAY_ORDERS.find((order) => order === saved['tage'])
  const decimalSign = DECIMAL_SIGNS.find((mark) => mark === saved['decimalSign'])
  const chosenColumns = Object.fromEntries(
    CSV_FIELDS.flatMap((field) => {
      const column = saved[field]
      return typeof column === 'string' && /^\d{1,3}$/.test(column) && Number(column) < headers.length
        ? [[field, Number(column)]]
        : []
    }),
  )
  if (days === undefined || decimalSign === undefined || missingColumns(chosenColumns).length > 0) return null
  return { spalten: chosenColumns, tage: days, decimalSign }
}
/** Under which it is remembered: the account and the headings. */
export const formKey = (account: string, headers: CsvRow): string =>
  `Kontoauszug ${account} ${headers.map(plain).join('|')}`.slice(0, 2000)
