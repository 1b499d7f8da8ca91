// Reads an auditor's archive as audit software does: only by what index.xml says of each file.
import Papa from 'papaparse'
import type { XmlTree } from '#domain/xml-tree.ts'

interface ReadTable {
  readonly keys: readonly string[]
  readonly foreign: readonly { readonly column: string; readonly table: string; readonly to: string }[]
  /** Numbers are numbers, days are ISO days, an empty number or day is null. */
  readonly rows: readonly Readonly<Record<string, string | number | null>>[]
}

const all = (tree: XmlTree, ...names: string[]): readonly XmlTree[] =>
  tree.children.filter(({ name }) => names.includes(name))
function one(tree: XmlTree, name: string): XmlTree {
  const found = all(tree, name)
  if (found.length !== 1) throw new Error(`${tree.name} has ${found.length} ${name}`)
  return found[0]!
}
const textOf = (tree: XmlTree, name: string): string => one(tree, name).text

/** Order of the elements in a table, as the description standard demands it. */
const ORDER = [
  'URL',
  'Name',
  'Description',
  'Validity',
  'UTF8',
  'DecimalSymbol',
  'DigitGroupingSymbol',
  'Range',
  'VariableLength',
]
const INNER = [
  'ColumnDelimiter',
  'RecordDelimiter',
  'TextEncapsulator',
  'VariablePrimaryKey',
  'VariableColumn',
  'ForeignKey',
]
function checkOrder(tree: XmlTree, order: readonly string[]): void {
  const places = tree.children.map(({ name }) => order.indexOf(name))
  if (places.includes(-1) || places.some((place, at) => place < (places[at - 1] ?? 0)))
    throw new Error(`order in ${tree.name}: ${tree.children.map(({ name }) => name).join(' ')}`)
}

function valueOf(column: XmlTree, cell: string, decimalSymbol: string): string | number | null {
  const [numeric] = all(column, 'Numeric')
  if (numeric !== undefined) {
    if (cell === '') return null
    const places = Number(textOf(numeric, 'Accuracy'))
    const [, decimals = ''] = cell.split(decimalSymbol)
    const plain = cell.replace(decimalSymbol, '.')
    if (!/^-?\d+(?:\.\d+)?$/.test(plain) || decimals.length > places)
      throw new Error(`${textOf(column, 'Name')}: no number with ${places} places: ${cell}`)
    return Number(plain)
  }
  const [date] = all(column, 'Date')
  if (date === undefined) {
    one(column, 'AlphaNumeric')
    return cell
  }
  if (cell === '') return null
  const found = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(cell)
  if (textOf(date, 'Format') !== 'DD.MM.YYYY' || found === null)
    throw new Error(`${textOf(column, 'Name')}: no day: ${cell}`)
  return `${found[3]}-${found[2]}-${found[1]}`
}

function readTable(table: XmlTree, files: ReadonlyMap<string, Buffer>, keysOf: (name: string) => string[]) {
  checkOrder(table, ORDER)
  const shape = one(table, 'VariableLength')
  checkOrder(shape, INNER)
  one(table, 'UTF8')
  const content = files.get(textOf(table, 'URL'))
  if (content === undefined) throw new Error(`no file ${textOf(table, 'URL')}`)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(content)
  const rowEnd = textOf(shape, 'RecordDelimiter') as '\r\n'
  if (!text.endsWith(rowEnd)) throw new Error(`${textOf(table, 'URL')} does not end its last row`)
  const { data, errors } = Papa.parse<string[]>(text.slice(0, -rowEnd.length), {
    delimiter: textOf(shape, 'ColumnDelimiter'),
    newline: rowEnd,
    quoteChar: textOf(shape, 'TextEncapsulator'),
  })
  if (errors.length > 0) throw new Error(`${textOf(table, 'URL')}: ${errors[0]!.message}`)
  const columns = all(shape, 'VariablePrimaryKey', 'VariableColumn')
  const names = columns.map((column) => textOf(column, 'Name'))
  const first = Number(textOf(one(table, 'Range'), 'From'))
  if (JSON.stringify(data[0]) !== JSON.stringify(names)) throw new Error(`${textOf(table, 'URL')}: headings`)
  const symbol = textOf(table, 'DecimalSymbol')
  return {
    keys: all(shape, 'VariablePrimaryKey').map((column) => textOf(column, 'Name')),
    foreign: all(shape, 'ForeignKey').map((key) => {
      const [column, other] = [textOf(key, 'Name'), textOf(key, 'References')]
      const [alias] = all(key, 'Alias')
      const to = alias ? textOf(alias, 'To') : column
      if (alias && textOf(alias, 'From') !== column) throw new Error(`alias of ${column}`)
      if (!keysOf(other).includes(to)) throw new Error(`${other} has no key ${to}`)
      return { column, table: other, to }
    }),
    rows: data.slice(first - 1).map((cells) => {
      if (cells.length !== columns.length) throw new Error(`${textOf(table, 'URL')}: ${cells.length} cells`)
      return Object.fromEntries(
        columns.map((column, at) => [names[at]!, valueOf(column, cells[at]!, symbol)]),
      )
    }),
  }
}

/** @throws Error where a file is not what index.xml says */
export function readArchive(
  files: ReadonlyMap<string, Buffer>,
  parseXml: (xml: string) => XmlTree,
): ReadonlyMap<string, ReadTable> {
  const xml = files.get('index.xml')!.toString('utf8')
  if (!xml.includes('<!DOCTYPE DataSet SYSTEM "gdpdu-01-09-2004.dtd">')) throw new Error('document type')
  const tables = all(one(parseXml(xml.replace(/<!DOCTYPE[^>]*>/, '')), 'Media'), 'Table')
  const keys = new Map(
    tables.map((table) => [
      textOf(table, 'Name'),
      all(one(table, 'VariableLength'), 'VariablePrimaryKey').map((column) => textOf(column, 'Name')),
    ]),
  )
  return new Map(
    tables.map((table) => [textOf(table, 'Name'), readTable(table, files, (name) => keys.get(name) ?? [])]),
  )
}
