// One bank entry spread over invoices: what was typed per invoice, what is left, and whether it can be booked.
// Pure. Amounts are typed without the entry's sign.
import type { BankMatch, BankRechnung, BankUmsatz } from '#contract/zahlung.ts'
import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  formatAmount,
  formatCents,
  isEqual,
  NULL,
  type NumberInputFault,
  negate,
  parseNumberInput,
  sign,
  subtract,
} from '#domain/geld.ts'
import { isReceived } from '#domain/reconciliation/received.ts'
import type { Reconciliation } from '#domain/reconciliation/suggestion.ts'
import type { Checked } from '../../../record/dialog-form.ts'
import { t } from '../../../ui/text.ts'
import { numberFault } from '../number-words.ts'
import { invoiceKey, type Rechnungen } from './reconciliation.ts'

export interface Part {
  readonly betrag: string
  /** What this payment leaves open is granted as a discount. */
  readonly skonto: boolean
  /** What it exceeds the open amount by pays costs of reminders. */
  readonly mahnkosten: boolean
}
export type Parts = ReadonlyMap<number, Part>

export const NO_PARTS: Parts = new Map()

/** Null removes the part. */
export function withPart(parts: Parts, id: number, part: Part | null): Parts {
  const next = new Map(parts)
  if (part === null) next.delete(id)
  else next.set(id, part)
  return next.size === 0 ? NO_PARTS : next
}

/** Money went out. */
export const isRefund = ({ rest }: BankUmsatz): boolean => rest.startsWith('-')
const parseAmount = (text: string): Decimal | NumberInputFault => parseNumberInput(text, { decimals: 2 })

/** Whether money goes against the invoice: out for one of ours, in for a received one. */
export const isBack = (rechnung_id: number, out: boolean): boolean => out !== isReceived(rechnung_id)

/** The most that can be assigned without overpayment: what is open, or of what goes back what was paid or is owed. */
export function limitOf({ rechnung_id, offen, bezahlt }: BankRechnung, out: boolean): Decimal {
  const back = isBack(rechnung_id, out)
  const [open, paid] = [decimal(offen), decimal(bezahlt)]
  const most = !back ? open : compare(paid, negate(open)) > 0 ? paid : negate(open)
  return sign(most) > 0 ? most : NULL
}

/** What is assigned to one invoice. */
export interface PartState {
  /** Null: not a number. */
  readonly value: Decimal | null
  readonly isOver: boolean
  /** What stays open, if it could be granted as a discount. */
  readonly short: Decimal | null
  /** What exceeds the open amount, if reminders have demanded as much beside it. */
  readonly costs: Decimal | null
  readonly fault: string | undefined
}
export function partState(part: Part, rechnung: BankRechnung | undefined, out: boolean): PartState {
  const value = parseAmount(part.betrag)
  if (typeof value === 'string')
    return { value: null, isOver: false, short: null, costs: null, fault: numberFault(value, 2) }
  const limit = rechnung === undefined ? null : limitOf(rechnung, out)
  const isOver = limit !== null && compare(value, limit) > 0
  const back = rechnung !== undefined && isBack(rechnung.rechnung_id, out)
  const isShort = limit !== null && !back && sign(value) > 0 && compare(value, limit) < 0
  return {
    value,
    isOver,
    short: isShort ? subtract(limit, value) : null,
    costs:
      isOver && !back && compare(subtract(value, limit), decimal(rechnung?.mahnkosten ?? '0.00')) <= 0
        ? subtract(value, limit)
        : null,
    fault:
      sign(value) === 0
        ? t('Der Betrag darf nicht null sein.')
        : back && isOver
          ? t('Zurückgezahlt werden kann höchstens, was gezahlt wurde.')
          : undefined,
  }
}

const isCosts = (parts: Parts, id: number): boolean => parts.get(id)?.mahnkosten === true

export interface Spread {
  readonly states: ReadonlyMap<number, PartState>
  readonly given: Decimal
  /** Negative: more is spread than the entry holds. */
  readonly left: Decimal
  readonly overpaid: readonly number[]
}
export function deriveSpread(umsatz: BankUmsatz, parts: Parts, rechnungen: Rechnungen): Spread {
  const out = isRefund(umsatz)
  const states = new Map([...parts].map(([id, part]) => [id, partState(part, rechnungen.get(id), out)]))
  const given = [...states.values()].reduce<Decimal>(
    (total, { value }) => (value === null ? total : add(total, value)),
    NULL,
  )
  return {
    states,
    given,
    left: subtract(absolute(decimal(umsatz.rest)), given),
    overpaid: [...states]
      .filter(
        ([id, { isOver, costs }]) => isOver && !isBack(id, out) && !(costs !== null && isCosts(parts, id)),
      )
      .map(([id]) => id),
  }
}

/**
 * An invoice that was just chosen takes what is left of the entry, up to its limit: the open amount, or with
 * all that its reminders demand if that is exactly what is left.
 */
export function proposePart(rechnung: BankRechnung, left: Decimal, out: boolean): Part {
  const limit = limitOf(rechnung, out)
  const rest = sign(left) > 0 ? left : NULL
  const costs = decimal(rechnung.mahnkosten)
  if (!isBack(rechnung.rechnung_id, out) && sign(costs) > 0 && isEqual(rest, add(limit, costs)))
    return { betrag: formatAmount(rest), skonto: false, mahnkosten: true }
  const isEnough = compare(limit, rest) < 0 && sign(limit) > 0
  return { betrag: formatAmount(isEnough ? limit : rest), skonto: false, mahnkosten: false }
}

/** `isMore`: overpayment was confirmed. */
export function checkSpread(
  umsatz: BankUmsatz,
  parts: Parts,
  { states, left, overpaid }: Spread,
  isMore: boolean,
): Checked<BankMatch[]> {
  if (parts.size === 0) return { faults: { parts: t('Bitte wählen Sie mindestens eine Rechnung.') } }
  const isReady =
    [...states.values()].every(({ fault }) => fault === undefined) &&
    sign(left) >= 0 &&
    (overpaid.length === 0 || isMore)
  // What is missing is said beside the amounts.
  if (!isReady) return { faults: {} }
  const out = isRefund(umsatz)
  return {
    values: [...parts].map(([rechnung_id, { skonto, mahnkosten }]) => {
      const { value, isOver, costs } = states.get(rechnung_id)!
      return {
        umsatz_id: umsatz.id,
        ...invoiceKey(rechnung_id),
        betrag: formatCents(out ? negate(value ?? NULL) : (value ?? NULL)),
        skonto: skonto && !isOver,
        ueberzahlung: overpaid.includes(rechnung_id),
        ...(mahnkosten && costs !== null && { mahnkosten }),
      }
    }),
  }
}

/**
 * Suggested ones first, then those of the same customers, then the newest; settled and cancelled ones only if the
 * entry names them, or behind all others if it names their customer.
 */
export function candidatesOf(
  umsatz: BankUmsatz,
  { suggestions, settled }: Reconciliation,
  rechnungen: Rechnungen,
  out: boolean,
): BankRechnung[] {
  const proposed = new Set(
    suggestions.flatMap(({ zuordnungen }) => zuordnungen.map(({ rechnung_id }) => rechnung_id)),
  )
  const customers = new Set([...proposed].map((id) => rechnungen.get(id)?.client_id))
  const name = umsatz.name.toLowerCase()
  const weight = (one: BankRechnung): number =>
    proposed.has(one.rechnung_id)
      ? 3
      : customers.has(one.client_id)
        ? 2
        : name !== '' && one.kunde.toLowerCase() === name
          ? 1
          : 0
  const isNamed = (one: BankRechnung): boolean =>
    sign(limitOf(one, out)) > 0 || proposed.has(one.rechnung_id) || settled.includes(one.nummer)
  // Money for what is settled or cancelled: the customer's credit.
  const isExpected = (one: BankRechnung): boolean =>
    !isBack(one.rechnung_id, out) &&
    (sign(decimal(one.mahnkosten)) > 0 || settled.includes(one.nummer) || weight(one) > 0)
  return [...rechnungen.values()]
    .filter((one) => sign(limitOf(one, out)) > 0 || isExpected(one))
    .toSorted(
      (a, b) =>
        Number(isNamed(b)) - Number(isNamed(a)) ||
        weight(b) - weight(a) ||
        (a.rn_datum < b.rn_datum ? 1 : a.rn_datum > b.rn_datum ? -1 : b.rechnung_id - a.rechnung_id),
    )
}
