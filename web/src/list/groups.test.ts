import { expect, test } from 'vitest'
import { groupsOfRows, listOfGroup } from './groups.ts'
import { changeState, type ListColumn, parseState, plainState, printState, urlKeys } from './list.ts'
import { filtersOf, type TableList } from './table-source.ts'

interface Row {
  readonly id: number
  readonly stand: string | null
  readonly betrag: string
}
const COLUMNS: readonly ListColumn<Row>[] = [
  { key: 'id', title: 'Nr.', cell: ({ id }) => id },
  {
    key: 'betrag',
    title: 'Betrag',
    cell: ({ betrag }) => betrag,
    sum: { column: 'betrag', of: ({ betrag }) => betrag, digits: 2, show: (text) => text },
  },
]
const STAND = { key: 'stand', label: () => 'Stand', text: (value: unknown) => `»${String(value)}«` }
const LIST: TableList<Row> = {
  name: 'probe',
  words: () => ({ title: '', one: '', many: String, none: '', empty: '' }),
  source: { kind: 'table', table: 'probe', key: 'id', select: ['id'], search: false },
  rowKey: ({ id }) => id,
  columns: () => COLUMNS,
  sorts: { id: {} },
  sort: 'id',
  groups: [STAND],
}

test('rows in the browser: groups by name with their sums, those without a value last', () => {
  const rows = [
    { id: 1, stand: 'offen', betrag: '0.10' },
    { id: 2, stand: null, betrag: '5' },
    { id: 3, stand: 'bezahlt', betrag: '7' },
    { id: 4, stand: 'offen', betrag: '0.20' },
  ]
  const groups = groupsOfRows(COLUMNS, rows, STAND)
  expect(groups.map(({ name, count, sums }) => [name, count, sums['betrag']])).toEqual([
    ['»bezahlt«', 1, '7.00'],
    ['»offen«', 2, '0.30'],
    ['ohne Angabe', 1, '5.00'],
  ])
  expect(groups[1]?.rows.map(({ id }) => id)).toEqual([1, 4])
})

test('the rows of a group are asked for by its value, or by having none', () => {
  const state = plainState(LIST)
  const asked = (value: string | null) =>
    filtersOf(listOfGroup(LIST, STAND, value), state).map(
      ({ key, value: condition }) => `${key}=${condition}`,
    )
  expect(asked('offen')).toEqual(['stand=eq.offen'])
  expect(asked(null)).toEqual(['stand=is.null'])
})

test('the grouping is part of the address; an unknown one is none', () => {
  expect(parseState(LIST, { gruppe: 'stand' }).gruppe).toBe('stand')
  expect(parseState(LIST, { gruppe: 'farbe' })).toEqual(plainState(LIST))
  expect(printState(LIST, changeState(plainState(LIST), { gruppe: 'stand' }))).toEqual({ gruppe: 'stand' })
  expect(urlKeys(LIST)).toContain('gruppe')
})
test('a list that opens with groups has a bare address with them, and one without', () => {
  const list = { ...LIST, grouped: 'stand' }
  const plain = parseState(list, {})
  expect(plain.gruppe).toBe('stand')
  expect(printState(list, plain)).toEqual({})
  expect(parseState(list, { gruppe: 'farbe' })).toEqual(plain)
  const { gruppe: _, ...without } = plain
  expect(printState(list, without)).toEqual({ gruppe: 'keine' })
  expect(parseState(list, { gruppe: 'keine' })).toEqual(without)
  expect(printState(LIST, parseState(LIST, { gruppe: 'keine' }))).toEqual({})
})
