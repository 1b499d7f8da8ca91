import proj4 from 'proj4'
import { describe, expect, test } from 'vitest'
import type { KarteResult, KarteSeam } from '#contract/karte-mosaic.ts'
import { createConverter, type Projector } from '#domain/projection.ts'
import { aloneOf, moved, pairsOf, ringIn, sizeOf, suggestedName, usualSystem } from './merge-sheets.ts'
import { alongText, doubtText, fits, offsetText, seamTone, trustText } from './merge-words.ts'

const CONVERTER = createConverter(proj4 as unknown as Projector, null)
const sheet = (karte_id: number, east: number, more: Partial<KarteResult> = {}): KarteResult => ({
  karte_id,
  map_name: `Blatt ${karte_id}`,
  client_id: 2,
  datei_id: karte_id + 100,
  epsg: 25833,
  umriss: [
    [412_000 + east, 5_987_000],
    [412_500 + east, 5_987_000],
    [412_500 + east, 5_987_400],
    [412_000 + east, 5_987_400],
    [412_000 + east, 5_987_000],
  ],
  breite: 1000,
  hoehe: 800,
  sha256: String(karte_id),
  ...more,
})

describe('sheets', () => {
  test('are neighbours where they overlap or touch, whatever their order', () => {
    const sheets = [sheet(3, 1000), sheet(1, 0), sheet(2, 480)]
    const pairs = pairsOf(CONVERTER, sheets)
    expect(
      pairs.map(({ first, second, neighbourhood }) => [first.karte_id, second.karte_id, neighbourhood.art]),
    ).toEqual([[1, 2, 'ueberlappt']])
    expect(aloneOf(sheets, pairs).map(({ karte_id }) => karte_id)).toEqual([3])
  })
  test('of a system that this device cannot convert have no edge', () => {
    expect(ringIn(CONVERTER, sheet(1, 0, { epsg: 31469 }), 25833)).toBeNull()
    expect(ringIn(CONVERTER, sheet(1, 0), 25833)).toHaveLength(5)
  })
  test('move up and down, not beyond the ends', () => {
    expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
    expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c'])
    expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c'])
  })
  test('become a mosaic in the system of most of them, as fine as the finest', () => {
    expect(usualSystem([sheet(1, 0, { epsg: 4647 }), sheet(2, 0), sheet(3, 0)])).toBe(25833)
    const sheets = [sheet(1, 0), sheet(2, 500, { breite: 2000, hoehe: 1600 })]
    const size = sizeOf(CONVERTER, sheets, 25833, null)
    expect(size).toMatchObject({ aufloesung: 0.25, breite: 4000, hoehe: 1600 })
    expect(sizeOf(CONVERTER, sheets, 25833, 1)).toMatchObject({ breite: 1000, hoehe: 400 })
    expect(sizeOf(CONVERTER, sheets, 25833, 0.001)).toBe('zu_gross')
    expect(sizeOf(CONVERTER, sheets, 31469, null)).toBeNull()
    const elsewhere = sizeOf(CONVERTER, sheets, 25832, null)
    expect(elsewhere !== null && typeof elsewhere !== 'string' && elsewhere.aufloesung).toBeCloseTo(0.25, 1)
  })
  test.each([
    [['Nord Blatt 1', 'Nord Blatt 2'], 'Nord'],
    [['Gut Ahlen, Blatt 1', 'Gut Ahlen, Blatt 12'], 'Gut Ahlen'],
    [['Plan Nr. 3', 'Plan Nr. 4'], 'Plan'],
    [['A1', 'A2'], 'A1'],
    [['Nord', 'Süd'], 'Nord'],
  ])('%j suggest the name %s', (names, expected) => {
    expect(suggestedName(names.map((map_name) => ({ map_name })))).toBe(expected)
  })
})

describe('a seam is said in words', () => {
  type Measured = Extract<KarteSeam, { art: 'gemessen' }>
  const seam = (easting: number, north: number, more: Partial<Measured> = {}): Measured => ({
    art: 'gemessen',
    ost: easting,
    nord: north,
    vertrauen: 0.876,
    aufloesung: 0.05,
    teile: [null, null, null],
    bild: null,
    ...more,
  })
  test.each([
    [0.3, 0.3, '0,42 m nach Nordosten'],
    [0, -1.234, '1,23 m nach Süden'],
    [-12.34, 0, '12,3 m nach Westen'],
    [0.05, 0.02, 'passt auf 0,10 m'],
  ])('%f east and %f north: %s', (easting, north, expected) => {
    expect(offsetText(seam(easting, north))).toBe(expected)
  })
  test('with its tone: fits, does not, unknown', () => {
    expect(seamTone(seam(0.01, 0))).toBe('success')
    expect(seamTone(seam(1, 0))).toBe('warning')
    expect(seamTone({ art: 'unsicher', grund: 'mehrdeutig', bild: null })).toBe('neutral')
    // Coarse pixels say less.
    expect(fits(seam(0.5, 0, { aufloesung: 0.4 }))).toBe(true)
    expect(trustText(seam(1, 0))).toBe('Korrelation 88 %')
  })
  test('changes along the seam where a sheet is turned', () => {
    const parts = [{ ost: 0.1, nord: 0 }, null, { ost: 0.1, nord: 0.9 }]
    expect(alongText(seam(0.1, 0.4, { teile: parts }))).toBe(
      'Der Versatz ändert sich entlang der Naht um 0,90 m: Ein Blatt ist vermutlich verdreht oder verzogen.',
    )
    // Turned about the middle of the seam, it fits on average, and is not called good.
    const turned = seam(0, 0, {
      teile: [
        { ost: 0, nord: -1 },
        { ost: 0, nord: 0 },
        { ost: 0, nord: 1 },
      ],
    })
    expect(alongText(turned)).toContain('um 2,00 m')
    expect(seamTone(turned)).toBe('warning')
    expect(alongText(seam(0.1, 0.4, { teile: [parts[0]!, { ost: 0.15, nord: 0.1 }, null] }))).toBeNull()
  })
  test('each doubt has a sentence', () => {
    const all = ['ohne_ueberlappung', 'zu_schmal', 'wenig_gezeichnet', 'mehrdeutig', 'ungleich'] as const
    expect(new Set(all.map(doubtText)).size).toBe(all.length)
  })
})
