import { expect, test } from 'vitest'
import { mercator } from '../../karte/mercator.ts'
import { heapsOf, importPlaces, boxOfPlaces, unionOf } from './import-places.ts'

test('each row is one point: by what becomes of it, or as one with a fault', () => {
  const places = importPlaces(
    [
      [1, 12.1, 51.1, 'neu', '7', 'bu'],
      [2, 12.2, 51.2, 'unveraendert', null, 'tei'],
      [3, 12.3, 51.3, 'geaendert', '9', 'fi'],
    ],
    [
      { nr: 4, feld: 'bhd_cm', regel: 'habitat_bhd', wert: '0', ort: [12.4, 51.4] },
      { nr: 4, feld: 'zustand', regel: 'habitat_wort', wert: 'halb', ort: [12.4, 51.4] },
      { nr: 5, feld: 'lage', regel: 'geometrie_leer', wert: '' },
      { nr: 6, feld: 'lage', regel: 'habitat_lage', wert: '', ort: [412_000, 90] },
    ],
  )
  expect(places.map(({ nr, zeichen }) => [nr, zeichen])).toEqual([
    [1, 0],
    [2, 3],
    [3, 2],
    [4, 1],
  ])
  expect([places[1]!.x, places[1]!.y]).toEqual(mercator(12.2, 51.2))
})
test('neighbours are one heap, faults always stand by themselves and above', () => {
  const places = [
    { nr: 1, x: 10, y: 10, zeichen: 1 },
    { nr: 2, x: 20, y: 12, zeichen: 0 },
    { nr: 3, x: 30, y: 11, zeichen: 2 },
    { nr: 4, x: 900, y: 11, zeichen: 3 },
  ]
  expect(heapsOf(places, 6)).toEqual([
    { anzahl: 2, id: 2, zeichen: 0, kasten: [20, 11, 30, 12] },
    { anzahl: 1, id: 4, zeichen: 3, kasten: [900, 11, 900, 11] },
    { anzahl: 1, id: 1, zeichen: 1, kasten: [10, 10, 10, 10] },
  ])
  expect(heapsOf(places, null).map(({ anzahl }) => anzahl)).toEqual([1, 1, 1, 1])
  expect(boxOfPlaces(places)).toEqual([10, 10, 900, 12])
})
test('what is shown holds both', () => {
  expect(unionOf([0, 1, 2, 3], [-1, 2, 1, 9])).toEqual([-1, 1, 2, 9])
  expect(unionOf(null, [1, 2, 3, 4])).toEqual([1, 2, 3, 4])
  expect(unionOf(null, null)).toBeNull()
})
