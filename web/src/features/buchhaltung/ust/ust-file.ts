// The return as a table for a spreadsheet: every figure, then every document behind it.
import type { UstRow } from '#contract/ust.ts'
import { type Decimal, decimal, formatCents } from '#domain/geld.ts'
import type { AdvanceReturn } from '#domain/ust/return.ts'
import { day, type ExportCell, type ExportTable } from '../../../ui/export/cells.ts'
import { t } from '../../../ui/text.ts'
import { kennzahlName, kennzahlNumber, reasonWords, restWords } from './ust-words.ts'

const number = (value: Decimal): number => Number(formatCents(value))

export function ustTable(name: string, { figures, rests }: AdvanceReturn<UstRow>): ExportTable {
  const documents = (kennzahl: string, rows: readonly UstRow[]) =>
    rows.map(({ nummer, rn_datum, kunde, anlass, le_date, basis, steuer, grund }): ExportCell[] => [
      kennzahl,
      grund,
      nummer,
      day(rn_datum),
      kunde,
      reasonWords(anlass),
      day(le_date),
      number(decimal(basis)),
      number(decimal(steuer)),
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
  return {
    name,
    head: [
      t('Kennzahl'),
      t('Art der Umsätze'),
      t('Beleg'),
      t('Datum'),
      t('Kunde'),
      t('Anlass'),
      t('Leistung'),
      t('Netto'),
      t('Steuer'),
      t('Bemessungsgrundlage im Formular'),
      t('Steuer im Formular'),
    ],
    rows: [
      ...figures
        .filter(({ kennzahl }) => kennzahl.group !== 'eingang')
        .flatMap(({ kennzahl, basis, tax, formBasis, formTax, rows }) => [
          sums(kennzahlNumber(kennzahl), kennzahlName(kennzahl), [
            number(basis),
            number(tax),
            number(formBasis),
            number(formTax),
          ]),
          ...documents(kennzahl.nr, rows),
        ]),
      ...rests.flatMap(({ reason, basis, tax, rows }) => [
        sums('', restWords(reason)[0], [number(basis), number(tax), null, null]),
        ...documents('', rows),
      ]),
    ],
  }
}
