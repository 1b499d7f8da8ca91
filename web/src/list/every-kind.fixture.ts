// A list with a filter of every kind, for the list kit's tests.
import type { Option } from '../ui/Field.tsx'
import type { ListFilter } from './filter-kinds.ts'
import type { TableList } from './table-source.ts'

export interface Thing {
  readonly id: number
  readonly name: string
  readonly art: string | null
  readonly an: boolean
  readonly plz: string
  readonly datum: string | null
  readonly zeit: string
  readonly menge: number | null
  readonly hq: number
}

const option = (value: string): Option => ({ value, label: value.toUpperCase() })
const FILTERS: readonly ListFilter<Thing>[] = [
  {
    kind: 'many',
    key: 'many',
    label: () => 'Art',
    column: 'art',
    none: 'ohne',
    options: () => ['a', 'b', 'c d', 'ohne'].map(option),
  },
  {
    kind: 'many',
    key: 'offen',
    label: () => 'Offen',
    column: 'art',
    open: true,
    options: () => [option('a')],
  },
  {
    kind: 'one',
    key: 'one',
    label: () => 'Eine',
    column: 'art',
    none: 'ohne',
    options: () => ['a', 'x,y', 'ohne'].map(option),
  },
  { kind: 'flag', key: 'flag', label: () => 'An', column: 'an' },
  { kind: 'prefix', key: 'anfang', label: () => 'Name beginnt mit', column: 'name', maxLength: 20 },
  { kind: 'prefix', key: 'ziffern', label: () => 'PLZ', column: 'plz', digits: true, maxLength: 5, whole: 5 },
  { kind: 'days', key: 'tage', label: () => 'Datum', column: 'datum' },
  { kind: 'days', key: 'zeit', label: () => 'Zeit', time: true },
  { kind: 'days', key: 'seit', label: () => 'Seit', column: 'zeit', only: 'from', time: true },
  { kind: 'days', key: 'bis', label: () => 'Bis', column: 'datum', only: 'to' },
  { kind: 'range', key: 'menge', label: () => 'Menge', unit: 'ha', min: 0 },
  { kind: 'record', key: 'hq', label: () => 'Betrieb', find: async () => [], name: async () => null },
]

export const EVERY_KIND: TableList<Thing> = {
  name: 'dinge',
  words: () => ({
    title: 'Dinge',
    one: '1 Ding',
    many: (n) => `${n} Dinge`,
    none: 'Keine Dinge',
    empty: 'Noch keine Dinge',
  }),
  source: { kind: 'table', table: 'ding', key: 'id', select: ['id', 'name'] },
  rowKey: ({ id }) => id,
  columns: () => [{ key: 'name', title: 'Name', cell: ({ name }) => name, exported: ({ name }) => name }],
  sorts: {
    name: { column: 'sortname' },
    art: { nullable: true },
    datum: { downFirst: true, keyAgainst: true },
    nr: { column: 'id' },
  },
  sort: 'name',
  filters: FILTERS,
}
