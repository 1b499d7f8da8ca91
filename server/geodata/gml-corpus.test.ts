// GML of all kinds that GDAL writes, and geometries in all their notations, read as GDAL reads them; every
// difference is named here.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RawObject } from '#domain/vermessung/check.ts'
import { isToday } from '../../test/extent.ts'
import {
  awayFrom,
  collection,
  type Json,
  GEOMETRIES,
  ofKind,
  OGR2OGR,
  readByGdal,
  type Row,
  rowOf,
} from './corpus.fixture.ts'
import { el, geometries, line, list, patches, PLANE, segments } from './gml.fixture.ts'
import { openSource } from './open.ts'
import type { RawLayer } from './source.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gml-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function readByUs(
  path: string,
): Promise<{ readonly layers: readonly RawLayer[]; readonly objects: readonly RawObject[] }> {
  const source = await openSource(path, 'Aufmaß.gml')
  try {
    const objects: RawObject[] = []
    for (const { name } of source.schichten) for await (const one of source.readFrom(name)) objects.push(one)
    return { layers: source.schichten, objects }
  } finally {
    source.close()
  }
}
let files = 0
function written(content: string | Buffer): string {
  const path = join(folder, `hand${++files}.gml`)
  writeFileSync(path, content)
  return path
}

interface Case {
  readonly what: string
  readonly geometry?: (nr: number) => Json | null
  readonly count?: number
  readonly options?: readonly string[]
  readonly epsg?: number | null
  readonly kinds?: readonly (string | null)[]
}
const FORMATS = ['GML2', 'GML3', 'GML3Deegree', 'GML3.2']
const KINDS = Object.keys(GEOMETRIES)
/** Each kind in one of the formats, another one each day; in the full run in all of them. */
const CASES: readonly (Case & { readonly format: string })[] = FORMATS.flatMap((format, nr) =>
  [
    ...[
      ...KINDS.map((kind) => ({ what: kind, geometry: ofKind(kind) })),
      ...KINDS.map((kind) => ({ what: `${kind} with heights`, geometry: ofKind(kind, true) })),
      ...[25_832, 4_326, 4_258, 31_468, 3_857].map((epsg) => ({
        what: `EPSG:${epsg}`,
        geometry: ofKind('LineString'),
        epsg,
        options: ['-t_srs', `EPSG:${epsg}`],
      })),
      { what: 'a system that is not ours', options: ['-a_srs', 'EPSG:2154'], epsg: null },
      {
        what: 'objects without a place',
        geometry: (nr: number) => (nr % 2 === 0 ? null : ofKind('Point')(nr)),
      },
      {
        what: 'points, lines and areas at once',
        geometry: (nr: number) => ofKind(KINDS[nr % KINDS.length]!)(nr),
        kinds: ['punkt', 'linie', 'flaeche'],
      },
    ].filter((_, at) => isToday(nr + at, FORMATS.length)),
    ...(format === 'GML3.2'
      ? [
          { what: 'three thousand objects', count: 3_000 },
          {
            what: 'short names',
            options: ['-dsco', 'SRSNAME_FORMAT=SHORT', '-t_srs', 'EPSG:4326'],
            epsg: 4_326,
          },
          {
            what: 'addresses',
            options: ['-dsco', 'SRSNAME_FORMAT=OGC_URL', '-t_srs', 'EPSG:4326'],
            epsg: 4_326,
          },
          { what: 'north first as one writes', options: ['-t_srs', 'EPSG:31469'], epsg: 31_469 },
        ]
      : []),
  ].map((one) => ({ ...one, format })),
)

function write(
  { geometry = ofKind('Point'), count = 6, options = [], format }: (typeof CASES)[number],
  at: number,
): string {
  const features = Array.from({ length: count }, (_, nr) => ({
    type: 'Feature',
    properties: {
      nr,
      text: nr === 1 ? null : `Größe <${nr}> & "ß"`,
      zahl: nr === 2 ? null : nr * 1234.5,
      ganz: nr === 3 ? null : -nr * 10_000_000_000,
      tag: nr === 4 ? null : `2026-03-0${(nr % 9) + 1}`,
      ja: nr % 2 === 0,
      liste: ['a', String(nr)],
    },
    geometry: geometry(nr),
  }))
  const source = join(folder, `case${at}.geojson`)
  writeFileSync(source, collection(features))
  const out = join(folder, `case${at}.gml`)
  execFileSync(OGR2OGR, ['-f', 'GML', '-dsco', `FORMAT=${format}`, ...options, out, source], {
    stdio: 'pipe',
  })
  return out
}
/** Ours are texts, lists with commas; GDAL leaves out what an object has not. */
const asGdal = (rows: readonly Row[]): Row[] =>
  rows
    .map(({ werte, orte }) => ({
      orte,
      werte: Object.fromEntries(
        Object.entries(werte).flatMap(([name, value]) =>
          value === null ? [] : [[name, value.replaceAll(/, ?/g, ',')]],
        ),
      ),
    }))
    .toSorted((a, b) => Number(a.werte['nr']) - Number(b.werte['nr']))

describe.skipIf(!existsSync(OGR2OGR))('a corpus of GML reads as GDAL reads it', () => {
  test.each(CASES.map((one, at) => [one.format, one.what, one, at] as const))(
    '%s: %s',
    async (_format, _what, one, at) => {
      const path = write(one, at)
      const { layers, objects } = await readByUs(path)
      const decimals = one.epsg === 4_326 || one.epsg === 4_258 ? 7 : 3
      const rows = objects.map((object) => rowOf(object, decimals))
      expect(asGdal(rows)).toEqual(asGdal(readByGdal(path, [], decimals)))
      expect(layers.reduce((sum, { anzahl }) => sum + anzahl, 0)).toBe(objects.length)
      expect(layers[0]!.epsg).toBe(one.epsg === undefined ? 25_833 : one.epsg)
      if (one.kinds !== undefined) expect(layers.map(({ geometrie }) => geometrie)).toEqual(one.kinds)
      if (one.what === 'LineString with heights')
        expect(objects[0]!.geometrie).toMatchObject({ ends: [41.5, 41.5], verloren: ['hoehen'] })
      if (one.what === 'Point with heights') expect(objects[0]!.geometrie).toMatchObject({ z: 41.5 })
    },
  )

  const [A, B, C] = ['380000 5930000', '380010 5930010', '380020 5930000']
  const place = (at: string): string => el('pointProperty', el('Point', el('pos', at)))
  const ringAt = (east: number): string => {
    const [west, right] = [`${east} 5930000`, `${east + 10} 5930000`]
    return el(
      'exterior',
      el('LinearRing', list(west, right, `${east + 10} 5930010`, `${east} 5930010`, west)),
    )
  }
  const SHAPES = {
    'lines in any of their notations': [
      el('LineString', list(A, B, C), PLANE),
      el('LineString', el('posList', `${A} 1 ${B} 2`, 'srsDimension="3"'), PLANE),
      el('LineString', list(`${A} 1`, `${B} 2`), `${PLANE} srsDimension="3"`),
      el('LineString', el('pos', A) + el('pos', B), PLANE),
      el('LineString', place(A) + place(B), PLANE),
      el('LineString', el('coordinates', '380000,5930000 380010,5930010'), PLANE),
      el(
        'LineString',
        el('coordinates', '380000,5;5930000,25 380010;5930010', 'decimal="," cs=";" ts=" "'),
        PLANE,
      ),
      el('LineString', ['1', '2'].map((x) => el('coord', el('X', x) + el('Y', '5'))).join(''), PLANE),
    ],
    'curves of straight pieces': [
      segments(el('LineStringSegment', list(A, B)) + el('LineStringSegment', list(B, C))),
      el('MultiCurve', el('curveMember', line(A, B)) + el('curveMembers', line(B, C) + line(C, A)), PLANE),
      el('CompositeCurve', el('curveMember', line(A, B)) + el('curveMember', line(B, C)), PLANE),
      el('MultiGeometry', el('geometryMember', line(A, B)), PLANE),
    ],
    'areas in any of their notations': [
      patches(el('PolygonPatch', ringAt(380_000))),
      patches(
        el(
          'PolygonPatch',
          el('exterior', el('Ring', el('curveMember', line(A, B)) + el('curveMember', line(B, C, A)))),
        ),
      ),
      el(
        'MultiSurface',
        el('surfaceMember', el('Polygon', ringAt(380_000))) +
          el('surfaceMember', el('Surface', el('patches', el('Rectangle', ringAt(380_100))))),
        PLANE,
      ),
      el('CompositeSurface', el('surfaceMember', el('Polygon', ringAt(380_000))), PLANE),
    ],
  }
  test.each(Object.entries(SHAPES))('%s', async (_what, list) => {
    const path = written(geometries(...list))
    const { objects } = await readByUs(path)
    expect(objects.map((one) => rowOf(one).orte)).toEqual(readByGdal(path).map(({ orte }) => orte))
    expect(objects).toHaveLength(list.length)
  })

  /** GDAL resolves references only with this option. */
  const RESOLVED = ['--config', 'GML_SKIP_RESOLVE_ELEMS', 'NONE']
  const named = (tag: string, id: string, inner: string): string => el(tag, inner, `${PLANE} gml:id="${id}"`)
  const to = (property: string, id: string): string => `<gml:${property} xlink:href="#${id}"/>`
  const REFERENCES = {
    'a part of a line': [
      named('LineString', 'c1', list(A, B)),
      el('MultiCurve', to('curveMember', 'c1') + el('curveMember', line(B, C)), PLANE),
    ],
    'before it is there': [
      el('MultiCurve', to('curveMember', 'c2'), PLANE),
      named('LineString', 'c2', list(A, B, C)),
    ],
    'a chain of them': [
      named('LineString', 'c3', list(A, B)),
      named('CompositeCurve', 'c4', to('curveMember', 'c3') + el('curveMember', line(B, C))),
      el('MultiCurve', to('curveMember', 'c4'), PLANE),
    ],
    'the edge of an area': [
      named('LineString', 'c5', list(A, B, C)),
      patches(
        el(
          'PolygonPatch',
          el('exterior', el('Ring', to('curveMember', 'c5') + el('curveMember', line(C, A)))),
        ),
      ),
    ],
  }
  test.each(Object.entries(REFERENCES))('references in the file: %s', async (_what, list) => {
    const path = written(geometries(...list))
    const { objects } = await readByUs(path)
    expect(objects.map((one) => rowOf(one).orte)).toEqual(readByGdal(path, RESOLVED).map(({ orte }) => orte))
    expect(objects).toHaveLength(list.length)
  })

  const arc = (name: string, ...places: readonly string[]): string => segments(el(name, list(...places)))
  const centre = (name: string, from?: number, to?: number): string => {
    const angles =
      from === undefined
        ? ''
        : el('startAngle', String(from), 'uom="deg"') + el('endAngle', String(to), 'uom="deg"')
    return segments(el(name, `${el('pos', A)}${el('radius', '50', 'uom="m"')}${angles}`))
  }
  const [TOP, END] = ['380050 5930050', '380100 5930000']
  const corner = el('Curve', el('segments', el('Arc', list(A, TOP, END))))
  const CURVES = {
    'an arc': arc('Arc', A, TOP, END),
    'several arcs': arc('ArcString', A, TOP, END, '380150 5929990', '380200 5930000'),
    'a circle': arc('Circle', A, TOP, END),
    'a circle by three points of one side': arc('Circle', A, '380002 5930015', '380008 5930028'),
    'a circle around its centre': centre('CircleByCenterPoint'),
    'an arc around its centre': centre('ArcByCenterPoint', 30, 110),
    'an arc around its centre, backwards': centre('ArcByCenterPoint', 110, 30),
    'an arc around its centre over zero': centre('ArcByCenterPoint', -30, 45),
    'a parcel with a round corner': patches(
      el(
        'PolygonPatch',
        el('exterior', el('Ring', el('curveMember', corner) + el('curveMember', line(END, A)))),
      ),
    ),
  }
  test.each(Object.entries(CURVES))('curves become lines a centimetre near: %s', async (_what, curve) => {
    const path = written(geometries(curve))
    const [object] = (await readByUs(path)).objects
    expect(object!.geometrie).toMatchObject({ verloren: ['boegen'] })
    expect(awayFrom(object!, path)).toBeLessThan(0.0105)
  })

  test('a file that ends too early is broken, wherever it is cut', async () => {
    const bytes = readFileSync(write({ what: '', count: 6, format: 'GML3.2' }, 9_000))
    for (let length = 200; length < bytes.length - 2; length += 211)
      await expect(readByUs(written(bytes.subarray(0, length)))).rejects.toMatchObject({
        code: 'datei_kaputt',
      })
  })
})
