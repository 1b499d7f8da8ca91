// The figures of an Umsatzsteuer-Voranmeldung from what the documents of a period add to it.
import { add, type Decimal, decimal, NULL, percentOf, round2, sum } from '../geld.ts'
import { FORMS, type Kennzahl, kennzahlOf, type NoKennzahl, type TaxedPart } from './kennzahlen.ts'

export interface ReturnRow extends TaxedPart {
  readonly basis: string
  readonly steuer: string
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
export interface AdvanceReturn<Row> {
  readonly figures: readonly Figure<Row>[]
  /** What no figure takes. */
  readonly rests: readonly Rest<Row>[]
  readonly tax: Decimal
  readonly formTax: Decimal
}

/** Cents are dropped on either side of zero. */
export const wholeEuros = ({ wert, decimals }: Decimal): Decimal => ({
  wert: wert / 10n ** BigInt(decimals),
  decimals: 0,
})

const REASONS: readonly NoKennzahl[] = ['unklar', 'durchschnitt', 'kleinunternehmer']

/** Null if the form of the year is not known. */
export function advanceReturn<Row extends ReturnRow>(
  year: string,
  rows: readonly Row[],
): AdvanceReturn<Row> | null {
  const form = FORMS[year]
  if (form === undefined) return null
  const byKennzahl = Map.groupBy(rows, kennzahlOf)
  const sums = (of: readonly Row[]) => ({
    basis: sum(of.map(({ basis }) => decimal(basis))),
    tax: sum(of.map(({ steuer }) => decimal(steuer))),
    rows: of,
  })
  const figures = form.kennzahlen.map((kennzahl): Figure<Row> => {
    const own = sums(byKennzahl.get(kennzahl.nr) ?? [])
    const formBasis = wholeEuros(own.basis)
    const { satz } = kennzahl
    return {
      kennzahl,
      ...own,
      formBasis,
      formTax: satz === undefined ? own.tax : round2(percentOf(formBasis, decimal(satz))),
    }
  })
  return {
    figures,
    rests: REASONS.flatMap((reason) => {
      const own = byKennzahl.get(reason)
      return own === undefined ? [] : [{ reason, ...sums(own) }]
    }),
    tax: figures.reduce((total, { tax }) => add(total, tax), NULL),
    formTax: figures.reduce((total, { formTax }) => add(total, formTax), NULL),
  }
}
