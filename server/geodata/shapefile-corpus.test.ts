// Shapefiles of all kinds that are met in the field, written by GDAL and then left as untidy programs leave
// them. What we read is compared with what GDAL reads from the same files.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TextEncoding } from '#domain/text-encoding.ts'
import { createLosses, NO_HEIGHTS } from '#domain/vermessung/losses.ts'
import { zipBytes } from '#server/write-zip.ts'
import { collection, type Json, GEOMETRIES, ofKind, OGR2OGR, readByGdal, rowOf } from './corpus.fixture.ts'
import { openSource } from './open.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shapes-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const GERMAN = ['Größe', 'Übersöhn', 'Äpfel & Öl', 'Mühlenstraße', 'ASCII', 'ß']
const CENTRAL = ['Łódź', 'Žďár', 'Győr', 'Müller', 'Čáslav', 'Śniadeckich']

/** Changes the bytes of the table. */
type Spoil = (dbf: Buffer) => void

interface Case {
  readonly what: string
  readonly geometry?: (nr: number) => Json | null
  readonly texts?: readonly string[]
  /** As GDAL names it. */
  readonly encoding?: string
  /** Given to GDAL where the file does not say it. */
  readonly told?: string
  readonly choice?: TextEncoding
  readonly options?: readonly string[]
  readonly spoil?: Spoil | undefined
  readonly drop?: readonly string[]
}

const rowsOf = (dbf: Buffer) => ({ head: dbf.readUInt16LE(8), length: dbf.readUInt16LE(10) })
const deleteRows =
  (...numbers: number[]): Spoil =>
  (dbf) => {
    const { head, length } = rowsOf(dbf)
    for (const nr of numbers) dbf[head + nr * length] = 0x2a
  }
/** Every run of blanks at the end of a text field becomes NUL, as C programs leave it. */
const padWithNul: Spoil = (dbf) => {
  const { head, length } = rowsOf(dbf)
  let start = 1
  for (let at = 32; dbf[at] !== 0x0d; start += dbf[at + 16]!, at += 32) {
    if (dbf[at + 11] !== 0x43) continue
    for (let row = head; row + length <= dbf.length; row += length)
      for (let end = row + start + dbf[at + 16]! - 1; end >= row + start && dbf[end] === 0x20; end--)
        dbf[end] = 0
  }
}
const driver =
  (number: number): Spoil =>
  (dbf) => {
    dbf[29] = number
  }

const CODE_PAGES: readonly (readonly [string, number | null, readonly string[]])[] = [
  ['UTF-8', null, GERMAN],
  ['CP850', 0x02, GERMAN],
  ['CP437', 0x01, GERMAN],
  ['CP1252', 0x03, GERMAN],
  ['ISO-8859-1', null, GERMAN],
  ['ISO-8859-15', null, [...GERMAN, 'zehn €']],
  ['CP1250', 0xc8, CENTRAL],
  ['CP852', 0x64, CENTRAL],
]
const CHOSEN: Readonly<Record<string, TextEncoding>> = {
  CP437: 'cp437',
  CP1250: 'windows-1250',
  CP852: 'cp852',
  'ISO-8859-15': 'iso-8859-15',
}

const CASES: readonly Case[] = [
  ...CODE_PAGES.map(([encoding, , texts]) => ({ what: `${encoding} by .cpg`, encoding, texts })),
  ...CODE_PAGES.flatMap(([encoding, number, texts]) =>
    number === null
      ? []
      : [
          {
            what: `${encoding} by its language driver`,
            encoding,
            texts,
            drop: ['cpg'],
            told: encoding,
            spoil: driver(number),
          },
        ],
  ),
  ...['UTF-8', 'CP850', 'CP1252', 'ISO-8859-1'].map((encoding) => ({
    what: `${encoding} by nothing but its bytes`,
    encoding,
    drop: ['cpg'],
    told: encoding,
  })),
  {
    what: 'CP850 by its bytes under the driver that everybody writes',
    encoding: 'CP850',
    drop: ['cpg'],
    told: 'CP850',
    spoil: driver(0x57),
  },
  ...Object.entries(CHOSEN).map(([encoding, choice]) => ({
    what: `${encoding} by choice`,
    encoding,
    texts: CODE_PAGES.find(([name]) => name === encoding)![2],
    drop: ['cpg'],
    told: encoding,
    choice,
  })),
  ...Object.keys(GEOMETRIES).map((kind) => ({ what: kind, geometry: ofKind(kind) })),
  ...['Point', 'LineString', 'Polygon'].map((kind) => ({
    what: `${kind} with heights`,
    geometry: ofKind(kind, true),
  })),
  ...['Point', 'LineString'].map((kind) => ({
    what: `${kind} with measures`,
    geometry: ofKind(kind, true),
    options: ['-dim', 'XYM'],
  })),
  {
    what: 'objects without a place',
    geometry: (nr) => (nr % 2 === 0 ? null : ofKind('LineString')(nr)),
  },
  ...['Point', 'LineString', 'Polygon'].map((kind) => ({
    what: `${kind}, some deleted`,
    geometry: ofKind(kind),
    spoil: deleteRows(0, 3),
  })),
  { what: 'all deleted', spoil: deleteRows(0, 1, 2, 3, 4, 5) },
  { what: 'the last deleted', spoil: deleteRows(5) },
  { what: 'texts padded with NUL', spoil: padWithNul },
  {
    what: 'texts padded with NUL in DOS letters, some deleted',
    encoding: 'CP850',
    told: 'CP850',
    drop: ['cpg'],
    spoil: (dbf) => {
      padWithNul(dbf)
      deleteRows(2)(dbf)
    },
  },
  { what: 'without .prj', drop: ['prj'] },
  { what: 'without .shx', drop: ['shx'] },
  { what: 'no attributes but the number', texts: [], options: ['-select', 'nr'] },
  { what: 'a single object', texts: ['Größe'] },
  {
    what: 'letters beyond ASCII only after thirty thousand rows',
    texts: [...Array.from({ length: 30_000 }, (_, nr) => `Nr ${nr}`), ...GERMAN],
    encoding: 'CP850',
    drop: ['cpg'],
    told: 'CP850',
  },
]

function write(one: Case, at: number): { folder: string; shp: string } {
  const { geometry = ofKind('Point'), texts = GERMAN, encoding = 'UTF-8', options = [] } = one
  const names = texts.length === 0 ? GERMAN : texts
  const features = names.map((text, nr) => ({
    type: 'Feature',
    properties: {
      nr,
      text,
      lang: `${text} `.repeat(12).trim(),
      zahl: nr === 1 ? null : nr * 1234.5,
      ganz: nr === 2 ? null : -nr,
      tag: nr === 3 ? null : `2026-03-0${(nr % 9) + 1}`,
    },
    geometry: geometry(nr),
  }))
  const source = join(folder, `case${at}.geojson`)
  writeFileSync(source, collection(features))
  const out = join(folder, `case${at}`)
  execFileSync(OGR2OGR, ['-f', 'ESRI Shapefile', '-lco', `ENCODING=${encoding}`, ...options, out, source], {
    stdio: 'pipe',
  })
  const path = (ending: string): string => join(out, `case${at}.${ending}`)
  if (one.spoil !== undefined) {
    const dbf = readFileSync(path('dbf'))
    one.spoil(dbf)
    writeFileSync(path('dbf'), dbf)
  }
  for (const ending of one.drop ?? []) rmSync(path(ending))
  return { folder: out, shp: path('shp') }
}

async function readByUs(files: string, choice: TextEncoding | undefined) {
  const names = readdirSync(files)
  const zip = await zipBytes(
    names.map((name) => ({ name, inhalt: readFileSync(join(files, name)), compress: true })),
  )
  const path = `${files}.zip`
  writeFileSync(path, zip)
  const source = await openSource(path, 'x.zip')
  const [layer] = source.schichten
  const rows = []
  for await (const object of source.readFrom(layer!.name, { zeichensatz: choice })) rows.push(rowOf(object))
  source.close()
  return { layer: layer!, rows }
}

describe.skipIf(!existsSync(OGR2OGR))('a corpus of shapefiles reads as GDAL reads it', () => {
  test('at least forty files', () => expect(CASES.length).toBeGreaterThanOrEqual(40))
  test.each(CASES.map((one, at) => [one.what, one, at] as const))('%s', async (_what, one, at) => {
    const { folder: files, shp } = write(one, at)
    const { layer, rows } = await readByUs(files, one.choice)
    expect(rows).toEqual(readByGdal(shp, one.told === undefined ? [] : ['-oo', `ENCODING=${one.told}`]))
    expect(layer.anzahl).toBe(rows.length)
    expect(layer.epsg).toBe(one.drop?.includes('prj') === true ? null : 25_833)
    if (one.choice === undefined && (one.drop ?? []).length === 0 && one.texts !== CENTRAL)
      expect(layer.texte?.sicher ?? true).toBe(true)
  })
})

describe.skipIf(!existsSync(OGR2OGR))('what a shapefile has beyond places in the plane is told', () => {
  async function lossesOf(wkt: string, dimensions: string): Promise<readonly string[]> {
    const files = mkdtempSync(join(folder, 'zm-'))
    const [csv, out] = [join(files, 'a.csv'), join(files, 'out')]
    writeFileSync(csv, `nr,WKT\n1,"${wkt}"\n`)
    const kind = ['-f', 'ESRI Shapefile', '-lco', `SHPT=${dimensions}`, '-oo', 'GEOM_POSSIBLE_NAMES=WKT']
    execFileSync(OGR2OGR, [...kind, out, csv], { stdio: 'pipe' })
    const zip = join(files, 'x.zip')
    const names = readdirSync(out).map((name) => ({
      name,
      inhalt: readFileSync(join(out, name)),
      compress: true,
    }))
    writeFileSync(zip, await zipBytes(names))
    const source = await openSource(zip, 'x.zip')
    const losses = createLosses('a', [], [], { keeps: NO_HEIGHTS })
    for await (const { geometrie } of source.readFrom(source.schichten[0]!.name)) losses.count(geometrie)
    source.close()
    return losses.all().map(({ art }) => art)
  }
  test.each([
    ['a line with both', 'LINESTRING ZM (0 0 5 1, 9 0 6 2)', 'ARCZM', ['hoehen', 'masse']],
    [
      'lines with both',
      'MULTILINESTRING ZM ((0 0 5 1, 9 0 6 2),(0 9 5 1, 9 9 6 2))',
      'ARCZM',
      ['hoehen', 'masse'],
    ],
    ['a line with heights', 'LINESTRING Z (0 0 5, 9 0 6)', 'ARCZ', ['hoehen']],
    ['a line with measures', 'LINESTRING M (0 0 5, 9 0 6)', 'ARCM', ['masse']],
    ['a point with both', 'POINT ZM (0 0 5 1)', 'POINTZM', ['hoehen', 'masse']],
    ['a point with a height', 'POINT Z (0 0 5)', 'POINTZ', ['hoehen']],
    ['a point with a measure', 'POINT M (0 0 5)', 'POINTM', ['masse']],
    ['points with both', 'MULTIPOINT ZM ((0 0 5 1))', 'MULTIPOINTZM', ['hoehen', 'masse']],
    ['an area with both', 'POLYGON ZM ((0 0 5 1,0 9 5 1,9 9 5 1,0 0 5 1))', 'POLYGONZM', ['hoehen', 'masse']],
    ['an area with heights', 'POLYGON Z ((0 0 5,0 9 5,9 9 5,0 0 5))', 'POLYGONZ', ['hoehen']],
    ['an area with measures', 'POLYGON M ((0 0 5,0 9 5,9 9 5,0 0 5))', 'POLYGONM', ['masse']],
    ['nothing but zeros', 'LINESTRING ZM (0 0 0 0, 9 0 0 0)', 'ARCZM', []],
  ])('%s', async (_what, wkt, dimensions, lost) =>
    expect((await lossesOf(wkt, dimensions)).toSorted()).toEqual(lost),
  )
})
