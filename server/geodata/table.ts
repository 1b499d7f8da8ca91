// Foreign tables (CSV, XLSX): the location is in two columns or in one with well-known text.
import Papa from 'papaparse'
import { MOST_OBJECTS, type PlaceColumns, type TextChoice } from '#contract/vermessung-import.ts'
import { epsgOfName } from '#domain/epsg-text.ts'
import { bareText } from '#domain/spreadsheet.ts'
import type { TextEncoding } from '#domain/text-encoding.ts'
import { foldText } from '#domain/vermessung/fields.ts'
import { type Form, GeometryFault } from '#domain/vermessung/geometry.ts'
import { readWkt } from '#domain/vermessung/wkt.ts'
import type { RawObject } from '#domain/vermessung/check.ts'
import type { ImportLoss } from '#domain/vermessung/losses.ts'
import { decodeText, foreignCells, guessEncoding, inEachEncoding, utf16Of } from './decode-text.ts'
import { createExamples, FileFault, type LayerChoice, MOST_COLUMNS, type RawLayer } from './source.ts'

type TableRow = Readonly<Record<string, string>>
/** The rows of a table: their number, the first ones, and all in order. */
export interface Rows {
  readonly count: number
  readonly first: readonly TableRow[]
  /** Numbers of those with something behind the last heading. */
  readonly overfull: readonly number[]
  /** What they name as their system; our own tables say it in each row. */
  readonly systems: ReadonlySet<string>
  /** @param encoding default: what the file seems to have */
  all(encoding?: TextEncoding): Iterable<TableRow>
}
export const SHOWN = 50
const SHOWN_OVERFULL = 1_000

export interface TableFile {
  readonly schicht: RawLayer
  readonly leftOut: readonly ImportLoss[]
  readFrom(choice?: LayerChoice): Iterable<RawObject>
}

interface Written {
  readonly text: string
  /** Null if the file says with certainty how it is written: there is nothing to choose. */
  readonly guess: TextEncoding | null
}
function readText(bytes: Buffer): Written {
  const wide = utf16Of(bytes)
  if (wide !== null) return { text: new TextDecoder(wide).decode(bytes), guess: null }
  const guess = guessEncoding([bytes])
  const text = decodeText(bytes, guess)
  return text.startsWith('\uFEFF') ? { text: text.slice(1), guess: null } : { text, guess }
}

const COLUMNS: Readonly<Record<keyof PlaceColumns, readonly string[]>> = {
  x: [
    'x',
    'ost',
    'ostwert',
    'rechtswert',
    'rechts',
    'rw',
    'e',
    'easting',
    'rechtswerty',
    'xkoord',
    'xcoord',
    'lon',
    'long',
    'longitude',
    'laengengrad',
  ],
  y: [
    'y',
    'nord',
    'nordwert',
    'hochwert',
    'hochwertx',
    'hoch',
    'hw',
    'n',
    'northing',
    'ykoord',
    'ycoord',
    'lat',
    'latitude',
    'breitengrad',
  ],
  wkt: ['wkt', 'geom', 'geometry', 'geometrie', 'thegeom', 'wktgeom', 'shape'],
}
function placeOf(columns: readonly string[]): PlaceColumns {
  const find = (names: readonly string[]): string => {
    for (const name of names) {
      const hit = columns.find((column) => foldText(column) === name)
      if (hit !== undefined) return hit
    }
    return ''
  }
  const wkt = find(COLUMNS.wkt)
  return wkt === '' ? { x: find(COLUMNS.x), y: find(COLUMNS.y), wkt } : { x: '', y: '', wkt }
}

/** Coordinates as computers and as Germans write them: 412000.25, 412000,25, 412.000,25. */
function numberOf(text: string): number {
  const plain = text.trim()
  if (/^-?\d{1,3}(?:\.\d{3})+,\d+$/.test(plain)) return Number(plain.replaceAll('.', '').replace(',', '.'))
  return /^-?\d+(?:[.,]\d+)?$/.test(plain) ? Number(plain.replace(',', '.')) : Number.NaN
}

function geometryOf(row: Readonly<Record<string, string>>, ort: PlaceColumns): Form | GeometryFault {
  if (ort.wkt !== '') {
    try {
      return readWkt(row[ort.wkt] ?? '')
    } catch (error) {
      if (error instanceof GeometryFault) return error
      throw error
    }
  }
  const [x, y] = [row[ort.x] ?? '', row[ort.y] ?? '']
  if (x.trim() === '' && y.trim() === '') return new GeometryFault('geometrie_leer')
  const place = [numberOf(x), numberOf(y)] as const
  return place.every(Number.isFinite)
    ? { art: 'punkt', ort: place, z: null }
    : new GeometryFault('geometrie_kaputt')
}

/** Rows parsed at a time when they are handed over: all at once take ten times the file's size. */
const BLOCK = 1_000
const DELIMITERS = [';', ',', '\t', '|']
const headingOf = (heading: string, index: number): string =>
  heading.replace(/^\uFEFF/, '').trim() || `Spalte ${index + 1}`

/** Excel names the separator in its own line before the headings. */
const SEPARATOR = /^"?sep=([;,\t|])"?[;,\t|]*\r?\n/i

/** @throws FileFault */
export function readCsv(bytes: Buffer, name: string): TableFile {
  const { text: whole, guess } = readText(bytes)
  const [line = '', named] = SEPARATOR.exec(whole) ?? []
  const text = whole.slice(line.length)
  const head = Papa.parse<string[]>(text, {
    preview: 1,
    skipEmptyLines: 'greedy',
    ...separatedBy(named),
  })
  if ((head.data[0]?.length ?? 0) > MOST_COLUMNS) throw new FileFault('zu_viele_spalten')
  const look = lookThrough(text, named)
  const { rows, fields, delimiter } = look
  /** Named once: a choice of another encoding changes the texts, not the columns they were mapped by. */
  function* all(encoding?: TextEncoding): Iterable<TableRow> {
    if (guess === null || encoding === undefined || encoding === guess)
      return yield* rowsIn(text, look, fields)
    const chosen = decodeText(bytes, encoding).slice(line.length)
    yield* rowsIn(chosen, lookThrough(chosen, delimiter), fields)
  }
  const foreign = guess === null ? [] : foreignCells(bytes, delimiter)
  const texts =
    guess === null || foreign.length === 0
      ? null
      : { erkannt: guess, sicher: false, beispiele: inEachEncoding(foreign) }
  return tableOf(name, fields, { ...rows, all }, texts)
}

function* rowsIn(
  text: string,
  { delimiter, linebreak, starts }: Look,
  fields: readonly string[],
): Iterable<TableRow> {
  for (const [at, start] of starts.entries()) {
    const block = Papa.parse<string[]>(text.slice(start, starts[at + 1]), {
      delimiter,
      newline: linebreak,
      skipEmptyLines: 'greedy',
    })
    // The first block begins with the headings.
    for (const cells of at === 0 ? block.data.slice(1) : block.data)
      yield Object.fromEntries(cells.slice(0, fields.length).map((cell, nr) => [fields[nr], cell]))
  }
}

const separatedBy = (named: string | undefined) =>
  named === undefined ? { delimitersToGuess: DELIMITERS } : { delimiter: named }

interface Look {
  readonly rows: Omit<Rows, 'all'>
  readonly fields: readonly string[]
  readonly delimiter: string
  readonly linebreak: Papa.ParseConfig['newline']
  /** Where the blocks of rows begin. */
  readonly starts: readonly number[]
}

const UNNAMED = '__parsed_extra'

function lookThrough(text: string, named: string | undefined): Look {
  const starts: number[] = []
  const first: TableRow[] = []
  const overfull: number[] = []
  const tally: ReturnType<typeof createSystemTally>[] = []
  let count = 0
  let last = 0
  let meta: Papa.ParseMeta | null = null
  Papa.parse<TableRow>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    ...separatedBy(named),
    transformHeader: headingOf,
    step: ({ data, errors, meta: now }) => {
      if (errors.some(({ type }) => type === 'Quotes')) throw new FileFault('datei_kaputt')
      if (count >= MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
      if (count % BLOCK === 0) starts.push(last)
      // Behind the last heading there are cells without a name, at least an empty one after a last separator.
      const { [UNNAMED]: unnamed = [], ...named } = data as TableRow & { readonly [UNNAMED]?: unknown }
      if (first.length < SHOWN) first.push(named)
      if (count === 0) tally.push(createSystemTally(Object.keys(named)))
      tally[0]!.add(named)
      count += 1
      if ((unnamed as readonly string[]).some((cell) => cell.trim() !== '')) overfull.push(count)
      last = now.cursor
      meta = now
    },
  })
  const { fields = [], delimiter = '', linebreak = '' } = (meta ?? {}) as Partial<Papa.ParseMeta>
  return {
    rows: { count, first, overfull, systems: tally[0]?.systems ?? new Set() },
    fields,
    delimiter,
    linebreak: linebreak as Papa.ParseConfig['newline'],
    starts,
  }
}

/** A table whose cells are text. @throws FileFault */
export function tableOf(
  name: string,
  columns: readonly string[],
  { count, first, overfull, systems, all }: Rows,
  texts: TextChoice | null = null,
): TableFile {
  if (columns.length > MOST_COLUMNS) throw new FileFault('zu_viele_spalten')
  if (columns.length < 2 || count === 0) throw new FileFault('keine_schicht')
  if (count > MOST_OBJECTS) throw new FileFault('zu_viele_objekte')
  const ort = placeOf(columns)
  const bare = (row: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(row).map(([column, text]) => [column, bareText(text)]))
  const examples = createExamples(columns)
  for (const row of first) examples.add(bare(row))
  const firstWkt = ort.wkt === '' ? null : (first[0]?.[ort.wkt] ?? '')
  return {
    schicht: {
      name,
      geometrie:
        firstWkt === null
          ? 'punkt'
          : /polygon|surface/i.test(firstWkt)
            ? 'flaeche'
            : /string|curve/i.test(firstWkt)
              ? 'linie'
              : /point/i.test(firstWkt)
                ? 'punkt'
                : null,
      anzahl: count,
      epsg: systemOf(systems),
      system: null,
      spalten: examples.all(),
      ort,
      texte: texts,
    },
    leftOut:
      overfull.length === 0
        ? []
        : [
            {
              schicht: name,
              art: 'zellen',
              anzahl: overfull.length,
              spalten: overfull.slice(0, SHOWN_OVERFULL).map(String),
            },
          ],
    *readFrom({ ort: asked, zeichensatz } = {}) {
      const where = asked ?? ort
      let nr = 0
      for (const row of all(zeichensatz))
        yield { nr: ++nr, geometrie: geometryOf(row, where), werte: bare(row) }
    },
  }
}

/** Notes what rows name as their system, until two of them differ. */
export function createSystemTally(columns: readonly string[]) {
  const systems = new Set<string>()
  const name = columns.find((column) => foldText(column) === 'epsg')
  return {
    systems,
    add(row: TableRow): void {
      if (name === undefined || systems.size > 1) return
      const named = (row[name] ?? '').trim()
      if (named !== '') systems.add(named.replace(/^EPSG:/i, ''))
    },
  }
}

/** Null where rows differ, as in tables of two customers put together: then it is asked. */
function systemOf(systems: ReadonlySet<string>): number | null {
  const [code = '', ...others] = systems
  return others.length > 0 ? null : epsgOfName(`EPSG:${code}`)
}

/** Whether its headings name a place, which those of prose with commas do not. */
export function looksLikeTable(bytes: Buffer): boolean {
  try {
    const { ort } = readCsv(bytes, '').schicht
    return ort !== null && (ort.wkt !== '' || (ort.x !== '' && ort.y !== ''))
  } catch (error) {
    if (error instanceof FileFault) return false
    throw error
  }
}
