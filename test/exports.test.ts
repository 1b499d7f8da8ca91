// All spreadsheet files that the product writes: which modules write them, and that each keeps hostile texts
// in their cells. Read back by third-party libraries.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Papa from 'papaparse'
import readXlsxFile from 'read-excel-file/node'
import { describe, expect, test } from 'vitest'
import { musterBeleg } from '#domain/beleg-sample.ts'
import { datevBatch } from '#domain/datev/batch.ts'
import { datevSample } from '#domain/datev/datev.fixture.ts'
import { kawmOf } from '#domain/kawm.oracle.ts'
import { bareText } from '#domain/spreadsheet.ts'
import { csvCell } from '#server/geodata/write-csv.ts'
import { treeOf, materialOf } from '#server/habitat/report.fixture.ts'
import type { KawmFigures } from '#server/habitat/report-material.ts'
import { evidenceXlsx } from '#server/habitat/evidence.ts'
import { csv } from '#server/audit/index-xml.ts'
import { CSV } from '#server/odata/csv.ts'
import { propertyOf } from '#server/odata/edm.ts'
import { printTsv } from '../web/src/features/buchhaltung/position/tsv.ts'
import { toCsv } from '../web/src/ui/export/csv.ts'
import { xlsxBlob } from '../web/src/ui/export/xlsx-sheet.ts'
import { beginsLikeFormula, FORMULA_TEXTS, PLAIN_TEXTS } from './formula-texts.ts'
import { codeOf } from './source-code.ts'

const ROOT = join(import.meta.dirname, '..')
/** Signs that a file for spreadsheets is written, with any library. */
const WRITES = new RegExp(
  [
    /\bcsv(?:Text|Cell|File)\b|\bxlsx(?:File|Blob|Parts)\b|\btoCsv\b/,
    /['"`]text\/csv|\.csv[`']|\.xlsx[`']/,
    /\.join\(['"`](?:;|\\t)['"`]\)|unparse|write-excel-file/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** What each of them writes. A new one needs a line here and a test below, or its own journey. */
const WRITERS: Readonly<Record<string, string>> = {
  'domain/spreadsheet.ts': 'the rule',
  'domain/eingang/check-values.ts': 'names kinds of files that an invoice may carry',
  'domain/xlsx.ts': 'all workbooks',
  'web/src/ui/export/csv.ts': 'all CSV of the browser',
  'web/src/ui/export/xlsx-sheet.ts': 'packs a workbook',
  'web/src/ui/export/xlsx.worker.ts': 'packs a workbook',
  'web/src/ui/export/xlsx.ts': 'packs a workbook',
  'web/src/list/ExportDialog.tsx': 'a list, by the writers of the browser',
  'web/src/features/finances/Umsatz.tsx': 'revenue by month, by the writers of the browser',
  'web/src/features/georef/outputs.ts': 'residuals, by the writers of the browser',
  'web/src/features/import/ImportPreview.tsx': 'notes on an import, by the writers of the browser',
  'web/src/features/import/ImportResult.tsx': 'report of an import, by the writers of the browser',
  'web/src/features/buchhaltung/ust/UstPage.tsx': 'figures of a return, by the writers of the browser',
  'domain/bank-csv/read-csv.ts': 'reads lists of a bank, writes none',
  'web/src/features/buchhaltung/zahlung/CsvImport.tsx': 'reads lists of a bank, writes none',
  'web/src/features/buchhaltung/zahlung/read-csv-file.ts': 'reads lists of a bank, writes none',
  'web/src/karte/survey-place.ts': 'the parts of a line as one text, no file',
  'domain/border/track.ts': 'the points of a track as one text, no file',
  'server/geodata/write-csv.ts': 'all CSV of the server',
  'server/habitat/file-export.ts': 'habitat trees, by the writer of the server',
  'server/vermessung/export.ts': 'survey, by the writer of the server',
  'server/habitat/evidence.ts': 'evidence of KAWM, a workbook',
  'server/habitat/reports.ts': 'names the workbook of the evidence',
  'server/audit/index-xml.ts': 'for auditors, unaltered and quoted',
  'domain/datev/batch.ts': 'for DATEV, unaltered and quoted',
  'domain/datev/format.ts': 'lines for DATEV, unaltered and quoted',
  'web/src/features/buchhaltung/audit/datev.data.ts': 'hands out the file for DATEV',
  'server/data-api/build-call.ts': 'answer of the dialect, for programs',
  'server/data-api/openapi-document.ts': 'names the types of the dialect',
  'server/data-api/parse-media.ts': 'answer of the dialect, for programs',
  'server/data-api/sql-text.ts': 'answer of the dialect, for programs',
  'server/odata/csv.ts': 'tables under an address; plain for programs if asked',
  'contract/anlage.ts': 'names the types that may go with an invoice',
  'server/documents/attachments.ts': 'names the type of a file made elsewhere',
  'server/habitat/file-routes.ts': 'names the type of a file made elsewhere',
  'web/src/features/buchhaltung/position/tsv.ts': 'cells of a document on the clipboard',
}

const sources = ['domain', 'contract', 'server', 'web/src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|fixture|cases)\.tsx?$|\/dist\//.test(file)),
)

test('these write files for spreadsheets, and nobody else', () => {
  const found = sources.filter((file) => WRITES.test(codeOf(file, readFileSync(join(ROOT, file), 'utf8'))))
  expect(found.toSorted()).toEqual(Object.keys(WRITERS).toSorted())
})
test('the decision names who stays unaltered, and why', () => {
  const page = readFileSync(join(ROOT, 'docs/decisions/exports.md'), 'utf8')
  for (const name of [
    'server/audit/index-xml.ts',
    'domain/datev/format.ts',
    'server/data-api',
    'domain/spreadsheet.ts',
  ])
    expect(page).toContain(name)
})

const rowsOf = (text: string): string[][] =>
  Papa.parse<string[]>(text.replace(/^\ufeff/, ''), { delimiter: ';', newline: '\r\n', skipEmptyLines: true })
    .data
const TEXTS = [...FORMULA_TEXTS, ...PLAIN_TEXTS]
/** Lone surrogates have no bytes in UTF-8. */
const stored = (text: string): string => text.toWellFormed()

describe('CSV', () => {
  test('of the browser: headings and cells', () => {
    const rows = rowsOf(toCsv({ name: 'x', head: TEXTS, rows: [TEXTS, TEXTS.toReversed()] }))
    expect(rows.flat().filter(beginsLikeFormula)).toEqual([])
    expect(rows.map((row) => row.map(bareText))).toEqual([TEXTS, TEXTS, TEXTS.toReversed()])
  })
  test('of the server', () => {
    const [row] = rowsOf(TEXTS.map((text) => csvCell(text, 'text')).join(';'))
    expect(row!.filter(beginsLikeFormula)).toEqual([])
    expect(row!.map(bareText)).toEqual(TEXTS)
  })
  test('of tables under an address: names of columns and cells', () => {
    const columns = TEXTS.map(
      (label, nr) => propertyOf({ name: `c${nr}`, type: 'text', nullable: true, label })!,
    )
    const row = Object.fromEntries(TEXTS.map((text, nr) => [`c${nr}`, text]))
    const rows = rowsOf(CSV.excel.head(columns) + CSV.excel.line(row, columns))
    expect(rows.flat().filter(beginsLikeFormula)).toEqual([])
    expect(rows.map((cells) => cells.map(bareText))).toEqual([TEXTS, TEXTS])
  })
  test('numbers below zero stay numbers', () => {
    expect(rowsOf(toCsv({ name: 'x', head: ['A', 'B'], rows: [[-1, -0.5]] }))[1]).toEqual(['-1', '-0,5'])
    expect([csvCell(-1, 'ganz'), csvCell(-0.5, 'zahl'), csvCell('-1', 'text')]).toEqual(['-1', '-0,5', "'-1"])
  })
})

describe('workbooks', () => {
  type Sheets = { readonly sheet: string; readonly data: readonly (readonly unknown[])[] }[]
  const cellsOf = async (bytes: Buffer): Promise<unknown[]> =>
    ((await readXlsxFile(bytes)) as unknown as Sheets).flatMap(({ data }) => data.flat())
  test('of the browser: headings and cells', async () => {
    const blob = await xlsxBlob({ name: 'x', head: [...TEXTS, 'A', 'B'], rows: [[...TEXTS, -1, -0.5]] })
    const cells = await cellsOf(Buffer.from(await blob.arrayBuffer()))
    expect(cells.filter((cell) => typeof cell === 'string' && beginsLikeFormula(cell))).toEqual([])
    expect(cells.filter((cell) => typeof cell === 'number')).toEqual([-1, -0.5])
  })
  test('of the server: the evidence of KAWM', async () => {
    const trees = TEXTS.map((text, nr) =>
      treeOf(nr + 1, {
        nummer: text,
        art: 'sonstige',
        art_text: text,
        erfasser: text,
        bemerkung: text,
        l: [text, text, null, null, null],
      }),
    )
    const material = materialOf(trees)
    const hostile = {
      ...material,
      kopf: { ...material.kopf, sHQ: '=1+1', wer: '@x', kunde: { ...material.kopf.kunde, name: '＝1' } },
    }
    const stand = {
      modul: true,
      eigene: true,
      flaeche_eigen: 4,
      flaeche_fe: 9,
      bewilligung: '2025-11-01',
      heute: '2026-11-22',
      erfasst: 12,
      markiert: 5,
      ohne_bild: 3,
    }
    const kawm: KawmFigures = {
      ...stand,
      ...kawmOf(stand),
      anwaerter: 2,
      baeume: 10,
      verloren: 1,
      ohne_kawm: 4,
    }
    const cells = await cellsOf(await evidenceXlsx(hostile, kawm, '2026-11-22'))
    expect(cells.filter((cell) => typeof cell === 'string' && beginsLikeFormula(cell))).toEqual([])
    expect(cells).toEqual(expect.arrayContaining(["'=1+1", "'@x", "'＝1"]))
  })
})

test('the clipboard of a document', () => {
  const rows = TEXTS.map((text) => [text.replaceAll('\r', ''), '-1.000,50'])
  const pasted = Papa.parse<string[]>(printTsv(rows), { delimiter: '\t', newline: '\n' }).data
  expect(pasted.filter(([text]) => beginsLikeFormula(text!)).map(([text]) => text)).toEqual(['-1'])
  expect(pasted.map(([, number]) => number)).toEqual(rows.map(() => '-1.000,50'))
})

describe('unaltered, and each text in its quotation marks', () => {
  test('the tables of an audit', () => {
    const columns = [
      { name: 'Text', art: 'text' },
      { name: 'Zahl', art: 'zahl' },
    ] as const
    const bytes = csv(
      { spalten: columns },
      TEXTS.map((text) => [text, '-1,50']),
    )
    expect(rowsOf(bytes.toString('utf8')).slice(1)).toEqual(TEXTS.map((text) => [stored(text), '-1,50']))
    expect(bytes.toString('utf8').split('\r\n')[1]).toMatch(/^"=1\+1";/)
  })
  test('the batch for DATEV', () => {
    const beleg = musterBeleg((one) => void Object.assign(one.empfaenger, { name: '=1+1;"x"' }))
    const setting = {
      adviser: '29098',
      mandant: '55003',
      accountDigits: 4,
      revenueAccounts: { 'S 19.00': '8400', 'S 7.00': '8300', 'AE 0.00': '8336', 'E 0.00': '8100' },
    }
    const { bytes, faults } = datevBatch({
      von: '2026-01-01',
      bis: '2026-12-31',
      createdAt: '2026-12-31T12:00:00.000Z',
      setting,
      belege: [{ beleg: datevSample(beleg), debitor: '10005' }],
    })
    expect(faults.filter(({ severity }) => severity === 'fehler')).toEqual([])
    const text = new TextDecoder('windows-1252').decode(bytes)
    expect(rowsOf(text)[2]![13]).toContain('=1+1;"x"')
    expect(text).toContain('"=1+1;""x""')
  })
})
