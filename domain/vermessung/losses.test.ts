// What files hold beyond points and straight lines in the plane: arcs, heights and measures, and what is said
// of that which is not kept.
import { describe, expect, test } from 'vitest'
import { createChecker } from './check.ts'
import { ARC_TOLERANCE } from './arc.ts'
import { type Form, fromGeoJson, GeometryFault, placesOf } from './geometry.ts'
import { readWkb } from './wkb.ts'
import { readWkt } from './wkt.ts'
import { createLosses, type KeptHeights, keptHeights } from './losses.ts'

const [Z, M] = [1000, 2000]
/** ISO well-known binary, little endian. */
function wkb(type: number, ...content: (readonly number[] | Uint8Array)[]): Uint8Array {
  const head = new Uint8Array(5)
  const view = new DataView(head.buffer)
  view.setUint8(0, 1)
  view.setUint32(1, type, true)
  return Uint8Array.from([head, ...content].flatMap((part) => [...part]))
}
const counted = (count: number): Uint8Array => new Uint8Array(new Uint32Array([count]).buffer)
const vertices = (...list: readonly (readonly number[])[]): Uint8Array =>
  Uint8Array.from([...counted(list.length), ...new Uint8Array(new Float64Array(list.flat()).buffer)])
const arc = (...list: readonly (readonly number[])[]) => wkb(8, vertices(...list))
const line = (...list: readonly (readonly number[])[]) => wkb(2, vertices(...list))
const several = (type: number, ...parts: Uint8Array[]) => wkb(type, counted(parts.length), ...parts)

const lengthOf = (form: Form): number =>
  placesOf(form).reduce(
    (sum, [x, y], at, all) => (at === 0 ? 0 : sum + Math.hypot(x - all[at - 1]![0], y - all[at - 1]![1])),
    0,
  )
const [EAST, NORTH] = [400_000, 5_900_000]
const at = (x: number, y: number): [number, number] => [EAST + x, NORTH + y]

describe('arcs', () => {
  test.each([
    ['over the top', at(-50, 0), at(0, 50), at(50, 0), 1],
    ['under the bottom', at(-50, 0), at(0, -50), at(50, 0), 1],
    ['the longer way', at(30, 40), at(-50, 0), at(30, -40), (2 * Math.PI - 2 * Math.atan2(40, 30)) / Math.PI],
    ['the shorter way', at(30, 40), at(50, 0), at(30, -40), (2 * Math.atan2(40, 30)) / Math.PI],
  ])('%s: on the circle, through the given points, a centimetre near', (_what, from, over, to, share) => {
    const form = readWkb(arc(from, over, to))
    const places = placesOf(form)
    expect([places[0], places.at(-1)]).toEqual([from, to])
    expect(places).toContainEqual(over)
    for (const [x, y] of places) expect(Math.hypot(x - EAST, y - NORTH)).toBeCloseTo(50, 6)
    for (const [nr, [x, y]] of places.entries()) {
      const [px, py] = places[Math.max(0, nr - 1)]!
      const middle = Math.hypot((x + px) / 2 - EAST, (y + py) / 2 - NORTH)
      expect(50 - middle).toBeLessThanOrEqual(ARC_TOLERANCE + 1e-6)
    }
    expect(lengthOf(form)).toBeCloseTo(share * Math.PI * 50, 0)
    expect(form.verloren).toEqual(['boegen'])
  })
  test('a whole circle, and one that is straight', () => {
    expect(lengthOf(readWkb(arc(at(0, 0), at(20, 0), at(0, 0))))).toBeCloseTo(20 * Math.PI, 0)
    expect(placesOf(readWkb(arc(at(0, 0), at(1, 1), at(2, 2))))).toEqual([at(0, 0), at(1, 1), at(2, 2)])
  })
  test('one as large as a country has a limit of points', () =>
    expect(placesOf(readWkb(arc(at(0, 0), at(1e6, 1e6), at(2e6, 0)))).length).toBeLessThanOrEqual(1_025))
  test('in degrees it is as near', () => {
    const places = placesOf(readWkb(arc([10, 53], [10.001, 53.001], [10.002, 53])))
    expect(places.length).toBeGreaterThan(20)
  })
  test('compound curves, several of them, and areas', () => {
    const compound = several(9, line(at(0, 0), at(10, 0)), arc(at(10, 0), at(20, 10), at(30, 0)))
    expect(lengthOf(readWkb(compound))).toBeCloseTo(10 + 10 * Math.PI, 0)
    expect(readWkb(several(11, compound, line(at(0, 5), at(9, 5))))).toMatchObject({
      art: 'linie',
      verloren: ['boegen'],
    })
    const circle = several(10, arc(at(0, 0), at(20, 0), at(0, 0)))
    for (const shape of [circle, several(12, circle)])
      expect(readWkb(shape)).toMatchObject({ art: 'flaeche', verloren: ['boegen'] })
  })
  test('in well-known text they are as in binary', () => {
    const text = (...list: readonly (readonly number[])[]): string =>
      `(${list.map((one) => one.join(' ')).join(', ')})`
    const [from, over, to] = [at(-50, 0), at(0, 50), at(50, 0)] as const
    const [straight, bent] = [text(at(-90, 0), from), text(from, over, to)]
    const compound = several(9, line(at(-90, 0), from), arc(from, over, to))
    const ring = text(at(0, 0), at(20, 0), at(0, 0))
    const circle = several(10, arc(at(0, 0), at(20, 0), at(0, 0)))
    const pairs: readonly (readonly [string, Uint8Array])[] = [
      [`CIRCULARSTRING ${bent}`, arc(from, over, to)],
      [`SRID=25833;CIRCULARSTRING${bent}`, arc(from, over, to)],
      [`COMPOUNDCURVE (${straight},CIRCULARSTRING ${bent})`, compound],
      [`compoundcurve(LINESTRING ${straight}, circularstring${bent})`, compound],
      [
        `MULTICURVE (${straight}, CIRCULARSTRING ${bent})`,
        several(11, line(at(-90, 0), from), arc(from, over, to)),
      ],
      [`MULTICURVE (COMPOUNDCURVE (${straight},CIRCULARSTRING ${bent}))`, several(11, compound)],
      [`CURVEPOLYGON (CIRCULARSTRING ${ring})`, circle],
      [`MULTISURFACE (CURVEPOLYGON (CIRCULARSTRING ${ring}))`, several(12, circle)],
    ]
    for (const [wkt, bytes] of pairs) expect(readWkt(wkt), wkt).toEqual(readWkb(bytes))
    const high = `CIRCULARSTRING Z (${[from, over, to].map(([x, y], nr) => `${x} ${y} ${40 + nr}`).join(', ')})`
    expect(readWkt(high)).toMatchObject({ ends: [40, 42], verloren: ['hoehen', 'boegen'] })
    expect(readWkt('COMPOUNDCURVE ZM (CIRCULARSTRING ZM (0 0 0 1, 5 5 0 1, 10 0 0 1))')).toMatchObject({
      verloren: ['masse', 'boegen'],
    })
  })
  test.each([
    ['CIRCULARSTRING (0 0, 1 1)', 'geometrie_kaputt'],
    ['CIRCULARSTRING EMPTY', 'geometrie_leer'],
    ['COMPOUNDCURVE (COMPOUNDCURVE ((0 0, 1 1)))', 'geometrie_kaputt'],
    ['CURVEPOLYGON (CIRCULARSTRING (0 0, 1 1, 2 0)', 'geometrie_kaputt'],
    ['LINESTRING (0 0, 1 1) und mehr', 'geometrie_kaputt'],
    ['MULTILINESTRING (POINT (0 0))', 'geometrie_kaputt'],
    ['POLYGON (0 0, 1 1, 1 0, 0 0)', 'geometrie_kaputt'],
    ['GEOMETRYCOLLECTION (POINT (0 0))', 'geometrie_art'],
    ['POLYHEDRALSURFACE (((0 0, 1 1, 1 0, 0 0)))', 'geometrie_art'],
    ['NURBSCURVE (0 0, 1 1)', 'geometrie_kaputt'],
    ['POINTLESS', 'geometrie_kaputt'],
  ])('text that is no geometry of ours: %s', (wkt, code) =>
    expect(() => readWkt(wkt)).toThrow(expect.objectContaining({ code })),
  )
  test.each(['POINT ZM (1 2 3 4)', 'POINTZM(1 2 3 4)', 'POINT (1 2 3 4)', 'MULTIPOINT ZM ((1 2 3 4))'])(
    '%s has a measure',
    (wkt) => expect(readWkt(wkt)).toEqual({ art: 'punkt', ort: [1, 2], z: 3, verloren: ['masse'] }),
  )
  test.each([
    ['of two points', arc(at(0, 0), at(1, 1))],
    ['of none', arc()],
    ['inside of itself', several(9, several(9, line(at(0, 0), at(1, 1))))],
    ['cut short', arc(at(0, 0), at(1, 1), at(2, 0)).slice(0, 40)],
  ])('broken: %s', (_what, bytes) => expect(() => readWkb(bytes)).toThrow(GeometryFault))
})

describe('heights and measures', () => {
  const drain = (form: Form, mapping: Record<string, string> = {}) =>
    createChecker(
      { name: 'D', tabelle: 'draenage', felder: mapping },
      (place) => place,
      'ersetzen',
      new Set(),
      (fault) => expect(fault).toBeUndefined(),
    ).runCheck({ nr: 1, geometrie: form, werte: { sh: '12,5' } })?.werte
  const high = (...z: number[]) =>
    fromGeoJson({ type: 'LineString', coordinates: z.map((one, nr) => [...at(100 * nr, 0), one]) })

  test('a drain takes its lower end and its slope from them', () => {
    expect(drain(high(41.5, 41))).toEqual({ sohlhoehe: 41, gefaelle: 0.5 })
    expect(drain(high(41, 41.5))).toEqual({ sohlhoehe: 41, gefaelle: 0.5 })
    expect(drain(high(41.5, 41), { sohlhoehe: 'sh' })).toEqual({ sohlhoehe: 12.5, gefaelle: 0.5 })
  })
  test('a 0 at one end is no height: neither is taken, and the loss is told', () => {
    const lossesOf = (form: Form) => {
      const losses = createLosses('D', [], [])
      losses.count(form)
      return losses.all()
    }
    for (const form of [high(41.5, 0), high(0, 41.5), high(0, 41, 0)]) {
      expect(drain(form)).toEqual({})
      expect(lossesOf(form)).toEqual([{ schicht: 'D', art: 'hoehen', anzahl: 1 }])
    }
    for (const form of [high(41.5, 41), high(0, 0)]) expect(lossesOf(form)).toEqual([])
  })
  test('not from zeros, from half of them, or from what no height can be', () => {
    expect(drain(high(0, 0))).toEqual({})
    expect(drain(high(41.5, Number.NaN))).toEqual({})
    expect(drain(high(-9999, -9999))).toEqual({})
  })
  describe('are told wherever nothing takes them', () => {
    const lossesOf = (form: Form, keeps?: KeptHeights) => {
      const losses = createLosses('D', [], [], { keeps })
      losses.count(form)
      return losses.all().map(({ art }) => art)
    }
    const point = (...more: number[]) => fromGeoJson({ type: 'Point', coordinates: [...at(0, 0), ...more] })
    test.each([
      ['of a point whose height a column has', point(41.5), { punkt: false, linie: true }, ['hoehen']],
      ['of a point that has a place for it', point(41.5), { punkt: true, linie: true }, []],
      ['of a point that no height can be', point(41_500), { punkt: true, linie: true }, ['hoehen']],
      ['zero, of a point', point(0), { punkt: false, linie: false }, []],
      ['-9999, which means none', point(-9_999), { punkt: false, linie: false }, []],
      ['of a line beside a column', high(41.5, 41), { punkt: true, linie: false }, ['hoehen']],
      ['of a line that no height can be', high(41_500, 41_000), { punkt: true, linie: true }, ['hoehen']],
      ['-9999 of a line', high(-9_999, -9_999, -9_999), { punkt: true, linie: false }, []],
      ['a fourth coordinate', point(41.5, 7), { punkt: true, linie: true }, ['masse']],
      ['a fourth coordinate of nothing', point(41.5, 0), { punkt: true, linie: true }, []],
    ])('%s', (_what, form, keeps, lost) => expect(lossesOf(form, keeps)).toEqual(lost))
    test('a fourth coordinate of a line and of an area', () => {
      const ring = [at(0, 0), at(9, 0), at(9, 9), at(0, 0)].map(([x, y]) => [x, y, 0, 3])
      expect(fromGeoJson({ type: 'LineString', coordinates: ring }).verloren).toEqual(['masse'])
      expect(fromGeoJson({ type: 'Polygon', coordinates: [ring] }).verloren).toEqual(['masse'])
    })
    test('the survey keeps those that no column has', () => {
      expect(keptHeights({})).toEqual({ punkt: true, linie: true })
      expect(keptHeights({ hoehe: 'h' })).toEqual({ punkt: false, linie: true })
      expect(keptHeights({ sohlhoehe: 'sh' })).toEqual({ punkt: true, linie: false })
      expect(keptHeights({ gefaelle: 'g' })).toEqual({ punkt: true, linie: false })
    })
  })
  test.each([
    ['a line of two heights keeps both', high(41.5, 41), undefined],
    ['of three the middle one goes', high(41.5, 41.2, 41), ['hoehen']],
    ['a flat one loses nothing', high(0, 0, 0), undefined],
    ['an area loses them', readWkt('POLYGON Z ((0 0 5, 1 0 5, 1 1 5, 0 0 5))'), ['hoehen']],
    ['measures in text', readWkt('LINESTRING M (0 0 5, 1 0 6)'), ['masse']],
    ['measures in binary', readWkb(wkb(2 + M, vertices([0, 0, 5], [1, 0, 6]))), ['masse']],
    [
      'both',
      readWkb(wkb(2 + Z + M, vertices([0, 0, 5, 9], [1, 0, 6, 9], [2, 0, 7, 9]))),
      ['hoehen', 'masse'],
    ],
  ])('%s', (_what, form, lost) => expect(form.verloren).toEqual(lost))
})

test('each kind is counted once a layer, with the columns that no field takes', () => {
  const losses = createLosses('Rohre', ['nr', 'dn', 'farbe', 'x'], ['nr', 'dn', 'x', ''])
  losses.count({ art: 'punkt', ort: [0, 0], z: 1 })
  losses.count({ art: 'punkt', ort: [0, 0], z: 1, verloren: ['masse'] })
  losses.count({ art: 'punkt', ort: [0, 0], z: 1, verloren: ['masse', 'boegen'] })
  losses.count(null)
  losses.count(new GeometryFault('geometrie_leer'))
  expect(losses.all()).toEqual([
    { schicht: 'Rohre', art: 'spalten', anzahl: 1, spalten: ['farbe'] },
    { schicht: 'Rohre', art: 'masse', anzahl: 2 },
    { schicht: 'Rohre', art: 'boegen', anzahl: 1 },
  ])
  expect(createLosses('Rohre', ['nr'], ['nr']).all()).toEqual([])
})
