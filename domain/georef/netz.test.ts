import { describe, expect, test } from 'vitest'
import { fitAbbildung, GEOREF_TYPEN, type GeorefTyp, type Paar, type Passpunkt } from './abbildung.ts'
import { auswerten, dauertLange, vorhersageOf } from './auswertung.ts'
import { dreiecke, type Netz, netzOf } from './netz.ts'
import { ausgelassenerFehler, gueteOf, restfehlerInPixeln } from './restfehler.ts'

const [BREITE, HOEHE] = [8000, 6000]
/** Deterministic noise between -1 and 1. */
const noise = (seed: number): number => {
  const x = Math.sin(seed * 12.9898) * 43_758.5453
  return 2 * (x - Math.floor(x)) - 1
}
/** A sheet with a fold, in UTM. */
const place = (spalte: number, zeile: number, bend: number): Paar => [
  412_000 + 0.25 * spalte + 0.01 * zeile + bend * Math.sin(spalte / 900) * 2,
  5_987_000 + 0.012 * spalte - 0.25 * zeile + bend * Math.cos(zeile / 1100) * 2,
]
const points = (count: number, bend: number): Passpunkt[] =>
  Array.from({ length: count }, (_, i) => {
    const [spalte, zeile] = [BREITE * (0.5 + 0.5 * noise(i + 1)), HOEHE * (0.5 + 0.5 * noise(i + 5001))]
    const [ost, nord] = place(spalte, zeile, bend)
    return { spalte, zeile, ost: ost + 0.1 * noise(i + 77), nord: nord + 0.1 * noise(i + 99) }
  })

/** Where the flat pieces put a place of the scan. */
function flat({ spalten, zeilen, orte }: Netz, x: number, y: number): Paar {
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
    u + v <= 1 ? a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]) : d[k] + (1 - u) * (c[k] - d[k]) + (1 - v) * (b[k] - d[k])
  return [along(0), along(1)]
}

describe('the net over the scan', () => {
  test.each(GEOREF_TYPEN)('%s: no piece lies a pixel beside its place', (typ) => {
    const abbildung = fitAbbildung(typ, points(60, typ === 'tps' || typ === 'polynom3' ? 1 : 0.05))!
    const netz = netzOf(abbildung, BREITE, HOEHE)
    let worst = 0
    for (let i = 0; i < 4000; i++) {
      const [x, y] = [BREITE * (0.5 + 0.5 * noise(i + 11)), HOEHE * (0.5 + 0.5 * noise(i + 9011))]
      const [east, north] = abbildung.zurKarte(x, y)
      const [e, n] = flat(netz, x, y)
      worst = Math.max(worst, Math.hypot(e - east, n - north) / 0.25)
    }
    expect(worst).toBeLessThan(1)
  })
  test('an even sheet needs no more than the first net; a bent one gets more, and its edges stay', () => {
    expect(netzOf(fitAbbildung('polynom1', points(10, 0))!, BREITE, HOEHE).orte).toHaveLength(33 * 25)
    const bent = netzOf({ zurKarte: (x, y) => [412_000 + 0.25 * x + 40 * Math.sin(x / 600), 5_987_000 - 0.25 * y] }, BREITE, HOEHE)
    expect(bent.spalten.length).toBeGreaterThan(33)
    expect(bent.zeilen).toHaveLength(25)
    expect([bent.spalten[0], bent.spalten.at(-1), bent.zeilen[0], bent.zeilen.at(-1)]).toEqual([0, BREITE, 0, HOEHE])
  })
  test('triangles cover every piece once, but none at infinity', () => {
    const netz = netzOf(fitAbbildung('helmert', points(4, 0))!, BREITE, HOEHE)
    expect(dreiecke(netz)).toHaveLength(32 * 24 * 6)
    const torn = { ...netz, orte: netz.orte.map((ort, i): Paar => (i === 40 ? [Number.NaN, 0] : ort)) }
    expect(dreiecke(torn)).toHaveLength((32 * 24 - 4) * 6)
    expect(dreiecke(torn)).not.toContain(40)
  })
})

describe('what a screen shows of points', () => {
  const used = points(12, 0.3)
  const all = [
    ...used.slice(0, 5).map((punkt) => ({ ...punkt, enable: true })),
    { ...points(40, 0.3)[33]!, enable: false },
    ...used.slice(5).map((punkt) => ({ ...punkt, enable: true })),
  ]
  test.each(['polynom1', 'polynom2', 'helmert', 'projektiv', 'linear'] as GeorefTyp[])(
    '%s: figures are the domain’s, of the points in use',
    (typ) => {
      const abbildung = fitAbbildung(typ, used)!
      const { rest, guete, ausgelassen, schlechtester } = auswerten(typ, all, BREITE, HOEHE)
      expect(rest).toEqual(restfehlerInPixeln(abbildung, all))
      const own = gueteOf(typ, restfehlerInPixeln(abbildung, used))
      expect(guete).toEqual(own)
      expect(schlechtester).toBe(own.schlechtester < 5 ? own.schlechtester : own.schlechtester + 1)
      expect(ausgelassen.toSpliced(5, 1)).toEqual(ausgelassenerFehler(typ, used))
      expect(ausgelassen[5]).toBeNull()
    },
  )
  test('a spline’s worst point is the one that the others put furthest away', () => {
    const wrong = used.map((punkt, i) => ({ ...punkt, enable: true, ost: punkt.ost + (i === 7 ? 40 : 0) }))
    const { schlechtester, rest } = auswerten('tps', wrong, BREITE, HOEHE)
    expect(rest[7]!.laenge).toBeLessThan(1e-3)
    expect(schlechtester).toBe(7)
  })
  test('faults name points by their place among all', () => {
    const twin = all.map((punkt, i) => (i === 8 ? { ...punkt, spalte: all[2]!.spalte, zeile: all[2]!.zeile } : punkt))
    expect(auswerten('polynom1', twin, BREITE, HOEHE).maengel).toEqual([{ code: 'gleicher_pixel', punkte: [2, 8] }])
  })
  test('with exactly as many points as needed none is the worst', () =>
    expect(auswerten('polynom1', all.slice(0, 3), BREITE, HOEHE)).toMatchObject({ schlechtester: -1, guete: { mittlererFehler: 0 } }))
  test('too few points: nothing is shown but what is missing', () =>
    expect(auswerten('polynom2', all.slice(0, 4), BREITE, HOEHE)).toMatchObject({
      guete: null,
      netz: null,
      maengel: [{ code: 'zu_wenige', fehlen: 2 }],
    }))
  test('leaving out is told of any number of points where a formula tells it, by fitting the others only of a hundred', () => {
    const told = (typ: GeorefTyp, count: number) =>
      auswerten(
        typ,
        points(count, 0.3).map((punkt) => ({ ...punkt, enable: true })),
        BREITE,
        HOEHE,
      ).ausgelassen.filter((value) => value !== null).length
    for (const typ of GEOREF_TYPEN) expect([typ, told(typ, 101)]).toEqual([typ, typ === 'projektiv' ? 0 : 101])
    expect(told('projektiv', 100)).toBe(100)
  })
  test('only splines from three hundred points on are reckoned beside the page', () => {
    expect([299, 300].map((count) => dauertLange('tps', count))).toEqual([false, true])
    expect(dauertLange('polynom3', 5000)).toBe(false)
  })
  test('a thousand points of anything but a spline take less than a frame', () => {
    const many = points(1000, 0.3).map((punkt) => ({ ...punkt, enable: true }))
    const times = GEOREF_TYPEN.filter((typ) => typ !== 'tps').map((typ) => {
      for (let i = 0; i < 5; i++) restfehlerInPixeln(fitAbbildung(typ, many)!, many)
      const runs = Array.from({ length: 9 }, () => {
        const begun = performance.now()
        restfehlerInPixeln(fitAbbildung(typ, many)!, many)
        return performance.now() - begun
      }).toSorted((one, other) => one - other)
      return runs[0]!
    })
    expect(Math.max(...times)).toBeLessThan(16)
  })
})

describe('where the next point should lie', () => {
  test('two points foretell by turning and scaling, three for sure', () => {
    expect(vorhersageOf('polynom2', points(1, 0))).toBeNull()
    expect(vorhersageOf('polynom2', points(2, 0))?.sicher).toBe(false)
    const three = vorhersageOf('polynom2', points(3, 0))!
    expect(three.sicher).toBe(true)
    const [ost, nord] = place(4321, 1234, 0)
    const [east, north] = three.zurKarte(4321, 1234)
    expect(Math.hypot(east - ost, north - nord)).toBeLessThan(2)
    const [x, y] = three.zumScan(ost, nord)
    expect(Math.hypot(x - 4321, y - 1234)).toBeLessThan(8)
  })
})
