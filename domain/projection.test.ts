import { existsSync, readFileSync } from 'node:fs'
import proj4 from 'proj4'
import { describe, expect, test } from 'vitest'
import { EPSG_CODES } from './epsg.ts'
import { createConverter, CHECK_POINTS, type Projector } from './projection.ts'

const projector = proj4 as unknown as Projector
const DHDN = [31466, 31467, 31468, 31469]
/** Debian's proj-data. */
const GRID = '/usr/share/proj/BETA2007.gsb'

describe('without the grid', () => {
  const converter = createConverter(projector, null)
  test('every system but those on DHDN is right to a millimetre', () => {
    expect([...converter.systems].toSorted((one, other) => one - other)).toEqual(
      EPSG_CODES.filter((epsg) => !DHDN.includes(epsg)).toSorted((one, other) => one - other),
    )
    for (const [epsg, ort, [east, north]] of CHECK_POINTS.filter(([code]) => converter.systems.has(code))) {
      const [x, y] = converter.conversion(epsg, 25833)(ort)
      expect(Math.hypot(x - east, y - north)).toBeLessThan(0.001)
    }
  })
  test('those on DHDN are refused rather than half a metre off', () => {
    for (const epsg of DHDN) expect(() => converter.conversion(epsg, 25832)).toThrow(RangeError)
  })
  test('a system nobody knows is refused', () =>
    expect(() => converter.conversion(25832, 12345)).toThrow(RangeError))
  test('there and back ends where it began', () => {
    const there = converter.conversion(2398, 25833)
    const back = converter.conversion(25833, 2398)
    const [x, y] = back(there([4_560_000, 5_950_000]))
    expect(Math.hypot(x - 4_560_000, y - 5_950_000)).toBeLessThan(0.001)
  })
  test('a converter is kept', () =>
    expect(converter.conversion(25832, 3857)).toBe(converter.conversion(25832, 3857)))
})

test('a library that reckons wrongly is noticed', () => {
  const askew = ((from: string, to: string) => ({
    forward: (ort: [number, number]) => {
      const [x, y] = proj4(from, to).forward(ort)
      return [x + 0.02, y]
    },
  })) as unknown as Projector
  expect([...createConverter(askew, null).systems]).toEqual([])
})

describe.skipIf(!existsSync(GRID))('with the grid', () => {
  test('all systems are right to a millimetre', () => {
    const bytes = readFileSync(GRID)
    const converter = createConverter(
      projector,
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
    )
    for (const [epsg, ort, [east, north]] of CHECK_POINTS) {
      const [x, y] = converter.conversion(epsg, 25833)(ort)
      expect([epsg, Math.hypot(x - east, y - north) < 0.001]).toEqual([epsg, true])
    }
  })
  test.each([
    [31466, [412_000, 5_987_000]],
    [31468, [412_000, 5_987_000]],
    [31468, [4_500_000, 0]],
    [31469, [5_412_000, 9_000_000]],
    [31467, [Number.NaN, Number.NaN]],
    [31467, [1e300, 1e300]],
  ] as const)('a place of %i outside of it is nowhere, and nothing breaks off', (epsg, ort) => {
    const bytes = readFileSync(GRID)
    const converter = createConverter(
      projector,
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
    )
    expect(converter.conversion(epsg, 4258)(ort).some(Number.isFinite)).toBe(false)
  })
})
