import { deflateRawSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import writeExcelFile from 'write-excel-file/node'
import { FileFault, type FileFaultCode, fileFaultText } from './file-faults.ts'
import { decode, readTable } from './read-file.ts'
import { unpackZip } from '../../data/unpack-zip.ts'

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') =>
  new Uint8Array(Buffer.from(text, encoding))
const xlsx = async (...sheets: (string | number | Date | null)[][][]) =>
  new Uint8Array(
    await writeExcelFile(
      sheets.map((data, at) => ({ data: data as never, sheet: `Blatt ${at + 1}`, dateFormat: 'dd.mm.yyyy' })),
    ).toBuffer(),
  )
const TEXT = 'Name;Straße;PLZ\r\nFörsterei "Süd";Weg 1;04103\r\n'

describe('CSV', () => {
  test('Windows-1252, as German Excel saves it', async () => {
    const { headers, rows, format, firstRow } = await readTable(bytesOf(TEXT, 'latin1'))
    expect([headers, rows, format, firstRow]).toEqual([
      ['Name', 'Straße', 'PLZ'],
      [['Försterei "Süd"', 'Weg 1', '04103']],
      { art: 'csv', encoding: 'Windows-1252', delimiter: ';' },
      2,
    ])
  })
  test.each([
    ['UTF-8 with its mark', bytesOf(`\uFEFF${TEXT}`), 'UTF-8'],
    ['UTF-8 without', bytesOf(TEXT), 'UTF-8'],
    ['UTF-16, as "Unicode-Text"', bytesOf(`\uFEFF${TEXT}`, 'utf16le'), 'UTF-16'],
  ])('%s', async (_, bytes, encoding) => {
    const { headers, rows, format } = await readTable(bytes)
    expect([headers, rows.length, format]).toEqual([
      ['Name', 'Straße', 'PLZ'],
      1,
      { art: 'csv', encoding, delimiter: ';' },
    ])
  })
  test.each([
    [',', 'a,b\n1,2\n'],
    ['\t', 'a\tb\n1\t2\n'],
    ['|', 'a|b\n1|2\n'],
    [';', 'a;b\n1,5;2,5\n3,5;4,5\n'],
  ])('separator %j is found', async (delimiter, text) =>
    expect((await readTable(bytesOf(text))).format).toMatchObject({ delimiter }),
  )
  test('the hint to the separator is no row, but counts as one', async () => {
    const { headers, firstRow } = await readTable(bytesOf('sep=,\r\na,b\r\n1;1,2\r\n'))
    expect([headers, firstRow]).toEqual([['a', 'b'], 3])
  })
  test('a cell behind the last heading is refused with its row: the others have moved', async () => {
    const fault = await readTable(bytesOf('\nA;B\n1;2\n"x\ny";1;zu viel\n')).then(
      () => null,
      (error: unknown) => error as FileFault,
    )
    expect([fault?.code, fault?.values]).toEqual(['zelle_zu_viel', { zeile: 4, wert: 'zu viel' }])
  })
  test('cells of several lines, rows that are too long or too short, empty rows between and at the end', async () => {
    const { rows, firstRow } = await readTable(bytesOf('\n\nA;B\n"x\ny";1;; \n\n2\n;\n\n'))
    expect([rows, firstRow]).toEqual([
      [
        ['x\ny', '1'],
        ['', null],
        ['2', null],
      ],
      4,
    ])
  })
  test('a heading that is missing gets a name', async () =>
    expect((await readTable(bytesOf('A;;C\n1;2;3'))).headers).toEqual(['A', 'Spalte 2', 'C']))
  test('bytes that are no UTF-8 are Windows-1252', () =>
    expect(decode(new Uint8Array([0x80, 0x35]))).toEqual({ text: '€5', encoding: 'Windows-1252' }))
})

describe('XLSX', () => {
  test('numbers and dates keep their kind, the other sheets are named', async () => {
    const day = new Date('2024-05-06T00:00:00Z')
    const bytes = await xlsx(
      [
        ['Name', 'Fläche', 'Datum'],
        ['Süd', 12.5, day],
      ],
      [['x'], ['y']],
    )
    const { rows, format } = await readTable(bytes)
    expect([rows, format]).toEqual([
      [['Süd', 12.5, day]],
      { art: 'xlsx', sheet: 'Blatt 1', others: ['Blatt 2'] },
    ])
  })
  test('notes beside the table become a column that is seen', async () => {
    const { headers, rows } = await readTable(
      await xlsx([
        ['Name', 'PLZ'],
        ['Süd', '04103', null, 'bitte prüfen'],
        ['Nord', '04105'],
      ]),
    )
    expect([headers, rows.map((row) => row[3])]).toEqual([
      ['Name', 'PLZ', 'Spalte 3', 'Spalte 4'],
      ['bitte prüfen', null],
    ])
  })
  test('a large sheet is read without a worker of its own', async () => {
    const rows = Array.from({ length: 6000 }, (_, at) => [`Kunde ${at}`, `Straße ${at}`, at])
    expect((await readTable(await xlsx([['a', 'b', 'c'], ...rows]))).rows[5999]).toEqual([
      'Kunde 5999',
      'Straße 5999',
      5999,
    ])
  })
})

describe('files that are none', () => {
  const ole = (text: string) =>
    new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, ...Buffer.from(`Root Entry${text}`, 'utf16le')])
  const zipOf = (...names: string[]) => zipSync(Object.fromEntries(names.map((name) => [name, bytesOf('x')])))
  test.each<[string, () => Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer>, FileFaultCode]>([
    ['nothing', () => new Uint8Array(0), 'leer'],
    ['blank lines', () => bytesOf('\n \n;;\n'), 'leer'],
    ['headings alone', () => bytesOf('Name;Ort\n\n'), 'nur_kopf'],
    ['too large', () => new Uint8Array(21 * 1024 * 1024), 'zu_gross'],
    ['too many rows', () => bytesOf(`a\n${'x\n'.repeat(20_001)}`), 'zu_viele_zeilen'],
    ['too many columns', () => bytesOf(`${'a;'.repeat(201)}a\n1\n`), 'spalten'],
    ['old Excel', () => ole('Workbook'), 'altes_excel'],
    ['Excel with a password', () => ole('EncryptedPackage'), 'geschuetzt'],
    ['OpenDocument', () => zipOf('mimetype', 'content.xml'), 'open_document'],
    ['another archive', () => zipOf('readme.xml'), 'keine_tabelle'],
    ['a picture', () => new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 'keine_tabelle'],
    ['a workbook without content', () => zipOf('xl/workbook.xml'), 'kaputt'],
    ['half a workbook', async () => (await xlsx([['a'], ['b']])).slice(0, 900), 'kaputt'],
    ['an open quotation mark', () => bytesOf('a;b\n"x;1\ny;2\n'), 'kaputt'],
    ['an empty workbook', () => xlsx([[]]), 'leer'],
  ])('%s', async (_, make, code) => {
    const fault = await readTable(await make()).then(
      () => null,
      (error: unknown) => error,
    )
    expect(fault).toBeInstanceOf(FileFault)
    expect((fault as FileFault).code).toBe(code)
    expect(fileFaultText(fault as FileFault)).not.toMatch(/[{}]/)
  })
  test('a bomb is noticed before it has gone off', async () => {
    const data = new Uint8Array(deflateRawSync(Buffer.alloc(210 * 1024 * 1024)))
    const zip = zipSync({ 'xl/workbook.xml': data }, { level: 0 })
    // The directory marks the entry as compressed.
    new DataView(zip.buffer).setUint16(30 + 15 + data.length + 10, 8, true)
    await expect(unpackZip(zip, () => true)).rejects.toMatchObject({ code: 'zu_tief_gepackt' })
  })
})
