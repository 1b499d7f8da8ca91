// Recalculates an e-invoice from its XML alone: every sum must match to the cent. The official rules tolerate
// errors of up to 0.99 € in the tax of a group; these checks do not.
import type { Beleg } from '#domain/beleg.ts'
import {
  compare,
  decimal,
  type Decimal,
  formatCents,
  isEqual,
  multiply,
  negate,
  negateText,
  NULL,
  percentOf,
  round2,
  sign,
  subtract,
  sum,
} from '#domain/geld.ts'
import { isCounted, isSurcharge } from '#domain/rechnung.ts'
import { all, type Element, text } from './xml-tree.ts'

const TRADE = 'rsm:SupplyChainTradeTransaction'
const SETTLEMENT = `${TRADE}/ram:ApplicableHeaderTradeSettlement`
const SUMS = `${SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`

const amount = (element: Element, path: string): Decimal => decimal(text(element, path) ?? '0')
const keyOf = (element: Element): string =>
  `${text(element, 'ram:CategoryCode')} ${Number(text(element, 'ram:RateApplicablePercent') ?? 0)}`

const isCharge = (one: Element): boolean => text(one, 'ram:ChargeIndicator/udt:Indicator') === 'true'
/** What it takes off; a charge takes off less than nothing. */
const takenOff = (one: Element): Decimal => {
  const value = amount(one, 'ram:ActualAmount')
  return isCharge(one) ? negate(value) : value
}

/**
 * Checks an allowance's base and percentage. The line and the full price were rounded separately, and the
 * shares of a discount are rounded up or down, so one cent of difference is allowed. On top of the full price
 * its own rounding counts up to twice.
 */
function allowanceFaults(name: string, allowance: Element, base: Decimal): string[] {
  if (text(allowance, 'ram:CalculationPercent') === null) return []
  const written = amount(allowance, 'ram:BasisAmount')
  const away = subtract(
    amount(allowance, 'ram:ActualAmount'),
    percentOf(written, amount(allowance, 'ram:CalculationPercent')),
  )
  return [
    ...(isEqual(written, base)
      ? []
      : [`${name}: base of the allowance is ${formatCents(written)} and should be ${formatCents(base)}`]),
    ...(compare(sign(away) < 0 ? negate(away) : away, decimal(isCharge(allowance) ? '0.015' : '0.01')) > 0
      ? [`${name}: the allowance is not its percentage`]
      : []),
  ]
}

/** Describes every sum that does not add up; empty for a correct invoice. */
export function amountFaults(invoice: Element): string[] {
  const faults: string[] = []
  const same = (what: string, written: Decimal, computed: Decimal): void => {
    if (!isEqual(written, computed))
      faults.push(`${what} is ${formatCents(written)} and should be ${formatCents(computed)}`)
  }

  const groups = new Map<string, Decimal[]>()
  const put = (key: string, value: Decimal): void => void groups.set(key, [...(groups.get(key) ?? []), value])

  const lines = all(invoice, `${TRADE}/ram:IncludedSupplyChainTradeLineItem`)
  for (const line of lines) {
    const settlement = all(line, 'ram:SpecifiedLineTradeSettlement')[0]!
    const total = amount(settlement, 'ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount')
    const full = round2(
      multiply(
        amount(line, 'ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount'),
        amount(line, 'ram:SpecifiedLineTradeDelivery/ram:BilledQuantity'),
      ),
    )
    const off = sum(all(settlement, 'ram:SpecifiedTradeAllowanceCharge').map(takenOff))
    const name = `line ${text(line, 'ram:AssociatedDocumentLineDocument/ram:LineID')}`
    same(name, total, subtract(full, off))
    for (const one of all(settlement, 'ram:SpecifiedTradeAllowanceCharge'))
      faults.push(...allowanceFaults(name, one, full))
    put(keyOf(all(settlement, 'ram:ApplicableTradeTax')[0]!), total)
  }

  const positionsOf = new Map([...groups].map(([key, values]) => [key, sum(values)]))
  const allowances = all(invoice, `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge`)
  for (const one of allowances) {
    put(keyOf(all(one, 'ram:CategoryTradeTax')[0]!), negate(takenOff(one)))
    faults.push(
      ...allowanceFaults(
        'discount',
        one,
        positionsOf.get(keyOf(all(one, 'ram:CategoryTradeTax')[0]!)) ?? NULL,
      ),
    )
  }

  const taxes = all(invoice, `${SETTLEMENT}/ram:ApplicableTradeTax`)
  const keys = taxes.map(keyOf)
  if (new Set(keys).size !== keys.length) faults.push('a tax group is there more than once')
  if ([...groups.keys()].toSorted().join() !== keys.toSorted().join())
    faults.push(`groups ${keys.join()} for lines ${[...groups.keys()].join()}`)
  for (const [index, tax] of taxes.entries()) {
    const basis = amount(tax, 'ram:BasisAmount')
    same(`basis of ${keys[index]}`, basis, sum(groups.get(keys[index]!) ?? []))
    same(
      `tax of ${keys[index]}`,
      amount(tax, 'ram:CalculatedAmount'),
      round2(percentOf(basis, amount(tax, 'ram:RateApplicablePercent'))),
    )
  }

  const total = (name: string): Decimal => amount(invoice, `${SUMS}/ram:${name}`)
  const positions = sum(
    lines.map((line) =>
      amount(
        line,
        'ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount',
      ),
    ),
  )
  const discount = sum(allowances.map(takenOff))
  const totalOf = (some: readonly Element[]): Decimal =>
    sum(some.map((one) => amount(one, 'ram:ActualAmount')))
  same('sum of lines', total('LineTotalAmount'), positions)
  same(
    'sum of allowances',
    total('AllowanceTotalAmount'),
    totalOf(allowances.filter((one) => !isCharge(one))),
  )
  same('sum of charges', total('ChargeTotalAmount'), totalOf(allowances.filter(isCharge)))
  same('net', total('TaxBasisTotalAmount'), subtract(positions, discount))
  same('tax', total('TaxTotalAmount'), sum(taxes.map((tax) => amount(tax, 'ram:CalculatedAmount'))))
  same('gross', total('GrandTotalAmount'), sum([total('TaxBasisTotalAmount'), total('TaxTotalAmount')]))
  same('payable', total('DuePayableAmount'), subtract(total('GrandTotalAmount'), total('TotalPrepaidAmount')))
  return faults
}

const cents = (value: string): string => formatCents(decimal(value))

/** The amounts of the invoice and of the document in the same order; their texts must be equal. */
export const amountsOfXml = (invoice: Element): string[] => {
  const written = (element: Element, path: string): string => cents(text(element, path) ?? '0')
  return [
    ...all(invoice, `${TRADE}/ram:IncludedSupplyChainTradeLineItem/ram:SpecifiedLineTradeSettlement`).map(
      (line) => written(line, 'ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount'),
    ),
    ...all(invoice, `${SETTLEMENT}/ram:ApplicableTradeTax`).flatMap((tax) => [
      `${text(tax, 'ram:CategoryCode')} ${written(tax, 'ram:RateApplicablePercent')}`,
      written(tax, 'ram:BasisAmount'),
      written(tax, 'ram:CalculatedAmount'),
    ]),
    ...[
      'LineTotalAmount',
      'ChargeTotalAmount',
      'AllowanceTotalAmount',
      'TaxBasisTotalAmount',
      'TaxTotalAmount',
      'GrandTotalAmount',
      'TotalPrepaidAmount',
      'DuePayableAmount',
    ].map((name) => written(invoice, `${SUMS}/ram:${name}`)),
  ]
}

export const amountsOfBeleg = ({ positionen, summen, rabatt_prozent }: Beleg): string[] => [
  ...positionen.filter(isCounted).map(({ betrag }) => betrag),
  ...summen.steuern.flatMap(({ kategorie, satz, basis, steuer }) => [
    `${kategorie} ${cents(satz)}`,
    basis,
    steuer,
  ]),
  summen.positionen,
  isSurcharge(rabatt_prozent) ? negateText(summen.rabatt) : '0.00',
  isSurcharge(rabatt_prozent) ? '0.00' : summen.rabatt,
  summen.netto,
  summen.steuer,
  summen.brutto,
  summen.anzahlung,
  summen.zahlbetrag,
]
