import { expect, test } from 'vitest'
import { missingPlace, missingSystem } from './missing-choices.ts'

test('a coordinate system is missing until one is chosen', () => {
  expect(missingSystem('Plan', null)).toEqual(['Koordinatensystem (Plan)'])
  expect(missingSystem('Plan', undefined)).toEqual(['Koordinatensystem (Plan)'])
  expect(missingSystem('Plan', 25832)).toEqual([])
})

test.each([
  ['no table', undefined, []],
  ['both columns', { x: 'Ost', y: 'Nord', wkt: '' }, []],
  ['as WKT', { x: '', y: '', wkt: 'Form' }, []],
  ['nothing', { x: '', y: '', wkt: '' }, ['Spalten mit Ost- und Nordwert oder mit WKT (Plan)']],
  ['easting only', { x: 'Ost', y: '', wkt: '' }, ['Spalte mit dem Nordwert (Plan)']],
  ['northing only', { x: '', y: 'Nord', wkt: '' }, ['Spalte mit dem Ostwert (Plan)']],
  [
    'one column twice',
    { x: 'Ost', y: 'Ost', wkt: '' },
    ['zwei verschiedene Spalten für Ost- und Nordwert (Plan)'],
  ],
])('the place: %s', (_, ort, missing) => expect(missingPlace('Plan', ort)).toEqual(missing))
