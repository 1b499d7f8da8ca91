// The transitions of the georeferencer, without a browser.
import { describe, expect, test } from 'vitest'
import { stateOf, type NewPoint, type Values } from '#domain/georef/session.ts'
import {
  addPoint,
  cancel,
  changeSystem,
  type GeorefState,
  georefStore,
  loadPoints,
  magnified,
  nudge,
  perform,
  placeOnKarte,
  placeOnScan,
  redoNext,
  removePoints,
  scanPlaceOf,
  standOf,
  undo,
} from './georef-store.ts'

const VALUES: Values = { typ: 'polynom1', epsg: 25833, res: null, label: null }
const POINT: NewPoint = { ost: 412_000, nord: 5_987_000, spalte: 10, zeile: 20 }
const begin = (...points: readonly NewPoint[]) => georefStore(stateOf(VALUES, points))

describe('setting a point', () => {
  test('begins on either side and ends on the other, where it is selected and announced', () => {
    const empty = begin().get()
    expect(empty.placing).toBe(true)
    const half = placeOnScan(empty, { spalte: 10, zeile: 20 })
    expect(half).toMatchObject({ gewaehlt: null, announcement: expect.stringContaining('auf der Karte') })
    const whole = placeOnKarte(half, { ost: 412_000, nord: 5_987_000 })
    expect(standOf(whole)).toMatchObject({ half: null, punkte: [{ id: 1, ...POINT }] })
    expect(whole).toMatchObject({ gewaehlt: 1, announcement: 'Punkt 1 gesetzt.' })
    const other = placeOnScan(placeOnKarte(whole, { ost: 1, nord: 2 }), { spalte: 3, zeile: 4 })
    expect(other).toMatchObject({ gewaehlt: 2, announcement: 'Punkt 2 gesetzt.' })
  })
  test('by its figures drops an open half', () => {
    const half = placeOnScan(begin().get(), { spalte: 1, zeile: 1 })
    const typed = addPoint(half, POINT)
    expect(standOf(typed)).toMatchObject({ half: null, punkte: [POINT] })
    expect(typed.gewaehlt).toBe(1)
  })
  test('is saved to a thousandth of a pixel, with rows downwards', () =>
    expect(scanPlaceOf([1.23456, -7.00049])).toEqual({ spalte: 1.235, zeile: 7 }))
})

test('escape drops an open half, then the mode, then the selection', () => {
  const half = placeOnScan(begin(POINT).get(), { spalte: 1, zeile: 1 })
  let now: GeorefState = { ...half, placing: true, gewaehlt: 1 }
  now = cancel(now)
  expect([standOf(now).half, now.placing, now.gewaehlt]).toEqual([null, true, 1])
  now = cancel(now)
  expect([now.placing, now.gewaehlt]).toEqual([false, 1])
  expect(cancel(now).gewaehlt).toBe(null)
})

test('steps back and forward are announced; without a step nothing changes', () => {
  const start = begin(POINT).get()
  expect(undo(start)).toBe(start)
  expect(redoNext(start)).toBe(start)
  const gone = removePoints(start, [1])
  expect(standOf(gone).punkte).toEqual([])
  const back = undo(gone)
  expect(standOf(back)).toBe(standOf(start))
  expect(back.announcement).toMatch(/^Zurückgenommen: /)
  const again = redoNext(back)
  expect(standOf(again).punkte).toEqual([])
  expect(again.announcement).toMatch(/^Wiederholt: /)
})

test('an action without effect keeps the state itself, so that nothing is drawn again', () => {
  const store = begin(POINT)
  let told = 0
  const stop = store.subscribe(() => told++)
  store.change((now) => perform(now, { art: 'benutzen', ids: [1], enable: true }))
  expect(told).toBe(0)
  store.change((now) => perform(now, { art: 'benutzen', ids: [1], enable: false }))
  expect(told).toBe(1)
  stop()
  store.change((now) => ({ ...now, placing: true }))
  expect(told).toBe(1)
})

describe('the arrow keys of the magnifier', () => {
  test('move the selected point, and a run of them is one step', () => {
    const chosen = { ...begin(POINT).get(), gewaehlt: 1 }
    const moved = nudge(nudge(chosen, 1, 0), 0.1, -10)
    expect(standOf(moved).punkte[0]).toMatchObject({ spalte: 11.1, zeile: 10 })
    expect(standOf(undo(moved))).toBe(standOf(chosen))
  })
  test('move an open half in the scan, and otherwise nothing', () => {
    const half = placeOnScan(begin().get(), { spalte: 5, zeile: 5 })
    expect(standOf(nudge(half, 1, 1)).half).toEqual({ scan: { spalte: 6, zeile: 6 }, karte: null })
    const start = begin(POINT).get()
    expect(nudge(start, 1, 1)).toBe(start)
  })
})

test('the magnifier shows the selected point before an open half, and that before the pointer', () => {
  const start = begin(POINT).get()
  const pointed = { ...start, pointer: { where: 'scan', ort: [7, -8] } as const }
  expect(magnified(start)).toEqual({ center: null, was: null })
  expect(magnified(pointed)).toEqual({ center: [7, -8], was: null })
  expect(magnified({ ...start, pointer: { where: 'karte', ort: [7, -8] } }).center).toBe(null)
  const half = placeOnScan(pointed, { spalte: 5, zeile: 6 })
  expect(magnified(half)).toEqual({ center: [5, -6], was: 'neuer Punkt' })
  expect(magnified({ ...half, gewaehlt: 1 })).toEqual({ center: [10, -20], was: 'Punkt 1' })
})

test('another system converts every place, the open half included', () => {
  const half = placeOnKarte(begin(POINT).get(), { ost: 1, nord: 2 })
  const now = standOf(changeSystem(half, 31468, ([east, north]) => [east + 5, north + 7]))
  expect(now.epsg).toBe(31468)
  expect(now.punkte[0]).toMatchObject({ ost: 412_005, nord: 5_987_007, spalte: 10, zeile: 20 })
  expect(now.half).toEqual({ scan: null, karte: { ost: 6, nord: 9 } })
})

test('loaded points replace the others or join them, and the selection is cleared', () => {
  const chosen = { ...begin(POINT).get(), gewaehlt: 1 }
  const loaded = { punkte: [{ ...POINT, spalte: 99 }], werte: { epsg: 31468 } }
  expect(standOf(loadPoints(chosen, loaded))).toMatchObject({ epsg: 31468, punkte: [{ spalte: 99 }] })
  const joined = loadPoints(chosen, { ...loaded, isAppended: true })
  expect(standOf(joined).punkte.map(({ id }) => id)).toEqual([1, 2])
  expect(joined.gewaehlt).toBe(null)
})
