import { describe, expect, test } from 'vitest'
import { mercator } from '../../karte/mercator.ts'
import { parsePlaceText, placeOf, showPlaces } from './place-text.ts'

describe('where a survey object lies, as text', () => {
  test('a point comes back as it was shown, with comma or dot, with and without a degree sign', () => {
    expect(showPlaces('12.9 53.5')).toBe('53,50000000 12,90000000')
    for (const typed of [
      '53,5 12,9',
      ' 53.5   12.9 ',
      '53,5° 12,9°',
      '53,5; 12,9',
      '53.50000000 12.90000000',
    ])
      expect(parsePlaceText('schacht', typed), typed).toEqual({ lage: '12.9 53.5' })
  })
  test('the parts of a drain are kept', () => {
    const place = '12.9 53.5,12.901 53.5;12.91 53.6,12.911 53.6'
    expect(parsePlaceText('draenage', showPlaces(place))).toEqual({ lage: place })
  })
  test.each([
    ['schacht', '', 'genau einen Punkt'],
    ['schacht', '53,5', 'Breite und Länge'],
    ['schacht', 'hier', 'Breite und Länge'],
    ['schacht', '12,9 53,5', 'Breite steht vor Länge'],
    ['schacht', '53,5 12,9\n53,6 12,9', 'genau einen Punkt'],
    ['draenage', '53,5 12,9', 'mindestens zwei Punkte'],
    ['draenage', '53,5 12,9\n53,5 12,9', 'mindestens zwei Punkte'],
    ['draenage', '53,5 12,9\n\n53,5 12,8\n53,4 12,8', 'mindestens zwei Punkte'],
    ['draenage', Array.from({ length: 1_001 }, (_, at) => `53,5 12,9${at}`).join('\n'), 'höchstens 1.000'],
  ] as const)('%s at "%s" is refused with a sentence', (table, typed, said) => {
    const parsed = parsePlaceText(table, typed)
    expect('fault' in parsed ? parsed.fault : parsed).toContain(said)
  })
  test('of the map’s coordinates, to the eighth decimal place', () => {
    const [x, y] = mercator(12.9, 53.5)
    expect(placeOf([x, y])).toBe('12.9 53.5')
    const [a, b] = [mercator(12.9, 53.5), mercator(12.91, 53.51)]
    expect(placeOf([[a, b]])).toBe('12.9 53.5,12.91 53.51')
  })
})
