import { existsSync, readFileSync } from 'node:fs'
import proj4 from 'proj4'
import { describe, expect, test } from 'vitest'
import { EPSG_CODES } from './epsg.ts'
import { createUmrechner, PROBEPUNKTE, type Projektor } from './projektion.ts'

const projektor = proj4 as unknown as Projektor
const DHDN = [31466, 31467, 31468, 31469]
/** Debian's proj-data. */
const GRID = '/usr/share/proj/BETA2007.gsb'

describe('without the grid', () => {
  const umrechner = createUmrechner(projektor, null)
  test('every system but those on DHDN is right to a millimetre', () => {
    expect([...umrechner.systeme].toSorted((one, other) => one - other)).toEqual(
      EPSG_CODES.filter((epsg) => !DHDN.includes(epsg)).toSorted((one, other) => one - other),
    )
    for (const [epsg, ort, [ost, nord]] of PROBEPUNKTE.filter(([code]) => umrechner.systeme.has(code))) {
      const [x, y] = umrechner.umrechnung(epsg, 25833)(ort)
      expect(Math.hypot(x - ost, y - nord)).toBeLessThan(0.001)
    }
  })
  test('those on DHDN are refused rather than half a metre off', () => {
    for (const epsg of DHDN) expect(() => umrechner.umrechnung(epsg, 25832)).toThrow(RangeError)
  })
  test('a system nobody knows is refused', () => expect(() => umrechner.umrechnung(25832, 12345)).toThrow(RangeError))
  test('there and back ends where it began', () => {
    const there = umrechner.umrechnung(2398, 25833)
    const back = umrechner.umrechnung(25833, 2398)
    const [x, y] = back(there([4_560_000, 5_950_000]))
    expect(Math.hypot(x - 4_560_000, y - 5_950_000)).toBeLessThan(0.001)
  })
  test('a converter is kept', () => expect(umrechner.umrechnung(25832, 3857)).toBe(umrechner.umrechnung(25832, 3857)))
})

test('a library that reckons wrongly is noticed', () => {
  const askew = ((from: string, to: string) => ({
    forward: (ort: [number, number]) => {
      const [x, y] = proj4(from, to).forward(ort)
      return [x + 0.02, y]
    },
  })) as unknown as Projektor
  expect([...createUmrechner(askew, null).systeme]).toEqual([])
})

describe.skipIf(!existsSync(GRID))('with the grid', () => {
  test('all systems are right to a millimetre', () => {
    const bytes = readFileSync(GRID)
    const umrechner = createUmrechner(projektor, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
    for (const [epsg, ort, [ost, nord]] of PROBEPUNKTE) {
      const [x, y] = umrechner.umrechnung(epsg, 25833)(ort)
      expect([epsg, Math.hypot(x - ost, y - nord) < 0.001]).toEqual([epsg, true])
    }
  })
})
