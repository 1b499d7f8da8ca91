import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GEOREF_TYPEN } from './abbildung.ts'
import {
  gespeichertes,
  type Sitzung,
  SCHRITTE,
  sitzungOf,
  type Stand,
  standOf,
  type Tat,
  tun,
  unterschied,
  weiter,
  wieder,
  zurueck,
} from './sitzung.ts'

const START = standOf({ typ: 'polynom1', epsg: 25833, res: null, label: null }, [
  { ost: 412_000.25, nord: 5_987_000.5, spalte: 100.5, zeile: 250.25 },
  { ost: 412_900, nord: 5_987_100, spalte: 3700, zeile: 10, enable: false },
  { ost: 412_300, nord: 5_986_200, spalte: 1300, zeile: 3000 },
])

const number = fc.double({ min: -1e7, max: 1e7, noNaN: true })
const scan = fc.record({ spalte: number, zeile: number })
const karte = fc.record({ ost: number, nord: number })
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 4 })
const punkt = fc.record({ ost: number, nord: number, spalte: number, zeile: number, enable: fc.boolean() })
const tat: fc.Arbitrary<Tat> = fc.oneof(
  scan.map((ort): Tat => ({ art: 'scan', ort })),
  karte.map((ort): Tat => ({ art: 'karte', ort })),
  fc.constant<Tat>({ art: 'halb_weg' }),
  punkt.map((one): Tat => ({ art: 'neu', punkt: one })),
  fc.tuple(fc.integer({ min: 1, max: 12 }), fc.oneof(scan, karte)).map(([id, ort]): Tat => ({ art: 'verschieben', id, ort })),
  ids.map((some): Tat => ({ art: 'loeschen', ids: some })),
  fc.tuple(ids, fc.boolean()).map(([some, enable]): Tat => ({ art: 'benutzen', ids: some, enable })),
  fc.constantFrom(...GEOREF_TYPEN).map((typ): Tat => ({ art: 'werte', werte: { typ } })),
  fc.tuple(fc.array(karte, { maxLength: 6 }), karte).map(([orte, halb]): Tat => ({ art: 'system', epsg: 25832, orte, halb })),
  fc.tuple(fc.array(punkt, { maxLength: 5 }), fc.boolean()).map(([punkte, anhaengen]): Tat => ({ art: 'laden', punkte, anhaengen })),
)
const doAll = (sitzung: Sitzung, taten: readonly Tat[]): Sitzung => taten.reduce((now, one) => weiter(now, one), sitzung)

describe('everything is taken back and done again', () => {
  test('one deed and back is what was before, and again is what was after', () =>
    fc.assert(
      fc.property(fc.array(tat, { maxLength: 20 }), tat, (before, one) => {
        const sitzung = doAll(sitzungOf(START), before)
        const done = weiter(sitzung, one)
        if (done.jetzt === sitzung.jetzt) {
          expect(done).toBe(sitzung)
          return
        }
        expect(zurueck(done).jetzt).toBe(sitzung.jetzt)
        expect(wieder(zurueck(done))).toEqual(done)
      }),
    ))
  test('all the way back and all the way on', () =>
    fc.assert(
      fc.property(fc.array(tat, { minLength: 1, maxLength: 40 }), (taten) => {
        const done = doAll(sitzungOf(START), taten)
        let back = done
        while (back.vergangen.length > 0) back = zurueck(back)
        expect(back.jetzt).toBe(START)
        let on = back
        while (on.zukunft.length > 0) on = wieder(on)
        expect(on).toEqual(done)
      }),
    ))
  test('points keep their own numbers: none is given twice', () =>
    fc.assert(
      fc.property(fc.array(tat, { maxLength: 40 }), (taten) => {
        const { punkte, naechste } = doAll(sitzungOf(START), taten).jetzt
        expect(new Set(punkte.map(({ id }) => id)).size).toBe(punkte.length)
        expect(Math.max(0, ...punkte.map(({ id }) => id))).toBeLessThan(naechste)
      }),
    ))
  test('a deed after going back forgets what could be done again', () => {
    const sitzung = zurueck(weiter(sitzungOf(START), { art: 'loeschen', ids: [1] }))
    expect(sitzung.zukunft).toHaveLength(1)
    expect(weiter(sitzung, { art: 'loeschen', ids: [2] }).zukunft).toEqual([])
  })
  test('a pull in many moves is one step, the next pull another', () => {
    const pull = (sitzung: Sitzung, zug: string, spalte: number) => weiter(sitzung, { art: 'verschieben', id: 1, ort: { spalte } }, zug)
    let sitzung = sitzungOf(START)
    for (const spalte of [101, 102, 103]) sitzung = pull(sitzung, 'a', spalte)
    sitzung = pull(sitzung, 'b', 110)
    expect(sitzung.vergangen).toHaveLength(2)
    expect(zurueck(sitzung).jetzt.punkte[0]?.spalte).toBe(103)
    expect(zurueck(zurueck(sitzung)).jetzt).toBe(START)
  })
  test('with nothing to take back or do again it stays as it is', () => {
    const sitzung = sitzungOf(START)
    expect(zurueck(sitzung)).toBe(sitzung)
    expect(wieder(sitzung)).toBe(sitzung)
  })
  test('the oldest steps go', () => {
    let sitzung = sitzungOf(START)
    for (let i = 0; i < SCHRITTE + 7; i++) sitzung = weiter(sitzung, { art: 'verschieben', id: 1, ort: { spalte: 1000 + i } })
    expect(sitzung.vergangen).toHaveLength(SCHRITTE)
  })
})

describe('a point is set from either side', () => {
  const first = { spalte: 7, zeile: 9 }
  const second = { ost: 412_001, nord: 5_987_002 }
  const setBoth = (...taten: Tat[]): Stand => taten.reduce(tun, START)
  test.each([
    [
      'scan first',
      [
        { art: 'scan', ort: first },
        { art: 'karte', ort: second },
      ],
    ],
    [
      'map first',
      [
        { art: 'karte', ort: second },
        { art: 'scan', ort: first },
      ],
    ],
  ] as const)('%s', (_, taten) => {
    const { punkte, halb } = setBoth(...taten)
    expect(halb).toBeNull()
    expect(punkte.at(-1)).toEqual({ id: 4, enable: true, ...first, ...second })
  })
  test('a second press on the same side moves the open half', () =>
    expect(setBoth({ art: 'scan', ort: { spalte: 1, zeile: 2 } }, { art: 'scan', ort: first })).toMatchObject({
      halb: { scan: first },
      punkte: START.punkte,
    }))
  test('another system takes the open half with it', () =>
    expect(
      setBoth(
        { art: 'karte', ort: second },
        { art: 'system', epsg: 25832, orte: START.punkte.map(({ ost, nord }) => ({ ost: ost + 1, nord })), halb: { ost: 1, nord: 2 } },
      ),
    ).toMatchObject({ epsg: 25832, halb: { karte: { ost: 1, nord: 2 } }, punkte: [{ ost: 412_001.25, spalte: 100.5 }, {}, {}] }))
})

test('what is saved does not know the numbers of the session nor an open half', () => {
  const again = standOf(START, START.punkte)
  const moved = tun(tun(again, { art: 'neu', punkt: { ost: 1, nord: 2, spalte: 3, zeile: 4 } }), { art: 'loeschen', ids: [4] })
  expect(moved.naechste).not.toBe(again.naechste)
  expect(gespeichertes(tun(moved, { art: 'scan', ort: { spalte: 1, zeile: 1 } }))).toBe(gespeichertes(START))
  expect(gespeichertes(tun(START, { art: 'benutzen', ids: [1], enable: false }))).not.toBe(gespeichertes(START))
})

test('two sets of points are compared by their figures', () => {
  const [a, b, c] = START.punkte as [Stand['punkte'][0], Stand['punkte'][0], Stand['punkte'][0]]
  expect(unterschied([a, b], [b, c])).toEqual({ nurEine: 1, nurAndere: 1, beide: 1 })
  expect(unterschied([a, a], [a])).toEqual({ nurEine: 1, nurAndere: 0, beide: 1 })
  expect(unterschied([a], [{ ...a, enable: false }])).toEqual({ nurEine: 1, nurAndere: 1, beide: 0 })
})
