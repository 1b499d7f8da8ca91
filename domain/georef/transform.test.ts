import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Pair } from './frame.ts'
import {
  type Affin,
  fitTransform,
  GEOREF_TYPES,
  type GeorefType,
  MIN_POINTS,
  type ControlPoint,
} from './transform.ts'
import { pointDefectsOf } from './point-check.ts'
import { leftOutErrors, qualityOf, residualsInPixels } from './residuals.ts'

interface GdalFall {
  readonly name: string
  readonly typ: GeorefType
  readonly punkte: readonly (readonly [number, number, number, number])[]
  readonly zurKarte: { readonly von: readonly Pair[]; readonly nach: readonly Pair[] }
  readonly zumScan: { readonly von: readonly Pair[]; readonly nach: readonly Pair[] }
}
const GDAL = (
  JSON.parse(readFileSync(new URL('gdal.cases.json', import.meta.url), 'utf8')) as { cases: GdalFall[] }
).cases

const QGIS = (
  JSON.parse(readFileSync(new URL('qgis.cases.json', import.meta.url), 'utf8')) as { cases: GdalFall[] }
).cases

const furthest = (direction: (x: number, y: number) => Pair, { von, nach }: GdalFall['zurKarte']): number =>
  Math.max(
    ...von.map(([x, y], i) => Math.hypot(direction(x, y)[0] - nach[i]![0], direction(x, y)[1] - nach[i]![1])),
  )
const pointsOf = ({ punkte }: GdalFall): ControlPoint[] =>
  punkte.map(([column, row, east, north]) => ({ spalte: column, zeile: row, ost: east, nord: north }))

describe('beside GDAL', () => {
  test.each(GDAL.map((fall) => [`${fall.name}, ${fall.typ}`, fall] as const))(
    '%s: the same places, in both directions',
    (_, fall) => {
      const transform = fitTransform(fall.typ, pointsOf(fall))!
      expect(furthest(transform.zurKarte, fall.zurKarte)).toBeLessThan(1e-6)
      expect(furthest(transform.zumScan, fall.zumScan)).toBeLessThan(1e-6)
    },
  )
  test('all four methods stand in the file', () => expect(new Set(GDAL.map(({ typ }) => typ)).size).toBe(4))
})

describe('beside QGIS', () => {
  test.each(QGIS.map((fall) => [`${fall.name}, ${fall.typ}`, fall] as const))(
    '%s: the same places, in both directions',
    (_, fall) => {
      const transform = fitTransform(fall.typ, pointsOf(fall))!
      expect(furthest(transform.zurKarte, fall.zurKarte)).toBeLessThan(1e-6)
      expect(furthest(transform.zumScan, fall.zumScan)).toBeLessThan(1e-6)
    },
  )
  test('of points as they are set and of points without an error', () => expect(QGIS).toHaveLength(4))
})

/** Places on a grid of `side` × `side` points, put on the map by a rule. */
const gridOn = (side: number, rule: (column: number, row: number) => Pair): ControlPoint[] =>
  Array.from({ length: side * side }, (_, i) => {
    const [column, row] = [
      400 + (7000 * (i % side)) / (side - 1),
      300 + (5000 * Math.floor(i / side)) / (side - 1),
    ]
    const [east, north] = rule(column, row)
    return { spalte: column, zeile: row, ost: east, nord: north }
  })
const turned =
  (scale: number, angle: number): ((column: number, row: number) => Pair) =>
  (column, row) => [
    412_000 + scale * (Math.cos(angle) * column + Math.sin(angle) * row),
    5_987_000 + scale * (Math.sin(angle) * column - Math.cos(angle) * row),
  ]
const tilted = (column: number, row: number): Pair => {
  const w = 1 + 2e-5 * column - 1e-5 * row
  return [412_000 + (0.25 * column + 0.01 * row) / w, 5_987_000 + (0.02 * column - 0.26 * row) / w]
}
const RULES: Record<GeorefType, (column: number, row: number) => Pair> = {
  linear: (column, row) => [412_000 + 0.25 * column, 5_987_000 - 0.3 * row],
  helmert: turned(0.25, 0.3),
  polynom1: (column, row) => [412_000 + 0.25 * column + 0.02 * row, 5_987_000 + 0.01 * column - 0.27 * row],
  polynom2: (column, row) => [412_000 + 0.25 * column + 1e-6 * column * row, 5_987_000 - 0.27 * row],
  polynom3: (column, row) => [412_000 + 0.25 * column + 1e-10 * column * row ** 2, 5_987_000 - 0.27 * row],
  tps: turned(0.25, 0.1),
  projektiv: tilted,
}

describe('what a rule made is found again', () => {
  test.each(GEOREF_TYPES)('%s', (kind) => {
    const rule = RULES[kind]
    const transform = fitTransform(kind, gridOn(4, rule))!
    for (const [column, row] of [
      [0, 0],
      [8000, 6000],
      [3333.3, 1234.5],
    ] as const) {
      const [east, north] = rule(column, row)
      expect(
        Math.hypot(transform.zurKarte(column, row)[0] - east, transform.zurKarte(column, row)[1] - north),
      ).toBeLessThan(1e-5)
    }
  })
  test.each<[GeorefType, Affin]>([
    ['linear', [412_000, 0.25, 0, 5_987_000, 0, -0.3]],
    [
      'helmert',
      [
        412_000,
        0.25 * Math.cos(0.3),
        0.25 * Math.sin(0.3),
        5_987_000,
        0.25 * Math.sin(0.3),
        -0.25 * Math.cos(0.3),
      ],
    ],
    ['polynom1', [412_000, 0.25, 0.02, 5_987_000, 0.01, -0.27]],
  ])('%s is told in six numbers', (kind, affin) => {
    const found = fitTransform(kind, gridOn(3, RULES[kind]))!.affin!
    affin.forEach((value, i) => expect(found[i]).toBeCloseTo(value, 8))
  })
  test('a scan that was laid upside down on the glass is turned, not mirrored', () => {
    const transform = fitTransform('helmert', gridOn(3, turned(0.25, Math.PI)))!
    expect(transform.zurKarte(0, 100)[1]).toBeCloseTo(5_987_000 + 25, 6)
  })
})

describe('there and back', () => {
  test('of affine types, splines and homographies ends where it began', () =>
    fc.assert(
      fc.property(
        fc.constantFrom<GeorefType>('linear', 'helmert', 'polynom1', 'projektiv'),
        fc.double({ min: 0, max: 8000, noNaN: true }),
        fc.double({ min: 0, max: 6000, noNaN: true }),
        (kind, column, row) => {
          const transform = fitTransform(kind, gridOn(3, RULES[kind]))!
          const [x, y] = transform.zumScan(...transform.zurKarte(column, row))
          expect(Math.hypot(x - column, y - row)).toBeLessThan(1e-4)
        },
      ),
    ))
})

/** Deterministic pseudo-random numbers. */
function noise(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32 - 0.5
  }
}
function scattered(count: number, rule = RULES.polynom1, seed = 5): ControlPoint[] {
  const next = noise(seed)
  return Array.from({ length: count }, () => {
    const [column, row] = [4000 + 7000 * next(), 3000 + 5000 * next()]
    const [east, north] = rule(column, row)
    return { spalte: column, zeile: row, ost: east + next(), nord: north + next() }
  })
}

test.each(GEOREF_TYPES)('%s is described in docs/karten.md, with its number of points', (kind) => {
  const text = readFileSync(new URL('../../docs/karten.md', import.meta.url), 'utf8')
  const lines = [...text.matchAll(/^\| ([a-z\d, ]+) \| ([\d, ]+) \| .+ \|$/gm)].map(([, names, counts]) => {
    const told = counts!.split(', ').map(Number)
    return names!.split(', ').map((name, i) => [name, told[i] ?? told[0]] as const)
  })
  expect(new Map(lines.flat()).get(kind)).toBe(MIN_POINTS[kind])
})

describe('residuals', () => {
  test('of a spline are nothing, of the others something', () => {
    for (const kind of GEOREF_TYPES) {
      const points = scattered(20)
      const { rmse } = qualityOf(kind, residualsInPixels(fitTransform(kind, points)!, points))
      if (kind === 'tps') expect(rmse).toBeLessThan(1e-6)
      else expect(rmse).toBeGreaterThan(0.1)
    }
  })
  test('point from where the mark was set to where it should lie', () => {
    const points = gridOn(3, RULES.linear)
    const transform = fitTransform('linear', points)!
    const [moved] = residualsInPixels(transform, [
      { ...points[0]!, spalte: points[0]!.spalte - 5, zeile: points[0]!.zeile - 3 },
    ])
    expect(moved!.dx).toBeCloseTo(5, 4)
    expect(moved!.dy).toBeCloseTo(3, 4)
    expect(moved!.laenge).toBeCloseTo(Math.hypot(5, 3), 4)
  })
  test('are summed as RMSE and as QGIS’ mean error, which divides by the points beyond those needed', () => {
    const lengths = [3, 4, 0, 0].map((lengthM) => ({ dx: lengthM, dy: 0, laenge: lengthM }))
    expect(qualityOf('polynom1', lengths)).toEqual({ rmse: 2.5, meanError: 5, largest: 4, worstPoint: 1 })
    expect(qualityOf('projektiv', lengths).meanError).toBe(0)
    expect(qualityOf('linear', [])).toEqual({ rmse: 0, meanError: 0, largest: 0, worstPoint: -1 })
  })
  test('a first order fits no worse than a Helmert, a third order no worse than a second', () => {
    const points = scattered(40)
    const on = (kind: GeorefType) => {
      const { zurKarte } = fitTransform(kind, points)!
      const residuals = points.map(({ ost, nord, spalte, zeile }) => {
        const [x, y] = zurKarte(spalte, zeile)
        return { dx: x - ost, dy: y - nord, laenge: Math.hypot(x - ost, y - nord) }
      })
      return qualityOf(kind, residuals).rmse
    }
    expect(on('polynom1')).toBeLessThanOrEqual(on('helmert'))
    expect(on('polynom2')).toBeLessThanOrEqual(on('polynom1'))
    expect(on('polynom3')).toBeLessThanOrEqual(on('polynom2'))
  })
})

describe('leaving one out', () => {
  test.each(GEOREF_TYPES)('%s: the closed formula is what fitting without the point gives', (kind) => {
    const points = scattered(18)
    const told = leftOutErrors(kind, points)
    points.forEach((point, i) => {
      const others = fitTransform(kind, points.toSpliced(i, 1))!
      expect(told[i]).toBeCloseTo(residualsInPixels(others, [point])[0]!.laenge, 4)
    })
  })
  test('and so for any points, few or many', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...GEOREF_TYPES.filter((kind) => kind !== 'projektiv')),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 1e6 }),
        (kind, beyond, seed) => {
          const points = scattered(MIN_POINTS[kind] + beyond, RULES.polynom1, seed)
          const told = leftOutErrors(kind, points)
          points.forEach((point, i) => {
            const others = fitTransform(kind, points.toSpliced(i, 1))
            const asked = others === null ? null : residualsInPixels(others, [point])[0]!.laenge
            if (asked === null) expect(told[i]).toBeNull()
            else expect(Math.abs(told[i]! - asked)).toBeLessThan(1e-6 * (1 + asked))
          })
        },
      ),
    ))
  test.each<[GeorefType, number, number]>([
    ['linear', 3, 0],
    ['helmert', 3, 0],
    ['polynom1', 5, 300],
    ['tps', 5, 300],
  ])('%s: a point without which the others do not suffice has no figure', (kind, count, step) => {
    // All but the first are at one place, or on one line.
    const points = Array.from({ length: count }, (_, i) => {
      const [column, row] =
        i === 0 ? ([900, 700] as const) : ([4000 + step * i, 2000 + 0.7 * step * i] as const)
      const [east, north] = RULES.helmert(column, row)
      return { spalte: column, zeile: row, ost: east, nord: north }
    })
    // A spline cannot have two points at the same place, so its points are on a line instead.
    expect(fitTransform(kind, points)).not.toBeNull()
    const [first, ...others] = leftOutErrors(kind, points)
    expect(first).toBeNull()
    for (const value of others) expect(value).not.toBeNull()
  })
  test('needs one point more than the transformation', () =>
    expect(leftOutErrors('polynom1', scattered(3))).toEqual([null, null, null]))
  test('names the point that was set wrongly, which the spline itself hides', () => {
    const points = scattered(20)
    const wrong = points.with(7, { ...points[7]!, spalte: points[7]!.spalte + 80 })
    const left = leftOutErrors('tps', wrong)
    expect(left.indexOf(Math.max(...(left as number[])))).toBe(7)
  })
})

describe('points that cannot be solved', () => {
  test.each(GEOREF_TYPES)('%s: one too few', (kind) => {
    const points = scattered(MIN_POINTS[kind] - 1)
    expect(fitTransform(kind, points)).toBeNull()
    expect(pointDefectsOf(kind, points)).toEqual([{ code: 'zu_wenige', missing: 1 }])
  })
  test.each<GeorefType>(['polynom1', 'polynom2', 'polynom3', 'tps', 'projektiv'])(
    '%s: all on one line',
    (kind) => {
      const line = Array.from({ length: 12 }, (_, i) => ({
        spalte: 100 * i,
        zeile: 50 * i,
        ost: 4e5 + 25 * i,
        nord: 5.9e6 - 12 * i,
      }))
      expect(fitTransform(kind, line)).toBeNull()
      expect(pointDefectsOf(kind, line)).toEqual([
        { code: 'linie', where: 'scan' },
        { code: 'linie', where: 'karte' },
      ])
    },
  )
  test('one place in the scan for two places on the map, and the other way round', () => {
    const points = scattered(5)
    const pixelTwice = [...points, { ...points[1]!, ost: points[1]!.ost + 40 }]
    expect(fitTransform('tps', pixelTwice)).toBeNull()
    expect(pointDefectsOf('tps', pixelTwice)).toEqual([{ code: 'gleicher_pixel', punkte: [1, 5] }])
    const placeTwice = [...points, { ...points[2]!, spalte: points[2]!.spalte + 90 }]
    expect(pointDefectsOf('tps', placeTwice)).toEqual([{ code: 'gleiches_ziel', punkte: [2, 5] }])
    // Least squares find a compromise, but the pair is reported all the same.
    expect(pointDefectsOf('polynom1', placeTwice)).toEqual([{ code: 'gleiches_ziel', punkte: [2, 5] }])
  })
  test('the same point twice is one point of a spline, and without one of them the other holds', () => {
    const points = scattered(6)
    const twice = [...points, points[3]!]
    expect(pointDefectsOf('tps', twice)).toEqual([])
    expect(pointDefectsOf('polynom1', twice)).toEqual([])
    const [once, both] = [fitTransform('tps', points)!, fitTransform('tps', twice)!]
    expect(both.zurKarte(1234, 567)).toEqual(once.zurKarte(1234, 567))
    const [one, two] = [leftOutErrors('tps', points), leftOutErrors('tps', twice)]
    expect(two).toEqual([...one.slice(0, 3), 0, ...one.slice(4), 0])
    const [first, second, third] = points as [ControlPoint, ControlPoint, ControlPoint]
    expect(pointDefectsOf('tps', [first, second, second])).toContainEqual({ code: 'doppelt', punkte: [1, 2] })
    expect(fitTransform('tps', [first, second, third, third])).not.toBeNull()
  })
  test('almost the same point twice stops a spline, and is no fault where it does not', () => {
    const points = scattered(6)
    const twice = [...points, { ...points[3]!, ost: points[3]!.ost + 1e-4 }]
    expect(pointDefectsOf('tps', twice)).toEqual([{ code: 'doppelt', punkte: [3, 6] }])
    expect(pointDefectsOf('polynom1', twice)).toEqual([])
  })
  test('of two places alone', () =>
    expect(pointDefectsOf('helmert', [scattered(1)[0]!, scattered(1)[0]!])).toEqual([
      { code: 'doppelt', punkte: [0, 1] },
    ]))
  test('six on a circle determine no second order', () => {
    const circle = Array.from({ length: 6 }, (_, i) => {
      const [column, row] = [4000 + 2000 * Math.cos(i), 3000 + 2000 * Math.sin(i)]
      return { spalte: column, zeile: row, ost: 4e5 + column / 4, nord: 5.9e6 - row / 4 }
    })
    expect(pointDefectsOf('polynom2', circle)).toEqual([{ code: 'unbestimmt' }])
  })
  test.each<[string, [east: number, down: number], string[]]>([
    ['as it should be', [0.25, -0.25], []],
    ['on its head', [-0.25, 0.25], []],
    ['in degrees', [3.6e-6, -2.2e-6], []],
    ['north taken for south', [0.25, 0.25], ['gespiegelt']],
    ['east taken for west', [-0.25, -0.25], ['gespiegelt']],
    ['two points almost in one row', [0.25, -4], ['gestreckt']],
    ['two points almost in one column', [4, -0.25], ['gestreckt']],
  ])('two scales: %s', (_what, [east, down], codes) => {
    const point = (scanColumn: number, scanRow: number): ControlPoint => ({
      spalte: scanColumn,
      zeile: scanRow,
      ost: 412_000 + east * scanColumn,
      nord: 5_987_000 + down * scanRow,
    })
    const points = [point(100, 200), point(3_000, 2_500)]
    expect(pointDefectsOf('linear', points).map(({ code }) => code)).toEqual(codes)
    expect(pointDefectsOf('polynom1', [...points, point(2_900, 300)]).map(({ code }) => code)).toEqual(codes)
  })
  test('good ones have no fault', () => {
    for (const kind of GEOREF_TYPES) expect(pointDefectsOf(kind, scattered(15))).toEqual([])
  })
})
