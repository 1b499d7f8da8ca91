import { describe, expect, test } from 'vitest'
import { type ArrayList, arrange } from './array-source.ts'
import { EVERY_KIND, type Thing } from './every-kind.fixture.ts'
import { type ListState, plainState } from './list.ts'

const LIST: ArrayList<Thing> = {
  ...EVERY_KIND,
  sorts: { ...EVERY_KIND.sorts, name: {} },
  source: { kind: 'array', load: async () => [], text: ({ name, plz }) => `${name} ${plz}` },
}
const thing = (id: number, name: string, more: Partial<Thing> = {}): Thing => ({
  id,
  name,
  art: null,
  an: false,
  plz: '01067',
  datum: null,
  zeit: '2026-01-01T00:00:00Z',
  menge: null,
  hq: 1,
  ...more,
})
const THINGS = [
  thing(1, 'Zuber'),
  thing(2, 'Österberg', { art: 'b', menge: 2 }),
  thing(3, 'Oser', { art: 'a', menge: 10, an: true }),
  thing(4, 'Straße', { art: 'b' }),
  thing(5, 'Strasse', { art: 'a', menge: 1 }),
]
const ids = (change: Partial<ListState>, list = LIST, rows: readonly Thing[] = THINGS) =>
  arrange(list, rows, { ...plainState(list), ...change }).map(({ id }) => id)

describe('order', () => {
  test('names as in a German directory, equal ones as they came', () =>
    expect(ids({})).toEqual([3, 2, 4, 5, 1]))
  test('downwards all is turned round, equals too', () =>
    expect(ids({ isDescending: true })).toEqual([1, 5, 4, 2, 3]))
  test('without a value: last upwards, first downwards', () => {
    const byAmount = { ...LIST, name: 'mengen', sorts: { menge: {} }, sort: 'menge' }
    expect(ids({}, byAmount)).toEqual([5, 2, 3, 1, 4])
    expect(ids({ isDescending: true }, byAmount).slice(0, 2)).toEqual([4, 1])
  })
  test('numbers are numbers', () =>
    expect(ids({ sort: 'nr' }, { ...LIST, name: 'nr', sorts: { nr: { of: ({ id }) => 100 - id } } })).toEqual(
      [5, 4, 3, 2, 1],
    ))
  test('two lists of one answer have an order each', () => {
    expect(ids({})).toEqual([3, 2, 4, 5, 1])
    expect(
      ids({ sort: 'name' }, { ...LIST, name: 'andere', sorts: { name: { of: ({ id }) => id } } }),
    ).toEqual([1, 2, 3, 4, 5])
  })
})

describe('search', () => {
  test('umlauts both ways', () => {
    expect(ids({ suche: 'ÖSTER' })).toEqual([2])
    expect(ids({ suche: 'oester' })).toEqual([2])
    expect(ids({ suche: 'strasse' })).toEqual([4, 5])
  })
  test('every word', () => expect(ids({ suche: 'o 01067 berg' })).toEqual([2]))
  test('together with filters', () =>
    expect(ids({ suche: 's', filter: { many: 'a', flag: 'nein' } })).toEqual([5]))
})

test('groups by their names, inside them the order of the list', () => {
  const list = { ...LIST, source: { ...LIST.source, group: ({ art }: Thing) => art ?? 'zuletzt' } }
  expect(ids({}, list)).toEqual([3, 5, 2, 4, 1])
})

test('10,000 rows are sorted anew within a frame once their keys are made', () => {
  const many = Array.from({ length: 10_000 }, (_, nr) => thing(nr, `Name ${(nr * 7_919) % 10_000}`))
  arrange(LIST, many, plainState(LIST))
  const from = performance.now()
  const rows = arrange(LIST, many, { ...plainState(LIST), isDescending: true })
  // A generous limit: without the cached order it takes over 15 times as long.
  expect(performance.now() - from).toBeLessThan(30)
  expect(rows[0]!.name).toBe('Name 9999')
})
