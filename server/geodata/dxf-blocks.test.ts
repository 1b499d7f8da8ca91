// Blocks: symbols are points, larger ones are taken apart as GDAL takes them apart.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RawObject } from '#domain/vermessung/check.ts'
import { type Form, placesOf } from '#domain/vermessung/geometry.ts'
import { OGR2OGR } from './corpus.fixture.ts'
import { openDxf } from './dxf.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'blocks-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Groups = readonly (readonly [code: number, value: string | number])[]
const lines = (groups: Groups): string => groups.map(([code, value]) => `${code}\n${value}\n`).join('')
const at = (x: number, y: number, first = 10): Groups => [
  [first, x],
  [first + 10, y],
]
const segment = (layer: string, ...[x, y, toX, toY]: readonly [number, number, number, number]): string =>
  lines([[0, 'LINE'], [8, layer], ...at(x, y), ...at(toX, toY, 11)])
const block = (name: string, inner: string, base: Groups = at(0, 0)): string =>
  lines([[0, 'BLOCK'], [8, '0'], [2, name], [70, 0], ...base, [3, name], [1, '']]) +
  inner +
  lines([
    [0, 'ENDBLK'],
    [8, '0'],
  ])
const insert = (name: string, layer: string, groups: Groups): string =>
  lines([[0, 'INSERT'], [8, layer], [2, name], ...groups])
const section = (name: string, inner: string): string => `0\nSECTION\n2\n${name}\n${inner}0\nENDSEC\n`
const drawing = (blocks: string, entities: string): string =>
  `${section('HEADER', '9\n$ACADVER\n1\nAC1015\n')}${section('BLOCKS', blocks)}${section('ENTITIES', entities)}0\nEOF\n`

const AROUND = at(400_000, 5_900_000)
const FIELD = block('Feld', segment('0', 1, 2, 41, 2) + segment('Sammler', 1, 2, 1, 52), at(1, 2))

function objectsOf(text: string): Record<string, RawObject[]> {
  const source = openDxf(Buffer.from(text))
  return Object.fromEntries(
    source.schichten.map(({ name }) => [name, [...(source.readFrom(name) as Iterable<RawObject>)]]),
  )
}
const spot = ([x, y]: readonly number[]): string => `${x!.toFixed(3)} ${y!.toFixed(3)}`
const linesIn = (text: string): string[] =>
  Object.values(objectsOf(text))
    .flat()
    .filter(({ geometrie }) => (geometrie as Form).art === 'linie')
    .map(({ geometrie }) =>
      placesOf(geometrie as Form)
        .map(spot)
        .join(', '),
    )
    .toSorted()

describe('what is a symbol', () => {
  const symbol = block('Rund', segment('0', -1, 0, 1, 0))
  test('a grid of small blocks in a large one is a point for each copy, turned and enlarged with it', () => {
    const grid = insert('Rund', 'Schächte', [...at(10, 20), [70, 2], [71, 2], [44, 5], [45, 3]])
    const text = drawing(
      symbol + block('Hof', segment('0', 0, 0, 60, 0) + grid),
      insert('Hof', 'A', [...AROUND, [50, 90], [41, 2], [42, 2]]),
    )
    expect(
      objectsOf(text)['Schächte']!.map(({ geometrie }) => spot(placesOf(geometrie as Form)[0]!)),
    ).toEqual([
      '399960.000 5900020.000',
      '399960.000 5900030.000',
      '399954.000 5900020.000',
      '399954.000 5900030.000',
    ])
  })
  test('a block that is larger than what is kept in memory is read again at each insert', () => {
    // Each line has six groups.
    const many = Array.from({ length: 90_000 }, (_, nr) => segment('0', nr % 100, 0, nr % 100, 50)).join('')
    const text = drawing(block('Plan', many), insert('Plan', 'A', AROUND) + insert('Plan', 'B', AROUND))
    const found = objectsOf(text)
    expect([found['A']!.length, found['B']!.length]).toEqual([90_000, 90_000])
  })
  test('a small block is a point, in a grid a point for each copy', () => {
    const text = drawing(
      symbol,
      insert('Rund', 'Schächte', AROUND) +
        insert('RUND', 'Schächte', [...AROUND, [70, 2], [71, 2], [44, 10], [45, 5], [50, 90]]),
    )
    expect(
      objectsOf(text)['Schächte']!.map(({ geometrie, werte }) => [
        spot(placesOf(geometrie as Form)[0]!),
        werte['block'],
      ]),
    ).toEqual([
      ['400000.000 5900000.000', 'Rund'],
      ['400000.000 5900000.000', 'RUND'],
      ['400000.000 5900010.000', 'RUND'],
      ['399995.000 5900000.000', 'RUND'],
      ['399995.000 5900010.000', 'RUND'],
    ])
  })
  test.each([
    [
      'a block with attributes, whatever its size',
      FIELD,
      [...AROUND, [66, 1], [0, 'ATTRIB'], [2, 'NR'], [1, '7']],
    ],
    ['a block that the file does not have', symbol, AROUND],
    ['a block with nothing in it', block('Feld', ''), AROUND],
    ['a block that contains nothing but itself', block('Feld', insert('Feld', '0', at(0, 0))), AROUND],
  ] as const)('%s is a point', (_what, blocks, place) => {
    const found = objectsOf(drawing(blocks, insert('Feld', 'A', place as Groups)))
    expect(found['A']).toMatchObject([{ geometrie: { art: 'punkt', ort: [400_000, 5_900_000] } }])
  })
})

describe('what is a part of the drawing', () => {
  test('its objects are on their layers, those on layer 0 on that of the insert, with the name of the block', () => {
    const inner =
      segment('0', 0, 0, 100, 0) +
      segment('Sammler', 0, 0, 0, 50) +
      lines([[0, 'TEXT'], [8, 'Namen'], ...at(5, 5), [1, 'DN 100']]) +
      lines([[0, 'CIRCLE'], [8, 'Schächte'], ...at(6, 6), [40, 0.5]]) +
      lines([
        [0, 'HATCH'],
        [8, 'Namen'],
      ])
    const text = drawing(block('Feld', inner), insert('Feld', 'Lage', [...AROUND, [41, 2], [42, 2], [43, 2]]))
    const found = objectsOf(text)
    expect(found).toMatchObject({
      Lage: [{ nr: 1, geometrie: { art: 'linie' }, werte: { block: 'Feld' } }],
      Sammler: [{ nr: 1, geometrie: { art: 'linie' } }],
      Namen: [{ geometrie: { ort: [400_010, 5_900_010] }, werte: { block: 'Feld', text: 'DN 100' } }],
      Schächte: [{ geometrie: { ort: [400_012, 5_900_012] }, werte: { block: 'Feld', radius: 1 } }],
    })
    expect(openDxf(Buffer.from(text)).unreadOf!('Namen')).toEqual({ anzahl: 1, arten: ['HATCH'] })
  })
  test('heights of its lines rise with the insert', () => {
    const line = lines([[0, 'LINE'], [8, '0'], ...at(0, 0), [30, 1], ...at(100, 0, 11), [31, 2]])
    const found = objectsOf(drawing(block('Feld', line), insert('Feld', 'A', [...AROUND, [30, 30], [43, 2]])))
    expect(found['A']).toMatchObject([{ geometrie: { ends: [32, 34] } }])
  })
  test('arcs are a centimetre near however much they are enlarged', () => {
    const arc = lines([[0, 'ARC'], [8, '0'], ...at(0, 0), [40, 1], [50, 0], [51, 90]])
    const found = objectsOf(
      drawing(block('Feld', arc), insert('Feld', 'A', [...AROUND, [41, 500], [42, 500]])),
    )
    const places = placesOf(found['A']![0]!.geometrie as Form)
    const middles = places.slice(1).map(([x, y], nr) => [(x + places[nr]![0]) / 2, (y + places[nr]![1]) / 2])
    for (const [x, y] of [...places, ...middles] as [number, number][])
      expect(Math.abs(Math.hypot(x - 400_000, y - 5_900_000) - 500)).toBeLessThan(0.0105)
  })

  const NESTED = FIELD + block('Hof', insert('Feld', '0', [...at(10, 20), [50, 30], [41, 1.5]]), at(5, 5))
  test.skipIf(!existsSync(OGR2OGR)).each([
    ['as it is', FIELD, insert('Feld', 'A', AROUND)],
    ['turned', FIELD, insert('Feld', 'A', [...AROUND, [50, 33]])],
    ['larger and squeezed', FIELD, insert('Feld', 'A', [...AROUND, [41, 3], [42, 0.5], [50, -70]])],
    ['mirrored by its scale', FIELD, insert('Feld', 'A', [...AROUND, [41, -1], [50, 20]])],
    [
      'mirrored by its plane',
      FIELD,
      insert('Feld', 'A', [...at(-400_000, 5_900_000), [50, 20], [210, 0], [220, 0], [230, -1]]),
    ],
    ['a block in a block', NESTED, insert('Hof', 'A', [...AROUND, [50, 15], [42, 2]])],
  ])('the lines of GDAL: %s', (_what, blocks, entities) => {
    const path = join(folder, 'a.dxf')
    writeFileSync(path, drawing(blocks, entities))
    const text = execFileSync(
      OGR2OGR,
      ['--config', 'DXF_MERGE_BLOCK_GEOMETRIES', 'FALSE', '-f', 'GeoJSON', '/vsistdout/', path],
      { encoding: 'utf8' },
    )
    const { features } = JSON.parse(text) as {
      features: { readonly geometry: { readonly coordinates: number[][] } }[]
    }
    expect(linesIn(drawing(blocks, entities))).toEqual(
      features.map(({ geometry }) => geometry.coordinates.map(spot).join(', ')).toSorted(),
    )
  })
})
