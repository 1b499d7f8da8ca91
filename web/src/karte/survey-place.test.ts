import { expect, test } from 'vitest'
import { distanceBetween } from './mercator.ts'
import {
  placesText,
  lengthOf,
  parsePlaces,
  reachOf,
  snapMeasured,
  snapTo,
  type SurveyShape,
} from './survey-place.ts'

const shape = (
  identifier: string,
  table: SurveyShape['tabelle'],
  place: string,
  surveyed = true,
): SurveyShape => ({
  kennung: identifier,
  surveyed,
  tabelle: table,
  name: identifier,
  parts: parsePlaces(place),
})
// A metre is about 0.000009 degrees north, and 0.0000151 east at this latitude.
const HERE = { lon: 12.9, lat: 53.5 }
const east = (metres: number) => ({ lon: 12.9 + metres * 0.0000151, lat: 53.5 })
const SHAPES = [
  shape('S1', 'schacht', placesText([[east(1.5)]])),
  shape(
    'D1',
    'draenage',
    placesText([
      [east(-1), east(-50)],
      [east(1.5), east(60)],
    ]),
  ),
]

test('text and places are the same', () => {
  const text = '12.9 53.5,12.91 53.51;13 54,13.1 54.1'
  expect(placesText(parsePlaces(text))).toBe(text)
  expect(placesText(parsePlaces('12.123456789 53.5'))).toBe('12.12345679 53.5')
  expect([parsePlaces(''), placesText([[]])]).toEqual([[], ''])
})
test('the length is that of all parts', () => {
  const parts = parsePlaces('12.9 53.5,12.9 53.501,12.9 53.502;13 53.5,13 53.501')
  const step = distanceBetween(HERE, { lon: 12.9, lat: 53.501 })
  expect(lengthOf(parts)).toBeCloseTo(3 * step, 0)
  expect(lengthOf(parsePlaces('12.9 53.5'))).toBe(0)
})
test('a drain snaps to the nearest point or vertex, within the distance only', () => {
  const drain = { tabelle: 'draenage' } as const
  expect(snapTo(SHAPES, HERE, { ...drain, within: 2 })?.name).toBe('D1')
  expect(snapTo(SHAPES, HERE, { ...drain, within: 0.9 })).toBeNull()
  expect(snapTo(SHAPES, HERE, { ...drain, within: 2, except: 'D1' })).toMatchObject({
    name: 'S1',
    ...east(1.5),
  })
  expect(snapTo([], HERE, { ...drain, within: 2 })).toBeNull()
})
test('where a drain ends at a manhole, the manhole is meant', () =>
  expect(snapTo(SHAPES, east(1.4), { tabelle: 'draenage', within: 2 })?.name).toBe('S1'))
test('a manhole never snaps to another one', () =>
  expect(snapTo(SHAPES, east(1.4), { tabelle: 'schacht', within: 2 })?.name).toBe('D1'))
test('a branch begins on the straight of a drain, at the foot of the perpendicular', () => {
  const straight = [shape('D5', 'draenage', placesText([[east(-50), east(50)]]))]
  const beside = { lon: 12.9, lat: 53.5 + 1 / 111_300 }
  const found = snapTo(straight, beside, { tabelle: 'draenage', within: 2 })
  expect(found).toMatchObject({ name: 'D5', lon: expect.closeTo(12.9, 7), lat: expect.closeTo(53.5, 7) })
  expect(found?.meter).toBeCloseTo(1, 2)
  expect(snapTo(straight, beside, { tabelle: 'ausmuendung', within: 2 })?.name).toBe('D5')
  expect(snapTo(straight, beside, { tabelle: 'draenage', within: 0.9 })).toBeNull()
  expect(snapTo(straight, beside, { tabelle: 'draenage', within: 2, except: 'D5' })).toBeNull()
})
test('within reach a manhole and a bend come before a straight that is nearer', () => {
  const straight = shape('D6', 'draenage', placesText([[east(-50), east(0.9), east(50)]]))
  const beside = { lon: 12.9, lat: 53.5 + 0.2 / 111_300 }
  const manhole = shape('S2', 'schacht', placesText([[{ lon: 12.9, lat: 53.5 - 1 / 111_300 }]]))
  const drain = { tabelle: 'draenage', within: 2 } as const
  expect(snapTo([straight], beside, drain)).toMatchObject(east(0.9))
  for (const shapes of [
    [shape('D7', 'draenage', placesText([[east(-50), east(50)]])), manhole],
    [manhole, shape('D7', 'draenage', placesText([[east(-50), east(50)]]))],
  ])
    expect(snapTo(shapes, beside, drain)?.name).toBe('S2')
})

test('a measured place is not moved further than its error reaches', () => {
  expect([0.014, 0.4, 5].map(reachOf)).toEqual([0.1, expect.closeTo(1.2), 2])
  const drains = [shape('D2', 'draenage', placesText([[east(0.3), east(50)]]))]
  const manhole = { tabelle: 'schacht' } as const
  expect(snapMeasured(drains, { ...HERE, accuracy: 0.014 }, manhole)).toEqual({ found: null, beside: null })
  expect(snapMeasured(drains, { ...HERE, accuracy: 0.2 }, manhole).found).toMatchObject(east(0.3))
})
test('a measured place never takes that of something that was not surveyed', () => {
  const plan = shape('D3', 'draenage', placesText([[east(0.05), east(50)]]), false)
  const manhole = { tabelle: 'schacht' } as const
  expect(snapMeasured([plan], { ...HERE, accuracy: 0.014 }, manhole)).toMatchObject({
    found: null,
    beside: { name: 'D3' },
  })
  const surveyed = shape('D4', 'draenage', placesText([[east(-0.08), east(-50)]]))
  expect(snapMeasured([plan, surveyed], { ...HERE, accuracy: 0.014 }, manhole)).toMatchObject({
    found: { name: 'D4', of: surveyed },
    beside: null,
  })
})
