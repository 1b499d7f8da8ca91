// What others' programs take from a georeferenced scan: a world file, control points for GDAL, and the commands as text for people.
import { type Abbildung, type Affin, type GeorefTyp, MINDESTPUNKTE, type Passpunkt } from './abbildung.ts'

/** Six lines. A world file tells the centre of the first pixel, GDAL and this product its outer corner. */
export function weltdatei([a, b, c, d, e, f]: Affin): string {
  return `${[b, e, c, f, a + (b + c) / 2, d + (e + f) / 2].map(String).join('\n')}\n`
}

/** The other way round; null for what is no world file. */
export function readWeltdatei(text: string): Affin | null {
  const numbers = text
    .trim()
    .split(/\s+/)
    .map((line) => Number(line.replace(',', '.')))
  if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return null
  const [b, e, c, f, x, y] = numbers as [number, number, number, number, number, number]
  if (b * f - c * e === 0) return null
  return [x - (b + c) / 2, b, c, y - (e + f) / 2, e, f]
}

/** Points by which GDAL makes the same transformation, and the switch that names it. */
export interface GdalPunkte {
  readonly methode: readonly ['-order', '1' | '2' | '3'] | readonly ['-tps']
  readonly punkte: readonly Passpunkt[]
}

/** A homography is told to GDAL by a spline through so many lines each way. A spline is least true at its edge, so the grid is larger than the scan: 0.004 pixels off at a tilt of 1 %. */
const GRID = 17
const BEYOND = 0.25

/**
 * GDAL fits polynomials and splines itself. The affine types become their four corners, which first order hits exactly; GDAL 3.6 knows no homography, so it gets a
 * grid of points of it.
 */
export function gdalPunkte(abbildung: Abbildung, punkte: readonly Passpunkt[], width: number, height: number): GdalPunkte {
  switch (abbildung.typ) {
    case 'polynom1':
    case 'polynom2':
    case 'polynom3':
      return { methode: ['-order', abbildung.typ.at(-1) as '1' | '2' | '3'], punkte }
    case 'tps':
      return { methode: ['-tps'], punkte }
    case 'linear':
    case 'helmert':
      return { methode: ['-order', '1'], punkte: gridOf(abbildung, width, height, 2, 0) }
    case 'projektiv':
      return { methode: ['-tps'], punkte: gridOf(abbildung, width, height, GRID, BEYOND) }
  }
}

function gridOf({ zurKarte }: Abbildung, width: number, height: number, lines: number, beyond: number): Passpunkt[] {
  const share = (line: number): number => (line / (lines - 1)) * (1 + 2 * beyond) - beyond
  return Array.from({ length: lines * lines }, (_, index) => {
    const spalte = width * share(index % lines)
    const zeile = height * share(Math.floor(index / lines))
    const [ost, nord] = zurKarte(spalte, zeile)
    return { ost, nord, spalte, zeile }
  })
}

/** Pixels to a thousandth, places to a tenth of a millimetre; degrees need more. */
const rounded = (value: number, places: number): string => String(Number(value.toFixed(places)))

export function gcpArgumente(punkte: readonly Passpunkt[], grad: boolean): string[] {
  const places = grad ? 9 : 4
  return punkte.flatMap(({ spalte, zeile, ost, nord }) => [
    '-gcp',
    rounded(spalte, 3),
    rounded(zeile, 3),
    rounded(ost, places),
    rounded(nord, places),
  ])
}

export const RESAMPLING = ['near', 'bilinear', 'cubic', 'cubicspline', 'lanczos'] as const
export type Resampling = (typeof RESAMPLING)[number]
export const KOMPRESSION = ['JPEG', 'DEFLATE', 'LZW', 'WEBP'] as const
export type Kompression = (typeof KOMPRESSION)[number]

export interface Auftrag {
  readonly epsg: number
  readonly resampling: Resampling
  readonly kompression: Kompression
  /** Metres per pixel of the result; null: as fine as the scan. */
  readonly aufloesung: number | null
}

/** Two calls: the points onto the scan, the scan onto the map. Nothing in them is read by a shell. */
export function gdalArgumente(
  gdal: GdalPunkte,
  auftrag: Auftrag,
  quelle: string,
  zwischen: string,
  ziel: string,
  grad = false,
): readonly [string[], string[]] {
  const { epsg, resampling, kompression, aufloesung } = auftrag
  return [
    ['gdal_translate', '-of', 'GTiff', '-a_srs', `EPSG:${epsg}`, ...gcpArgumente(gdal.punkte, grad), quelle, zwischen],
    [
      'gdalwarp',
      '-of',
      'COG',
      '-r',
      resampling,
      ...gdal.methode,
      '-co',
      `COMPRESS=${kompression}`,
      '-dstalpha',
      ...(aufloesung === null ? [] : ['-tr', String(aufloesung), String(aufloesung)]),
      '-t_srs',
      `EPSG:${epsg}`,
      zwischen,
      ziel,
    ],
  ]
}

/** For a shell: what is no plain word is quoted. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** The text kept as georef_bash: for people who would do the same by hand. The product never runs it. */
export const georefBash = (aufrufe: readonly (readonly string[])[]): string =>
  aufrufe.map((aufruf) => aufruf.map(quoted).join(' ')).join('\n')

export const genugPunkte = (typ: GeorefTyp, count: number): boolean => count >= MINDESTPUNKTE[typ]
