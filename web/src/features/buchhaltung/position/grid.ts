// The line editor as a pure model: cursor, text being typed, the effect of each key on the lines, undo and
// redo. The component only draws it.
import { type DataField, emptyLine, isBlankLine, newKey, type TableRow, tidyCell } from './line.ts'

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
/** Where a line starts for people who type. */
export const DESCRIPTION = COLUMNS.indexOf('bez')
export const KIND = COLUMNS.indexOf('art')
export const LAST_EDITABLE = COLUMNS.indexOf('ust_satz')

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
const orBlank = (rows: readonly TableRow[]): readonly TableRow[] => (rows.length === 0 ? [emptyLine()] : rows)

export const openGrid = (rows: readonly TableRow[]): Grid => ({
  zeilen: orBlank(rows),
  cursor: { row: 0, col: DESCRIPTION },
  anchor: null,
  edit: null,
  past: [],
  future: [],
})

const clamp = (value: number, most: number): number => Math.max(0, Math.min(value, most))
const within = (rows: readonly TableRow[], { row, col }: Place): Place => ({
  row: clamp(row, Math.max(0, rows.length - 1)),
  col: clamp(col, COLUMNS.length - 1),
})

/** Headings only have text. */
export const isEditable = (row: TableRow | undefined, col: number): boolean => {
  const column = COLUMNS[col]
  if (row === undefined || column === undefined || column === 'nr' || column === 'betrag') return false
  return row.art !== 'ueberschrift' || column === 'art' || column === 'bez'
}
export const textAt = (row: TableRow, col: number): string => {
  const column = COLUMNS[col]
  return column === undefined || column === 'nr' || column === 'betrag' ? '' : row[column]
}

/** First and last selected line. */
export const chosenRows = ({
  cursor,
  anchor,
}: Pick<Grid, 'cursor' | 'anchor'>): readonly [from: number, to: number] =>
  anchor === null ? [cursor.row, cursor.row] : [Math.min(anchor, cursor.row), Math.max(anchor, cursor.row)]

/** Applies a change of the lines and records it for undo. */
export function changed(
  grid: Grid,
  rows: readonly TableRow[],
  cursor: Place,
  anchor: number | null = null,
): Grid {
  return {
    zeilen: rows,
    cursor: within(rows, cursor),
    anchor: anchor === null ? null : clamp(anchor, Math.max(0, rows.length - 1)),
    edit: null,
    past: [...grid.past, { zeilen: grid.zeilen, cursor: grid.cursor }].slice(-MOST_STEPS),
    future: [],
  }
}
const replaced = (rows: readonly TableRow[], row: number, line: TableRow): TableRow[] => rows.with(row, line)

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
  const row = grid.zeilen[grid.cursor.row]
  if (grid.edit !== null || row === undefined || !isEditable(row, grid.cursor.col)) return grid
  return { ...grid, edit: text ?? textAt(row, grid.cursor.col), anchor: null }
}
export const type = (grid: Grid, text: string): Grid => (grid.edit === null ? grid : { ...grid, edit: text })
export const cancelEdit = (grid: Grid): Grid => (grid.edit === null ? grid : { ...grid, edit: null })

/** The cursor's line including the text being typed; the lines themselves are unchanged. */
export function typedLine({ zeilen, cursor, edit }: Grid): TableRow | undefined {
  const row = zeilen[cursor.row]
  return row === undefined || edit === null ? row : withCell(row, cursor.col, edit)
}
/** Writes the text being typed into the cell. */
export function commit(grid: Grid): Grid {
  const { edit, cursor, zeilen } = grid
  if (edit === null) return grid
  const row = zeilen[cursor.row]
  if (row === undefined) return { ...grid, edit: null }
  const next = withCell(row, cursor.col, edit)
  return next === row ? { ...grid, edit: null } : changed(grid, replaced(zeilen, cursor.row, next), cursor)
}
export function withCell(row: TableRow, col: number, text: string): TableRow {
  const column = COLUMNS[col]
  if (column === undefined || column === 'nr' || column === 'betrag') return row
  const tidy = tidyCell(column, text)
  return tidy === row[column] ? row : { ...row, [column]: tidy }
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
  const line = done.zeilen[row]
  if (line === undefined) return done
  const tidy = Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      typeof value === 'string' ? tidyCell(field as DataField, value) : value,
    ]),
  )
  const next = { ...line, ...tidy }
  const same = (Object.keys(tidy) as (keyof TableRow)[]).every((field) => next[field] === line[field])
  return same ? done : changed(done, replaced(done.zeilen, row, next), done.cursor)
}

/** Fills the line from a template; the cursor moves to the quantity, which templates do not have. */
export const takeTemplate = (grid: Grid, row: number, fields: Partial<Omit<TableRow, 'key'>>): Grid =>
  moveTo(setFields(cancelEdit(grid), row, fields), { row, col: COLUMNS.indexOf('anzahl') })

/** Delete: clears the cell; with a selection, the cells of this column in all selected lines. */
export function clearCell(grid: Grid): Grid {
  const [from, to] = chosenRows(grid)
  const rows = grid.zeilen.map((line, row) =>
    row >= from && row <= to && isEditable(line, grid.cursor.col)
      ? withCell(line, grid.cursor.col, '')
      : line,
  )
  return rows.every((line, row) => line === grid.zeilen[row])
    ? grid
    : changed(grid, rows, grid.cursor, grid.anchor)
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
    (row): TableRow => ({
      ...row,
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
