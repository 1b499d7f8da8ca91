// QGIS' .points files: read leniently, written as QGIS writes them. In the file rows count upwards from the
// upper edge, so all are negative.

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
const COLUMNS: Readonly<Record<string, Column>> = {
  mapx: 'mapx',
  mapy: 'mapy',
  pixelx: 'pixelx',
  pixely: 'pixely',
  sourcex: 'pixelx',
  sourcey: 'pixely',
  enable: 'enable',
  dx: 'dx',
  dy: 'dy',
  residual: 'residual',
}
const NEEDED: readonly Column[] = ['mapx', 'mapy', 'pixelx', 'pixely']
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const separatorOf = (line: string): string =>
  (['\t', ';'] as const).find((separator) => line.includes(separator)) ?? ','
const cellsOf = (line: string, separator: string): string[] =>
  line.split(separator).map((cell) => cell.trim())

function headOf(cells: readonly string[]): (Column | undefined)[] | null {
  const columns = cells.map((cell) => COLUMNS[cell.toLowerCase()])
  return NEEDED.every((column) => columns.includes(column)) ? columns : null
}

/**
 * Separated by comma, tab or semicolon; the last four columns may be missing, the header may be repeated, and
 * the comment may be several lines of WKT.
 */
export function parsePoints(text: string): ParsedPoints {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const defects: FileDefect[] = []
  const points: FilePoint[] = []
  const comment: string[] = []
  let columns: (Column | undefined)[] | null = null
  let separator = ','
  let header: HeaderKind = 'neu'
  lines.forEach((line, index) => {
    if (line.trim() === '' || defects.length >= MOST_FAULTS || points.length > MOST_POINTS) return
    if (line.startsWith('#')) {
      if (columns === null) comment.push(line)
      return
    }
    const between = columns === null ? separatorOf(line) : separator
    const head = headOf(cellsOf(line, between))
    if (head !== null) {
      columns = head
      separator = between
      header = /source[xy]/i.test(line) ? 'neu' : 'alt'
    } else if (columns !== null) {
      const point = pointOf(cellsOf(line, separator), columns, index + 1, defects)
      if (point !== null) points.push(point)
    }
    // Before the header: the rest of a comment that was broken into lines.
    else comment.push(line)
  })
  if (columns === null) return { datei: null, defects: [{ code: 'kopf' }] }
  if (defects.length > 0) return { datei: null, defects }
  if (points.length === 0) return { datei: null, defects: [{ code: 'leer' }] }
  if (points.length > MOST_POINTS) return { datei: null, defects: [{ code: 'zu_viele' }] }
  return { datei: { punkte: points, kopf: header, ...systemOf(comment.join('\n')) }, defects: [] }
}

function pointOf(
  cells: readonly string[],
  columns: readonly (Column | undefined)[],
  row: number,
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
    if (NUMBER.test(cell) && Number.isFinite(Number(cell))) values[column] = Number(cell)
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

/** The last EPSG number in a WKT belongs to the whole system; those of its components come before it. */
function systemOf(comment: string): Pick<PointsFile, 'epsg' | 'referenceSystem'> {
  const text = comment.replace(/^#\s*(?:CRS:)?\s*/i, '').trim()
  if (text === '') return { epsg: null, referenceSystem: null }
  const numbers = [
    ...text.matchAll(/(?:ID|AUTHORITY)\s*\[\s*"EPSG"\s*,\s*"?(\d{4,6})"?\s*\]|^EPSG\s*:\s*(\d{4,6})$/gi),
  ]
  const last = numbers.at(-1)
  const whole = last !== undefined && isOfTheWhole(text, last.index + last[0].length)
  return { epsg: whole ? Number(last[1] ?? last[2]) : null, referenceSystem: text }
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
