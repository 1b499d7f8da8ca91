import { expect, test } from 'vitest'
import { importOrte, vereint } from './import-orte.ts'

test('each row is one point: by what becomes of it, or as one with a fault', () =>
  expect(
    importOrte(
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
    ),
  ).toEqual([
    { id: 1, lon: 12.1, lat: 51.1, art: 0 },
    { id: 2, lon: 12.2, lat: 51.2, art: 3 },
    { id: 3, lon: 12.3, lat: 51.3, art: 2 },
    { id: 4, lon: 12.4, lat: 51.4, art: 1 },
  ]))
test('what is shown holds both', () => {
  expect(vereint([0, 1, 2, 3], [-1, 2, 1, 9])).toEqual([-1, 1, 2, 9])
  expect(vereint(null, [1, 2, 3, 4])).toEqual([1, 2, 3, 4])
  expect(vereint(null, null)).toBeNull()
})
