// What a map on paper needs: how large, and which piece of the ground, so that a millimetre stands for what the scale says.

export const SCALES = [500, 1_000, 1_500, 2_000, 2_500, 5_000, 10_000, 15_000, 25_000] as const
export const SHEETS = { a4: [210, 297], a3: [297, 420] } as const
export type Sheet = keyof typeof SHEETS
export type Orientation = 'hoch' | 'quer'

/** Millimetres. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly breite: number
  readonly hoehe: number
}
export interface SheetLayout {
  readonly breite: number
  readonly hoehe: number
  /** The map. */
  readonly karte: Area
  /** Below it: legend, scale, whose map it is. */
  readonly fuss: Area
}

const MARGIN = 10
const HEAD = 14
const FUSS = 34

export function sheetLayout(singleSheet: Sheet, lage: Orientation): SheetLayout {
  const [short, long] = SHEETS[singleSheet]
  const [breite, hoehe] = lage === 'hoch' ? [short, long] : [long, short]
  const wide = breite - 2 * MARGIN
  return {
    breite,
    hoehe,
    karte: { x: MARGIN, y: MARGIN + HEAD, breite: wide, hoehe: hoehe - 2 * MARGIN - HEAD - FUSS },
    fuss: { x: MARGIN, y: hoehe - MARGIN - FUSS + 3, breite: wide, hoehe: FUSS - 3 },
  }
}

/** WGS 84, in metres. Web mercator reckons on a sphere of this radius; the ground is the ellipsoid. */
const A = 6_378_137
const E2 = 0.006_694_379_990_14

/** Metres on the ground per unit of web mercator, towards east and towards north: at 52° they differ by a quarter of a per cent, which is half a millimetre on a sheet. */
export function groundPerUnit(y: number): readonly [ost: number, nord: number] {
  const latitude = 2 * Math.atan(Math.exp(y / A)) - Math.PI / 2
  const w = 1 - E2 * Math.sin(latitude) ** 2
  const cosine = Math.cos(latitude)
  return [cosine / Math.sqrt(w), (cosine * (1 - E2)) / w ** 1.5]
}

export interface KartePicture {
  /** CSS pixels that the map is drawn in; whole ones. */
  readonly pixelWidth: number
  readonly pixelHeight: number
  /** Units of web mercator per pixel. */
  readonly aufloesung: number
  /** Where the picture lies on paper: a little larger than the frame, which cuts it. */
  readonly lage: Area
}

/** Pixels of the screen on a millimetre, for the size of signs and letters. */
const PIXEL_PER_MM = 96 / 25.4

/** @param mitte of the map in web mercator */
export function kartePicture(karte: Area, scale: number, center: readonly [number, number]): KartePicture {
  const [ost, nord] = groundPerUnit(center[1])
  // Across, a pixel is as large as on the screen; along, it is what the ellipsoid leaves.
  const aufloesung = scale / 1000 / PIXEL_PER_MM / ost
  const mmWide = (aufloesung * ost * 1000) / scale
  const mmHigh = (aufloesung * nord * 1000) / scale
  const pixelWidth = Math.ceil(karte.breite / mmWide)
  const pixelHeight = Math.ceil(karte.hoehe / mmHigh)
  const [breite, hoehe] = [pixelWidth * mmWide, pixelHeight * mmHigh]
  return {
    pixelWidth,
    pixelHeight,
    aufloesung,
    lage: { x: karte.x + (karte.breite - breite) / 2, y: karte.y + (karte.hoehe - hoehe) / 2, breite, hoehe },
  }
}

/** Where a place lies on the sheet, in millimetres. */
export function placeOnSheet(
  { lage, pixelWidth, pixelHeight, aufloesung }: KartePicture,
  center: readonly [number, number],
  ort: readonly [number, number],
): readonly [number, number] {
  const px = (ort[0] - center[0]) / aufloesung + pixelWidth / 2
  const py = (center[1] - ort[1]) / aufloesung + pixelHeight / 2
  return [lage.x + (px / pixelWidth) * lage.breite, lage.y + (py / pixelHeight) * lage.hoehe]
}

/** A bar of a round length that takes a third of the room at most: metres. */
export function scaleBar(scale: number, mm: number): number {
  const most = (mm * scale) / 1000
  const power = 10 ** Math.floor(Math.log10(most))
  return [5, 2, 1].map((times) => times * power).find((length) => length <= most) ?? power
}
