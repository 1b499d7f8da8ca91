import { expect, test } from 'vitest'
import type { ListColumn } from './list.ts'
import { addDecimals, readSums, sumItems, sumsOfRows } from './sums.ts'

interface Row {
  readonly betrag: string | null
  readonly ha: number
}
const COLUMNS: readonly ListColumn<Row>[] = [
  { key: 'name', title: 'Name', cell: () => '' },
  {
    key: 'geld',
    title: 'Betrag',
    cell: () => '',
    sum: { column: 'betrag', of: ({ betrag }) => betrag, digits: 2, show: (text) => text },
  },
  {
    key: 'ha',
    title: 'Fläche',
    cell: () => '',
    sum: { column: 'flaeche', of: ({ ha }) => ha, digits: 4, show: (text) => text },
  },
]

test('decimals are added exactly', () => {
  expect(addDecimals(['0.1', '0.2'], 2)).toBe('0.30')
  expect(
    addDecimals(
      Array.from({ length: 1000 }, () => 0.1),
      2,
    ),
  ).toBe('100.00')
  expect(addDecimals(['-0.05', '0.02'], 2)).toBe('-0.03')
  expect(addDecimals(['12.00', null, '-12'], 2)).toBe('0.00')
  expect(addDecimals(['7', '8'], 0)).toBe('15')
  expect(addDecimals([null], 2)).toBeNull()
})

test('rows in the browser and answers of the server give the same sums', () => {
  const rows = [
    { betrag: '1.10', ha: 0.0001 },
    { betrag: null, ha: 2 },
    { betrag: '2.20', ha: 3 },
  ]
  expect(sumsOfRows(COLUMNS, rows)).toEqual({ geld: '3.30', ha: '5.0001' })
  expect(sumItems(COLUMNS)).toEqual(['summe0:betrag.sum()', 'summe1:flaeche.sum()'])
  expect(readSums(COLUMNS, { summe0: 3.3, summe1: 5.0001 })).toEqual({ geld: '3.30', ha: '5.0001' })
  expect(readSums(COLUMNS, { summe0: null })).toEqual({ geld: null, ha: null })
})
