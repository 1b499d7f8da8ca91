// Shapefiles as GDAL reads them.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { feFieldsOf, feMappingOf } from '#domain/bestand-import.ts'
import { EPSG_CODES } from '#domain/epsg.ts'
import { HABITAT_FIELDS, habitatMapping } from '#domain/habitat/file.ts'
import { fieldsOf, mappingOf, TABLES as SURVEY } from '#domain/vermessung/fields.ts'
import type { Form } from '#domain/vermessung/geometry.ts'
import type { Column, TableRow } from './columns.ts'
import { esriWkt } from './esri-wkt.ts'
import { openSource } from './open.ts'
import { epsgOfWkt } from '#domain/epsg-text.ts'
import { tableBytes } from './write-dbf.ts'
import type { TableInfo } from './write-gpkg.ts'
import { writeShapefiles } from './write-shapefile.ts'

const OGR2OGR = '/usr/bin/ogr2ogr'
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shp-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const COLUMNS: readonly Column[] = [
  { name: 'schluessel', typ: 'text' },
  { name: 'bemerkung', typ: 'text' },
  { name: 'dn', typ: 'ganz' },
  { name: 'hoehe', typ: 'zahl' },
  { name: 'vermessen', typ: 'ja_nein' },
  { name: 'letzte_kontrolle', typ: 'tag' },
  { name: 'letzte_kontrolleurin', typ: 'text' },
]
const SQUARE = [
  [380_000, 5_930_000],
  [380_100, 5_930_000],
  [380_100, 5_930_100],
  [380_000, 5_930_100],
  [380_000, 5_930_000],
] as const
const HOLE = [
  [380_020, 5_930_020],
  [380_020, 5_930_040],
  [380_040, 5_930_040],
  [380_040, 5_930_020],
  [380_020, 5_930_020],
] as const

const ROWS: readonly TableRow['werte'][] = [
  {
    schluessel: 'Größe 1',
    bemerkung: 'ä'.repeat(200),
    dn: 150,
    hoehe: 41.257,
    vermessen: true,
    letzte_kontrolle: '2026-03-01',
    letzte_kontrolleurin: 'Öz',
  },
  {
    schluessel: 'Łódź',
    bemerkung: '=1+1',
    dn: -3,
    hoehe: -0.5,
    vermessen: false,
    letzte_kontrolle: null,
    letzte_kontrolleurin: null,
  },
  { schluessel: null, bemerkung: null, dn: null, hoehe: null, vermessen: null },
]
async function* rows(geometries: readonly (Form | null)[]): AsyncGenerator<TableRow> {
  for (const [nr, shape] of geometries.entries())
    yield { id: nr, geometrie: shape, werte: ROWS[nr % ROWS.length]! }
}
const point = (x: number, y: number): Form => ({ art: 'punkt', ort: [x, y], z: null })
const TABLES: Readonly<
  Record<string, Pick<TableInfo, 'typ'> & { readonly shapes: readonly (Form | null)[] }>
> = {
  schacht: {
    typ: 'POINT',
    shapes: [point(380_000.125, 5_930_000.5), point(380_010, 5_930_020), null],
  },
  draenage: {
    typ: 'MULTILINESTRING',
    shapes: [
      { art: 'linie', pieces: [SQUARE.slice(0, 3), HOLE.slice(0, 2)] },
      { art: 'linie', pieces: [SQUARE.slice(1, 4)] },
    ],
  },
  // Turned as neither this format nor GeoJSON wants it.
  bestand: {
    typ: 'MULTIPOLYGON',
    shapes: [{ art: 'flaeche', areas: [[SQUARE.toReversed(), HOLE.toReversed()]] }],
  },
  leer: { typ: 'POINT', shapes: [] },
}

async function written(name: string, epsg = 25_833): Promise<string> {
  const path = join(folder, `${name}-${epsg}.zip`)
  const file = await open(path, 'w')
  const { typ, shapes } = TABLES[name]!
  try {
    await writeShapefiles(
      file,
      epsg,
      (async function* () {
        yield { name, titel: name, typ, spalten: COLUMNS, zeilen: rows(shapes) }
      })(),
    )
  } finally {
    await file.close()
  }
  return path
}
interface Read {
  readonly features: readonly {
    readonly properties: Record<string, unknown>
    readonly geometry: { readonly type: string; readonly coordinates: unknown } | null
  }[]
}
const gdal = (path: string): Read =>
  JSON.parse(
    execFileSync(OGR2OGR, ['-f', 'GeoJSON', '/vsistdout/', `/vsizip/${path}`, '-lco', 'RFC7946=NO'], {
      encoding: 'utf8',
    }),
  ) as Read

describe.skipIf(!existsSync(OGR2OGR))('GDAL reads', () => {
  test('points and every kind of value, with names and texts as far as they fit', async () => {
    const { features } = gdal(await written('schacht'))
    expect(features.map(({ geometry }) => geometry)).toEqual([
      { type: 'Point', coordinates: [380_000.125, 5_930_000.5] },
      { type: 'Point', coordinates: [380_010, 5_930_020] },
      null,
    ])
    // GDAL before 3.7 reads yes and no as letters.
    const yes: Record<string, boolean | null> = { T: true, F: false, '?': null }
    const read = features.map(({ properties: { vermessen, ...others } }) => ({
      // An empty day is left out.
      letzte_kon: null,
      ...others,
      vermessen: typeof vermessen === 'string' ? yes[vermessen] : vermessen,
    }))
    expect(read).toEqual([
      {
        schluessel: 'Größe 1',
        bemerkung: 'ä'.repeat(127),
        dn: 150,
        hoehe: 41.257,
        vermessen: true,
        letzte_kon: '2026-03-01',
        letzte_k_1: 'Öz',
      },
      {
        schluessel: 'Łódź',
        bemerkung: '=1+1',
        dn: -3,
        hoehe: -0.5,
        vermessen: false,
        letzte_kon: null,
        letzte_k_1: null,
      },
      Object.fromEntries(
        ['schluessel', 'bemerkung', 'dn', 'hoehe', 'vermessen', 'letzte_kon', 'letzte_k_1'].map((name) => [
          name,
          null,
        ]),
      ),
    ])
  })
  test('lines of several pieces', async () => {
    const [first, second] = gdal(await written('draenage')).features
    expect(first!.geometry).toEqual({
      type: 'MultiLineString',
      coordinates: [SQUARE.slice(0, 3), HOLE.slice(0, 2)],
    })
    expect(second!.geometry).toEqual({ type: 'LineString', coordinates: SQUARE.slice(1, 4) })
  })
  test('areas with holes, whichever way they were drawn', async () => {
    const path = await written('bestand')
    const area = execFileSync(
      OGR2OGR,
      [
        '-f',
        'CSV',
        '/vsistdout/',
        `/vsizip/${path}`,
        '-dialect',
        'OGRSQL',
        '-sql',
        'select OGR_GEOM_AREA as a from bestand',
      ],
      { encoding: 'utf8' },
    )
    expect(Number(area.split('\n')[1]!.replaceAll('"', ''))).toBe(100 * 100 - 20 * 20)
  })
  test('a table without rows', async () => expect(gdal(await written('leer')).features).toEqual([]))
  test.each(EPSG_CODES)('the system %i', async (epsg) => {
    expect(epsgOfWkt(esriWkt(epsg))).toBe(epsg)
    const prj = join(folder, `${epsg}.prj`)
    writeFileSync(prj, esriWkt(epsg))
    const theirs = execFileSync('/usr/bin/gdalsrsinfo', ['-o', 'wkt_esri', '--single-line', `EPSG:${epsg}`], {
      encoding: 'utf8',
    })
    expect(esriWkt(epsg)).toBe(theirs.trim())
  })
})

test('our import reads them as they were', async () => {
  const source = await openSource(await written('draenage'), 'Kataster.zip')
  try {
    expect(source.schichten.map(({ name, epsg, anzahl }) => [name, epsg, anzahl])).toEqual([
      ['draenage', 25_833, 2],
    ])
  } finally {
    source.close()
  }
})

/** As they stand in the table: from byte 32 on, 32 bytes each. */
function shortNames(names: readonly string[]): string[] {
  const { dbf } = tableBytes(
    names.map((name) => ({ name, typ: 'text' })),
    [],
  )
  return names.map((_, at) => dbf.toString('latin1', 32 + 32 * at, 42 + 32 * at).replaceAll('\0', ''))
}

test.each([
  ...SURVEY.map(
    (table) => [table, fieldsOf(table), (names: readonly string[]) => mappingOf(table, names)] as const,
  ),
  ['habitatbaum', HABITAT_FIELDS, habitatMapping] as const,
  ...(['bestand', 'baumarten'] as const).map(
    (table) =>
      [table, feFieldsOf(table), (names: readonly string[]) => feMappingOf(table, names, [])] as const,
  ),
])('an import proposes every field of an exported %s, whatever is left of its name', (_, fields, mapping) => {
  const names = fields.map(({ name }) => name)
  const short = shortNames(names)
  expect(mapping(short)).toEqual(Object.fromEntries(names.map((name, at) => [name, short[at]])))
})
