// An advance as it is asked for: a share of the order, or amounts by rate. Pure.
import { advanceLines } from '#domain/abschlag.ts'
import type { Beleg, BelegAmount, BelegTax } from '#domain/beleg.ts'
import {
  add,
  type Decimal,
  decimal,
  formatCents,
  formatDecimal,
  formatGerman,
  NULL,
  parseNumberInput,
  percentOf,
  round2,
  sign,
  sum,
} from '#domain/geld.ts'
import { computeBeleg } from '#domain/rechnung.ts'
import { type Checked, type FaultTexts, unlessFaulty } from '../../../record/dialog-form.ts'
import { t } from '../../../ui/text.ts'
import type { Rest } from '../beleg.data.ts'
import { numberFault } from '../number-words.ts'

const SHARE = { decimals: 2, integerDigits: 3 } as const
const AMOUNT = { decimals: 2, integerDigits: 10 } as const

export type OrderGroup = Pick<BelegTax, 'kategorie' | 'satz' | 'basis' | 'steuer'>
interface AdvanceValues {
  readonly prozent: string
  /** As typed, by rate. */
  readonly amounts: Readonly<Record<string, string>>
  readonly text: string
  /** More than ordered, on purpose. */
  readonly mehr: boolean
}
export const startAdvance: AdvanceValues = { prozent: '', amounts: {}, text: '', mehr: false }
export const groupName = ({ kategorie, satz }: Pick<OrderGroup, 'kategorie' | 'satz'>): string =>
  `netto-${kategorie}-${satz}`

/** What was ordered, by rate: the lines that can be billed, in full. */
export function orderGroups(rest: readonly Rest[], beleg: Beleg): readonly OrderGroup[] {
  const offered = new Map(beleg.positionen.map((position) => [position.id, position]))
  return computeBeleg({
    positionen: rest.flatMap(({ position_id, anzahl }) => {
      const position = offered.get(String(position_id))
      return position === undefined ? [] : [{ ...position, art: 'position' as const, anzahl }]
    }),
    rabatt_prozent: beleg.rabatt_prozent,
    ust_satz: beleg.ust_satz,
    anzahlung: '0.00',
    kleinunternehmer: beleg.lieferant.kleinunternehmer,
  }).summen.steuern
}

const shared = (groups: readonly OrderGroup[], percent: Decimal): Readonly<Record<string, string>> =>
  Object.fromEntries(
    advanceLines(groups, formatDecimal(percent)).map((line) => [
      groupName(line),
      formatGerman(decimal(line.basis), { atLeast: 2 }),
    ]),
  )
/** A readable share fills in the amounts. */
export function changePercent(percent: string, groups: readonly OrderGroup[]): Partial<AdvanceValues> {
  const value = parseNumberInput(percent, SHARE)
  return typeof value === 'string'
    ? { prozent: percent }
    : { prozent: percent, amounts: shared(groups, value) }
}
/** Amounts typed by hand are no share any more. */
export const changeAmount = (
  { amounts }: AdvanceValues,
  group: OrderGroup,
  text: string,
): Partial<AdvanceValues> => ({ prozent: '', amounts: { ...amounts, [groupName(group)]: text } })

interface Advance {
  readonly lines: readonly (BelegAmount & { readonly fault: string | undefined })[]
  readonly netto: string
  readonly steuer: string
  readonly brutto: Decimal
}
export function deriveAdvance({ amounts }: AdvanceValues, groups: readonly OrderGroup[]): Advance {
  const lines = groups.map((group) => {
    const typed = (amounts[groupName(group)] ?? '').trim()
    const value = typed === '' ? NULL : parseNumberInput(typed, AMOUNT)
    const net = typeof value === 'string' ? NULL : value
    return {
      kategorie: group.kategorie,
      satz: group.satz,
      basis: formatCents(net),
      steuer: formatCents(round2(percentOf(net, decimal(group.satz)))),
      fault: typeof value === 'string' ? numberFault(value, 2) : undefined,
    }
  })
  const [net, tax] = (['basis', 'steuer'] as const).map((of) => sum(lines.map((line) => decimal(line[of]))))
  return { lines, netto: formatCents(net!), steuer: formatCents(tax!), brutto: add(net!, tax!) }
}

export interface AdvanceRequest {
  readonly prozent: string | null
  readonly betraege: { kategorie: BelegAmount['kategorie']; satz: string; netto: string }[] | null
  readonly text: string
  readonly mehr: boolean
}
export function checkAdvance(values: AdvanceValues, { lines }: Advance): Checked<AdvanceRequest> {
  const share = values.prozent.trim() === '' ? null : parseNumberInput(values.prozent, SHARE)
  const picked = lines.filter(({ basis }) => sign(decimal(basis)) !== 0)
  const faults: FaultTexts = {
    ...Object.fromEntries(lines.map((line) => [groupName(line), line.fault])),
    prozent:
      typeof share === 'string'
        ? numberFault(share, 2)
        : picked.length === 0 && lines.every(({ fault }) => fault === undefined)
          ? t('Bitte einen Anteil oder einen Betrag eintragen.')
          : undefined,
  }
  return unlessFaulty(
    {
      prozent: share === null || typeof share === 'string' ? null : formatDecimal(share),
      betraege:
        share === null
          ? picked.map(({ kategorie, satz, basis }) => ({ kategorie, satz, netto: basis }))
          : null,
      text: values.text,
      mehr: values.mehr,
    },
    faults,
  )
}
