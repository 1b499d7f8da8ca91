// What other programs need of a georeferenced scan: a world file, control points for GDAL, and the commands
// as text for people.
import { type Transform, type Affin, type ControlPoint } from './transform.ts'

/**
 * Six lines. A world file refers to the centre of the first pixel, GDAL and this application to its outer
 * corner.
 */
export function worldFileOf([a, b, c, d, e, f]: Affin): string {
  return `${[b, e, c, f, a + (b + c) / 2, d + (e + f) / 2].map(String).join('\n')}\n`
}

/** The inverse; null if the text is not a world file. */
export function parseWorldFile(text: string): Affin | null {
  const numbers = text
    .trim()
    .split(/\s+/)
    .map((line) => Number(line.replace(',', '.')))
  if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return null
  const [b, e, c, f, x, y] = numbers as [number, number, number, number, number, number]
  if (b * f - c * e === 0) return null
  return [x - (b + c) / 2, b, c, y - (e + f) / 2, e, f]
}

/** Points from which GDAL computes the same transformation, and the option that selects it. */
export interface GdalPoints {
  readonly methodArgs: readonly ['-order', '1' | '2' | '3'] | readonly ['-tps']
  readonly punkte: readonly ControlPoint[]
}

/**
 * GDAL gets a homography as a spline through this many lines in each direction. A spline is least accurate at
 * its edge, so the grid is larger than the scan: 0.004 pixels off at a tilt of 1 %.
 */
const GRID = 17
const BEYOND = 0.25

/**
 * GDAL fits polynomials and splines itself. The affine types are given by their four corners, which a
 * first-order fit hits exactly; GDAL 3.6 does not support homographies, so it gets a grid of points instead.
 */
export function gdalPoints(
  transform: Transform,
  points: readonly ControlPoint[],
  width: number,
  height: number,
): GdalPoints {
  switch (transform.typ) {
    case 'polynom1':
    case 'polynom2':
    case 'polynom3':
      return { methodArgs: ['-order', transform.typ.at(-1) as '1' | '2' | '3'], punkte: points }
    case 'tps':
      return { methodArgs: ['-tps'], punkte: points }
    case 'linear':
    case 'helmert':
      return { methodArgs: ['-order', '1'], punkte: gridOf(transform, width, height, 2, 0) }
    case 'projektiv':
      return { methodArgs: ['-tps'], punkte: gridOf(transform, width, height, GRID, BEYOND) }
  }
}

function gridOf(
  { zurKarte }: Transform,
  width: number,
  height: number,
  lines: number,
  beyond: number,
): ControlPoint[] {
  const share = (line: number): number => (line / (lines - 1)) * (1 + 2 * beyond) - beyond
  return Array.from({ length: lines * lines }, (_, index) => {
    const column = width * share(index % lines)
    const row = height * share(Math.floor(index / lines))
    const [east, north] = zurKarte(column, row)
    return { ost: east, nord: north, spalte: column, zeile: row }
  })
}

/** Pixels to a thousandth, map coordinates to a tenth of a millimetre; degrees need more places. */
const rounded = (value: number, places: number): string => String(Number(value.toFixed(places)))

export function gcpArguments(points: readonly ControlPoint[], grad: boolean): string[] {
  const places = grad ? 9 : 4
  return points.flatMap(({ spalte, zeile, ost, nord }) => [
    '-gcp',
    rounded(spalte, 3),
    rounded(zeile, 3),
    rounded(ost, places),
    rounded(nord, places),
  ])
}

export const RESAMPLING = ['near', 'bilinear', 'cubic', 'cubicspline', 'lanczos', 'average'] as const
export type Resampling = (typeof RESAMPLING)[number]
export const COMPRESSION = ['JPEG', 'DEFLATE', 'LZW', 'WEBP'] as const
export type Compression = (typeof COMPRESSION)[number]

export interface JobSpec {
  readonly epsg: number
  readonly resampling: Resampling
  readonly kompression: Compression
  /** Metres per pixel of the result; null: the resolution of the scan. */
  readonly aufloesung: number | null
}

/** Two calls: points onto the scan, then the scan onto the map. They are not run through a shell. */
export function gdalArguments(
  gdal: GdalPoints,
  jobSpec: JobSpec,
  source: string,
  intermediate: string,
  target: string,
  grad = false,
): readonly [string[], string[]] {
  const { epsg, resampling, kompression, aufloesung } = jobSpec
  return [
    [
      'gdal_translate',
      '-of',
      'GTiff',
      '-a_srs',
      `EPSG:${epsg}`,
      ...gcpArguments(gdal.punkte, grad),
      source,
      intermediate,
    ],
    [
      'gdalwarp',
      '-of',
      'COG',
      '-r',
      resampling,
      ...gdal.methodArgs,
      '-co',
      `COMPRESS=${kompression}`,
      '-dstalpha',
      ...(aufloesung === null ? [] : ['-tr', String(aufloesung), String(aufloesung)]),
      '-t_srs',
      `EPSG:${epsg}`,
      intermediate,
      target,
    ],
  ]
}

/** For a shell: anything but a plain word is quoted. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/**
 * The text stored as georef_bash, for people who want to do the same by hand. The application never runs it.
 */
export const georefBash = (calls: readonly (readonly string[])[]): string =>
  calls.map((call) => call.map(quoted).join(' ')).join('\n')
