// QGIS' .points files: read leniently, written as QGIS writes them. In the file rows count upwards from the
// upper edge, so all are negative.
import { epsgOfWkt, planePart, withoutHeights } from '../epsg-text.ts'

export interface FilePoint {
  readonly mapx: number
  readonly mapy: number
  readonly pixelx: number
  /** As in the file and in the table mappoint: 0 at the upper edge, negative below. */
  readonly pixely: number
  readonly enable: boolean
  readonly dx: number | null
  readonly dy: number | null
  readonly residual: number | null
}

/** neu: sourceX, sourceY, since QGIS 3.26. alt: pixelX, pixelY. */
export type HeaderKind = 'neu' | 'alt'

/**
 * kopf: no line names the columns. leer: no points. zahl: not a number, at that line and column. spalten: the
 * line has too few columns. zu_viele: more points than anyone sets.
 */
export type FileDefect =
  | { readonly code: 'kopf' | 'leer' | 'zu_viele' }
  | { readonly code: 'zahl'; readonly zeile: number; readonly spalte: string; readonly text: string }
  | { readonly code: 'spalten'; readonly zeile: number }

export interface PointsFile {
  readonly punkte: readonly FilePoint[]
  /** From the comment: the EPSG number, if it has one. */
  readonly epsg: number | null
  /** The comment, verbatim. */
  readonly referenceSystem: string | null
  readonly kopf: HeaderKind
}

export type ParsedPoints =
  | { readonly datei: PointsFile; readonly defects: readonly [] }
  | { readonly datei: null; readonly defects: readonly FileDefect[] }

export const MOST_POINTS = 10_000
const MOST_FAULTS = 20

type Column = 'mapx' | 'mapy' | 'pixelx' | 'pixely' | 'enable' | 'dx' | 'dy' | 'residual'
/** As other programs and people name them; letters and digits only. */
const NAMES: Readonly<Record<Column, readonly string[]>> = {
  mapx: ['mapx', 'xmap', 'destx', 'targetx', 'easting', 'ost', 'ostwert', 'rechtswert', 'lon', 'longitude'],
  mapy: ['mapy', 'ymap', 'desty', 'targety', 'northing', 'nord', 'nordwert', 'hochwert', 'lat', 'latitude'],
  pixelx: ['pixelx', 'sourcex', 'xsource', 'srcx', 'imagex', 'column', 'col', 'spalte', 'pixel'],
  pixely: ['pixely', 'sourcey', 'ysource', 'srcy', 'imagey', 'row', 'line', 'zeile'],
  enable: ['enable', 'enabled', 'aktiv'],
  dx: ['dx'],
  dy: ['dy'],
  residual: ['residual', 'residuum', 'restfehler'],
}
const COLUMNS: ReadonlyMap<string, Column> = new Map(
  Object.entries(NAMES).flatMap(([column, names]) => names.map((name) => [name, column as Column])),
)
const NEEDED: readonly Column[] = ['mapx', 'mapy', 'pixelx', 'pixely']
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
/** With a comma for decimals, and dots between thousands. */
const GERMAN_NUMBER = /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d*)?(?:e[+-]?\d+)?$/i
const SWITCHES: Readonly<Record<string, number>> = {
  true: 1,
  wahr: 1,
  ja: 1,
  yes: 1,
  false: 0,
  falsch: 0,
  nein: 0,
  no: 0,
}

const separatorOf = (line: string): string =>
  (['\t', ';'] as const).find((separator) => line.includes(separator)) ?? ','

/** Cells may be in quotes, and then contain the separator. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  for (let at = 0; at <= line.length; ) {
    while (line[at] === ' ') at += 1
    const quote = line[at]
    const closing = quote === '"' || quote === "'" ? line.indexOf(quote, at + 1) : -1
    const isQuoted = closing > 0 && /^\s*$/.test(line.slice(closing + 1, endOf(line, separator, closing)))
    const end = endOf(line, separator, isQuoted ? closing : at)
    cells.push(line.slice(isQuoted ? at + 1 : at, isQuoted ? closing : end).trim())
    at = end + 1
  }
  return cells
}
function endOf(line: string, separator: string, from: number): number {
  const found = line.indexOf(separator, from)
  return found < 0 ? line.length : found
}

function headOf(cells: readonly string[]): (Column | undefined)[] | null {
  const names = cells.map((cell) => cell.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
  const columns = names.map((name) => COLUMNS.get(name))
  // Bare names stand for the pair that is not named otherwise.
  const pair = (['map', 'pixel'] as const).filter(
    (one) => !columns.includes(`${one}x`) && !columns.includes(`${one}y`),
  )
  const whole =
    pair.length === 1
      ? columns.map((column, i) =>
          names[i] === 'x' || names[i] === 'y' ? (`${pair[0]!}${names[i]}` as const) : column,
        )
      : columns
  return NEEDED.every((column) => whole.includes(column)) ? whole : null
}

/**
 * Separated by comma, tab or semicolon, in quotes or not, with a point or a comma for decimals; the last four
 * columns may be missing, the header may be repeated, and the comment may be several lines of WKT.
 */
export function parsePoints(text: string): ParsedPoints {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const defects: FileDefect[] = []
  const points: FilePoint[] = []
  const comment: string[] = []
  let columns: (Column | undefined)[] | null = null
  let separator = ','
  let header: HeaderKind = 'neu'
  const rows: { readonly cells: readonly string[]; readonly zeile: number }[] = []
  lines.forEach((line, index) => {
    if (line.trim() === '' || rows.length > MOST_POINTS) return
    const between = columns === null ? separatorOf(line) : separator
    const head = headOf(cellsOf(line.replace(/^#/, ''), between))
    if (head !== null) {
      columns = head
      separator = between
      header = /source[xy]/i.test(line) ? 'neu' : 'alt'
    } else if (columns === null) {
      // Before the header: a comment, and the rest of one that was broken into lines.
      if (!/^sep=/i.test(line)) comment.push(line)
    } else if (!line.startsWith('#')) rows.push({ cells: cellsOf(line, separator), zeile: index + 1 })
  })
  const named: readonly (Column | undefined)[] = columns ?? []
  const isGerman = rows.some(({ cells }) =>
    named.some(
      (column, i) => column !== undefined && GERMAN_NUMBER.test(cells[i] ?? '') && cells[i]!.includes(','),
    ),
  )
  for (const { cells, zeile } of rows) {
    if (defects.length >= MOST_FAULTS) break
    const point = pointOf(cells, named, zeile, isGerman, defects)
    if (point !== null) points.push(point)
  }
  if (columns === null) return { datei: null, defects: [{ code: 'kopf' }] }
  if (rows.length > MOST_POINTS) return { datei: null, defects: [{ code: 'zu_viele' }] }
  if (defects.length > 0) return { datei: null, defects }
  if (points.length === 0) return { datei: null, defects: [{ code: 'leer' }] }
  return { datei: { punkte: points, kopf: header, ...systemOf(comment.join('\n')) }, defects: [] }
}

function pointOf(
  cells: readonly string[],
  columns: readonly (Column | undefined)[],
  row: number,
  isGerman: boolean,
  defects: FileDefect[],
): FilePoint | null {
  if (
    columns.some((column, i) => column !== undefined && NEEDED.includes(column) && (cells[i] ?? '') === '')
  ) {
    defects.push({ code: 'spalten', zeile: row })
    return null
  }
  const before = defects.length
  const values: Partial<Record<Column, number>> = {}
  columns.forEach((column, i) => {
    const cell = cells[i] ?? ''
    if (column === undefined || cell === '') return
    const value =
      column === 'enable'
        ? (SWITCHES[cell.toLowerCase()] ?? numberOf(cell, isGerman))
        : numberOf(cell, isGerman)
    if (Number.isFinite(value)) values[column] = value
    // Such as "n/a": the residuals may be missing, because they are recomputed.
    else if (column !== 'dx' && column !== 'dy' && column !== 'residual')
      defects.push({ code: 'zahl', zeile: row, spalte: column, text: cell.slice(0, 40) })
  })
  if (defects.length > before) return null
  const { mapx, mapy, pixelx, pixely, enable = 1, dx = null, dy = null, residual = null } = values
  return {
    mapx: mapx!,
    mapy: mapy!,
    pixelx: pixelx!,
    pixely: pixely!,
    enable: enable !== 0,
    dx,
    dy,
    residual,
  }
}

/** NaN for what is no number. */
function numberOf(cell: string, isGerman: boolean): number {
  if (!isGerman) return NUMBER.test(cell) ? Number(cell) : Number.NaN
  return GERMAN_NUMBER.test(cell) ? Number(cell.replaceAll('.', '').replace(',', '.')) : Number.NaN
}

/**
 * The last EPSG number in a WKT belongs to the whole system; those of its components come before it. Of a system with
 * heights only the plane counts.
 */
function systemOf(comment: string): Pick<PointsFile, 'epsg' | 'referenceSystem'> {
  const text = comment.replace(/^#\s*(?:CRS:)?\s*/i, '').trim()
  if (text === '') return { epsg: null, referenceSystem: null }
  const plane = withoutHeights(planePart(text))
  const numbers = [
    ...plane.matchAll(/(?:ID|AUTHORITY)\s*\[\s*"EPSG"\s*,\s*"?(\d{4,6})"?\s*\]|^EPSG\s*:\s*(\d{4,6})$/gi),
  ]
  const last = numbers.at(-1)
  const whole = last !== undefined && isOfTheWhole(plane, last.index + last[0].length)
  return { epsg: whole ? Number(last[1] ?? last[2]) : epsgOfWkt(text), referenceSystem: text }
}

/** Only the closing brackets of the whole may follow it, in the oldest files as in WKT2. */
const isOfTheWhole = (text: string, end: number): boolean => /^[\s\])]{0,3}$/.test(text.slice(end))

/**
 * All rows are positive: the file was written with rows counting downwards. Flipping them is offered, never
 * done automatically.
 */
export const hasDownwardRows = (points: readonly FilePoint[]): boolean =>
  points.length > 0 && points.every(({ pixely }) => pixely > 0)

/**
 * Positions outside the scan by more than its own size: map coordinates instead of pixels, as QGIS writes
 * them for a scan that is already georeferenced.
 */
export const areNotPixels = (points: readonly FilePoint[], width: number, height: number): boolean =>
  points.some(({ pixelx, pixely }) => pixelx < -width || pixelx > 2 * width || Math.abs(pixely) > 2 * height)

const HEAD: Readonly<Record<HeaderKind, string>> = {
  neu: 'mapX,mapY,sourceX,sourceY,enable,dX,dY,residual',
  alt: 'mapX,mapY,pixelX,pixelY,enable,dX,dY,residual',
}

/**
 * The file as QGIS writes it. Numbers are in the shortest form that reads back as the same number.
 * @param referenceSystem WKT or `EPSG:n`; without it QGIS asks
 */
export function writePoints(
  points: readonly FilePoint[],
  referenceSystem: string | null,
  head: HeaderKind = 'neu',
): string {
  const lines = points.map(({ mapx, mapy, pixelx, pixely, enable, dx, dy, residual }) =>
    [mapx, mapy, pixelx, pixely, enable ? 1 : 0, dx ?? 0, dy ?? 0, residual ?? 0]
      .map((value) => String(value === 0 ? 0 : value))
      .join(','),
  )
  const comment =
    referenceSystem === null ? [] : [`#CRS: ${referenceSystem.replaceAll(/\s*[\r\n]+\s*/g, '')}`]
  return `${[...comment, HEAD[head], ...lines].join('\n')}\n`
}
