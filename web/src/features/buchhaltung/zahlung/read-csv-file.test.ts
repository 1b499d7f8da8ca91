// CSV files of banks as bytes: encodings, separators, lines above the headings, and hostile ones.
import { describe, expect, test } from 'vitest'
import { guessForm } from '#domain/bank-csv/columns.ts'
import { accountIn, readCsv } from '#domain/bank-csv/read-csv.ts'
import { type CsvChoice, readCsvFile } from './read-csv-file.ts'
import { readStatements, StatementFault } from './read-statements.ts'
import { statementFaultText } from './statement-file.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const windows = (text: string) =>
  Uint8Array.from(text.replace('€', '\u0080'), (letter) => letter.charCodeAt(0))
const OWN = 'DE02120300000000202051'
const read = (bytes: Uint8Array, choice: Partial<CsvChoice> = {}) => {
  const file = readCsvFile(bytes, choice)
  const form = guessForm(file.table.headers, file.table.rows)
  const { bankStatements, faults } = readCsv(file.table, form, accountIn(file.table, form) || OWN)
  return { file, faults, buchungen: bankStatements.flatMap(({ buchungen }) => buchungen) }
}
const DIRECT =
  '"Girokonto";"DE02120300000000202051"\n"Kontostand vom 02.03.2026:";"1.234,56 €"\n""\n' +
  '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";' +
  '"Umsatztyp";"IBAN";"Betrag (€)";"Kundenreferenz"\n' +
  '"02.03.26";"02.03.26";"Gebucht";"Bäcker ""Süß""";"Wir";"RE-1; zwei\nZeilen";"Eingang";"DE89";"1.190";""\n'

test('a file in UTF-8, in Windows-1252 and in UTF-16 gives the same', () => {
  const wide = new Uint8Array(Uint16Array.from(`\uFEFF${DIRECT}`, (letter) => letter.charCodeAt(0)).buffer)
  for (const bytes of [utf8(DIRECT), utf8(`\uFEFF${DIRECT}`), windows(DIRECT), wide]) {
    const { file, buchungen } = read(bytes)
    expect([file.delimiter, file.table.firstRow]).toEqual([';', 5])
    expect(buchungen).toEqual([
      {
        konto: OWN,
        datum: '2026-03-02',
        betrag: '1190.00',
        name: 'Bäcker "Süß"',
        iban: 'DE89',
        zweck: 'RE-1; zwei Zeilen',
        referenz: '',
      },
    ])
  }
})

test('the separator is that of the headings, not the comma of amounts', () => {
  const rows = (delimiter: string) =>
    [
      ['Buchungstag', 'Betrag', 'Name'],
      ['02.03.2026', delimiter === ',' ? '"1,50"' : '1,50', 'A, B; C'.slice(0, 1)],
    ]
      .map((row) => row.join(delimiter))
      .join('\r\n')
  for (const delimiter of [';', ',', '\t', '|'] as const) {
    const { file, buchungen } = read(utf8(rows(delimiter)))
    expect(file.delimiter).toBe(delimiter)
    expect(buchungen[0]!.betrag).toBe('1.50')
  }
  expect(read(utf8(`sep=|\n${rows('|')}`)).file).toMatchObject({ delimiter: '|', table: { firstRow: 3 } })
  // Chosen by hand, even if it makes no sense.
  expect(readCsvFile(utf8(rows(';')), { delimiter: '|' }).table.headers).toEqual(['Buchungstag;Betrag;Name'])
})

test('headings that nobody knows are the widest row, and each name is there once', () => {
  const { headers, before } = readCsvFile(utf8('Konto 1\na;;a;b\n1;2;3;4\n')).table
  expect(headers).toEqual(['a', 'Spalte 2', 'a (3)', 'b'])
  expect(before).toEqual([['Konto 1']])
})

describe('a file is recognised as one', () => {
  test.each([
    ['with headings', '"Buchungstag";"Betrag";"Zweck"\n"02.03.2026";"5,00";"x"'],
    ['with lines above them', DIRECT],
    ['with commas', 'Date,Amount,Name\n2026-03-02,5.00,x'],
    ['in Windows-1252', ''],
  ])('%s', async (_what, text) => {
    const bytes = text === '' ? windows(DIRECT) : utf8(text)
    await expect(readStatements(bytes)).rejects.toMatchObject({ werte: { code: 'csv' } })
  })
})

describe('a hostile file', () => {
  const head = 'Buchungstag;Betrag;Name\n'
  test.each<[string, Uint8Array, string]>([
    ['with an open quotation mark', utf8(`${head}02.03.2026;1,00;"A\n`), 'csv_kaputt'],
    ['without rows', utf8(head), 'csv_leer'],
    ['with empty rows alone', utf8(`${head};;\n\n;;\n`), 'csv_leer'],
    ['too many rows', utf8(head + '02.03.2026;1,00;A\n'.repeat(50_001)), 'csv_gross'],
    ['too many columns', utf8(`${head.trim()}${';x'.repeat(300)}\n02.03.2026;1,00;A\n`), 'csv_gross'],
    ['too long', new Uint8Array(5 * 1024 * 1024 + 1), 'csv_gross'],
  ])('%s is named', (_what, bytes, code) => {
    expect(() => readCsvFile(bytes)).toThrow(StatementFault)
    try {
      readCsvFile(bytes)
    } catch (fault) {
      const { werte } = fault as StatementFault
      expect(werte.code).toBe(code)
      expect(statementFaultText(werte)).not.toMatch(/[{}]|undefined/)
    }
  })
  test('of zero bytes, control signs and endless cells is read without harm', () => {
    const rows = [`A\u0000\u0007B`, 'C', 'x'.repeat(100_000)].map(
      (name, at) => `02.03.2026;${at === 1 ? '9'.repeat(100_000) : '1,00'};${name}`,
    )
    const { faults, buchungen } = read(utf8(head + rows.join('\n')))
    expect(faults).toEqual([{ zeile: 3, art: 'betrag', wert: '9'.repeat(60) }])
    expect(buchungen.map(({ name }) => name.length)).toEqual([3, 200])
  })
})
