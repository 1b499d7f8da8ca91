// Orders of a file of credit transfers as they are typed: the day, and for each invoice its account and whether the
// cash discount is taken. Pure.
import type { Payable, TransferOrderInput } from '#contract/eingang.ts'
import { addDays } from '#domain/day.ts'
import { decimal, type Decimal, sum } from '#domain/geld.ts'
import { isTargetDay, targetDayFrom } from '#domain/sepa/target-day.ts'
import type { SkontoTier } from '#domain/skonto.ts'
import { type Checked, unlessFaulty } from '../../../record/dialog-form.ts'
import { formatDate } from '../../../ui/format.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { discountOn } from '../eingang/payment-form.ts'

export interface TypedRun {
  readonly tag: string
  /** Account by invoice; empty: not chosen yet. */
  readonly iban: Readonly<Record<number, string>>
  /** Invoices that are paid in full although a discount would be possible. */
  readonly full: readonly number[]
}

/** The accounts that an invoice may be paid to. */
export const accountsOf = ({ iban, bekannt }: Payable): string[] => [
  ...new Set([bekannt, iban].filter((one) => one !== '')),
]
/** Two different accounts: somebody has to ask the supplier first, so none is proposed. */
export const initialRun = (rows: readonly Payable[], today: string): TypedRun => ({
  tag: formatDate(targetDayFrom(today)),
  iban: Object.fromEntries(
    rows.map((row) => {
      const accounts = accountsOf(row)
      return [row.eingang_id, accounts.length === 1 ? accounts[0]! : '']
    }),
  ),
  full: [],
})

/** The discount of an invoice that is paid on this day; null: none. */
export const discountFor = (row: Payable, tag: string): SkontoTier | null =>
  discountOn(row.bedingungen, row, parseDay(tag))
const takenOf = (row: Payable, { tag, full }: TypedRun): SkontoTier | null =>
  full.includes(row.eingang_id) ? null : discountFor(row, tag)
export const amountOf = (row: Payable, typed: TypedRun): string =>
  takenOf(row, typed)?.zahlbetrag ?? row.offen
export const totalOf = (rows: readonly Payable[], typed: TypedRun): Decimal =>
  sum(rows.map((row) => decimal(amountOf(row, typed))))

function dayFault(day: string | null, today: string): string | undefined {
  if (day === null) return dayExpected()
  if (day < today || day > addDays(today, 365)) return t('Ab heute und höchstens ein Jahr danach.')
  return isTargetDay(day)
    ? undefined
    : t('An diesem Tag buchen die Banken nicht. Der nächste Banktag ist der {tag}.', {
        tag: formatDate(targetDayFrom(day)),
      })
}

export function checkRun(
  rows: readonly Payable[],
  typed: TypedRun,
  today: string,
): Checked<{ tag: string; posten: TransferOrderInput[] }> {
  const day = parseDay(typed.tag)
  const missing = rows.filter(({ eingang_id }) => (typed.iban[eingang_id] ?? '') === '')
  return unlessFaulty(
    {
      tag: day ?? '',
      posten: rows.map((row) => ({
        eingang_id: row.eingang_id,
        betrag: amountOf(row, typed),
        skonto: takenOf(row, typed) !== null,
        iban: typed.iban[row.eingang_id] ?? '',
      })),
    },
    {
      tag: dayFault(day, today),
      iban:
        missing.length === 0
          ? undefined
          : missing.some((row) => accountsOf(row).length === 0)
            ? t(
                'Ohne IBAN lässt sich nicht überweisen: {nummern}. Bitte tragen Sie sie beim Lieferanten ein.',
                {
                  nummern: missing
                    .filter((row) => accountsOf(row).length === 0)
                    .map(({ nummer }) => nummer)
                    .join(', '),
                },
              )
            : t('Bitte wählen Sie das Konto für: {nummern}.', {
                nummern: missing.map(({ nummer }) => nummer).join(', '),
              }),
    },
  )
}
