import fc from 'fast-check'
import readXlsxFile from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { day, type ExportCell, moment } from './cells.ts'
import { bareText } from '#domain/spreadsheet.ts'
import { columnName, sheetCell } from '#domain/xlsx.ts'
import { unpackZip } from '../../data/unpack-zip.ts'
import { xlsxBlob } from './xlsx-sheet.ts'
import { zip } from './zip.ts'

const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

/** Reads the file with an independent library. */
async function readBack(rows: readonly (readonly ExportCell[])[]): Promise<unknown[][]> {
  const head = rows[0]?.map((_, at) => `Spalte ${at + 1}`) ?? []
  const sheets: unknown = await readXlsxFile(
    await bytesOf(await xlsxBlob({ name: 'Kunden [1/2]: alle', head, rows })),
  )
  const [first] = sheets as [{ sheet: string; data: unknown[][] }]
  expect(first.sheet).toBe('Kunden  1 2   alle')
  expect(first.data[0]).toEqual(head)
  return first.data.slice(1)
}

test('numbers are numbers, days are days, postcodes keep their zero', async () => {
  expect(await readBack([['01067', 1234.5, day('2026-12-31'), true, null, '']])).toEqual([
    ['01067', 1234.5, new Date('2026-12-31T00:00:00Z'), true, null, null],
  ])
})

test('a moment is what the clock on the wall shows', async () => {
  const [[read]] = (await readBack([[moment(new Date(2026, 6, 1, 14, 5).toISOString())]])) as [[Date]]
  // Excel stores fractions of a day, accurate to half a second.
  expect(Math.abs(read.getTime() - Date.UTC(2026, 6, 1, 14, 5))).toBeLessThan(500)
})

test('a formula is a text, also in the CSV that somebody saves of it', async () => {
  const texts = ['=1+1', '+49 351', '-1', '@x', '=HYPERLINK("http://x.example")', "=cmd|'/c calc'!A0"]
  expect(await readBack([texts])).toEqual([texts.map((text) => `'${text}`)])
})

test('hostile characters do not break the file', async () => {
  expect(
    await readBack([
      ['<b>&amp;"\'</b>', 'a\u0000\u0008b', '\ud800x', '😀 ]]>', '</t></is></c><c><f>1+1</f></c>'],
    ]),
  ).toEqual([['<b>&amp;"\'</b>', 'ab', 'x', '😀 ]]>', '</t></is></c><c><f>1+1</f></c>']])
})

test('any text comes back', async () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter(
      (value) =>
        value.trim() === value && !/_x[0-9a-f]{4}_/i.test(value) && !/[\ufffe\uffff]|\p{Cc}/u.test(value),
    )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 4 }), async (rows) => {
      expect((await readBack(rows)).map((row) => row.map((cell) => bareText(String(cell))))).toEqual(rows)
    }),
    { numRuns: 40 },
  )
})

test('what Excel would read as a coded character is written as itself', () =>
  expect(sheetCell('A1', '_x0041_')).toContain('>_x005F_x0041_<'))
test('nothing is an empty cell', () =>
  expect(
    [null, '', Number.NaN, day('kein Tag'), moment('nie')].map((cell) => sheetCell('A1', cell)).join(''),
  ).toBe(''))

test('the checksum is the usual one', async () => {
  const bytes = await bytesOf(await zip([{ name: 'a', texts: ['1234', '56789'] }]))
  expect(bytes.readUInt32LE(bytes.indexOf('PK\x01\x02', 0, 'latin1') + 16)).toBe(0xcbf43926)
})

test('files are stored as they are, and the same content gives the same bytes', async () => {
  const photo = new Blob([Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7919) % 251)])
  const made = () =>
    zip([
      { name: 'daten.json', texts: ['{}'] },
      { name: 'fotos/ä.jpg', blob: photo },
    ])
  const bytes = await bytesOf(await made())
  expect(bytes.equals(await bytesOf(await made()))).toBe(true)
  expect(bytes.indexOf(await bytesOf(photo))).toBeGreaterThan(0)
  const [texts, stored] = await unpackZip(new Uint8Array(bytes), () => true)
  expect([texts?.name, new TextDecoder().decode(texts?.data)]).toEqual(['daten.json', '{}'])
  expect(stored?.name).toBe('fotos/ä.jpg')
  expect(Buffer.from(stored?.data ?? []).equals(await bytesOf(photo))).toBe(true)
})

test('columns beyond Z', () =>
  expect([0, 25, 26, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']))

test('a large sheet is whole', async () => {
  const rows = Array.from({ length: 5_000 }, (_, nr) => [`Waldhof ${nr}`, nr, 'ä'.repeat(nr % 50) || null])
  expect(await readBack(rows)).toEqual(rows)
})
