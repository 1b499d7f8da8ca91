// FlatGeobufs of all kinds that GDAL writes read as GDAL reads them; by hand what it does not write.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RawObject } from '#domain/vermessung/check.ts'
import { GeometryFault } from '#domain/vermessung/geometry.ts'
import {
  awayFrom,
  collection,
  type Json,
  GEOMETRIES,
  ofKind,
  OGR2OGR,
  readByGdal,
  rowOf,
} from './corpus.fixture.ts'
import { column, fgb, fgbHeader, type FlatField, pointAt } from './flatgeobuf.fixture.ts'
import { openSource } from './open.ts'
import { FileFault, type RawLayer } from './source.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fgb-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Read {
  readonly layers: readonly RawLayer[]
  readonly objects: readonly RawObject[]
}
async function readByUs(path: string): Promise<Read> {
  const source = await openSource(path, 'Aufmaß.fgb')
  try {
    const objects: RawObject[] = []
    for (const { name } of source.schichten) for await (const one of source.readFrom(name)) objects.push(one)
    return { layers: source.schichten, objects }
  } finally {
    source.close()
  }
}
async function readBytes(bytes: Buffer): Promise<Read> {
  const path = join(folder, 'hand.fgb')
  writeFileSync(path, bytes)
  return readByUs(path)
}

interface Case {
  readonly what: string
  readonly geometry?: (nr: number) => Json | null
  readonly count?: number
  readonly options?: readonly string[]
  readonly epsg?: number | null
  /** Names of the layers' kinds. */
  readonly kinds?: readonly (string | null)[]
}
const KINDS = Object.keys(GEOMETRIES)
const CASES: readonly Case[] = [
  ...KINDS.map((kind) => ({ what: kind, geometry: ofKind(kind) })),
  ...KINDS.map((kind) => ({ what: `${kind} with heights`, geometry: ofKind(kind, true) })),
  ...['Point', 'LineString', 'Polygon', 'MultiPolygon'].map((kind) => ({
    what: `${kind} with measures`,
    geometry: ofKind(kind, true),
    options: ['-dim', 'XYM'],
  })),
  { what: 'without an index', options: ['-lco', 'SPATIAL_INDEX=NO'] },
  { what: 'a single object', count: 1 },
  { what: 'five thousand objects', count: 5_000 },
  { what: 'no object at all', count: 0 },
  { what: 'objects without a place', geometry: (nr) => (nr % 2 === 0 ? null : ofKind('LineString')(nr)) },
  {
    what: 'points, lines and areas at once',
    geometry: (nr) => ofKind(KINDS[nr % KINDS.length]!)(nr),
    options: ['-nlt', 'GEOMETRY'],
    kinds: ['punkt', 'linie', 'flaeche'],
  },
  {
    what: 'a layer of any kind that has one',
    geometry: ofKind('LineString'),
    options: ['-nlt', 'GEOMETRY'],
    kinds: ['linie'],
  },
  ...[25_832, 4_326, 31_468, 5_650].map((epsg) => ({
    what: `EPSG:${epsg}`,
    epsg,
    options: ['-t_srs', `EPSG:${epsg}`],
  })),
  { what: 'heights above sea level', options: ['-a_srs', 'EPSG:5556'], epsg: 25_833 },
  { what: 'a system that is not ours', options: ['-a_srs', 'EPSG:2154'], epsg: null },
  { what: 'no system', options: ['-a_srs', 'NONE'], epsg: null },
]

function write({ geometry = ofKind('Point'), count = 6, options = [] }: Case, at: number): string {
  const features = Array.from({ length: count }, (_, nr) => ({
    type: 'Feature',
    properties: {
      nr,
      text: nr === 1 ? null : `Größe ${nr} ß`,
      zahl: nr === 2 ? null : nr * 1234.5,
      ganz: nr === 3 ? null : -nr * 10_000_000_000,
      tag: nr === 4 ? null : `2026-03-0${(nr % 9) + 1}`,
      wann: `2026-03-01T10:0${nr % 10}:00`,
      ja: nr % 2 === 0,
    },
    geometry: geometry(nr),
  }))
  const source = join(folder, `case${at}.geojson`)
  writeFileSync(source, collection(features))
  const out = join(folder, `case${at}.fgb`)
  execFileSync(OGR2OGR, ['-f', 'FlatGeobuf', ...options, out, source], { stdio: 'pipe' })
  return out
}
const byNumber = (rows: ReturnType<typeof readByGdal>) =>
  rows.toSorted((a, b) => Number(a.werte['nr']) - Number(b.werte['nr']))
/**
 * Differences of no weight: GDAL leaves out values that the file has not and we give null; days and moments are one
 * type in the file, and GDAL writes them with a blank and without the hour zero.
 */
const asGdal = (rows: ReturnType<typeof readByGdal>) =>
  rows.map(({ werte, orte }) => ({
    orte,
    werte: Object.fromEntries(
      Object.entries(werte).flatMap(([name, value]) =>
        value === null ? [] : [[name, value.replace('T', ' ').replace(/ 00:00:00$/, '')]],
      ),
    ),
  }))

describe.skipIf(!existsSync(OGR2OGR))('a corpus of FlatGeobufs reads as GDAL reads it', () => {
  test.each(CASES.map((one, at) => [one.what, one, at] as const))('%s', async (_what, one, at) => {
    const path = write(one, at)
    const { layers, objects } = await readByUs(path)
    const degrees = one.epsg === 4_326
    const rows = objects.map((object) => rowOf(object, degrees ? 7 : 3))
    expect(asGdal(byNumber(rows))).toEqual(asGdal(byNumber(readByGdal(path, [], degrees ? 7 : 3))))
    expect(layers.reduce((sum, { anzahl }) => sum + anzahl, 0)).toBe(objects.length)
    expect(layers[0]!.epsg).toBe(one.epsg === undefined ? 25_833 : one.epsg)
    if (one.kinds !== undefined) expect(layers.map(({ geometrie }) => geometrie)).toEqual(one.kinds)
    if (one.what.endsWith('measures'))
      expect(objects.map(({ geometrie }) => (geometrie as { verloren?: unknown }).verloren)).toEqual(
        objects.map(() => ['masse']),
      )
    if (one.what === 'LineString with heights')
      expect(objects[0]!.geometrie).toMatchObject({ ends: [41.5, 41.5], verloren: ['hoehen'] })
    if (one.what === 'Point with heights') expect(objects[0]!.geometrie).toMatchObject({ z: 41.5 })
  })

  const CURVES = {
    'an arc': 'CIRCULARSTRING (380000 5930000, 380050 5930050, 380100 5930000)',
    'a circle': 'CIRCULARSTRING (380000 5930000, 380100 5930000, 380000 5930000)',
    'lines and arcs':
      'COMPOUNDCURVE ((380000 5930000, 380010 5930000), ' +
      'CIRCULARSTRING (380010 5930000, 380020 5930010, 380030 5930000), (380030 5930000, 380040 5930000))',
    'an area with a round hole':
      'CURVEPOLYGON ((380000 5930000, 380100 5930000, 380100 5930100, 380000 5930000), ' +
      'CIRCULARSTRING (380070 5930030, 380080 5930030, 380070 5930030))',
    'several lines':
      'MULTICURVE ((380000 5930000, 380010 5930000), ' +
      'CIRCULARSTRING (380010 5930000, 380020 5930010, 380030 5930000))',
    'several areas':
      'MULTISURFACE (((380000 5930000, 380100 5930000, 380100 5930100, 380000 5930000)), ' +
      'CURVEPOLYGON (CIRCULARSTRING (380270 5930030, 380280 5930030, 380270 5930030)))',
  }
  test.each(Object.entries(CURVES))('curves become lines a centimetre near: %s', async (_what, wkt) => {
    const [csv, path] = [join(folder, 'curve.csv'), join(folder, 'curve.fgb')]
    writeFileSync(csv, `nr,wkt\n1,"${wkt}"\n`)
    rmSync(path, { force: true })
    execFileSync(OGR2OGR, [
      '-f',
      'FlatGeobuf',
      '-a_srs',
      'EPSG:25833',
      path,
      csv,
      '-oo',
      'GEOM_POSSIBLE_NAMES=wkt',
    ])
    const [object] = (await readByUs(path)).objects
    expect(object!.geometrie).toMatchObject({ verloren: ['boegen'] })
    expect(awayFrom(object!, path)).toBeLessThan(0.0105)
  })

  test('a file that ends too early is broken, wherever it is cut', async () => {
    const bytes = readFileSync(write({ what: '', count: 20, geometry: ofKind('MultiPolygon', true) }, 900))
    for (let length = 9; length < bytes.length; length += 37)
      await expect(readBytes(bytes.subarray(0, length))).rejects.toMatchObject({ code: 'datei_kaputt' })
  })
})

const properties = (...parts: readonly Buffer[]): FlatField => ({ bytes: Buffer.concat(parts) })
const value = (nr: number, hex: string): Buffer =>
  Buffer.concat([Buffer.from([nr & 255, nr >> 8]), Buffer.from(hex, 'hex')])

describe('what GDAL does not write', () => {
  test('values of every type', async () => {
    const types = Array.from({ length: 15 }, (_, type) => column(`t${type}`, type))
    const text = (words: string): string => {
      const bytes = Buffer.from(words)
      return Buffer.concat([Buffer.from([bytes.length, 0, 0, 0]), bytes]).toString('hex')
    }
    const { objects, layers } = await readBytes(
      fgb(fgbHeader({ columns: types }), [
        pointAt(1, 2),
        properties(
          value(0, 'fe'),
          value(1, 'fe'),
          value(2, '01'),
          value(3, 'feff'),
          value(4, 'feff'),
          value(5, 'feffffff'),
          value(6, 'feffffff'),
          value(7, 'feffffffffffffff'),
          value(8, 'feffffffffffffff'),
          value(9, '0000c03f'),
          value(10, '000000000000f87f'),
          value(11, text('Größe')),
          value(12, text('{"a":1}')),
          value(13, text('2026-03-01T10:00:00')),
          value(14, text('xy')),
        ),
      ]),
    )
    expect(objects).toEqual([
      {
        nr: 1,
        geometrie: { art: 'punkt', ort: [1, 2], z: null },
        werte: {
          t0: -2,
          t1: 254,
          t2: true,
          t3: -2,
          t4: 65_534,
          t5: -2,
          t6: 4_294_967_294,
          t7: -2,
          t8: '18446744073709551614',
          t9: 1.5,
          t10: null,
          t11: 'Größe',
          t12: '{"a":1}',
          t13: '2026-03-01T10:00:00',
          t14: null,
        },
      },
    ])
    expect(layers).toMatchObject([{ name: 'schacht', geometrie: 'punkt', anzahl: 1, epsg: 25_833 }])
  })
  test('objects with columns of their own, and columns of one name', async () => {
    const { objects, layers } = await readBytes(
      fgb(
        fgbHeader({ columns: [column('dn', 5), column('dn', 5), column('__proto__', 5)] }),
        [pointAt(1, 2), properties(value(0, '64000000'), value(1, '65000000'), value(2, '66000000'))],
        [pointAt(1, 2), properties(value(0, '01')), { tables: [column('neu', 2)] }],
      ),
    )
    expect(objects.map(({ werte }) => Object.entries(werte))).toEqual([
      [
        ['dn', 100],
        ['dn 2', 101],
        ['__proto__', 102],
      ],
      [['neu', true]],
    ])
    expect(layers[0]!.spalten.map(({ name }) => name)).toEqual(['dn', 'dn 2', '__proto__', 'neu'])
  })
  test('geometries that are no points, lines or areas, and broken ones, are faults of their object', async () => {
    const of = (type: number, ...fields: readonly FlatField[]): readonly FlatField[] => [
      { table: Array.from({ length: 8 }, (_, nr) => (nr === 6 ? { u8: type } : (fields[nr] ?? null))) },
    ]
    const line: FlatField = { f64s: [0, 0, 1, 1, 2, 2] }
    const { objects } = await readBytes(
      fgb(
        fgbHeader({ type: 0 }),
        of(7),
        of(16),
        of(99),
        of(1),
        of(4, null, { f64s: [1, 2, 3, 4] }),
        of(1, null, { f64s: [1] }),
        of(5, { u32s: [2, 1] }, line),
        of(5, { u32s: [9] }, line),
        of(5, { u32s: [2] }, line),
        of(2, null, line, { f64s: [1] }),
        of(8, null, { f64s: [0, 0, 1, 1] }),
        of(1, null, { f64s: [Infinity, 1] }),
      ),
    )
    expect(objects.map(({ geometrie }) => (geometrie as GeometryFault).code)).toEqual([
      'geometrie_art',
      'geometrie_art',
      'geometrie_art',
      'geometrie_leer',
      'geometrie_art',
      ...Array.from({ length: 7 }, () => 'geometrie_kaputt'),
    ])
  })
  test('bytes that are changed at random are read or refused by name', { timeout: 60_000 }, async () => {
    const polygon: readonly FlatField[] = [
      null,
      { f64s: [0, 0, 5, 0, 5, 5, 0, 0] },
      null,
      null,
      null,
      null,
      { u8: 3 },
    ]
    const good = fgb(
      fgbHeader({ type: 6, columns: [column('nr', 11), column('dn', 5)] }),
      [
        { table: [null, null, null, null, null, null, { u8: 6 }, { tables: [polygon, polygon] }] },
        properties(value(0, '020000005337'), value(1, '64000000')),
      ],
      [null, properties(value(1, '64000000'))],
    )
    expect((await readBytes(good)).objects).toHaveLength(2)
    const change = fc.tuple(
      fc.nat(good.length - 13),
      fc.constantFrom(0, 1, 4, 16, 2 ** 31, 2 ** 32 - 1),
      fc.boolean(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = Buffer.from(good)
        for (const [at, number, isByte] of changes)
          if (isByte) bytes[8 + at] = number & 255
          else bytes.writeUInt32LE(number, 8 + at)
        const end = await readBytes(bytes).catch((error: unknown) => error)
        if (end instanceof Error) expect(end).toBeInstanceOf(FileFault)
      }),
      { numRuns: 1_000 },
    )
  })
  test('a header that counts otherwise than the file is broken', async () => {
    for (const count of [1, 3])
      await expect(
        readBytes(fgb(fgbHeader({ count }), [pointAt(1, 2)], [pointAt(1, 2)])),
      ).rejects.toMatchObject({ code: 'datei_kaputt' })
  })
})
