import * as fc from 'fast-check'
import proj4 from 'proj4'
import { describe, expect, test } from 'vitest'
import { createUmrechner, type Projektor } from '#domain/projektion.ts'
import { type Blatt, blattmass, bodenJeEinheit, kartenbild, type Lage, MASSSTAEBE, massstabsleiste, ortAufBlatt } from './druck-mass.ts'
import { PdfSeite } from './pdf.ts'

const { umrechnung } = createUmrechner(proj4 as unknown as Projektor, null)
const toMercator = umrechnung(25833, 3857)
type Ort = readonly [number, number]

describe('the scale', () => {
  const sheets = (['a4', 'a3'] as Blatt[]).flatMap((blatt) => (['hoch', 'quer'] as Lage[]).map((lage) => [blatt, lage] as const))
  test.each(sheets.flatMap((sheet) => MASSSTAEBE.map((massstab) => [...sheet, massstab] as const)))(
    '%s %s 1 : %i: a distance in the field is that long on paper, across and along',
    (blatt, lage, massstab) => {
      const { karte } = blattmass(blatt, lage)
      // Between Schwerin and Dresden; not in the middle meridian, where UTM itself shrinks.
      const feld: Ort = [318_000, 5_830_000]
      const mitte = toMercator(feld)
      const bild = kartenbild(karte, massstab, mitte)
      const paper = (ort: Ort) => ortAufBlatt(bild, mitte, toMercator(ort))
      for (const along of [0, Math.PI / 4, Math.PI / 2]) {
        // Half of what fits; UTM's own factor is taken out, it is 1.0000 here to 5e-5.
        const metres = (Math.min(karte.breite, karte.hoehe) * massstab) / 2000
        const [a, b] = [-0.5, 0.5].map((side) =>
          paper([feld[0] + side * metres * Math.cos(along), feld[1] + side * metres * Math.sin(along)]),
        ) as [Ort, Ort]
        const mm = Math.hypot(b[0] - a[0], b[1] - a[1])
        expect(Math.abs(mm / ((metres * 1000) / massstab) - 1)).toBeLessThan(0.001)
      }
    },
  )
  test('the middle of the map is the middle of its frame, and the picture fills the frame', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...sheets),
        fc.constantFrom(...MASSSTAEBE),
        fc.double({ min: 5_900_000, max: 7_400_000, noNaN: true }),
        ([blatt, lage], massstab, y) => {
          const { karte } = blattmass(blatt, lage)
          const bild = kartenbild(karte, massstab, [1_300_000, y])
          const [mx, my] = ortAufBlatt(bild, [1_300_000, y], [1_300_000, y])
          expect(mx).toBeCloseTo(karte.x + karte.breite / 2, 6)
          expect(my).toBeCloseTo(karte.y + karte.hoehe / 2, 6)
          expect(bild.lage.x).toBeLessThanOrEqual(karte.x)
          expect(bild.lage.y).toBeLessThanOrEqual(karte.y)
          expect(bild.lage.x + bild.lage.breite).toBeGreaterThanOrEqual(karte.x + karte.breite)
          expect(bild.lage.breite - karte.breite).toBeLessThan(1)
          expect(bild.lage.hoehe - karte.hoehe).toBeLessThan(1)
        },
      ),
    ))
  test('the ellipsoid and not the sphere: along and across differ', () => {
    const [ost, nord] = bodenJeEinheit(6_800_000)
    expect(ost / nord).toBeGreaterThan(1.0023)
    expect(ost / nord).toBeLessThan(1.003)
    expect(bodenJeEinheit(0)[0]).toBeCloseTo(1, 9)
  })
  test.each([
    [500, 60, 20],
    [5_000, 60, 200],
    [25_000, 60, 1_000],
    [2_500, 83, 200],
  ])('1 : %i with room of %i mm has a bar of %i m', (massstab, mm, metres) => expect(massstabsleiste(massstab, mm)).toBe(metres))
})

describe('the file', () => {
  const page = () => {
    const seite = new PdfSeite(297, 210)
    seite.bild({
      jpeg: new Uint8Array([0xff, 0xd8, 0xff, 0xd9]),
      pixelBreite: 20,
      pixelHoehe: 10,
      x: 9.5,
      y: 24,
      breite: 278,
      hoehe: 142,
      rahmen: { x: 10, y: 24, breite: 277, hoehe: 142 },
    })
    seite.text([10, 17], 'Übersicht (Süd) – 1 : 5.000', { groesse: 15, fett: true })
    seite.linie([10, 190], [110, 190], { linie: '#0b5cad', breite: 0.5, strich: [2, 1] })
    seite.kreis([50, 50], 2, { fuellung: '#ffffff', linie: '#000000' })
    return seite.schreibe({ titel: 'Übersicht', erzeugt: new Date('2026-11-21T10:00:00Z') })
  }
  const text = Buffer.from(page()).toString('latin1')
  test('has the size of the sheet, to be printed as it is', () => {
    expect(text).toContain('/MediaBox [0 0 841.8898 595.2756]')
    expect(text).toContain('/PrintScaling /None')
  })
  test('has its picture where it was put, in points, cut by the frame', () => {
    expect(text).toContain('28.3465 124.7244 785.1969 402.5197 re W n 788.0315 0 0 402.5197 26.9291 124.7244 cm /Karte Do')
  })
  test('a line of a hundred millimetres is that long', () => {
    const [, x1, x2] = /([\d.]+) [\d.]+ m ([\d.]+) [\d.]+ l S/.exec(text)!
    expect(Math.abs(((Number(x2) - Number(x1)) / 72) * 25.4 - 100)).toBeLessThan(0.001)
  })
  test('letters beyond ASCII stand in it, and a bracket ends nothing', () =>
    expect(text).toContain(`<${Buffer.from([0xdc]).toString('hex')}626572736963687420285374`.slice(0, 20)))
  test('every object lies where the table says', () => {
    const at = Number(/startxref\n(\d+)/.exec(text)![1])
    expect(text.slice(at, at + 4)).toBe('xref')
    const places = [...text.slice(at).matchAll(/^(\d{10}) 00000 n /gm)].map(([, place]) => Number(place))
    expect(places).toHaveLength(8)
    for (const [nr, place] of places.entries()) expect(text.slice(place, place + 7)).toBe(`${nr + 1} 0 obj`)
  })
})
