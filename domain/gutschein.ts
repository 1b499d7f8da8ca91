// What a voucher must be: two discounts of 0 to 100 per cent, an expiry date in the future, whole months. The
// table and abo.check_gutschein have the same rules; the tests of both read gutschein.cases.json.

export interface GutscheinInput {
  readonly rabatt_abo: string
  readonly rabatt_kawm: string
  readonly expire_date: string
  readonly laufzeit: string
}
export interface GutscheinValues {
  readonly rabatt_abo: number
  readonly rabatt_kawm: number
  /** ISO date */
  readonly expire_date: string
  /** Months */
  readonly laufzeit: number
}
/** Null: what was typed is no value of that field. */
type Parsed = { readonly [Field in keyof GutscheinValues]: GutscheinValues[Field] | null }
interface GutscheinRule {
  /** Where the fault is shown. */
  readonly field: keyof GutscheinInput
  readonly broken: (parsed: Parsed) => boolean
}
/** Rules that look at several fields, by the fault that names them. */
export const GUTSCHEIN_RULES = {
  kein_rabatt: {
    field: 'rabatt_abo',
    broken: ({ rabatt_abo, rabatt_kawm }) => rabatt_abo === 0 && rabatt_kawm === 0,
  },
} as const satisfies Readonly<Record<string, GutscheinRule>>

export type GutscheinFault =
  | 'fehlt'
  | 'prozent'
  | 'stellen'
  | 'datum'
  | 'zukunft'
  | 'monate'
  | keyof typeof GUTSCHEIN_RULES

export const MOST_MONTHS = 1200
/** A later date is a typing error. */
const LAST_DAY = '2100-12-31'

/** "12,5 %" → 12.5; German comma or point, at most two places. */
export function parsePercent(text: string): number | GutscheinFault {
  const typed = text.replace(/\s*%\s*$/, '').trim()
  if (typed === '') return 'fehlt'
  if (!/^\d{1,6}(?:[.,]\d+)?$/.test(typed)) return 'prozent'
  if (/[.,]\d*[1-9]\d*$/.test(typed) && /[.,]\d\d0*[1-9]/.test(typed)) return 'stellen'
  const value = Number(typed.replace(',', '.'))
  return value <= 100 ? value : 'prozent'
}

function parseMonths(text: string): number | GutscheinFault {
  const typed = text.trim()
  if (typed === '') return 'fehlt'
  const value = /^\d{1,6}$/.test(typed) ? Number(typed) : Number.NaN
  return value >= 1 && value <= MOST_MONTHS ? value : 'monate'
}

function dayFault(day: string, today: string): GutscheinFault | null {
  if (day === '') return 'fehlt'
  const date = new Date(`${day}T00:00:00Z`)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day))
    return 'datum'
  if (day > LAST_DAY) return 'datum'
  return day > today ? null : 'zukunft'
}

/** Either the values, or what is wrong with which field. `today` is an ISO date. */
export function checkGutschein(
  input: GutscheinInput,
  today: string,
):
  | { readonly values: GutscheinValues }
  | { readonly faults: Partial<Record<keyof GutscheinInput, GutscheinFault>> } {
  const abo = parsePercent(input.rabatt_abo)
  const kawm = parsePercent(input.rabatt_kawm)
  const months = parseMonths(input.laufzeit)
  const day = input.expire_date
  const wrongDay = dayFault(day, today)
  const faults: Partial<Record<keyof GutscheinInput, GutscheinFault>> = {}
  if (typeof abo === 'string') faults.rabatt_abo = abo
  if (typeof kawm === 'string') faults.rabatt_kawm = kawm
  if (typeof months === 'string') faults.laufzeit = months
  if (wrongDay !== null) faults.expire_date = wrongDay
  const parsed = {
    rabatt_abo: typeof abo === 'string' ? null : abo,
    rabatt_kawm: typeof kawm === 'string' ? null : kawm,
    expire_date: wrongDay === null ? day : null,
    laufzeit: typeof months === 'string' ? null : months,
  }
  for (const fault of Object.keys(GUTSCHEIN_RULES) as (keyof typeof GUTSCHEIN_RULES)[]) {
    const { field, broken } = GUTSCHEIN_RULES[fault]
    if (broken(parsed)) faults[field] = fault
  }
  return Object.keys(faults).length > 0 ? { faults } : { values: parsed as GutscheinValues }
}

export type GutscheinState = 'offen' | 'ohne_code' | 'eingeloest' | 'abgelaufen'
/** A voucher can still be redeemed on its last day. */
export function stateOf(
  gutschein: {
    readonly expire_date: string
    readonly code_ausgegeben_am: string | null
    readonly eingeloest_am: string | null
  },
  today: string,
): GutscheinState {
  if (gutschein.eingeloest_am !== null) return 'eingeloest'
  if (gutschein.expire_date < today) return 'abgelaufen'
  return gutschein.code_ausgegeben_am === null ? 'ohne_code' : 'offen'
}
