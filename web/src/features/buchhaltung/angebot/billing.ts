// What is chosen of an offer for the next invoice, and what that invoice would come to. Pure.
import type { Beleg, BelegSums } from '#domain/beleg.ts'
import {
  type Decimal,
  decimal,
  formatAmount,
  formatDecimal,
  type NumberInputFault,
  parseNumberInput,
  sign,
} from '#domain/geld.ts'
import { computeBeleg, positionAmount } from '#domain/rechnung.ts'
import { type Checked, unlessFaulty } from '../../../record/dialog-form.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import type { Rest } from '../beleg.data.ts'
import { numberFault } from '../number-words.ts'
import { isMore, QUANTITY, type Quantities, remainingQuantities, shareQuantities } from './quantities.ts'

const SHARE = { decimals: 2, integerDigits: 3 } as const

export interface BillingValues {
  readonly quantities: Quantities
  readonly share: string
  readonly serviceDay: string
  /** More than offered, on purpose. */
  readonly mehr: boolean
}
export const startBilling = (rest: readonly Rest[]): BillingValues => ({
  quantities: remainingQuantities(rest),
  share: '',
  serviceDay: '',
  mehr: false,
})

export function shareFault(share: string): string | undefined {
  const value = share.trim() === '' ? null : parseNumberInput(share, SHARE)
  return typeof value === 'string' ? numberFault(value, 2) : undefined
}
/** A readable share fills in the quantities. */
export function changeShare(share: string, rest: readonly Rest[]): Partial<BillingValues> {
  const value = parseNumberInput(share, SHARE)
  return typeof value === 'string' ? { share } : { share, quantities: shareQuantities(rest, value) }
}

export interface BillingLine {
  readonly line: Rest
  /** Null: left out, or not a number. */
  readonly value: Decimal | null
  readonly fault: NumberInputFault | null
  /** As shown. */
  readonly amount: string
}
export interface Billing {
  readonly lines: readonly BillingLine[]
  readonly picked: readonly { readonly position_id: number; readonly anzahl: string }[]
  readonly summen: BelegSums
  /** Somewhere more is billed than was left of the offer. */
  readonly isOver: boolean
}

function parseQuantity(text: string): Decimal | NumberInputFault | null {
  if (text.trim() === '') return null
  const value = parseNumberInput(text, QUANTITY)
  return typeof value === 'string' || sign(value) !== 0 ? value : null
}

export function deriveBilling(quantities: Quantities, rest: readonly Rest[], beleg: Beleg): Billing {
  const offered = new Map(beleg.positionen.map((position) => [position.id, position]))
  const wanted = rest.map((line) => {
    const value = parseQuantity(quantities[line.position_id] ?? '')
    const position = offered.get(String(line.position_id))
    return typeof value === 'string' || value === null || position === undefined
      ? { line, value: null, fault: typeof value === 'string' ? value : null, position: null }
      : {
          line,
          value,
          fault: null,
          position: { ...position, art: 'position' as const, anzahl: formatDecimal(value) },
        }
  })
  const positions = wanted.flatMap(({ position }) => position ?? [])
  const { summen } = computeBeleg({
    positionen: positions,
    rabatt_prozent: beleg.rabatt_prozent,
    ust_satz: beleg.ust_satz,
    anzahlung: '0.00',
    kleinunternehmer: beleg.lieferant.kleinunternehmer,
  })
  return {
    lines: wanted.map(({ line, value, fault, position }) => ({
      line,
      value,
      fault,
      amount: formatAmount(position === null ? '0.00' : positionAmount(position)),
    })),
    picked: wanted.flatMap(({ line: { position_id }, position }) =>
      position === null ? [] : { position_id, anzahl: position.anzahl },
    ),
    summen,
    isOver: wanted.some(({ line, value }) => value !== null && isMore(value, decimal(line.rest))),
  }
}

export const quantityName = ({ position_id }: Rest): string => `menge-${position_id}`

export interface BillingRequest {
  readonly positionen: { position_id: number; anzahl: string }[]
  readonly le_date: string | null
  readonly mehr: boolean
}
export function checkBilling(
  { serviceDay, mehr }: BillingValues,
  { lines, picked, isOver }: Billing,
): Checked<BillingRequest> {
  const le_date = parseDay(serviceDay)
  return unlessFaulty(
    { positionen: [...picked], le_date, mehr },
    {
      ...Object.fromEntries(
        lines.map(({ line, fault }) => [
          quantityName(line),
          fault === null ? undefined : numberFault(fault, 3),
        ]),
      ),
      positionen: picked.length === 0 ? t('Bitte mindestens eine Menge eintragen.') : undefined,
      mehr: isOver && !mehr ? t('Bitte bestätigen oder die Menge verringern.') : undefined,
      serviceDay: serviceDay.trim() !== '' && le_date === null ? dayExpected() : undefined,
    },
  )
}
