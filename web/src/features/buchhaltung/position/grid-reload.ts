// Lines from outside in the line editor: saved, restored, or changed by somebody else. Pure.
import { type Grid, openGrid } from './grid.ts'
import { emptyLine, filledLines, isBlankLine, newKey, sameLine, type TableRow } from './line.ts'

/**
 * `told`: the lines that were last passed to the outside. If only numbers were added to them, as by saving,
 * then cursor, undo and what was typed since stay. Otherwise the lines are replaced, except for the text
 * being typed.
 */
export function reload(grid: Grid, rows: readonly TableRow[], told = grid.zeilen): Grid {
  const sent = filledLines(told)
  return sent.length === rows.length && sent.every((line, nr) => sameLine(line, rows[nr]!))
    ? numbered(grid, new Map(sent.map(({ key }, nr) => [key, rows[nr]!.id])))
    : replaced(grid, rows)
}

/** In the steps of undo and redo as well, or a line undone would be saved as a new one. */
function numbered(grid: Grid, ids: ReadonlyMap<number, number | null>): Grid {
  const numberOf = (line: TableRow): TableRow => {
    const id = ids.get(line.key)
    return id === undefined || id === line.id ? line : { ...line, id }
  }
  const step = <S extends Pick<Grid, 'zeilen'>>(one: S): S => ({ ...one, zeilen: one.zeilen.map(numberOf) })
  return { ...step(grid), past: grid.past.map(step), future: grid.future.map(step) }
}

/**
 * Lines with the same number, otherwise at the same place, keep their key, so that focus and open
 * explanations stay.
 */
function replaced(grid: Grid, rows: readonly TableRow[]): Grid {
  const byId = new Map(grid.zeilen.flatMap(({ id, key }) => (id === null ? [] : [[id, key] as const])))
  const theirs = new Set(rows.map(({ id }) => id))
  const used = new Set<number>()
  const { cursor, edit } = grid
  const keyAt = (at: number, name: string): number | undefined => {
    const here = grid.zeilen[at]
    if (here === undefined || (here.id !== null && theirs.has(here.id))) return undefined
    // What is being typed must not end up in another line.
    if (edit !== null && at === cursor.row && (here.id !== null || isBlankLine(here) || here.bez !== name))
      return undefined
    return here.key
  }
  const keyOf = ({ id, bez }: TableRow, at: number): number => {
    const found = (id === null ? undefined : byId.get(id)) ?? keyAt(at, bez)
    const key = found === undefined || used.has(found) ? newKey() : found
    used.add(key)
    return key
  }
  const taken = rows.map((line, at): TableRow => ({ ...line, key: keyOf(line, at) }))
  const here = grid.zeilen[cursor.row]
  const row = taken.findIndex(({ key }) => key === here?.key)
  if (edit !== null && here !== undefined && row < 0) {
    const at = Math.min(cursor.row, taken.length)
    const kept = { ...here, id: null }
    return { ...openGrid(taken.toSpliced(at, 0, kept)), cursor: { row: at, col: cursor.col }, edit }
  }
  const opened = openGrid(taken.length === 0 ? [emptyLine()] : taken)
  const last = opened.zeilen.length - 1
  return { ...opened, cursor: { row: row < 0 ? Math.min(cursor.row, last) : row, col: cursor.col }, edit }
}
