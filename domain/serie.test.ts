import { expect, test } from 'vitest'
import { type SerieLine, serieChanges, type SerieStand } from './serie.ts'

const line = (more: Partial<SerieLine> = {}): SerieLine => ({
  bez: 'Monitoring {zeitraum}',
  anzahl: '1',
  einheit: 'psch',
  ep: '100.00',
  rabatt_prozent: '0.00',
  betrag: '100.00',
  ...more,
})
const stand = (rows: readonly SerieLine[], more: Partial<SerieStand> = {}): SerieStand => ({
  zeilen: rows,
  steuern: [{ kategorie: 'S', satz: '19.00' }],
  leistungsort: null,
  netto: '100.00',
  brutto: '119.00',
  ...more,
})

test('equal runs have no changes', () => {
  expect(serieChanges(stand([line()]), stand([line()]))).toEqual([])
})

test('price, quantity and discount of a line are named with both values', () => {
  const now = line({ ep: '110.00', anzahl: '2', rabatt_prozent: '5.00' })
  expect(serieChanges(stand([line()]), stand([now]))).toEqual([
    { art: 'preis', bez: 'Monitoring {zeitraum}', from: '100.00', to: '110.00' },
    { art: 'menge', bez: 'Monitoring {zeitraum}', from: '1', to: '2' },
    { art: 'rabatt', bez: 'Monitoring {zeitraum}', from: '0.00', to: '5.00' },
  ])
})

test('lines that came and went, also beside others of the same words', () => {
  const more = line({ bez: 'Anfahrt', einheit: 'km', betrag: '7.00' })
  expect(serieChanges(stand([line(), line()]), stand([more, line()]))).toEqual([
    { art: 'neu', bez: 'Anfahrt', betrag: '7.00' },
    { art: 'weg', bez: 'Monitoring {zeitraum}', betrag: '100.00' },
  ])
})

test('another rate or place of supply is named, also without another line', () => {
  const now = stand([line()], {
    steuern: [{ kategorie: 'AE', satz: '0.00' }],
    leistungsort: 'kein_grundstueck',
  })
  expect(serieChanges(stand([line()]), now)).toEqual([
    { art: 'steuer', from: 'S 19.00', to: 'AE 0.00' },
    { art: 'ort', from: '', to: 'kein_grundstueck' },
  ])
})
