// Bodies of the type text/csv: the first line names the columns, every other line is a row. An empty field is
// an empty text, the word NULL is null.
import { badBody } from './faults.ts'
import { checkCap, type Limits } from './limits.ts'

/** Times its own limit that a body may grow to when every row repeats the names of the columns. */
const GROWTH = 8

export function csvObjects(
  text: string,
  limits: Limits,
): { readonly names: readonly string[]; readonly objects: readonly object[] } {
  const [names, ...lines] = readLines(text.replace(/^\ufeff/, ''), limits.writtenRows + 2)
  if (names === undefined || names.includes(''))
    throw badBody('Empty or invalid csv', 'the first line has to name the columns')
  if (new Set(names).size < names.length)
    throw badBody('Empty or invalid csv', 'the first line names a column twice')
  checkCap(limits, 'writtenColumns', names.length)
  checkCap(limits, 'writtenRows', lines.length)
  const repeated = names.reduce((sum, name) => sum + name.length + 4, 0) * lines.length
  if (repeated > GROWTH * limits.bodyBytes)
    throw badBody('Empty or invalid csv', 'too many lines for so many columns; send fewer at once')
  const objects = lines.map((line) => {
    if (line.length !== names.length) throw badBody('All lines must have same number of fields')
    // No prototype, because a column may be called __proto__.
    const row = Object.create(null) as Record<string, string | null>
    for (const [i, name] of names.entries()) row[name] = line[i] === 'NULL' ? null : (line[i] ?? '')
    return row
  })
  return { names, objects }
}

const PLAIN = /[^,\r\n]*/y
const LINE_BREAK = /\r\n|\n|\r/y

/**
 * RFC 4180, in time that grows with the text alone: a quote that neither ends its field nor is doubled is a fault
 * at once, and nothing is searched for a second time. What follows the last line break is no line.
 */
function readLines(text: string, most: number): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  let at = 0
  while (lines.length < most) {
    const [field, end] = text[at] === '"' ? quotedField(text, at) : plainField(text, at)
    line.push(field)
    if (text[end] === ',') {
      at = end + 1
      continue
    }
    lines.push(line)
    if (end === text.length) break
    LINE_BREAK.lastIndex = end
    if (!LINE_BREAK.test(text))
      throw badBody('Empty or invalid csv', 'a quoted field goes on after its quote')
    at = LINE_BREAK.lastIndex
    if (at === text.length) break
    line = []
  }
  return lines
}

function plainField(text: string, at: number): readonly [field: string, end: number] {
  PLAIN.lastIndex = at
  PLAIN.test(text)
  return [text.slice(at, PLAIN.lastIndex), PLAIN.lastIndex]
}

function quotedField(text: string, at: number): readonly [field: string, end: number] {
  let from = at + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) throw badBody('Empty or invalid csv', 'a quoted field has no end')
    if (text[quote + 1] !== '"') return [text.slice(at + 1, quote).replaceAll('""', '"'), quote + 1]
    from = quote + 2
  }
}
