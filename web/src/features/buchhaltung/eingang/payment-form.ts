// A payment of a received invoice as it is typed. Pure. Amounts are typed without a sign: of a credit note, and of
// what was paid too much, money comes in.
import {
  compare,
  decimal,
  formatAmount,
  formatCents,
  negateText,
  parseNumberInput,
  sign,
  subtract,
} from '#domain/geld.ts'
import { readSkonto, type SkontoTier, skontoTiers } from '#domain/skonto.ts'
import { type Checked, unlessFaulty } from '../../../record/dialog-form.ts'
import { formatDate } from '../../../ui/format.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { numberFault } from '../number-words.ts'

const AMOUNT = { decimals: 2, integerDigits: 12 } as const

/** Whether the open amount is settled by money that comes in. */
export const isMoneyIn = (open: string): boolean => sign(decimal(open)) < 0
const magnitude = (open: string): string => (isMoneyIn(open) ? negateText(open) : open)

export interface TypedPayment {
  readonly datum: string
  readonly betrag: string
  readonly bemerkung: string
  /** The rest is deducted as cash discount. */
  readonly skonto: boolean
  /** More than what is open, on purpose. */
  readonly mehr: boolean
}
export const initialPayment = (open: string, today: string): TypedPayment => ({
  datum: formatDate(today),
  betrag: formatAmount(magnitude(open)),
  bemerkung: '',
  skonto: false,
  mehr: false,
})

export interface Booking {
  readonly datum: string
  readonly betrag: string
  readonly bemerkung: string
  readonly skonto: boolean
  readonly ueberzahlung: boolean
}

/** What would be left open, in the size in which it is typed; null: nothing, or no number. */
export function restOf({ betrag }: TypedPayment, open: string): string | null {
  const value = parseNumberInput(betrag, AMOUNT)
  if (typeof value === 'string' || sign(value) <= 0) return null
  const rest = subtract(decimal(magnitude(open)), value)
  return sign(rest) > 0 ? formatCents(rest) : null
}

export function checkPayment(typed: TypedPayment, open: string): Checked<Booking> {
  const value = parseNumberInput(typed.betrag, AMOUNT)
  const day = parseDay(typed.datum)
  const text = typeof value === 'string' ? '' : formatCents(value)
  return unlessFaulty(
    {
      datum: day ?? '',
      betrag: isMoneyIn(open) ? negateText(text || '0.00') : text,
      bemerkung: typed.bemerkung.trim(),
      skonto: typed.skonto && restOf(typed, open) !== null,
      ueberzahlung: typed.mehr,
    },
    {
      datum: day === null ? dayExpected() : undefined,
      betrag:
        typeof value === 'string'
          ? numberFault(value, 2)
          : sign(value) <= 0
            ? t('Bitte einen Betrag über null eintragen.')
            : undefined,
    },
  )
}

/** The best discount that the invoice's terms (BT-20) grant on a day; null: none, or something is paid already. */
export function discountOn(
  terms: string,
  invoice: { readonly datum: string; readonly zahlbetrag: string; readonly offen: string },
  day: string | null,
): SkontoTier | null {
  if (day === null || invoice.offen !== invoice.zahlbetrag) return null
  const { datum, zahlbetrag } = invoice
  return (
    skontoTiers({ skonto: readSkonto(terms), datum, summen: { zahlbetrag } })
      .filter(({ bis }) => day <= bis)
      .toSorted((a, b) => compare(decimal(b.deduction), decimal(a.deduction)))[0] ?? null
  )
}
