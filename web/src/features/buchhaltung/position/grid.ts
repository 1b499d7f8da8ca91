// The line editor as a pure model: cursor, text being typed, the effect of each key on the lines, undo and
// redo. The component only draws it.
import { parseTsv, printTsv } from './tsv.ts'
import {
  emptyLine,
  type DataField,
  isPositionKind,
  isBlankLine,
  newKey,
  tidyCell,
  type TableRow,
  lineFaults,
} from './line.ts'

export const COLUMNS = [
  'nr',
  'art',
  'bez',
  'anzahl',
  'einheit',
  'ep',
  'rabatt_prozent',
  'ust_satz',
  'betrag',
] as const
export type Column = (typeof COLUMNS)[number]
const DESCRIPTION = COLUMNS.indexOf('bez')
const KIND = COLUMNS.indexOf('art')
const LAST_EDITABLE = COLUMNS.indexOf('ust_satz')

export interface Place {
  readonly row: number
  readonly col: number
}
interface Step {
  readonly zeilen: readonly TableRow[]
  readonly cursor: Place
}
export interface Grid extends Step {
  /** Other end of the selection; null: only the cursor's line. */
  readonly anchor: number | null
  /** Text being typed into the cursor's cell; null while navigating. */
  readonly edit: string | null
  readonly past: readonly Step[]
  readonly future: readonly Step[]
}
const MOST_STEPS = 200

/** There is always a line to type or paste into; an empty one is not saved. */
const orBlank = (zeilen: readonly TableRow[]): readonly TableRow[] =>
  zeilen.length === 0 ? [emptyLine()] : zeilen

export const openGrid = (zeilen: readonly TableRow[]): Grid => ({
  zeilen: orBlank(zeilen),
  cursor: { row: 0, col: DESCRIPTION },
  anchor: null,
  edit: null,
  past: [],
  future: [],
})

const clamp = (value: number, most: number): number => Math.max(0, Math.min(value, most))
const within = (zeilen: readonly TableRow[], { row, col }: Place): Place => ({
  row: clamp(row, Math.max(0, zeilen.length - 1)),
  col: clamp(col, COLUMNS.length - 1),
})

/** Headings only have text. */
export const isEditable = (zeile: TableRow | undefined, col: number): boolean => {
  const spalte = COLUMNS[col]
  if (zeile === undefined || spalte === undefined || spalte === 'nr' || spalte === 'betrag') return false
  return zeile.art !== 'ueberschrift' || spalte === 'art' || spalte === 'bez'
}
export const textAt = (zeile: TableRow, col: number): string => {
  const spalte = COLUMNS[col]
  return spalte === undefined || spalte === 'nr' || spalte === 'betrag' ? '' : zeile[spalte]
}

/** First and last selected line. */
export const chosenRows = ({
  cursor,
  anchor,
}: Pick<Grid, 'cursor' | 'anchor'>): readonly [from: number, to: number] =>
  anchor === null ? [cursor.row, cursor.row] : [Math.min(anchor, cursor.row), Math.max(anchor, cursor.row)]

/** Applies a change of the lines and records it for undo. */
function changed(grid: Grid, zeilen: readonly TableRow[], cursor: Place, anchor: number | null = null): Grid {
  return {
    zeilen,
    cursor: within(zeilen, cursor),
    anchor: anchor === null ? null : clamp(anchor, Math.max(0, zeilen.length - 1)),
    edit: null,
    past: [...grid.past, { zeilen: grid.zeilen, cursor: grid.cursor }].slice(-MOST_STEPS),
    future: [],
  }
}
const replaced = (zeilen: readonly TableRow[], row: number, zeile: TableRow): TableRow[] =>
  zeilen.with(row, zeile)

// Navigation

export const moveTo = (grid: Grid, place: Place): Grid => ({
  ...commit(grid),
  cursor: within(grid.zeilen, place),
  anchor: null,
})
export function move(grid: Grid, rows: number, cols: number): Grid {
  const { cursor } = grid
  return moveTo(grid, { row: cursor.row + rows, col: cursor.col + cols })
}
/** Shift and an arrow: extends the selection. */
export function extend(grid: Grid, rows: number): Grid {
  const done = commit(grid)
  return {
    ...done,
    anchor: done.anchor ?? done.cursor.row,
    cursor: within(done.zeilen, { row: done.cursor.row + rows, col: done.cursor.col }),
  }
}
export const chooseAll = (grid: Grid): Grid => ({
  ...commit(grid),
  anchor: 0,
  cursor: { row: Math.max(0, grid.zeilen.length - 1), col: grid.cursor.col },
})

/**
 * Tab: the next editable cell; null at the end of the grid, where the focus moves on. A non-empty last line
 * gets a new one after it.
 */
export function tab(grid: Grid, back: boolean): Grid | null {
  const done = commit(grid)
  const { zeilen } = done
  let { row, col } = done.cursor
  for (;;) {
    col += back ? -1 : 1
    if (back && col < KIND) {
      row -= 1
      col = LAST_EDITABLE
    } else if (!back && col > LAST_EDITABLE) {
      row += 1
      col = row < zeilen.length ? DESCRIPTION : col
    }
    if (row < 0) return null
    if (row >= zeilen.length) {
      const last = zeilen.at(-1)
      return last === undefined || isBlankLine(last) ? null : insertAt(done, zeilen.length)
    }
    if (isEditable(zeilen[row], col)) return { ...done, cursor: { row, col }, anchor: null }
  }
}

// Typing

/** `text` replaces the cell's text; without it, the existing text is edited. */
export function startEdit(grid: Grid, text?: string): Grid {
  const zeile = grid.zeilen[grid.cursor.row]
  if (grid.edit !== null || zeile === undefined || !isEditable(zeile, grid.cursor.col)) return grid
  return { ...grid, edit: text ?? textAt(zeile, grid.cursor.col), anchor: null }
}
export const type = (grid: Grid, text: string): Grid => (grid.edit === null ? grid : { ...grid, edit: text })
export const cancelEdit = (grid: Grid): Grid => (grid.edit === null ? grid : { ...grid, edit: null })

/** The cursor's line including the text being typed; the lines themselves are unchanged. */
export function typedLine({ zeilen, cursor, edit }: Grid): TableRow | undefined {
  const zeile = zeilen[cursor.row]
  return zeile === undefined || edit === null ? zeile : withCell(zeile, cursor.col, edit)
}
/** Writes the text being typed into the cell. */
export function commit(grid: Grid): Grid {
  const { edit, cursor, zeilen } = grid
  if (edit === null) return grid
  const zeile = zeilen[cursor.row]
  if (zeile === undefined) return { ...grid, edit: null }
  const next = withCell(zeile, cursor.col, edit)
  return next === zeile ? { ...grid, edit: null } : changed(grid, replaced(zeilen, cursor.row, next), cursor)
}
export function withCell(zeile: TableRow, col: number, text: string): TableRow {
  const spalte = COLUMNS[col]
  if (spalte === undefined || spalte === 'nr' || spalte === 'betrag') return zeile
  const tidy = tidyCell(spalte, text)
  return tidy === zeile[spalte] ? zeile : { ...zeile, [spalte]: tidy }
}

/** Enter while typing: moves down; after the last line it adds a new one. */
export function enter(grid: Grid): Grid {
  if (grid.edit === null) return startEdit(grid)
  const done = commit(grid)
  const { row, col } = done.cursor
  if (row < done.zeilen.length - 1) return { ...done, cursor: { row: row + 1, col } }
  return isBlankLine(done.zeilen[row]!) ? done : insertAt(done, done.zeilen.length)
}

/** Sets fields of one line other than its cells: the explanation, dates, a template's values. */
export function setFields(grid: Grid, row: number, fields: Partial<Omit<TableRow, 'key'>>): Grid {
  const done = { ...grid, edit: null }
  const zeile = done.zeilen[row]
  if (zeile === undefined) return done
  const tidy = Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      typeof value === 'string' ? tidyCell(field as DataField, value) : value,
    ]),
  )
  const next = { ...zeile, ...tidy }
  const same = (Object.keys(tidy) as (keyof TableRow)[]).every((field) => next[field] === zeile[field])
  return same ? done : changed(done, replaced(done.zeilen, row, next), done.cursor)
}

/** Fills the line from a template; the cursor moves to the quantity, which templates do not have. */
export const takeTemplate = (grid: Grid, row: number, fields: Partial<Omit<TableRow, 'key'>>): Grid =>
  moveTo(setFields(cancelEdit(grid), row, fields), { row, col: COLUMNS.indexOf('anzahl') })

/** Delete: clears the cell; with a selection, the cells of this column in all selected lines. */
export function clearCell(grid: Grid): Grid {
  const [from, to] = chosenRows(grid)
  const zeilen = grid.zeilen.map((zeile, row) =>
    row >= from && row <= to && isEditable(zeile, grid.cursor.col)
      ? withCell(zeile, grid.cursor.col, '')
      : zeile,
  )
  return zeilen.every((zeile, row) => zeile === grid.zeilen[row])
    ? grid
    : changed(grid, zeilen, grid.cursor, grid.anchor)
}

// Lines

export function insertAt(grid: Grid, row: number, given: Partial<TableRow> = {}): Grid {
  const done = commit(grid)
  return changed(done, done.zeilen.toSpliced(row, 0, emptyLine(given)), { row, col: DESCRIPTION })
}
export function removeRows(grid: Grid): Grid {
  const done = cancelEdit(grid)
  if (done.zeilen.every(isBlankLine) && done.zeilen.length <= 1) return done
  const [from, to] = chosenRows(done)
  return changed(done, orBlank(done.zeilen.toSpliced(from, to - from + 1)), {
    row: from,
    col: done.cursor.col,
  })
}
/** Inserts a line here, or reuses an empty one just before. */
export function addLine(grid: Grid, row: number, given: Partial<TableRow> = {}): Grid {
  const done = commit(grid)
  const before = done.zeilen[row - 1]
  if (before === undefined || !isBlankLine(before)) return insertAt(done, row, given)
  return setFields(moveTo(done, { row: row - 1, col: DESCRIPTION }), row - 1, given)
}
/**
 * The copy goes below the original and is not linked to the offer's positions, so that nothing is billed
 * twice.
 */
export function duplicateRows(grid: Grid): Grid {
  const done = commit(grid)
  if (done.zeilen.length === 0) return done
  const [from, to] = chosenRows(done)
  const copies = done.zeilen.slice(from, to + 1).map(
    (zeile): TableRow => ({
      ...zeile,
      key: newKey(),
      id: null,
      angebot_position_id: null,
      gewaehlt: false,
    }),
  )
  return changed(
    done,
    done.zeilen.toSpliced(to + 1, 0, ...copies),
    { row: to + 1, col: done.cursor.col },
    copies.length > 1 ? to + copies.length : null,
  )
}
/** Moves the selected lines by so many places; does nothing at either end of the document. */
export function shiftRows(grid: Grid, by: number): Grid {
  const done = commit(grid)
  const [from, to] = chosenRows(done)
  if (from + by < 0 || to + by >= done.zeilen.length) return done
  return moveRows(done, from + by)
}
/** Moves the selected lines before line `target`, an index that does not count them. */
export function moveRows(grid: Grid, target: number): Grid {
  const done = commit(grid)
  const [from, to] = chosenRows(done)
  const block = done.zeilen.slice(from, to + 1)
  const rest = done.zeilen.toSpliced(from, block.length)
  const place = clamp(target, rest.length)
  if (place === from) return done
  const cursor = { row: done.cursor.row - from + place, col: done.cursor.col }
  return changed(
    done,
    rest.toSpliced(place, 0, ...block),
    cursor,
    done.anchor === null ? null : done.anchor - from + place,
  )
}

// Clipboard

/** The cell, or the selected lines from the kind to the rate. */
export function copyText(grid: Grid): string {
  const [from, to] = chosenRows(grid)
  if (grid.anchor === null)
    return grid.zeilen[from] === undefined ? '' : printTsv([[textAt(grid.zeilen[from], grid.cursor.col)]])
  return printTsv(
    grid.zeilen
      .slice(from, to + 1)
      .map((zeile) => COLUMNS.slice(KIND, LAST_EDITABLE + 1).map((spalte) => zeile[spalte as DataField])),
  )
}

const HEADINGS: Readonly<Record<string, Column>> = {
  nr: 'nr',
  pos: 'nr',
  position: 'nr',
  'pos nr': 'nr',
  art: 'art',
  bezeichnung: 'bez',
  leistung: 'bez',
  beschreibung: 'bez',
  artikel: 'bez',
  text: 'bez',
  menge: 'anzahl',
  anzahl: 'anzahl',
  einheit: 'einheit',
  me: 'einheit',
  einzelpreis: 'ep',
  ep: 'ep',
  preis: 'ep',
  'e preis': 'ep',
  rabatt: 'rabatt_prozent',
  'rabatt %': 'rabatt_prozent',
  ust: 'ust_satz',
  'ust %': 'ust_satz',
  mwst: 'ust_satz',
  'mwst %': 'ust_satz',
  steuer: 'ust_satz',
  betrag: 'betrag',
  total: 'betrag',
  gesamtpreis: 'betrag',
  gp: 'betrag',
  summe: 'betrag',
}
const headingOf = (cell: string): Column | undefined =>
  HEADINGS[
    cell
      .trim()
      .toLowerCase()
      .replaceAll(/[.\-_()€]+/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
  ]
/** A first row is a heading row if it names a description and every cell is a known heading or empty. */
function headingsOf(row: readonly string[]): readonly (Column | null)[] | null {
  const named = row.map((cell) => headingOf(cell) ?? null)
  return row.length > 1 &&
    named.includes('bez') &&
    row.every((cell, at) => named[at] !== null || cell.trim() === '')
    ? named
    : null
}

export interface Pasted {
  readonly grid: Grid
  readonly lines: number
  /** Number of cells in these lines that need correction. */
  readonly faulty: number
}

/**
 * Pastes cells from the cursor on and adds lines as needed. What fits no column goes into the explanation, so
 * that nothing is lost.
 */
export function paste(grid: Grid, text: string): Pasted {
  const done = commit(grid)
  const table = parseTsv(text)
  const headings = headingsOf(table[0] ?? [])
  const rows = headings ? table.slice(1) : table
  const { cursor } = done
  const begin = Math.max(KIND, cursor.col)
  const columns = headings ?? COLUMNS.slice(begin)
  const first = headings ? firstFree(done) : cursor.row
  const zeilen = [...done.zeilen]
  for (const [at, cells] of rows.entries()) {
    const row = first + at
    const before = zeilen[row] ?? emptyLine()
    zeilen[row] = pasteLine(before, cells, columns)
  }
  const lines = rows.length
  const grown = changed(
    done,
    zeilen,
    { row: first, col: headings ? DESCRIPTION : cursor.col },
    lines > 1 ? first + lines - 1 : null,
  )
  const faulty = zeilen
    .slice(first, first + lines)
    .reduce((count, zeile) => count + Object.keys(lineFaults(zeile)).length, 0)
  // The cursor stays on the first line, and the pasted lines are selected.
  return { grid: grown, lines, faulty }
}
/** A pasted table with its own headings goes after the existing lines. */
function firstFree({ zeilen }: Grid): number {
  let row = zeilen.length
  while (row > 0 && isBlankLine(zeilen[row - 1]!)) row -= 1
  return row
}

function pasteLine(zeile: TableRow, cells: readonly string[], columns: readonly (Column | null)[]): TableRow {
  let line = zeile
  const surplus: string[] = []
  for (const [at, cell] of cells.entries()) {
    const spalte = columns[at]
    if (spalte === undefined || spalte === null) {
      if (cell.trim() !== '') surplus.push(cell.trim())
    } else if (spalte === 'bez') {
      // Further lines of a cell become its explanation.
      const [head = '', ...more] = cell.trim().split('\n')
      line = { ...line, bez: tidyCell('bez', head) }
      surplus.unshift(...(more.length > 0 ? [more.join('\n').trim()] : []))
    } else if (spalte !== 'nr' && spalte !== 'betrag')
      line = withCell(line, COLUMNS.indexOf(spalte), cell.replaceAll('\n', ' '))
  }
  if (surplus.length > 0)
    line = { ...line, erl: [line.erl, ...surplus].filter((part) => part !== '').join('\n') }
  // Text without a price between priced lines is usually a heading, but the kind is not guessed: it stays a
  // position.
  return isPositionKind(line.art) && line.anzahl === '' && line.bez !== '' && line.art !== 'ueberschrift'
    ? { ...line, anzahl: '1' }
    : line
}

// Undo and redo

export function undo(grid: Grid): Grid {
  const step = grid.past.at(-1)
  if (grid.edit !== null) return cancelEdit(grid)
  if (step === undefined) return grid
  return {
    ...step,
    anchor: null,
    edit: null,
    past: grid.past.slice(0, -1),
    future: [...grid.future, { zeilen: grid.zeilen, cursor: grid.cursor }],
  }
}
export function redo(grid: Grid): Grid {
  const step = grid.future.at(-1)
  if (grid.edit !== null || step === undefined) return grid
  return {
    ...step,
    anchor: null,
    edit: null,
    past: [...grid.past, { zeilen: grid.zeilen, cursor: grid.cursor }],
    future: grid.future.slice(0, -1),
  }
}

/**
 * Takes lines from outside (saved, restored, changed by somebody else). Lines at the same index keep their
 * key, so that focus and open explanations stay.
 */
export const reload = (grid: Grid, zeilen: readonly TableRow[]): Grid => {
  const kept = orBlank(zeilen).map((zeile, row) => ({ ...zeile, key: grid.zeilen[row]?.key ?? zeile.key }))
  return { ...openGrid(kept), cursor: within(kept, grid.cursor) }
}
