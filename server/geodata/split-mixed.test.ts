// A layer of points, lines and areas becomes one layer for each kind; nothing is lost on the way.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSource } from './open.ts'

const OGR2OGR = '/usr/bin/ogr2ogr'
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mixed-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SHAPES = {
  point: { type: 'Point', coordinates: [12.1, 53.2] },
  line: {
    type: 'LineString',
    coordinates: [
      [12.1, 53.2],
      [12.2, 53.3],
    ],
  },
  area: {
    type: 'Polygon',
    coordinates: [
      [
        [12.1, 53.2],
        [12.2, 53.2],
        [12.2, 53.3],
        [12.1, 53.2],
      ],
    ],
  },
  none: null,
} as const
type Shape = keyof typeof SHAPES

function geoJson(shapes: readonly Shape[], more: object = {}): string {
  const file = join(folder, `${shapes.join('-')}.geojson`)
  const features = shapes.map((shape, nr) => ({
    type: 'Feature',
    properties: { nr: nr + 1, ...more },
    geometry: SHAPES[shape],
  }))
  writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }))
  return file
}

async function layersOf(file: string): Promise<unknown[]> {
  const source = await openSource(file, 'Netz.geojson')
  const found = []
  for (const { name, geometrie, anzahl, ort } of source.schichten) {
    const numbers = []
    for await (const object of source.readFrom(name, { ort: ort ?? undefined })) numbers.push(object.nr)
    found.push([name, geometrie, anzahl, numbers])
  }
  source.close()
  return found
}

const CASES: readonly (readonly [shapes: readonly Shape[], layers: readonly unknown[]])[] = [
  [['point', 'point'], [['Netz', 'punkt', 2, [1, 2]]]],
  [
    ['line', 'point', 'line', 'area'],
    [
      ['Netz (Punkte)', 'punkt', 1, [2]],
      ['Netz (Linien)', 'linie', 2, [1, 3]],
      ['Netz (Flächen)', 'flaeche', 1, [4]],
    ],
  ],
  // What has no geometry stays with the most frequent kind.
  [
    ['line', 'none', 'point', 'line'],
    [
      ['Netz (Punkte)', 'punkt', 1, [3]],
      ['Netz (Linien)', 'linie', 3, [1, 2, 4]],
    ],
  ],
  [['none'], [['Netz', null, 1, [1]]]],
]
test.each(CASES)('GeoJSON of %j', async (shapes, layers) => {
  expect(await layersOf(geoJson(shapes))).toEqual(layers)
})

test('a layer of our own export that somebody mixed is split too', async () => {
  expect(await layersOf(geoJson(['line', 'point'], { tabelle: 'draenage' }))).toEqual([
    ['draenage (Punkte)', 'punkt', 1, [2]],
    ['draenage (Linien)', 'linie', 1, [1]],
  ])
})

test('a table of well-known text is what its rows are, not what its first row is', async () => {
  const file = join(folder, 'a.csv')
  writeFileSync(file, 'nr;wkt\n1;POINT (12 53)\n2;"LINESTRING (12 53, 13 54)"\n3;POINT (12 54)\n4;KAPUTT\n')
  expect(await layersOf(file)).toEqual([
    ['Netz (Punkte)', 'punkt', 3, [1, 3, 4]],
    ['Netz (Linien)', 'linie', 1, [2]],
  ])
})

describe.skipIf(!existsSync(OGR2OGR))('as GDAL writes it', () => {
  test('a GeoPackage whose only table is of any geometry', async () => {
    const file = join(folder, 'mixed.gpkg')
    execFileSync(OGR2OGR, ['-nln', 'netz', file, geoJson(['line', 'point', 'area', 'point'])])
    expect(await layersOf(file)).toEqual([
      ['netz (Punkte)', 'punkt', 2, [2, 4]],
      ['netz (Linien)', 'linie', 1, [1]],
      ['netz (Flächen)', 'flaeche', 1, [3]],
    ])
  })
})
