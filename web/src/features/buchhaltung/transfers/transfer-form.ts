// Orders of a file of credit transfers as they are typed: the day of all or of each, and for each invoice its account
// and whether the cash discount is taken. Pure.
import type { Payable, TransferOrderInput } from '#contract/eingang.ts'
import { addDays } from '#domain/day.ts'
import { decimal, type Decimal, sum } from '#domain/geld.ts'
import { ibanFault } from '#domain/iban.ts'
import { isSepaAccount } from '#domain/sepa/area.ts'
import { sepaText } from '#domain/sepa/charset.ts'
import { executionDayFor, isTargetDay, targetDayFrom, targetDayUntil } from '#domain/sepa/target-day.ts'
import type { SkontoTier } from '#domain/skonto.ts'
import { type Checked, unlessFaulty } from '../../../record/dialog-form.ts'
import { formatDate } from '../../../ui/format.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { discountOn } from '../eingang/payment-form.ts'

/** ein_tag: all on one day · faellig: each so that its money is there when it is due, or its discount ends. */
export type When = 'ein_tag' | 'faellig'

export interface TypedRun {
  readonly when: When
  /** Of all. */
  readonly tag: string
  /** Account by invoice; empty: not chosen yet. */
  readonly iban: Readonly<Record<number, string>>
  /** Invoices that are paid in full although a discount would be possible. */
  readonly full: readonly number[]
}

/** The accounts that an invoice may be paid to. */
export const accountsOf = ({ iban, bekannt }: Payable): string[] => [
  ...new Set([bekannt, iban].filter((one) => one !== '' && ibanFault(one) === null && isSepaAccount(one))),
]

/**
 * iban: none · iban_falsch: none with right check digits · iban_fremd: none that SEPA reaches · name: none that can be
 * written (EPC217-08).
 */
export type WhyNot = 'iban' | 'iban_falsch' | 'iban_fremd' | 'name'
function whyNot(row: Payable): WhyNot | null {
  if (accountsOf(row).length === 0) {
    const named = [row.iban, row.bekannt].filter((one) => one !== '')
    if (named.length === 0) return 'iban'
    return named.some((one) => ibanFault(one) === null) ? 'iban_fremd' : 'iban_falsch'
  }
  return sepaText(row.kreditor, 70) === '' ? 'name' : null
}
/** Invoices that no file can pay as they are. */
export const leftOut = (rows: readonly Payable[]): { row: Payable; why: WhyNot }[] =>
  rows.flatMap((row) => {
    const why = whyNot(row)
    return why === null ? [] : [{ row, why }]
  })
export const payableOf = (rows: readonly Payable[]): Payable[] => rows.filter((row) => whyNot(row) === null)

/** Two different accounts: somebody has to ask the supplier first, so none is proposed. */
export const initialRun = (rows: readonly Payable[], today: string): TypedRun => ({
  when: 'ein_tag',
  tag: formatDate(targetDayFrom(today)),
  iban: Object.fromEntries(
    rows.map((row) => {
      const accounts = accountsOf(row)
      return [row.eingang_id, accounts.length === 1 ? accounts[0]! : '']
    }),
  ),
  full: [],
})

const MOST_DAYS = 365
const onDay = (row: Payable, day: string | null): SkontoTier | null => discountOn(row.bedingungen, row, day)

/** The discount that can be taken; null: none. */
export const discountFor = (row: Payable, { when, tag }: TypedRun, today: string): SkontoTier | null =>
  onDay(row, when === 'ein_tag' ? parseDay(tag) : targetDayFrom(today))

/** The day of execution; null: not a day yet. What is late already is paid on the next bank day. */
export function dayFor(row: Payable, typed: TypedRun, today: string): string | null {
  if (typed.when === 'ein_tag') return parseDay(typed.tag)
  const first = targetDayFrom(today)
  const last = targetDayUntil(addDays(today, MOST_DAYS))
  const discount = typed.full.includes(row.eingang_id) ? null : discountFor(row, typed, today)
  const day = executionDayFor(discount?.bis ?? row.faellig)
  return day < first ? first : day > last ? last : day
}

const takenOf = (row: Payable, typed: TypedRun, today: string): SkontoTier | null =>
  typed.full.includes(row.eingang_id) ? null : onDay(row, dayFor(row, typed, today))
export const amountOf = (row: Payable, typed: TypedRun, today: string): string =>
  takenOf(row, typed, today)?.zahlbetrag ?? row.offen
export const totalOf = (rows: readonly Payable[], typed: TypedRun, today: string): Decimal =>
  sum(payableOf(rows).map((row) => decimal(amountOf(row, typed, today))))
/** What leaves the account on each day, the earliest first. */
export function sumsByDay(
  rows: readonly Payable[],
  typed: TypedRun,
  today: string,
): { tag: string; anzahl: number; summe: Decimal }[] {
  const days = Map.groupBy(payableOf(rows), (row) => dayFor(row, typed, today) ?? '')
  return [...days]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([tag, own]) => ({ tag, anzahl: own.length, summe: totalOf(own, typed, today) }))
}

function dayFault(day: string | null, today: string): string | undefined {
  if (day === null) return dayExpected()
  if (day < today || day > addDays(today, MOST_DAYS)) return t('Ab heute und höchstens ein Jahr danach.')
  return isTargetDay(day)
    ? undefined
    : t('An diesem Tag buchen die Banken nicht. Der nächste Banktag ist der {tag}.', {
        tag: formatDate(targetDayFrom(day)),
      })
}

function accountFault(rows: readonly Payable[], typed: TypedRun): string | undefined {
  if (rows.length === 0) return t('Keine dieser Rechnungen lässt sich so überweisen.')
  const missing = rows.filter(({ eingang_id }) => (typed.iban[eingang_id] ?? '') === '')
  return missing.length === 0
    ? undefined
    : t('Bitte wählen Sie das Konto für: {nummern}.', {
        nummern: missing.map(({ nummer }) => nummer).join(', '),
      })
}

export function checkRun(
  all: readonly Payable[],
  typed: TypedRun,
  today: string,
): Checked<{ tag: string; posten: TransferOrderInput[] }> {
  const rows = payableOf(all)
  const posten = rows.map((row) => ({
    eingang_id: row.eingang_id,
    betrag: amountOf(row, typed, today),
    skonto: takenOf(row, typed, today) !== null,
    iban: typed.iban[row.eingang_id] ?? '',
    tag: dayFor(row, typed, today) ?? '',
  }))
  const [tag = ''] = posten.map((one) => one.tag).toSorted()
  return unlessFaulty(
    { tag, posten },
    {
      tag: typed.when === 'ein_tag' ? dayFault(parseDay(typed.tag), today) : undefined,
      iban: accountFault(rows, typed),
    },
  )
}
