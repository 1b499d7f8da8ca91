import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { bareText } from '#domain/spreadsheet.ts'
import { day, moment } from './cells.ts'
import { fileName } from './save-file.ts'
import { cellText, toCsv } from './csv.ts'

const table = (rows: Parameters<typeof toCsv>[0]['rows'], head = ['A', 'B']) =>
  toCsv({ name: 'x', head, rows })

test('German Excel: byte order mark, semicolons, CRLF, umlauts as they are', () => {
  expect(table([['Müller & Söhne', 'Köln']])).toBe('\ufeffA;B\r\nMüller & Söhne;Köln\r\n')
})

test.each([
  [1234.5, '1234,5'],
  [-0.25, '-0,25'],
  [1e-7, '0,0000001'],
  [1e21, '1000000000000000000000'],
  [Number.NaN, ''],
  [true, 'ja'],
  [false, 'nein'],
  [null, ''],
  [day('2026-12-31'), '31.12.2026'],
  ['01067', '01067'],
] as const)('%j is written as %s', (cell, text) => expect(cellText(cell)).toBe(text))

test('a moment is what the clock on the wall shows', () => {
  expect(cellText(moment(new Date(2026, 11, 31, 9, 5).toISOString()))).toBe('31.12.2026 09:05')
})

test('no written cell begins like a formula, however the line is cut', () => {
  const evil = fc
    .tuple(
      fc.constantFrom('', ' ', '\t', '\n', ';', '"', '";'),
      fc.constantFrom('=', '+', '-', '@', '='),
      fc.string(),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(fc.tuple(evil, fc.string({ unit: 'binary' })), { minLength: 1 }), (rows) => {
      const read = Papa.parse<string[]>(table(rows).slice(1), {
        delimiter: ';',
        newline: '\r\n',
        skipEmptyLines: false,
      }).data
      for (const line of read) for (const cell of line) expect(cell).not.toMatch(/^\s*[=+\-@]/)
    }),
  )
})

test('what a reader takes out is what was put in', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), (rows) => {
      const read = Papa.parse<string[]>(table(rows).slice(1), { delimiter: ';', newline: '\r\n' }).data
      expect(read.slice(1, -1).map((line) => line.map(bareText))).toEqual(rows)
    }),
  )
})

test('the file carries the day', () =>
  expect(fileName('Kunden', new Date(2026, 0, 9), 'csv')).toBe('Kunden_2026-01-09.csv'))
