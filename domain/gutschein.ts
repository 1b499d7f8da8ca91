// What a voucher must be: two discounts of 0 to 100 per cent, an expiry date in the future, whole months. The
// checks of the table have the same limits.

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
export type GutscheinFault = 'fehlt' | 'prozent' | 'stellen' | 'datum' | 'zukunft' | 'monate' | 'kein_rabatt'

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
  if (abo === 0 && kawm === 0) faults.rabatt_abo = 'kein_rabatt'
  if (Object.keys(faults).length > 0) return { faults }
  return {
    values: {
      rabatt_abo: abo as number,
      rabatt_kawm: kawm as number,
      expire_date: day,
      laufzeit: months as number,
    },
  }
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
