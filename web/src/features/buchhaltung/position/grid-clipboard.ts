// Cells of the line editor in the clipboard: copying them as a table, and pasting tables from elsewhere. Pure.
import {
  COLUMNS,
  type Column,
  changed,
  chosenRows,
  commit,
  DESCRIPTION,
  type Grid,
  KIND,
  LAST_EDITABLE,
  textAt,
  withCell,
} from './grid.ts'
import {
  type DataField,
  emptyLine,
  isBlankLine,
  isPositionKind,
  lineFaults,
  type TableRow,
  tidyCell,
} from './line.ts'
import { parseTsv, printTsv } from './tsv.ts'

/** The columns of lines copied as a whole. */
const OWN = COLUMNS.slice(KIND, LAST_EDITABLE + 1)
const isOwn = (table: readonly (readonly string[])[]): boolean =>
  table.every((cells) => cells.length === OWN.length && isPositionKind(cells[0]!))

/** The cell, or the selected lines from the kind to the rate. */
export function copyText(grid: Grid): string {
  const [from, to] = chosenRows(grid)
  if (grid.anchor === null)
    return grid.zeilen[from] === undefined ? '' : printTsv([[textAt(grid.zeilen[from], grid.cursor.col)]])
  return printTsv(grid.zeilen.slice(from, to + 1).map((row) => OWN.map((column) => row[column as DataField])))
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
 * Pastes cells from the cursor, or the top of the chosen lines, on and adds lines as needed. What fits no
 * column goes into the explanation, so that nothing is lost.
 */
export function paste(grid: Grid, text: string): Pasted {
  const done = commit(grid)
  const table = parseTsv(text)
  const headings = headingsOf(table[0] ?? [])
  const rows = headings ? table.slice(1) : table
  const { cursor } = done
  // Whole lines copied here know their columns, wherever the cursor is.
  const columns = headings ?? COLUMNS.slice(isOwn(rows) ? KIND : Math.max(KIND, cursor.col))
  const first = headings ? firstFree(done) : chosenRows(done)[0]
  const entries = [...done.zeilen]
  for (const [at, cells] of rows.entries()) {
    const row = first + at
    const before = entries[row] ?? emptyLine()
    entries[row] = pasteLine(before, cells, columns)
  }
  const lines = rows.length
  const grown = changed(
    done,
    entries,
    { row: first, col: headings ? DESCRIPTION : cursor.col },
    lines > 1 ? first + lines - 1 : null,
  )
  const faulty = entries
    .slice(first, first + lines)
    .reduce((count, row) => count + Object.keys(lineFaults(row)).length, 0)
  // The cursor stays on the first line, and the pasted lines are selected.
  return { grid: grown, lines, faulty }
}
/** A pasted table with its own headings goes after the existing lines. */
function firstFree({ zeilen }: Grid): number {
  let row = zeilen.length
  while (row > 0 && isBlankLine(zeilen[row - 1]!)) row -= 1
  return row
}

function pasteLine(row: TableRow, cells: readonly string[], columns: readonly (Column | null)[]): TableRow {
  let line = row
  const surplus: string[] = []
  for (const [at, cell] of cells.entries()) {
    const column = columns[at]
    if (column === undefined || column === null) {
      if (cell.trim() !== '') surplus.push(cell.trim())
    } else if (column === 'bez') {
      // Further lines of a cell become its explanation.
      const [head = '', ...more] = cell.trim().split('\n')
      line = { ...line, bez: tidyCell('bez', head) }
      surplus.unshift(...(more.length > 0 ? [more.join('\n').trim()] : []))
    } else if (column !== 'nr' && column !== 'betrag')
      line = withCell(line, COLUMNS.indexOf(column), cell.replaceAll('\n', ' '))
  }
  if (surplus.length > 0)
    line = { ...line, erl: [line.erl, ...surplus].filter((part) => part !== '').join('\n') }
  // Text without a price between priced lines is usually a heading, but the kind is not guessed: it stays a
  // position.
  return isPositionKind(line.art) && line.anzahl === '' && line.bez !== '' && line.art !== 'ueberschrift'
    ? { ...line, anzahl: '1' }
    : line
}
