// The columns of an exported survey table.
import { fieldsOf, type Table } from '#domain/vermessung/fields.ts'
import type { Geometry } from '#domain/vermessung/geometry.ts'
import type { Column, TableRow as JedeZeile } from '../geodata/columns.ts'

export type TableRow = JedeZeile<Geometry>
export const TITLES: Readonly<Record<Table, string>> = {
  draenage: 'Dränagen',
  ausmuendung: 'Ausmündungen',
  schacht: 'Schächte',
  schlucker: 'Schlucker',
  einlauf: 'Einläufe',
}
export const columnsOf = (table: Table): readonly Column[] => [
  ...fieldsOf(table).map(({ name, art }) => ({ name, typ: art === 'wahl' ? ('text' as const) : art })),
  ...(table === 'draenage' ? [{ name: 'laenge', typ: 'zahl' as const }] : []),
]
