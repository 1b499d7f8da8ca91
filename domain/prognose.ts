// Forecasts: what makes one valid, and sums over many. books.check_prognose has the same limits.
import {
  add,
  type Decimal,
  decimal,
  type NumberInputFault,
  formatCents,
  NULL,
  parseNumberInput,
  subtract,
} from './geld.ts'

export const PROGNOSE_KINDS = ['Einnahme', 'Ausgabe'] as const
export type PrognoseKind = (typeof PROGNOSE_KINDS)[number]

/** As typed; `datum` is an ISO date, or null if it cannot be read. */
export interface PrognoseInput {
  readonly datum: string | null
  readonly betrag: string
  readonly art: string
  readonly kategorie: string
  readonly bemerkung: string
}
export interface PrognoseValues {
  readonly datum: string
  readonly betrag: string
  readonly art: PrognoseKind
  readonly kategorie: string
  readonly bemerkung: string
}
export type PrognoseFault = NumberInputFault | 'datum' | 'datum_bereich' | 'null' | 'art' | 'zu_lang'
export const MAX_LENGTHS = { kategorie: 60, bemerkung: 500 } as const
export const FIRST_DAY = '2000-01-01'
export const LAST_DAY = '2100-12-31'

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
const length = (text: string): number => Array.from(text).length

/** Either the values to send, or what is wrong with which field. */
export function checkPrognose(
  input: PrognoseInput,
):
  | { readonly values: PrognoseValues }
  | { readonly faults: Partial<Record<keyof PrognoseInput, PrognoseFault>> } {
  const faults: Partial<Record<keyof PrognoseInput, PrognoseFault>> = {}
  const { datum } = input
  if (datum === null) faults.datum = 'datum'
  else if (datum === '') faults.datum = 'fehlt'
  else if (datum < FIRST_DAY || datum > LAST_DAY) faults.datum = 'datum_bereich'
  const amount = parseNumberInput(input.betrag, { decimals: 2 })
  if (typeof amount === 'string') faults.betrag = amount
  else if (amount.wert === 0n) faults.betrag = 'null'
  const art = PROGNOSE_KINDS.find((one) => one === input.art)
  if (art === undefined) faults.art = 'art'
  const category = oneLine(input.kategorie)
  const remark = oneLine(input.bemerkung)
  if (length(category) > MAX_LENGTHS.kategorie) faults.kategorie = 'zu_lang'
  if (length(remark) > MAX_LENGTHS.bemerkung) faults.bemerkung = 'zu_lang'
  if (Object.keys(faults).length > 0) return { faults }
  return {
    values: {
      datum: datum!,
      betrag: formatCents(amount as Decimal),
      art: art!,
      kategorie: category,
      bemerkung: remark,
    },
  }
}

interface Movement {
  readonly datum: string
  readonly betrag: string
  readonly art: PrognoseKind
}
export interface Sums {
  readonly einnahmen: Decimal
  readonly ausgaben: Decimal
  readonly saldo: Decimal
}
const EMPTY: Sums = { einnahmen: NULL, ausgaben: NULL, saldo: NULL }

function plus({ einnahmen, ausgaben }: Sums, { betrag, art }: Movement): Sums {
  const amount = decimal(betrag)
  const into = art === 'Einnahme' ? add(einnahmen, amount) : einnahmen
  const out = art === 'Ausgabe' ? add(ausgaben, amount) : ausgaben
  return { einnahmen: into, ausgaben: out, saldo: subtract(into, out) }
}
export const sumsOf = (rows: readonly Movement[]): Sums => rows.reduce(plus, EMPTY)

export interface PeriodPart extends Sums {
  /** 2026-12, or 2026 if the span is long. */
  readonly key: string
  /** Balance of everything up to and including this part. */
  readonly verlauf: Decimal
}
/** Longer spans are shown in years instead of months. */
export const MOST_MONTHS = 24
/** Maximum number of years drawn: a typing error in one date must not produce a thousand bars. */
const MOST_YEARS = 101

const monthAfter = (month: string): string => {
  const [year, nr] = month.split('-').map(Number) as [number, number]
  return nr === 12 ? `${year + 1}-01` : `${year}-${String(nr + 1).padStart(2, '0')}`
}
function keysBetween(
  first: string,
  last: string,
  next: (key: string) => string,
  most: number,
): string[] | null {
  const keys = [first]
  while (keys.at(-1)! < last) {
    if (keys.length === most) return null
    keys.push(next(keys.at(-1)!))
  }
  return keys
}

/** Every month (or year) from the first row to the last, including those without movements. */
export function periodPartsOf(rows: readonly Movement[]): PeriodPart[] {
  if (rows.length === 0) return []
  const days = rows.map(({ datum }) => datum).sort()
  const [first, last] = [days[0]!, days.at(-1)!]
  const months = keysBetween(first.slice(0, 7), last.slice(0, 7), monthAfter, MOST_MONTHS)
  const keys =
    months ??
    keysBetween(first.slice(0, 4), last.slice(0, 4), (year) => String(Number(year) + 1), MOST_YEARS) ??
    []
  const length = months ? 7 : 4
  const sums = new Map<string, Sums>()
  for (const row of rows) {
    const key = row.datum.slice(0, length)
    sums.set(key, plus(sums.get(key) ?? EMPTY, row))
  }
  let changes = NULL
  return keys.map((key) => {
    const part = sums.get(key) ?? EMPTY
    changes = add(changes, part.saldo)
    return { key, ...part, verlauf: changes }
  })
}

/** The same day a month later, or the last of that month: 31.01. → 28.02. */
export function monthLater(day: string): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(date, lastDay))).toISOString().slice(0, 10)
}
