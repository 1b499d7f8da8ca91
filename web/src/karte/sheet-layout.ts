// Layout of a printed map: its size and the part of the ground it shows, so that a millimetre on paper
// matches the scale.

export const SCALES = [500, 1_000, 1_500, 2_000, 2_500, 5_000, 10_000, 15_000, 25_000, 50_000] as const
export const SHEETS = {
  a4: [210, 297],
  a3: [297, 420],
  a2: [420, 594],
  a1: [594, 841],
  a0: [841, 1189],
} as const
export type Sheet = keyof typeof SHEETS
export type Orientation = 'hoch' | 'quer'

/** In millimetres. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly breite: number
  readonly hoehe: number
}
export interface SheetLayout {
  readonly breite: number
  readonly hoehe: number
  readonly karte: Area
  /** Below the map: legend, scale, whose map it is. */
  readonly fuss: Area
  /** How much larger than on a page letters and margins are: a large sheet hangs on a wall. */
  readonly times: number
}

const TIMES: Readonly<Record<Sheet, number>> = { a4: 1, a3: 1, a2: 1.3, a1: 1.6, a0: 2 }
const MARGIN = 10
const HEAD = 14
const FUSS = 34

export function sheetLayout(singleSheet: Sheet, situation: Orientation): SheetLayout {
  const [short, long] = SHEETS[singleSheet]
  const [width, height] = situation === 'hoch' ? [short, long] : [long, short]
  const times = TIMES[singleSheet]
  const [margin, head, foot] = [MARGIN * times, HEAD * times, FUSS * times]
  const wide = width - 2 * margin
  return {
    breite: width,
    hoehe: height,
    times,
    karte: { x: margin, y: margin + head, breite: wide, hoehe: height - 2 * margin - head - foot },
    fuss: { x: margin, y: height - margin - foot + 3 * times, breite: wide, hoehe: foot - 3 * times },
  }
}

/** WGS 84 ellipsoid: semi-major axis in metres. Web Mercator treats the earth as a sphere of this radius. */
const A = 6_378_137
const E2 = 0.006_694_379_990_14

/**
 * Metres on the ground per Web Mercator unit, eastwards and northwards. At 52° they differ by a quarter of a
 * per cent, which is half a millimetre on a sheet.
 */
export function groundPerUnit(y: number): readonly [ost: number, nord: number] {
  const latitude = 2 * Math.atan(Math.exp(y / A)) - Math.PI / 2
  const w = 1 - E2 * Math.sin(latitude) ** 2
  const cosine = Math.cos(latitude)
  return [cosine / Math.sqrt(w), (cosine * (1 - E2)) / w ** 1.5]
}

/** The largest scale at which an area in Web Mercator is whole on so many millimetres of paper; else the smallest. */
export function scaleShowing(
  { breite, hoehe }: Pick<Area, 'breite' | 'hoehe'>,
  [west, south, east, north]: readonly [number, number, number, number],
): number {
  const [easting, northing] = groundPerUnit((south + north) / 2)
  const need = Math.max(
    ((east - west) * easting * 1000) / breite,
    ((north - south) * northing * 1000) / hoehe,
  )
  return SCALES.find((scale) => scale >= need) ?? SCALES.at(-1)!
}

export interface KartePicture {
  /** Size of the rendered map in whole CSS pixels. */
  readonly pixelWidth: number
  readonly pixelHeight: number
  /** Web Mercator units per pixel. */
  readonly aufloesung: number
  /** Position of the image on paper: slightly larger than the frame, which clips it. */
  readonly lage: Area
}

/** Screen pixels per millimetre; sets the size of symbols and letters. */
const PIXEL_PER_MM = 96 / 25.4

/** @param centre of the map in Web Mercator */
export function kartePicture(karte: Area, scale: number, centre: readonly [number, number]): KartePicture {
  const [east, north] = groundPerUnit(centre[1])
  // Horizontally a pixel is as large as on screen; vertically the ellipsoid determines it.
  const resolution = scale / 1000 / PIXEL_PER_MM / east
  const mmWide = (resolution * east * 1000) / scale
  const mmHigh = (resolution * north * 1000) / scale
  const pixelWidth = Math.ceil(karte.breite / mmWide)
  const pixelHeight = Math.ceil(karte.hoehe / mmHigh)
  const [width, height] = [pixelWidth * mmWide, pixelHeight * mmHigh]
  return {
    pixelWidth,
    pixelHeight,
    aufloesung: resolution,
    lage: {
      x: karte.x + (karte.breite - width) / 2,
      y: karte.y + (karte.hoehe - height) / 2,
      breite: width,
      hoehe: height,
    },
  }
}

/** Length of the scale bar in metres: a round number, at most `mm` on paper. */
export function scaleBar(scale: number, mm: number): number {
  const most = (mm * scale) / 1000
  const power = 10 ** Math.floor(Math.log10(most))
  return [5, 2, 1].map((times) => times * power).find((length) => length <= most) ?? power
}
