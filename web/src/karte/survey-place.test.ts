import { expect, test } from 'vitest'
import { distanceBetween } from './mercator.ts'
import { placesText, lengthOf, parsePlaces, snapTo, type SurveyShape } from './survey-place.ts'

const shape = (kennung: string, tabelle: SurveyShape['tabelle'], lage: string): SurveyShape => ({
  kennung,
  tabelle,
  name: kennung,
  parts: parsePlaces(lage),
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
