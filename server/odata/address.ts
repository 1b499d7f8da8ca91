// The path of an address: a table, one of its rows, a column of it.
import { Refusal } from '#server/errors.ts'
import { literalValue } from './filter.ts'
import type { Table } from './query.ts'

export interface Place {
  readonly table: Table
  /** As text; null: the whole table. */
  readonly key: string | null
}

const notFound = (): Refusal => new Refusal('not_found', 'Diese Tabelle oder Zeile gibt es hier nicht.')

/** `kunde`, `kunde(1)`, `kunde(client_id=1)`. */
export function readPlace(text: string, tables: ReadonlyMap<string, Table>): Place {
  const [, name = '', given] = /^([^()]*)(?:\((.*)\))?$/s.exec(text) ?? []
  const table = tables.get(name)
  if (table === undefined) throw notFound()
  if (given === undefined || given === '') {
    if (given === '') throw new Refusal('bad_value', `In der Klammer nach „${name}“ fehlt eine Nummer.`)
    return { table, key: null }
  }
  const [, column, value = ''] = /^(?:\s*([A-Za-z_]\w*)\s*=)?(.*)$/s.exec(given) ?? []
  const property = table.properties.get(table.set.key)
  if (property === undefined || (column !== undefined && column !== table.set.key))
    throw new Refusal('bad_value', `Zeilen von „${name}“ haben den Schlüssel ${table.set.key}.`)
  const key = literalValue(value.trim(), property.kind)
  if (key === null) throw new Refusal('bad_value', `${table.set.key} ist eine Nummer, wie in ${name}(1).`)
  return { table, key }
}
