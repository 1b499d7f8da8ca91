// Cells as spreadsheets put them on the clipboard: tabs between cells, newlines between rows, cells
// containing either in quotation marks. Copied text is pasted into spreadsheets, so it is neutralized against
// formulas, and parsing restores it.
import { bareText, neutralText } from '#domain/spreadsheet.ts'

export function parseTsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  const source = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(/\n$/, '')
  for (let at = 0; at < source.length; at++) {
    const sign = source[at]!
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (source[at + 1] === '"') {
        cell += '"'
        at += 1
      } else quoted = false
    } else if (sign === '"' && cell === '' && closes(source, at)) quoted = true
    else if (sign === '\t' || sign === '\n') {
      row.push(cell)
      cell = ''
      if (sign === '\n') {
        rows.push(row)
        row = []
      }
    } else cell += sign
  }
  rows.push([...row, cell])
  return rows.map((cells) => cells.map(bareText))
}

/**
 * A quotation mark opens a cell only if its closing mark is at the end of a cell: 24" is a monitor, and
 * "Plan" at the start of a text is just a quoted word.
 */
function closes(source: string, from: number): boolean {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] !== '"') continue
    if (source[at + 1] === '"') at += 1
    else return at + 1 === source.length || source[at + 1] === '\t' || source[at + 1] === '\n'
  }
  return false
}

/** A negative amount is a number, not a formula. */
const isNumber = (cell: string): boolean => /^-?[\d.]+(?:,\d+)?$/.test(cell)
const quote = (cell: string): string => (/["\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
export const printTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((cell) => quote(isNumber(cell) ? cell : neutralText(cell))).join('\t')).join('\n')
