// What a map on paper needs: how large, and which piece of the ground, so that a millimetre stands for what the scale says.

export const MASSSTAEBE = [500, 1_000, 1_500, 2_000, 2_500, 5_000, 10_000, 15_000, 25_000] as const
export const BLAETTER = { a4: [210, 297], a3: [297, 420] } as const
export type Blatt = keyof typeof BLAETTER
export type Lage = 'hoch' | 'quer'

/** Millimetres. */
export interface Flaeche {
  readonly x: number
  readonly y: number
  readonly breite: number
  readonly hoehe: number
}
export interface Blattmass {
  readonly breite: number
  readonly hoehe: number
  /** The map. */
  readonly karte: Flaeche
  /** Below it: legend, scale, whose map it is. */
  readonly fuss: Flaeche
}

const RAND = 10
const KOPF = 14
const FUSS = 34

export function blattmass(blatt: Blatt, lage: Lage): Blattmass {
  const [short, long] = BLAETTER[blatt]
  const [breite, hoehe] = lage === 'hoch' ? [short, long] : [long, short]
  const wide = breite - 2 * RAND
  return {
    breite,
    hoehe,
    karte: { x: RAND, y: RAND + KOPF, breite: wide, hoehe: hoehe - 2 * RAND - KOPF - FUSS },
    fuss: { x: RAND, y: hoehe - RAND - FUSS + 3, breite: wide, hoehe: FUSS - 3 },
  }
}

/** WGS 84, in metres. Web mercator reckons on a sphere of this radius; the ground is the ellipsoid. */
const A = 6_378_137
const E2 = 0.006_694_379_990_14

/** Metres on the ground per unit of web mercator, towards east and towards north: at 52° they differ by a quarter of a per cent, which is half a millimetre on a sheet. */
export function bodenJeEinheit(y: number): readonly [ost: number, nord: number] {
  const latitude = 2 * Math.atan(Math.exp(y / A)) - Math.PI / 2
  const w = 1 - E2 * Math.sin(latitude) ** 2
  const cosine = Math.cos(latitude)
  return [cosine / Math.sqrt(w), (cosine * (1 - E2)) / w ** 1.5]
}

export interface Kartenbild {
  /** CSS pixels that the map is drawn in; whole ones. */
  readonly pixelBreite: number
  readonly pixelHoehe: number
  /** Units of web mercator per pixel. */
  readonly aufloesung: number
  /** Where the picture lies on paper: a little larger than the frame, which cuts it. */
  readonly lage: Flaeche
}

/** Pixels of the screen on a millimetre, for the size of signs and letters. */
const PIXEL_JE_MM = 96 / 25.4

/** @param mitte of the map in web mercator */
export function kartenbild(karte: Flaeche, massstab: number, mitte: readonly [number, number]): Kartenbild {
  const [ost, nord] = bodenJeEinheit(mitte[1])
  // Across, a pixel is as large as on the screen; along, it is what the ellipsoid leaves.
  const aufloesung = massstab / 1000 / PIXEL_JE_MM / ost
  const mmBreit = (aufloesung * ost * 1000) / massstab
  const mmHoch = (aufloesung * nord * 1000) / massstab
  const pixelBreite = Math.ceil(karte.breite / mmBreit)
  const pixelHoehe = Math.ceil(karte.hoehe / mmHoch)
  const [breite, hoehe] = [pixelBreite * mmBreit, pixelHoehe * mmHoch]
  return {
    pixelBreite,
    pixelHoehe,
    aufloesung,
    lage: { x: karte.x + (karte.breite - breite) / 2, y: karte.y + (karte.hoehe - hoehe) / 2, breite, hoehe },
  }
}

/** Where a place lies on the sheet, in millimetres. */
export function ortAufBlatt(
  { lage, pixelBreite, pixelHoehe, aufloesung }: Kartenbild,
  mitte: readonly [number, number],
  ort: readonly [number, number],
): readonly [number, number] {
  const px = (ort[0] - mitte[0]) / aufloesung + pixelBreite / 2
  const py = (mitte[1] - ort[1]) / aufloesung + pixelHoehe / 2
  return [lage.x + (px / pixelBreite) * lage.breite, lage.y + (py / pixelHoehe) * lage.hoehe]
}

/** A bar of a round length that takes a third of the room at most: metres. */
export function massstabsleiste(massstab: number, mm: number): number {
  const most = (mm * massstab) / 1000
  const power = 10 ** Math.floor(Math.log10(most))
  return [5, 2, 1].map((times) => times * power).find((length) => length <= most) ?? power
}
