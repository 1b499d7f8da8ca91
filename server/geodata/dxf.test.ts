// Drawings: what GDAL reads of them is what we read, what GDAL writes comes back, and files that were made to
// harm end with a reason.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RawObject } from '#domain/vermessung/check.ts'
import { type Form, GeometryFault, placesOf } from '#domain/vermessung/geometry.ts'
import { openDxf } from './dxf.ts'
import { openSource } from './open.ts'
import { FileFault, leftOutOf } from './source.ts'
import { splitMixed } from './split-mixed.ts'

const OGR2OGR = '/usr/bin/ogr2ogr'
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dxf-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Groups = readonly (readonly [code: number, value: string | number])[]
const lines = (groups: Groups): string => groups.map(([code, value]) => `${code}\r\n${value}\r\n`).join('')
const section = (name: string, body: string): string =>
  `0\r\nSECTION\r\n2\r\n${name}\r\n${body}0\r\nENDSEC\r\n`
const header = (version: string, page = ''): string =>
  section(
    'HEADER',
    lines([
      [9, '$ACADVER'],
      [1, version],
      [9, '$DWGCODEPAGE'],
      [3, page],
    ]),
  )
const drawing = (entities: Groups, head = header('AC1015', 'ANSI_1252')): string =>
  `999\r\nA comment\r\n${head}${section('ENTITIES', lines(entities))}0\r\nEOF\r\n`
const at = (x: number, y: number, z?: number, first = 10): Groups => [
  [first, 400_000 + x],
  [first + 10, 5_900_000 + y],
  ...(z === undefined ? [] : ([[first + 20, z]] as const)),
]

function objectsOf(text: string | Buffer): Record<string, RawObject[]> {
  const source = openDxf(Buffer.from(text as string, 'utf8'))
  return Object.fromEntries(
    source.schichten.map(({ name }) => [name, [...(source.readFrom(name) as Iterable<RawObject>)]]),
  )
}
const formOf = (object: RawObject | undefined): Form => {
  if (object === undefined || object.geometrie === null || object.geometrie instanceof GeometryFault)
    throw new Error('no geometry')
  return object.geometrie
}

describe('what an office draws', () => {
  test('manholes as blocks with attributes, drains as lines with heights, names as texts', () => {
    const found = objectsOf(
      drawing([
        [0, 'INSERT'],
        [8, 'Schächte'],
        [66, 1],
        [2, 'SCHACHT_RUND'],
        ...at(1, 2, 33.5),
        [0, 'ATTRIB'],
        [8, 'Schächte'],
        ...at(1, 2),
        [1, 'S 17'],
        [2, 'NUMMER'],
        [0, 'ATTRIB'],
        [8, 'Schächte'],
        [1, 'Beton'],
        [2, 'MATERIAL'],
        [0, 'SEQEND'],
        [0, 'INSERT'],
        [8, 'Schächte'],
        [2, 'SCHACHT_ECKIG'],
        ...at(5, 6),
        [0, 'LINE'],
        [8, 'Sammler'],
        ...at(0, 0, 32.1),
        ...at(10, 0, 31.9, 11),
        [0, 'TEXT'],
        [8, 'Namen'],
        ...at(0, 0),
        [72, 1],
        ...at(3, 4, 0, 11),
        [1, 'DN%%c 100 \\U+00FC'],
        [0, 'MTEXT'],
        [8, 'Namen'],
        ...at(3, 4),
        [3, '{\\fArial|b0;Gefälle}\\P'],
        [1, '0,3 %'],
        [0, 'CIRCLE'],
        [8, 'Kreise'],
        ...at(7, 7),
        [40, 0.5],
      ]),
    )
    expect(found).toMatchObject({
      Schächte: [
        {
          nr: 1,
          geometrie: { art: 'punkt', ort: [400_001, 5_900_002], z: 33.5 },
          werte: { block: 'SCHACHT_RUND', NUMMER: 'S 17', MATERIAL: 'Beton' },
        },
        { nr: 2, geometrie: { art: 'punkt', ort: [400_005, 5_900_006] }, werte: { block: 'SCHACHT_ECKIG' } },
      ],
      Sammler: [{ geometrie: { art: 'linie', ends: [32.1, 31.9] } }],
      Namen: [
        { geometrie: { ort: [400_003, 5_900_004] }, werte: { text: 'DNØ 100 ü' } },
        { werte: { text: 'Gefälle 0,3 %' } },
      ],
      Kreise: [{ geometrie: { art: 'punkt', ort: [400_007, 5_900_007] }, werte: { radius: 0.5 } }],
    })
  })

  test('corners keep their identifiers to themselves, closed lines are areas, mirrored ones are turned back', () => {
    const corners: Groups = [[90, 3], ...at(0, 0), [91, 7], ...at(10, 0), [91, 8], ...at(10, 10), [91, 9]]
    const { a, b, c } = objectsOf(
      drawing([
        [0, 'LWPOLYLINE'],
        [8, 'a'],
        [70, 0],
        ...corners,
        [0, 'LWPOLYLINE'],
        [8, 'b'],
        [70, 1],
        ...corners,
        [0, 'LWPOLYLINE'],
        [8, 'c'],
        ...corners,
        [210, 0],
        [220, 0],
        [230, -1],
      ]),
    )
    expect(placesOf(formOf(a![0]))).toHaveLength(3)
    expect(formOf(b![0])).toMatchObject({ art: 'flaeche' })
    expect(placesOf(formOf(c![0]))[1]).toEqual([-400_010, 5_900_000])
  })

  test('a bulge of one is half a circle to the right of its chord, on the circle to a centimetre', () => {
    const { a } = objectsOf(drawing([[0, 'LWPOLYLINE'], [8, 'a'], ...at(0, 0), [42, 1], ...at(100, 0)]))
    const places = placesOf(formOf(a![0])).map(([x, y]) => [x - 400_000, y - 5_900_000] as const)
    expect(places.length).toBeGreaterThan(50)
    for (const [x, y] of places) {
      expect(Math.hypot(x - 50, y)).toBeCloseTo(50, 6)
      expect(y).toBeLessThan(1e-6)
    }
    expect(formOf(a![0]).verloren).toEqual(['boegen'])
  })

  test('a line of the old kind is its corners, without the control points of a smoothed one', () => {
    const vertex = (x: number, y: number, flags: number): Groups => [
      [0, 'VERTEX'],
      [8, 'a'],
      ...at(x, y, 5),
      [70, flags],
    ]
    const { a } = objectsOf(
      drawing([
        [0, 'POLYLINE'],
        [8, 'a'],
        [66, 1],
        [70, 4],
        ...vertex(0, 0, 16),
        ...vertex(0, 0, 8),
        ...vertex(5, 1, 8),
        ...vertex(9, 0, 8),
        [0, 'SEQEND'],
        [0, 'POINT'],
        [8, 'a'],
        ...at(1, 1),
      ]),
    )
    expect(a).toHaveLength(2)
    expect(placesOf(formOf(a![0]))).toHaveLength(3)
  })

  test('hatches and dimensions are named, paper is not part of the drawing', async () => {
    const source = openDxf(
      Buffer.from(
        drawing([
          [0, 'POINT'],
          [8, 'a'],
          ...at(0, 0),
          [0, 'HATCH'],
          [8, 'a'],
          [0, 'DIMENSION'],
          [8, 'a'],
          [0, 'POINT'],
          [8, 'a'],
          [67, 1],
          ...at(0, 0),
          [0, 'HATCH'],
          [8, 'b'],
        ]),
      ),
    )
    expect(source.schichten.map(({ name, anzahl }) => [name, anzahl])).toEqual([['a', 1]])
    expect(source.unreadOf?.('a')).toEqual({ anzahl: 2, arten: ['DIMENSION', 'HATCH'] })
    const unreadLayer = { schicht: 'b', art: 'elemente', anzahl: 1, spalten: ['HATCH'] }
    expect(leftOutOf(source, ['a']), 'a layer of nothing else is not offered, but named').toEqual([
      unreadLayer,
    ])
    expect(leftOutOf(await splitMixed(source), ['a'])).toEqual([unreadLayer])
  })

  test.each([
    ['AC1015', 'ANSI_1252', 'windows-1252'],
    ['AC1009', 'dos850', 'cp850'],
    ['AC1032', 'ANSI_1252', 'utf-8'],
  ] as const)('texts of %s in %s', (version, page, encoding) => {
    const text = drawing([[0, 'TEXT'], [8, 'Süd'], ...at(0, 0), [1, 'Gräfe']], header(version, page))
    const source = openDxf(iconv.encode(text, encoding))
    expect([...(source.readFrom('Süd') as Iterable<RawObject>)]).toMatchObject([{ werte: { text: 'Gräfe' } }])
  })
})

describe.skipIf(!existsSync(OGR2OGR))('beside GDAL', () => {
  interface Read {
    readonly features: readonly {
      readonly geometry: { readonly type: string; readonly coordinates: number[] | number[][] | number[][][] }
    }[]
  }
  /** The greatest distance of a place from a broken line. */
  const beside = (place: readonly number[], line: readonly (readonly number[])[]): number =>
    Math.min(
      ...line.slice(1).map(([bx, by], nr) => {
        const [ax, ay] = line[nr]!
        const [dx, dy] = [bx! - ax!, by! - ay!]
        const square = dx * dx + dy * dy || 1
        const part = Math.max(0, Math.min(1, ((place[0]! - ax!) * dx + (place[1]! - ay!) * dy) / square))
        return Math.hypot(place[0]! - ax! - part * dx, place[1]! - ay! - part * dy)
      }),
    )

  const CURVES: readonly (readonly [what: string, groups: Groups])[] = [
    ['a line', [[0, 'LINE'], ...at(0, 0), ...at(30, 40, undefined, 11)]],
    ['an arc over the zero', [[0, 'ARC'], ...at(0, 0, 0), [40, 25], [50, 300], [51, 60]]],
    [
      'an ellipse’s part',
      [[0, 'ELLIPSE'], ...at(0, 0, 0), [11, 30], [21, 10], [31, 0], [40, 0.4], [41, 0.5], [42, 4]],
    ],
    [
      'bulges both ways',
      [[0, 'LWPOLYLINE'], [90, 3], [70, 0], ...at(0, 0), [42, 0.4], ...at(20, 5), [42, -1.7], ...at(9, 30)],
    ],
    [
      'a spline of degree 3',
      [
        [0, 'SPLINE'],
        [70, 8],
        [71, 3],
        [72, 9],
        [73, 5],
        [74, 0],
        ...[0, 0, 0, 0, 0.4, 1, 1, 1, 1].map((knot) => [40, knot] as const),
        ...at(0, 0, 0),
        ...at(10, 30, 0),
        ...at(30, -20, 0),
        ...at(50, 25, 0),
        ...at(60, 0, 0),
      ],
    ],
  ]
  test.each(CURVES)('%s', (_what, groups) => {
    const file = join(folder, 'curve.dxf')
    writeFileSync(file, drawing([groups[0]!, [8, 'a'], ...groups.slice(1)]))
    const read = JSON.parse(
      execFileSync(OGR2OGR, [
        '-f',
        'GeoJSON',
        '-lco',
        'COORDINATE_PRECISION=9',
        '/vsistdout/',
        file,
        '--config',
        'OGR_ARC_STEPSIZE',
        '0.2',
      ]).toString(),
    ) as Read
    const theirs = read.features[0]!.geometry.coordinates as number[][]
    const ours = placesOf(formOf(objectsOf(readFileSync(file))['a']![0]))
    // GDAL turns arcs round.
    if (Math.hypot(theirs[0]![0]! - ours[0]![0], theirs[0]![1]! - ours[0]![1]) > 1) theirs.reverse()
    for (const end of [0, -1])
      expect(ours.at(end)!.map((value, axis) => value - theirs.at(end)![axis]!)).toEqual([
        expect.closeTo(0, 6),
        expect.closeTo(0, 6),
      ])
    // A centimetre of ours; theirs of a spline is made of pieces of unknown length.
    for (const place of theirs) expect(beside(place, ours)).toBeLessThan(0.011)
    for (const place of ours) expect(beside(place, theirs)).toBeLessThan(0.1)
  })

  test('a drawing that GDAL wrote: points, lines, areas by layer', async () => {
    const file = join(folder, 'written.dxf')
    const feature = (layer: string, type: string, coordinates: unknown) => ({
      type: 'Feature',
      properties: { Layer: layer },
      geometry: { type, coordinates },
    })
    writeFileSync(
      join(folder, 'in.geojson'),
      JSON.stringify({
        type: 'FeatureCollection',
        features: [
          feature('Netz', 'Point', [12, 53]),
          feature('Netz', 'LineString', [
            [12, 53],
            [13, 54],
            [13, 55],
          ]),
          feature('Sonst', 'Point', [13, 53]),
        ],
      }),
    )
    execFileSync(OGR2OGR, ['-f', 'DXF', file, join(folder, 'in.geojson')])
    const source = await openSource(file, 'written.dxf')
    expect(source.format).toBe('dxf')
    expect(source.schichten.map(({ name, geometrie, anzahl }) => [name, geometrie, anzahl])).toEqual([
      ['Netz (Punkte)', 'punkt', 1],
      ['Netz (Linien)', 'linie', 1],
      ['Sonst', 'punkt', 1],
    ])
  })
})

describe('files that are no drawing, or meant to harm', () => {
  const reasonOf = async (content: string | Buffer): Promise<string> => {
    const file = join(folder, 'x.dxf')
    writeFileSync(file, content)
    try {
      const source = await openSource(file, 'x.dxf')
      for (const { name } of source.schichten) for await (const _object of source.readFrom(name));
      return 'read'
    } catch (error) {
      if (error instanceof FileFault) return error.code
      throw error
    }
  }
  const many = (count: number, groups: Groups): string => lines(groups).repeat(count)
  const CASES: readonly (readonly [what: string, content: () => string | Buffer, reason: string])[] = [
    ['DWG', () => 'AC1032\0\0\0\0', 'zeichnung_geschlossen'],
    ['binary', () => 'AutoCAD Binary DXF\r\n\x1a\0', 'zeichnung_geschlossen'],
    ['cut off', () => drawing([[0, 'POINT'], ...at(0, 0)]).slice(0, -20), 'datei_kaputt'],
    [
      'a code that is no number',
      () => drawing([[0, 'POINT']]).replace('0\r\nENDSEC', 'x\r\nENDSEC'),
      'datei_kaputt',
    ],
    ['empty', () => drawing([]), 'keine_schicht'],
    ['a line without its end', () => drawing([[0, 'POLYLINE'], [8, 'a'], [0, 'POINT'], ...at(0, 0)]), 'read'],
    [
      'a place that is no number',
      () =>
        drawing([
          [0, 'POINT'],
          [10, 'NaN'],
          [20, '1e999'],
        ]),
      'read',
    ],
    ['an arc of no size', () => drawing([[0, 'ARC'], ...at(0, 0), [40, 0], [50, 0], [51, 1e300]]), 'read'],
    [
      'an arc of the size of a planet',
      () => drawing([[0, 'ARC'], ...at(0, 0), [40, 1e12], [50, 0], [51, 360]]),
      'read',
    ],
    [
      'a spline whose knots do not fit',
      () => drawing([[0, 'SPLINE'], [71, 1e9], [40, 0], ...at(0, 0)]),
      'read',
    ],
    [
      'a line of a million vertices',
      () =>
        `${section('ENTITIES', `${lines([[0, 'POLYLINE']])}${many(300_000, [[0, 'VERTEX']])}`)}0\r\nEOF\r\n`,
      'datei_aufwand',
    ],
    [
      'two thousand layers',
      () =>
        drawing(
          Array.from(
            { length: 2_000 },
            (_, nr) =>
              [
                [0, 'POINT'],
                [8, `l${nr}`],
              ] as const,
          ).flat() as Groups,
        ),
      'datei_aufwand',
    ],
    [
      'more objects than an import takes',
      () => `${section('ENTITIES', many(250_001, [[0, 'POINT'], ...at(0, 0)]))}0\r\nEOF\r\n`,
      'zu_viele_objekte',
    ],
    [
      'an attribute called __proto__',
      () =>
        drawing([
          [0, 'INSERT'],
          [66, 1],
          ...at(0, 0),
          [0, 'ATTRIB'],
          [2, '__proto__'],
          [1, 'x'],
          [0, 'SEQEND'],
        ]),
      'read',
    ],
  ]
  test.each(CASES)('%s', async (_what, content, reason) => {
    expect(await reasonOf(content())).toBe(reason)
  })
})
