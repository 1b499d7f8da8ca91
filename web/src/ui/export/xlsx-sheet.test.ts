import readXlsxFile from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { day, moment } from './cells.ts'
import { sheetCell, xlsxBlob } from './xlsx-sheet.ts'

async function readBack(rows: Parameters<typeof xlsxBlob>[0]['rows']): Promise<unknown[][]> {
  const blob = await xlsxBlob({ name: 'Kunden mit einem Namen, der viel zu lang ist', head: ['A', 'B', 'C', 'D'], rows })
  const read: unknown = await readXlsxFile(Buffer.from(await blob.arrayBuffer()))
  const [first] = read as [unknown]
  // With several sheets allowed the reader answers a list of them.
  return (Array.isArray(first) ? read : (first as { data: unknown[][] }).data) as unknown[][]
}

test('numbers are numbers, days are days, postcodes keep their zero', async () => {
  const rows = await readBack([['01067', 1234.5, day('2026-12-31'), true]])
  expect(rows[0]).toEqual(['A', 'B', 'C', 'D'])
  expect(rows[1]).toEqual(['01067', 1234.5, new Date('2026-12-31T00:00:00Z'), true])
})

test('a formula stays a text', async () => {
  const texts = ['=1+1', '+49 351', '@x', '=HYPERLINK("http://x.example")']
  expect((await readBack([texts]))[1]).toEqual(texts)
})

test('hostile characters do not break the file', async () => {
  const rows = await readBack([['<b>&amp;"\'</b>', 'a\u0000\u0008b', '\ud800x', '😀 ]]>']])
  expect(rows[1]).toEqual(['<b>&amp;"\'</b>', 'ab', 'x', '😀 ]]>'])
})

test('a moment is what the clock on the wall shows', () => {
  const cell = sheetCell(moment(new Date(2026, 6, 1, 14, 5).toISOString()))
  expect(cell).toMatchObject({ value: new Date(Date.UTC(2026, 6, 1, 14, 5)), format: 'dd.mm.yyyy hh:mm' })
})

test('nothing is an empty cell', () => expect([null, '', Number.NaN, day('kein Tag')].map(sheetCell)).toEqual([null, null, null, null]))
