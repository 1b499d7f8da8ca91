import * as fc from 'fast-check'
import proj4 from 'proj4'
import { describe, expect, test } from 'vitest'
import { createConverter, type Projector } from '#domain/projection.ts'
import {
  type Sheet,
  sheetLayout,
  groundPerUnit,
  kartePicture,
  type KartePicture,
  type Orientation,
  SCALES,
  SHEETS,
  scaleBar,
  scaleShowing,
} from './sheet-layout.ts'
import { PdfPage } from './pdf.ts'

const { conversion } = createConverter(proj4 as unknown as Projector, null)
const toMercator = conversion(25833, 3857)
type Place = readonly [number, number]

/** Position of a place on the sheet, in millimetres. */
function placeOnSheet(
  { lage, pixelWidth, pixelHeight, aufloesung }: KartePicture,
  centre: Place,
  ort: Place,
): Place {
  const px = (ort[0] - centre[0]) / aufloesung + pixelWidth / 2
  const py = (centre[1] - ort[1]) / aufloesung + pixelHeight / 2
  return [lage.x + (px / pixelWidth) * lage.breite, lage.y + (py / pixelHeight) * lage.hoehe]
}

describe('the scale', () => {
  const sheets = (Object.keys(SHEETS) as Sheet[]).flatMap((singleSheet) =>
    (['hoch', 'quer'] as Orientation[]).map((situation) => [singleSheet, situation] as const),
  )
  test.each(sheets.flatMap((sheet) => SCALES.map((scale) => [...sheet, scale] as const)))(
    '%s %s 1 : %i: a distance in the field is that long on paper, across and along',
    (singleSheet, situation, scale) => {
      const { karte } = sheetLayout(singleSheet, situation)
      // Between Schwerin and Dresden, away from the central meridian, where UTM itself shrinks lengths.
      const field: Place = [318_000, 5_830_000]
      const centre = toMercator(field)
      const picture = kartePicture(karte, scale, centre)
      const paper = (ort: Place) => placeOnSheet(picture, centre, toMercator(ort))
      for (const along of [0, Math.PI / 4, Math.PI / 2]) {
        // Half of what fits. UTM's scale factor can be ignored: here it is 1.0000 within 5e-5.
        const metres = (Math.min(karte.breite, karte.hoehe) * scale) / 2000
        const [a, b] = [-0.5, 0.5].map((side) =>
          paper([field[0] + side * metres * Math.cos(along), field[1] + side * metres * Math.sin(along)]),
        ) as [Place, Place]
        const mm = Math.hypot(b[0] - a[0], b[1] - a[1])
        expect(Math.abs(mm / ((metres * 1000) / scale) - 1)).toBeLessThan(0.001)
      }
    },
  )
  test('the one proposed shows the whole area, wide or high', () => {
    const { karte } = sheetLayout('a4', 'quer')
    const [x, y] = toMercator([318_000, 5_830_000])
    for (const [wide, high] of [
      [100, 100],
      [900, 200],
      [200, 900],
      [4_000, 3_000],
    ] as const) {
      const scale = scaleShowing(karte, [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2])
      const picture = kartePicture(karte, scale, [x, y])
      const [left, top] = placeOnSheet(picture, [x, y], [x - wide / 2, y + high / 2])
      expect(left, `${wide} ${high} 1:${scale}`).toBeGreaterThanOrEqual(karte.x - 1e-6)
      expect(top, `${wide} ${high} 1:${scale}`).toBeGreaterThanOrEqual(karte.y - 1e-6)
    }
    expect(scaleShowing(karte, [x, y, x + 1e6, y + 1])).toBe(SCALES.at(-1))
  })
  test('the middle of the map is the middle of its frame, and the picture fills the frame', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...sheets),
        fc.constantFrom(...SCALES),
        fc.double({ min: 5_900_000, max: 7_400_000, noNaN: true }),
        ([singleSheet, situation], scale, y) => {
          const { karte } = sheetLayout(singleSheet, situation)
          const picture = kartePicture(karte, scale, [1_300_000, y])
          const [mx, my] = placeOnSheet(picture, [1_300_000, y], [1_300_000, y])
          expect(mx).toBeCloseTo(karte.x + karte.breite / 2, 6)
          expect(my).toBeCloseTo(karte.y + karte.hoehe / 2, 6)
          expect(picture.lage.x).toBeLessThanOrEqual(karte.x)
          expect(picture.lage.y).toBeLessThanOrEqual(karte.y)
          expect(picture.lage.x + picture.lage.breite).toBeGreaterThanOrEqual(karte.x + karte.breite)
          expect(picture.lage.breite - karte.breite).toBeLessThan(1)
          expect(picture.lage.hoehe - karte.hoehe).toBeLessThan(1)
        },
      ),
    ))
  test('the ellipsoid and not the sphere: along and across differ', () => {
    const [east, north] = groundPerUnit(6_800_000)
    expect(east / north).toBeGreaterThan(1.0023)
    expect(east / north).toBeLessThan(1.003)
    expect(groundPerUnit(0)[0]).toBeCloseTo(1, 9)
  })
  test.each([
    [500, 60, 20],
    [5_000, 60, 200],
    [25_000, 60, 1_000],
    [2_500, 83, 200],
  ])('1 : %i with room of %i mm has a bar of %i m', (scale, mm, metres) =>
    expect(scaleBar(scale, mm)).toBe(metres),
  )
})

describe('the file', () => {
  const page = () => {
    const pageNr = new PdfPage(297, 210)
    pageNr.bild({
      jpeg: new Uint8Array([0xff, 0xd8, 0xff, 0xd9]),
      pixelWidth: 20,
      pixelHeight: 10,
      x: 9.5,
      y: 24,
      breite: 278,
      hoehe: 142,
      frame: { x: 10, y: 24, breite: 277, hoehe: 142 },
    })
    pageNr.text([10, 17], 'Übersicht (Süd) – 1 : 5.000', { groesse: 15, bold: true })
    pageNr.line([10, 190], [110, 190], { line: '#0b5cad', breite: 0.5, dash: [2, 1] })
    pageNr.kreis([50, 50], 2, { fill: '#ffffff', line: '#000000' })
    return pageNr.write({ titel: 'Übersicht', createdAt: new Date('2026-11-21T10:00:00Z') })
  }
  const text = Buffer.from(page()).toString('latin1')
  test('has the size of the sheet, to be printed as it is', () => {
    expect(text).toContain('/MediaBox [0 0 841.8898 595.2756]')
    expect(text).toContain('/PrintScaling /None')
  })
  test('has its picture where it was put, in points, cut by the frame', () => {
    expect(text).toContain(
      '28.3465 124.7244 785.1969 402.5197 re W n 788.0315 0 0 402.5197 26.9291 124.7244 cm /Karte Do',
    )
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
