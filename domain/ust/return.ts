// The figures of an Umsatzsteuer-Voranmeldung from what the documents of a period add to it.
import { add, type Decimal, decimal, NULL, percentOf, round2, subtract, sum } from '../geld.ts'
import {
  deductedKennzahlOf,
  FORMS,
  type InputTaxed,
  type Kennzahl,
  kennzahlOf,
  type NoKennzahl,
  owedKennzahlOf,
  type TaxedPart,
} from './kennzahlen.ts'

export interface ReturnRow extends TaxedPart {
  readonly basis: string
  readonly steuer: string
}
/** A received invoice: its base, the tax that we owe, and the tax that we deduct. */
export interface ReceivedRow extends InputTaxed {
  readonly basis: string
  readonly steuer: string
  readonly abzug: string
}
export interface Figure<Row> {
  readonly kennzahl: Kennzahl
  /** By the documents, to the cent. */
  readonly basis: Decimal
  readonly tax: Decimal
  /**
   * As it is entered: bases in whole euros without cents (notes on the form USt 1 A), tax to the cent, by the form
   * from its base where it has a rate, otherwise that of the documents.
   */
  readonly formBasis: Decimal
  readonly formTax: Decimal
  readonly rows: readonly Row[]
}
export interface Rest<Row> {
  readonly reason: NoKennzahl
  readonly basis: Decimal
  readonly tax: Decimal
  readonly rows: readonly Row[]
}
export interface AdvanceReturn<Row, Received> {
  readonly figures: readonly Figure<Row>[]
  /** Tax that we owe as the recipient. */
  readonly owed: readonly Figure<Received>[]
  /** Input tax. */
  readonly deducted: readonly Figure<Received>[]
  /** What no figure takes. */
  readonly rests: readonly Rest<Row>[]
  /** Of our own documents and as the recipient. */
  readonly tax: Decimal
  readonly formTax: Decimal
  readonly inputTax: Decimal
  /** To be paid (figure 83), below zero: to be paid back. */
  readonly due: Decimal
  readonly formDue: Decimal
}

/** Cents are dropped on either side of zero. */
export const wholeEuros = ({ wert, decimals }: Decimal): Decimal => ({
  wert: wert / 10n ** BigInt(decimals),
  decimals: 0,
})

const REASONS: readonly NoKennzahl[] = ['unklar', 'durchschnitt', 'kein_umsatz', 'kleinunternehmer']

const sums = <Row extends { readonly basis: string }>(rows: readonly Row[], tax: (row: Row) => string) => ({
  basis: sum(rows.map(({ basis }) => decimal(basis))),
  tax: sum(rows.map((row) => decimal(tax(row)))),
  rows,
})

/** The figures of some groups of the form, in its order. */
function figuresOf<Row extends { readonly basis: string }>(
  kennzahlen: readonly Kennzahl[],
  rows: ReadonlyMap<string | null, readonly Row[]>,
  tax: (row: Row) => string,
): Figure<Row>[] {
  return kennzahlen.map((kennzahl) => {
    const own = sums(rows.get(kennzahl.nr) ?? [], tax)
    const formBasis = wholeEuros(own.basis)
    const { satz } = kennzahl
    return {
      kennzahl,
      ...own,
      formBasis,
      formTax: satz === undefined ? own.tax : round2(percentOf(formBasis, decimal(satz))),
    }
  })
}
const total = (figures: readonly Figure<unknown>[], of: 'tax' | 'formTax'): Decimal =>
  figures.reduce((all, figure) => add(all, figure[of]), NULL)

/** Null if the form of the year is not known. */
export function advanceReturn<Row extends ReturnRow, Received extends ReceivedRow>(
  year: string,
  rows: readonly Row[],
  received: readonly Received[],
): AdvanceReturn<Row, Received> | null {
  const form = FORMS[year]
  if (form === undefined) return null
  const byKennzahl = Map.groupBy(rows, kennzahlOf)
  const isReceived = ({ group }: Kennzahl): boolean => group === 'eingang' || group === 'vorsteuer'
  const figures = figuresOf(
    form.kennzahlen.filter((one) => !isReceived(one)),
    byKennzahl,
    ({ steuer }) => steuer,
  )
  const owed = figuresOf(
    form.kennzahlen.filter(({ group }) => group === 'eingang'),
    Map.groupBy(received, owedKennzahlOf),
    ({ steuer }) => steuer,
  )
  const deducted = figuresOf(
    form.kennzahlen.filter(({ group }) => group === 'vorsteuer'),
    Map.groupBy(received, deductedKennzahlOf),
    ({ abzug }) => abzug,
  )
  const [tax, formTax] = (['tax', 'formTax'] as const).map((of) =>
    add(total(figures, of), total(owed, of)),
  ) as [Decimal, Decimal]
  const inputTax = total(deducted, 'tax')
  return {
    figures,
    owed,
    deducted,
    rests: REASONS.flatMap((reason) => {
      const own = byKennzahl.get(reason)
      return own === undefined ? [] : [{ reason, ...sums(own, ({ steuer }) => steuer) }]
    }),
    tax,
    formTax,
    inputTax,
    due: subtract(tax, inputTax),
    formDue: subtract(formTax, inputTax),
  }
}
