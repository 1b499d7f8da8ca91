// The rows of a bank's CSV file as entries of the account. A row that cannot be read is a fault with its
// number; with one fault nothing is read.
import type { CamtBuchung, CamtHint, CamtStatement } from '../camt/statement.ts'
import { clip, oneLine } from '../camt/xml.ts'
import { type Decimal, formatCents, negate, NULL, sign } from '../geld.ts'
import { ibanFault, normalizeIban } from '../iban.ts'
import { csvAmount, csvDay, type CsvField, type CsvForm, type CsvRow } from './columns.ts'

export interface CsvTable {
  /** Lines about the account before the headings. */
  readonly before: readonly CsvRow[]
  readonly headers: CsvRow
  readonly rows: readonly CsvRow[]
  /** Number of the first of these rows in the file, from 1. */
  readonly firstRow: number
}
/**
 * datum, betrag: missing (`wert` is empty) or cannot be read · beide: amounts in both columns · waehrung:
 * another currency
 */
export interface CsvFault {
  readonly zeile: number
  readonly art: 'datum' | 'betrag' | 'beide' | 'waehrung'
  readonly wert: string
}
export interface CsvRead {
  readonly bankStatements: readonly CamtStatement[]
  readonly faults: readonly CsvFault[]
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
const PENDING = /vorgemerkt|vormerk|pending|offen/i
const NO_REFERENCE = /^(?:notprovided|nonref|nichtangegeben)?$/i
/** Excel's way to keep leading zeros: ="0123". */
export const csvCell = (cell: string | undefined): string =>
  oneLine(/^="([^"]*)"$/.exec(cell ?? '')?.[1] ?? cell ?? '')

/** The account that the file is of: in its column, or above the headings; empty if it is not named. */
export function accountIn({ before, rows }: CsvTable, { spalten }: CsvForm): string {
  const column = spalten.konto
  const cells = [
    ...(column === undefined ? [] : rows.slice(0, 1).map((row) => row[column])),
    ...before.flat(),
  ]
  return cells.map((cell) => normalizeIban(csvCell(cell))).find((text) => ibanFault(text) === null) ?? ''
}

type Get = (field: CsvField) => string
/** The amount of a row; a fault instead if there is none. */
function amountOf(get: Get, { spalten, decimalSign }: CsvForm): Decimal | Omit<CsvFault, 'zeile'> {
  if (spalten.betrag !== undefined) {
    const value = csvAmount(get('betrag'), decimalSign)
    if (value === null) return { art: 'betrag', wert: get('betrag') }
    return /^(?:s|soll|d|debit|-)$/i.test(get('richtung')) && sign(value) > 0 ? negate(value) : value
  }
  const [out, into] = [get('out'), get('into')].map((text) =>
    text === '' ? NULL : csvAmount(text, decimalSign),
  )
  if (out === null || out === undefined) return { art: 'betrag', wert: get('out') }
  if (into === null || into === undefined) return { art: 'betrag', wert: get('into') }
  if (sign(out) !== 0 && sign(into) !== 0) return { art: 'beide', wert: `${get('out')} / ${get('into')}` }
  if (sign(out) === 0) return into
  return sign(out) > 0 ? negate(out) : out
}

/** The other side: one column for both directions, or one for each. */
const nameOf = (get: Get, isOut: boolean): string =>
  get('name') || (isOut ? get('empfaenger') : get('zahler')) || get('empfaenger') || get('zahler')

function buchungOf(get: Get, datum: string, value: Decimal, account: string): CamtBuchung {
  const [own, iban] = [get('konto'), get('iban')].map(normalizeIban)
  const reference = NO_REFERENCE.test(get('referenz')) ? '' : get('referenz')
  const purpose = [
    get('zweck') || get('text'),
    reference === '' || get('zweck').includes(reference) ? '' : `EREF: ${reference}`,
  ]
  return {
    konto: IBAN.test(own!) ? own! : account,
    datum,
    betrag: formatCents(value),
    name: clip(nameOf(get, sign(value) < 0), 200),
    iban: clip(iban!, 34),
    zweck: clip(purpose.filter((line) => line !== '').join('\n'), 2000),
    referenz: clip(reference, 200),
  }
}

/** `account`: where the file names none. */
export function readCsv(table: CsvTable, form: CsvForm, account: string): CsvRead {
  const faults: CsvFault[] = []
  const buchungen: CamtBuchung[] = []
  const left = { vorgemerkt: 0, null: 0, zeilen: 0 }
  table.rows.forEach((row, index) => {
    const get: Get = (field) => {
      const column = form.spalten[field]
      return column === undefined ? '' : csvCell(row[column])
    }
    const lineNumber = table.firstRow + index
    const money = form.spalten.betrag === undefined ? get('out') + get('into') : get('betrag')
    if (row.every((cell) => csvCell(cell) === '')) return
    const datum = csvDay(get('datum'), form.tage)
    // Sums and remarks below the entries.
    if (money === '' && datum === null) return void left.zeilen++
    if (PENDING.test(get('stand'))) return void left.vorgemerkt++
    if (datum === null)
      return void faults.push({ zeile: lineNumber, art: 'datum', wert: clip(get('datum'), 60) })
    if (!/^(?:EUR|€|EURO)?$/i.test(get('waehrung')))
      return void faults.push({ zeile: lineNumber, art: 'waehrung', wert: clip(get('waehrung'), 60) })
    const value = amountOf(get, form)
    if ('art' in value)
      return void faults.push({ zeile: lineNumber, art: value.art, wert: clip(value.wert, 60) })
    if (sign(value) === 0) return void left.null++
    buchungen.push(buchungOf(get, datum, value, account))
  })
  const hints = (Object.keys(left) as (keyof typeof left)[]).flatMap((art): CamtHint[] =>
    left[art] === 0 ? [] : [{ art, anzahl: left[art], betrag: '0.00' }],
  )
  const groups = [...Map.groupBy(buchungen, ({ konto }) => konto)]
  return {
    faults,
    bankStatements: groups.map(([accountNumber, some], index): CamtStatement => {
      const days = some.map(({ datum }) => datum).toSorted()
      return {
        quelle: 'csv',
        konto: accountNumber,
        nummer: '',
        von: days[0]!,
        bis: days.at(-1)!,
        anfang: null,
        ende: null,
        buchungen: some,
        hinweise: index === 0 ? hints : [],
      }
    }),
  }
}
