// The return as a table for a spreadsheet: every figure, then every document behind it.
import type { InputTaxRow, UstRow } from '#contract/ust.ts'
import { type Decimal, decimal, formatCents } from '#domain/geld.ts'
import type { AdvanceReturn, Figure } from '#domain/ust/return.ts'
import { day, type ExportCell, type ExportTable } from '../../../ui/export/cells.ts'
import { t } from '../../../ui/text.ts'
import {
  kennzahlName,
  kennzahlNumber,
  ownDocument,
  receivedDocument,
  restWords,
  type ReturnDocument,
} from './ust-words.ts'

const number = (value: Decimal): number => Number(formatCents(value))

export function ustTable(
  name: string,
  { figures, owed, deducted, rests }: AdvanceReturn<UstRow, InputTaxRow>,
): ExportTable {
  const documents = (kennzahl: string, rows: readonly ReturnDocument[]) =>
    rows.map((row): ExportCell[] => [
      kennzahl,
      row.grund,
      row.nummer,
      day(row.datum),
      row.name,
      row.anlass,
      day(row.leistung),
      number(decimal(row.basis)),
      number(decimal(row.steuer)),
      null,
      null,
    ])
  const sums = (kennzahl: string, title: string, values: readonly ExportCell[]): ExportCell[] => [
    kennzahl,
    title,
    t('Summe'),
    null,
    '',
    '',
    null,
    ...values,
  ]
  const partOf = <Row>(of: readonly Figure<Row>[], document: (row: Row) => ReturnDocument) =>
    of.flatMap(({ kennzahl, basis, tax, formBasis, formTax, rows }) => [
      sums(kennzahlNumber(kennzahl), kennzahlName(kennzahl), [
        number(basis),
        number(tax),
        kennzahl.group === 'vorsteuer' ? null : number(formBasis),
        number(formTax),
      ]),
      ...documents(kennzahl.nr, rows.map(document)),
    ])
  return {
    name,
    head: [
      t('Kennzahl'),
      t('Art der Umsätze'),
      t('Beleg'),
      t('Datum'),
      t('Kunde oder Lieferant'),
      t('Anlass'),
      t('Leistung'),
      t('Netto'),
      t('Steuer'),
      t('Bemessungsgrundlage im Formular'),
      t('Steuer im Formular'),
    ],
    rows: [
      ...partOf(figures, ownDocument),
      ...partOf(owed, receivedDocument('steuer')),
      ...partOf(deducted, receivedDocument('abzug')),
      ...rests.flatMap(({ reason, basis, tax, rows }) => [
        sums('', restWords(reason)[0], [number(basis), number(tax), null, null]),
        ...documents('', rows.map(ownDocument)),
      ]),
    ],
  }
}
