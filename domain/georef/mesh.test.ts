import { describe, expect, test } from 'vitest'
import type { Pair } from './frame.ts'
import { fitTransform, GEOREF_TYPES, type GeorefType, type ControlPoint } from './transform.ts'
import { evaluatePoints, takesLong, forecastOf } from './evaluation.ts'
import { trianglesOf, type Mesh, meshOf } from './mesh.ts'
import { leftOutErrors, qualityOf, residualsInPixels } from './residuals.ts'

const [WIDTH, HEIGHT] = [8000, 6000]
/** Deterministic noise between -1 and 1. */
const noise = (seed: number): number => {
  const x = Math.sin(seed * 12.9898) * 43_758.5453
  return 2 * (x - Math.floor(x)) - 1
}
/** A sheet with a fold, in UTM. */
const place = (column: number, row: number, bend: number): Pair => [
  412_000 + 0.25 * column + 0.01 * row + bend * Math.sin(column / 900) * 2,
  5_987_000 + 0.012 * column - 0.25 * row + bend * Math.cos(row / 1100) * 2,
]
const points = (count: number, bend: number): ControlPoint[] =>
  Array.from({ length: count }, (_, i) => {
    const [column, row] = [WIDTH * (0.5 + 0.5 * noise(i + 1)), HEIGHT * (0.5 + 0.5 * noise(i + 5001))]
    const [east, north] = place(column, row, bend)
    return { spalte: column, zeile: row, ost: east + 0.1 * noise(i + 77), nord: north + 0.1 * noise(i + 99) }
  })

/** Where the flat pieces put a position of the scan. */
function flat({ spalten, zeilen, orte }: Mesh, x: number, y: number): Pair {
  const column = Math.min(
    spalten.findLastIndex((edge) => edge <= x),
    spalten.length - 2,
  )
  const row = Math.min(
    zeilen.findLastIndex((edge) => edge <= y),
    zeilen.length - 2,
  )
  const u = (x - spalten[column]!) / (spalten[column + 1]! - spalten[column]!)
  const v = (y - zeilen[row]!) / (zeilen[row + 1]! - zeilen[row]!)
  const at = (c: number, r: number) => orte[(row + r) * spalten.length + column + c]!
  const [a, b, c, d] = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)]
  const along = (k: 0 | 1) =>
    u + v <= 1
      ? a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k])
      : d[k] + (1 - u) * (c[k] - d[k]) + (1 - v) * (b[k] - d[k])
  return [along(0), along(1)]
}

describe('the net over the scan', () => {
  test.each(GEOREF_TYPES)('%s: no piece lies a pixel beside its place', (kind) => {
    const transform = fitTransform(kind, points(60, kind === 'tps' || kind === 'polynom3' ? 1 : 0.05))!
    const mesh = meshOf(transform, WIDTH, HEIGHT)
    let worst = 0
    for (let i = 0; i < 4000; i++) {
      const [x, y] = [WIDTH * (0.5 + 0.5 * noise(i + 11)), HEIGHT * (0.5 + 0.5 * noise(i + 9011))]
      const [east, north] = transform.zurKarte(x, y)
      const [e, n] = flat(mesh, x, y)
      worst = Math.max(worst, Math.hypot(e - east, n - north) / 0.25)
    }
    expect(worst).toBeLessThan(1)
  })
  test('an even sheet needs no more than the first net; a bent one gets more, and its edges stay', () => {
    expect(meshOf(fitTransform('polynom1', points(10, 0))!, WIDTH, HEIGHT).orte).toHaveLength(33 * 25)
    const bent = meshOf(
      { zurKarte: (x, y) => [412_000 + 0.25 * x + 40 * Math.sin(x / 600), 5_987_000 - 0.25 * y] },
      WIDTH,
      HEIGHT,
    )
    expect(bent.spalten.length).toBeGreaterThan(33)
    expect(bent.zeilen).toHaveLength(25)
    expect([bent.spalten[0], bent.spalten.at(-1), bent.zeilen[0], bent.zeilen.at(-1)]).toEqual([
      0,
      WIDTH,
      0,
      HEIGHT,
    ])
  })
  test('triangles cover every piece once, but none at infinity', () => {
    const mesh = meshOf(fitTransform('helmert', points(4, 0))!, WIDTH, HEIGHT)
    expect(trianglesOf(mesh)).toHaveLength(32 * 24 * 6)
    const torn = { ...mesh, orte: mesh.orte.map((ort, i): Pair => (i === 40 ? [Number.NaN, 0] : ort)) }
    expect(trianglesOf(torn)).toHaveLength((32 * 24 - 4) * 6)
    expect(trianglesOf(torn)).not.toContain(40)
  })
})

describe('what a screen shows of points', () => {
  const used = points(12, 0.3)
  const all = [
    ...used.slice(0, 5).map((point) => ({ ...point, enable: true })),
    { ...points(40, 0.3)[33]!, enable: false },
    ...used.slice(5).map((point) => ({ ...point, enable: true })),
  ]
  test.each(['polynom1', 'polynom2', 'helmert', 'projektiv', 'linear'] as GeorefType[])(
    '%s: figures are the domain’s, of the points in use',
    (kind) => {
      const transform = fitTransform(kind, used)!
      const { rest, quality, leftOut, worstPoint } = evaluatePoints(kind, all, WIDTH, HEIGHT)
      expect(rest).toEqual(residualsInPixels(transform, all))
      const own = qualityOf(kind, residualsInPixels(transform, used))
      expect(quality).toEqual(own)
      expect(worstPoint).toBe(own.worstPoint < 5 ? own.worstPoint : own.worstPoint + 1)
      expect(leftOut.toSpliced(5, 1)).toEqual(leftOutErrors(kind, used))
      expect(leftOut[5]).toBeNull()
    },
  )
  test('a spline’s worst point is the one that the others put furthest away', () => {
    const wrong = used.map((point, i) => ({ ...point, enable: true, ost: point.ost + (i === 7 ? 40 : 0) }))
    const { worstPoint, rest } = evaluatePoints('tps', wrong, WIDTH, HEIGHT)
    expect(rest[7]!.laenge).toBeLessThan(1e-3)
    expect(worstPoint).toBe(7)
  })
  test('faults name points by their place among all', () => {
    const twin = all.map((point, i) =>
      i === 8 ? { ...point, spalte: all[2]!.spalte, zeile: all[2]!.zeile } : point,
    )
    expect(evaluatePoints('polynom1', twin, WIDTH, HEIGHT).defects).toEqual([
      { code: 'gleicher_pixel', punkte: [2, 8] },
    ])
  })
  test('with exactly as many points as needed none is the worst', () =>
    expect(evaluatePoints('polynom1', all.slice(0, 3), WIDTH, HEIGHT)).toMatchObject({
      worstPoint: -1,
      quality: { meanError: 0 },
    }))
  test('too few points: nothing is shown but what is missing', () =>
    expect(evaluatePoints('polynom2', all.slice(0, 4), WIDTH, HEIGHT)).toMatchObject({
      quality: null,
      mesh: null,
      defects: [{ code: 'zu_wenige', missing: 2 }],
    }))
  test('leaving out is told of any number of points by a formula, by fitting the others of a hundred', () => {
    const told = (kind: GeorefType, count: number) =>
      evaluatePoints(
        kind,
        points(count, 0.3).map((point) => ({ ...point, enable: true })),
        WIDTH,
        HEIGHT,
      ).leftOut.filter((value) => value !== null).length
    for (const kind of GEOREF_TYPES)
      expect([kind, told(kind, 101)]).toEqual([kind, kind === 'projektiv' ? 0 : 101])
    expect(told('projektiv', 100)).toBe(100)
  })
  test('only splines from three hundred points on are computed beside the page', () => {
    expect([299, 300].map((count) => takesLong('tps', count))).toEqual([false, true])
    expect(takesLong('polynom3', 5000)).toBe(false)
  })
  test('a thousand points of anything but a spline take less than a frame', () => {
    const many = points(1000, 0.3).map((point) => ({ ...point, enable: true }))
    const times = GEOREF_TYPES.filter((kind) => kind !== 'tps').map((kind) => {
      for (let i = 0; i < 5; i++) residualsInPixels(fitTransform(kind, many)!, many)
      const runs = Array.from({ length: 9 }, () => {
        const begun = performance.now()
        residualsInPixels(fitTransform(kind, many)!, many)
        return performance.now() - begun
      }).toSorted((one, other) => one - other)
      return runs[0]!
    })
    expect(Math.max(...times)).toBeLessThan(16)
  })
})

describe('where the next point should lie', () => {
  test('two points foretell by turning and scaling, three for sure', () => {
    expect(forecastOf('polynom2', points(1, 0))).toBeNull()
    expect(forecastOf('polynom2', points(2, 0))?.sicher).toBe(false)
    const three = forecastOf('polynom2', points(3, 0))!
    expect(three.sicher).toBe(true)
    const [easting, northing] = place(4321, 1234, 0)
    const [east, north] = three.zurKarte(4321, 1234)
    expect(Math.hypot(east - easting, north - northing)).toBeLessThan(2)
    const [x, y] = three.zumScan(easting, northing)
    expect(Math.hypot(x - 4321, y - 1234)).toBeLessThan(8)
  })
})
