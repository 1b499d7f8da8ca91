// Walked borders: what is kept of a track, how the area becomes one that neighbours share, and what is refused.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type KnownPlaces, walkedArea } from './area.ts'
import { hectaresOf, planeAt } from './plane.ts'
import { cleaned, distance, firstMeeting, nearestOn, thinned, withoutLoops } from './ring.ts'
import { parseTrack, qualityOf, stepOf, type TrackPoint, trackText } from './track.ts'

const HOME = { lon: 9.5, lat: 51.4 }
const plane = planeAt(HOME)
const at = (x: number, y: number, more: Partial<TrackPoint> = {}): TrackPoint => ({
  ...plane.from({ x, y }),
  kind: 'spur',
  accuracy: 2,
  fix: 'gnss',
  estimated: false,
  time: 1_790_000_000,
  ...more,
})
/** Along corners, a point each `step` metres. */
const walk = (corners: readonly (readonly [number, number])[], step = 2): TrackPoint[] =>
  corners.flatMap(([x, y], nr) => {
    const [x2, y2] = corners[(nr + 1) % corners.length]!
    const parts = Math.max(1, Math.round(Math.hypot(x2 - x, y2 - y) / step))
    return Array.from({ length: parts }, (_, part) =>
      at(x + ((x2 - x) * part) / parts, y + ((y2 - y) * part) / parts),
    )
  })
const SQUARE = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
] as const
const places = (corners: readonly (readonly [number, number])[]): KnownPlaces => ({
  places: corners.map(([x, y]) => plane.from({ x, y })),
  closed: true,
})

test('a track comes back from its text, with what the receiver said', () => {
  const points = [
    at(0, 0),
    at(1, 2, { kind: 'karte', accuracy: null, fix: null, time: null }),
    at(3, 4, { estimated: true }),
  ]
  const again = parseTrack(trackText(points))
  expect(again).toHaveLength(3)
  again.forEach((point, nr) => {
    const { lon, lat, ...said } = points[nr]!
    expect(point).toMatchObject(said)
    expect(point.lon).toBeCloseTo(lon, 8)
    expect(point.lat).toBeCloseTo(lat, 8)
  })
  expect(parseTrack('')).toEqual([])
  expect(parseTrack('9 51;x y spur - - 0 -;9 51 fliegend - - 0 -')).toEqual([])
  expect(qualityOf(points)).toEqual({ mean: 2, worst: 2 })
  expect(stepOf(0.02)).toBeLessThan(stepOf(3))
})

// select st_area(st_geomfromtext('POLYGON((…))', 4326)::geography) / 10000 of PostGIS 3.4.
test.each([
  ['POLYGON((12.9 53.5,12.91 53.5,12.912 53.507,12.903 53.509,12.9 53.5))', 57.971],
  ['POLYGON((7.1 49.2,7.101 49.2,7.101 49.201,7.1 49.201,7.1 49.2))', 0.8105],
])('hectares as PostGIS counts them: %s', (wkt, expected) => {
  const ring = [...wkt.matchAll(/(\d+\.?\d*) (\d+\.?\d*)/g)].map(([, lon, lat]) => ({
    lon: Number(lon),
    lat: Number(lat),
  }))
  expect(hectaresOf(ring.slice(0, -1)) / expected).toBeCloseTo(1, 4)
})

describe('a ring', () => {
  test('thinned, nothing that is left out is further away than said', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 })), {
          minLength: 4,
          maxLength: 60,
        }),
        fc.constantFrom(1, 5, 20),
        (corners, tolerance) => {
          const ring = corners.map(([x, y], nr) => ({ x, y, fixed: nr % 7 === 0 }))
          const left = thinned(ring, tolerance)
          for (const point of ring) {
            const off = Math.min(
              ...left.map((a, nr) => nearestOn(point, a, left[(nr + 1) % left.length]!).distance),
            )
            expect(off).toBeLessThanOrEqual(tolerance + 1e-9)
            if (point.fixed) expect(left).toContain(point)
          }
        },
      ),
    ))
  test('without loops it meets itself nowhere', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 })), {
          minLength: 3,
          maxLength: 25,
        }),
        (corners) => {
          const made = withoutLoops(corners.map(([x, y]) => ({ x, y })))
          if (made !== null) expect(firstMeeting(made.ring)).toBeNull()
        },
      ),
      { numRuns: 500 },
    ))
  test('a way out and straight back is no corner', () => {
    const spike = [
      { x: 0, y: 0 },
      { x: 10, y: 0 },
      { x: 10, y: 10 },
      { x: 10, y: 30 },
      { x: 10, y: 10 },
      { x: 0, y: 10 },
    ]
    expect(cleaned(spike)).toEqual([spike[0], spike[1], spike[2], spike[5]])
  })
})

describe('a walked area', () => {
  test('is a hectare with four corners, whatever was walked between', () => {
    const { ring, ha, fault, crossings } = walkedArea(walk(SQUARE), [], 1)
    expect(ring).toHaveLength(4)
    expect(ha).toBeCloseTo(1, 2)
    expect(fault).toBeNull()
    expect(crossings).toEqual([])
  })
  test('a point set by hand stays, even on a straight line', () => {
    const points = walk(SQUARE)
    points.splice(10, 1, at(20, 0.1, { kind: 'punkt' }))
    expect(walkedArea(points, [], 1).ring).toHaveLength(5)
  })
  test('a small loop at a corner is taken out and named; a figure of eight is refused', () => {
    const loop = [
      ...SQUARE.slice(0, 2),
      [103, 100],
      [103, 104],
      [98, 104],
      [98, 97],
      [106, 97],
      [106, 100],
      [50, 100],
      [0, 100],
    ] as const
    const made = walkedArea(walk(loop), [], 0.5)
    expect(made.fault).toBeNull()
    expect(made.crossings.length).toBeGreaterThan(0)
    expect(made.ha).toBeCloseTo(1, 1)
    const eight = walkedArea(
      walk([
        [0, 0],
        [100, 0],
        [0, 100],
        [100, 100],
      ]),
      [],
      1,
    )
    expect(eight.fault).toBe('kreuzt')
    expect(eight.crossings[0]!.area).toBeGreaterThan(2000)
  })
  test('too little says so', () => {
    expect(walkedArea([], [], 1).fault).toBe('wenig')
    expect(
      walkedArea(
        walk([
          [0, 0],
          [50, 0],
        ]),
        [],
        1,
      ).fault,
    ).toBe('wenig')
    expect(
      walkedArea(
        walk(
          [
            [0, 0],
            [2, 0],
            [2, 2],
            [0, 2],
          ],
          1,
        ),
        [],
        0.5,
      ).fault,
    ).toBe('klein')
  })
  test('beside a neighbour it takes the neighbour’s corners, those between too', () => {
    const neighbour = places([
      [100.8, -20],
      [101, 40],
      [100.6, 70],
      [100.9, 120],
      [200, 120],
      [200, -20],
    ])
    const { ring, snapped, ha } = walkedArea(walk(SQUARE), [neighbour], 1)
    expect(snapped).toBeGreaterThanOrEqual(4)
    for (const corner of neighbour.places.slice(1, 3))
      expect(Math.min(...ring.map((one) => distance(plane.to(one), plane.to(corner))))).toBeLessThan(0.002)
    expect(ha).toBeGreaterThan(1)
    expect(walkedArea(walk(SQUARE), [neighbour], 1, false).snapped).toBe(0)
  })
  test('a far end of the same neighbour is not run along', () => {
    const comb = places([
      [100, 0],
      [160, 50],
      [100, 100],
      [200, 100],
      [200, 0],
    ])
    expect(walkedArea(walk(SQUARE), [comb], 1).ha).toBeCloseTo(1, 2)
  })
  test('10,000 points beside 2,000 corners take seconds, not minutes', () => {
    const circle = Array.from({ length: 10_000 }, (_, nr) => {
      const angle = (nr / 10_000) * 2 * Math.PI
      const noise = ((nr * 7919) % 13) / 6
      return at((1500 + noise) * Math.cos(angle), (1500 + noise) * Math.sin(angle))
    })
    const around = places(
      Array.from({ length: 2_000 }, (_, nr) => [
        1502 * Math.cos((nr / 2_000) * 2 * Math.PI),
        1502 * Math.sin((nr / 2_000) * 2 * Math.PI),
      ]),
    )
    const begun = performance.now()
    expect(walkedArea(circle, [around], 0.5).ha).toBeGreaterThan(700)
    expect(performance.now() - begun).toBeLessThan(20_000)
  })
})
