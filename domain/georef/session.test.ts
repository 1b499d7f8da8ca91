import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GEOREF_TYPES } from './transform.ts'
import {
  savedOf,
  type GeorefSession,
  STEPS,
  sessionOf,
  type State,
  stateOf,
  type Action,
  act,
  differenceOf,
  advance,
  redo,
  undone,
} from './session.ts'

const START = stateOf({ typ: 'polynom1', epsg: 25833, res: null, label: null }, [
  { ost: 412_000.25, nord: 5_987_000.5, spalte: 100.5, zeile: 250.25 },
  { ost: 412_900, nord: 5_987_100, spalte: 3700, zeile: 10, enable: false },
  { ost: 412_300, nord: 5_986_200, spalte: 1300, zeile: 3000 },
])

const number = fc.double({ min: -1e7, max: 1e7, noNaN: true })
const scan = fc.record({ spalte: number, zeile: number })
const karte = fc.record({ ost: number, nord: number })
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 4 })
const point = fc.record({ ost: number, nord: number, spalte: number, zeile: number, enable: fc.boolean() })
const action: fc.Arbitrary<Action> = fc.oneof(
  scan.map((ort): Action => ({ art: 'scan', ort })),
  karte.map((ort): Action => ({ art: 'karte', ort })),
  fc.constant<Action>({ art: 'halb_weg' }),
  point.map((one): Action => ({ art: 'neu', point: one })),
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.oneof(scan, karte))
    .map(([id, ort]): Action => ({ art: 'verschieben', id, ort })),
  ids.map((some): Action => ({ art: 'loeschen', ids: some })),
  fc.tuple(ids, fc.boolean()).map(([some, enable]): Action => ({ art: 'benutzen', ids: some, enable })),
  fc.constantFrom(...GEOREF_TYPES).map((kind): Action => ({ art: 'werte', werte: { typ: kind } })),
  fc
    .tuple(fc.array(karte, { maxLength: 6 }), karte)
    .map(([places, half]): Action => ({ art: 'system', epsg: 25832, orte: places, half })),
  fc
    .tuple(fc.array(point, { maxLength: 5 }), fc.boolean())
    .map(([points, isAppended]): Action => ({ art: 'laden', punkte: points, isAppended })),
)
const doAll = (session: GeorefSession, actions: readonly Action[]): GeorefSession =>
  actions.reduce((now, one) => advance(now, one), session)

describe('everything is taken back and done again', () => {
  test('one deed and back is what was before, and again is what was after', () =>
    fc.assert(
      fc.property(fc.array(action, { maxLength: 20 }), action, (before, one) => {
        const session = doAll(sessionOf(START), before)
        const done = advance(session, one)
        if (done.present === session.present) {
          expect(done).toBe(session)
          return
        }
        expect(undone(done).present).toBe(session.present)
        expect(redo(undone(done))).toEqual(done)
      }),
    ))
  test('all the way back and all the way on', () =>
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 40 }), (actions) => {
        const done = doAll(sessionOf(START), actions)
        let back = done
        while (back.past.length > 0) back = undone(back)
        expect(back.present).toBe(START)
        let on = back
        while (on.future.length > 0) on = redo(on)
        expect(on).toEqual(done)
      }),
    ))
  test('points keep their own numbers: none is given twice', () =>
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const { punkte, naechste } = doAll(sessionOf(START), actions).present
        expect(new Set(punkte.map(({ id }) => id)).size).toBe(punkte.length)
        expect(Math.max(0, ...punkte.map(({ id }) => id))).toBeLessThan(naechste)
      }),
    ))
  test('a deed after going back forgets what could be done again', () => {
    const session = undone(advance(sessionOf(START), { art: 'loeschen', ids: [1] }))
    expect(session.future).toHaveLength(1)
    expect(advance(session, { art: 'loeschen', ids: [2] }).future).toEqual([])
  })
  test('a pull in many moves is one step, the next pull another', () => {
    const pull = (session: GeorefSession, dragKey: string, column: number) =>
      advance(session, { art: 'verschieben', id: 1, ort: { spalte: column } }, dragKey)
    let session = sessionOf(START)
    for (const column of [101, 102, 103]) session = pull(session, 'a', column)
    session = pull(session, 'b', 110)
    expect(session.past).toHaveLength(2)
    expect(undone(session).present.punkte[0]?.spalte).toBe(103)
    expect(undone(undone(session)).present).toBe(START)
  })
  test('with nothing to take back or do again it stays as it is', () => {
    const session = sessionOf(START)
    expect(undone(session)).toBe(session)
    expect(redo(session)).toBe(session)
  })
  test('the oldest steps go', () => {
    let session = sessionOf(START)
    for (let i = 0; i < STEPS + 7; i++)
      session = advance(session, { art: 'verschieben', id: 1, ort: { spalte: 1000 + i } })
    expect(session.past).toHaveLength(STEPS)
  })
})

describe('a point is set from either side', () => {
  const first = { spalte: 7, zeile: 9 }
  const second = { ost: 412_001, nord: 5_987_002 }
  const setBoth = (...actions: Action[]): State => actions.reduce(act, START)
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
  ] as const)('%s', (_, actions) => {
    const { punkte, half } = setBoth(...actions)
    expect(half).toBeNull()
    expect(punkte.at(-1)).toEqual({ id: 4, enable: true, ...first, ...second })
  })
  test('a second press on the same side moves the open half', () =>
    expect(setBoth({ art: 'scan', ort: { spalte: 1, zeile: 2 } }, { art: 'scan', ort: first })).toMatchObject(
      {
        half: { scan: first },
        punkte: START.punkte,
      },
    ))
  test('another system takes the open half with it', () =>
    expect(
      setBoth(
        { art: 'karte', ort: second },
        {
          art: 'system',
          epsg: 25832,
          orte: START.punkte.map(({ ost, nord }) => ({ ost: ost + 1, nord })),
          half: { ost: 1, nord: 2 },
        },
      ),
    ).toMatchObject({
      epsg: 25832,
      half: { karte: { ost: 1, nord: 2 } },
      punkte: [{ ost: 412_001.25, spalte: 100.5 }, {}, {}],
    }))
})

test('a resolution belongs to the unit of its system', () => {
  const fine = act(START, { art: 'werte', werte: { res: 0.25 } })
  const places = START.punkte.map(({ ost, nord }) => ({ ost, nord }))
  const into = (epsg: number) => act(fine, { art: 'system', epsg, orte: places, half: null })
  expect([25832, 31468].map((epsg) => into(epsg).res)).toEqual([0.25, 0.25])
  expect([4326, 3857].map((epsg) => into(epsg).res)).toEqual([null, null])
  const file = { art: 'laden', punkte: [{ ost: 12, nord: 53, spalte: 1, zeile: 2 }] } as const
  expect(act(fine, { ...file, werte: { epsg: 4258 } })).toMatchObject({ epsg: 4258, res: null })
  expect(act(fine, { ...file, werte: { epsg: 4258, res: 0.000_01 } }).res).toBe(0.000_01)
  expect(act(fine, file).res).toBe(0.25)
})
test('what is saved does not know the numbers of the session nor an open half', () => {
  const again = stateOf(START, START.punkte)
  const moved = act(act(again, { art: 'neu', point: { ost: 1, nord: 2, spalte: 3, zeile: 4 } }), {
    art: 'loeschen',
    ids: [4],
  })
  expect(moved.naechste).not.toBe(again.naechste)
  expect(savedOf(act(moved, { art: 'scan', ort: { spalte: 1, zeile: 1 } }))).toBe(savedOf(START))
  expect(savedOf(act(START, { art: 'benutzen', ids: [1], enable: false }))).not.toBe(savedOf(START))
})

test('two sets of points are compared by their figures', () => {
  const [a, b, c] = START.punkte as [State['punkte'][0], State['punkte'][0], State['punkte'][0]]
  expect(differenceOf([a, b], [b, c])).toEqual({ onlyFirst: 1, onlyOther: 1, both: 1 })
  expect(differenceOf([a, a], [a])).toEqual({ onlyFirst: 1, onlyOther: 0, both: 1 })
  expect(differenceOf([a], [{ ...a, enable: false }])).toEqual({ onlyFirst: 1, onlyOther: 1, both: 0 })
})
