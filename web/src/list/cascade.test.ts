import { expect, test } from 'vitest'
import { filterOptions } from './filter-chips.ts'
import type { OneFilter } from './filter-kinds.ts'
import { cascade } from './cascade.ts'
import { withFilter } from './list.ts'

interface DataRecord {
  readonly revier: string
  readonly abt: string
  readonly stand: number | null
}
const RECORDS: readonly DataRecord[] = [
  { revier: 'Au', abt: '12', stand: 1 },
  { revier: 'Au', abt: '2', stand: 4 },
  { revier: 'Au', abt: '2', stand: 3 },
  { revier: 'Berg, oben', abt: '12', stand: 7 },
  { revier: 'Berg, oben', abt: '', stand: null },
]
const text = (a: string, b: string) => a.localeCompare(b, 'de', { numeric: true })
const FILTERS = cascade<DataRecord, DataRecord>(RECORDS, [
  { key: 'leer', label: () => 'Forstamt', wert: () => '', text: String, compare: text },
  {
    key: 'e2',
    label: () => 'Revier',
    wert: ({ revier }) => revier,
    text: (wert) => `Rev. ${wert}`,
    compare: text,
  },
  {
    key: 'e3',
    label: () => 'Abteilung',
    wert: ({ abt }) => abt,
    text: (wert) => `Abt. ${wert}`,
    compare: text,
  },
  {
    key: 'stand',
    label: () => 'Bestand',
    wert: ({ stand }) => String(stand ?? ''),
    text: String,
    compare: text,
  },
]) as OneFilter<DataRecord>[]
const [revier, section, stand] = FILTERS as [
  OneFilter<DataRecord>,
  OneFilter<DataRecord>,
  OneFilter<DataRecord>,
]
const offered = (filter: OneFilter<DataRecord>, values: Record<string, string>) =>
  filterOptions(filter, values).map(({ value }) => value)

test('a level that nothing uses is none, and the others are all offered at first', () => {
  expect(FILTERS.map(({ key }) => key)).toEqual(['e2', 'e3', 'stand'])
  expect(offered(revier, {})).toEqual(['Au', 'Berg, oben'])
  expect(offered(section, {})).toEqual(['2', '12', '-'])
})
test('what is chosen above leaves fewer below; a name with a comma, and none at all, too', () => {
  expect(offered(section, { e2: 'Au' })).toEqual(['2', '12'])
  expect(offered(section, { e2: 'Berg%2C oben' })).toEqual(['12', '-'])
  expect(offered(stand, { e2: 'Au', e3: '2' })).toEqual(['3', '4'])
  expect(offered(stand, { e2: 'Berg%2C oben', e3: '-' })).toEqual(['-'])
  // Lower levels do not affect higher ones.
  expect(offered(revier, { e3: '2' })).toEqual(['Au', 'Berg, oben'])
})
test('what an address names is offered, whether it fits or not', () => {
  expect(offered(section, { e2: 'Au', e3: '99' })).toEqual(['2', '12', '99'])
  expect(offered(section, { e2: 'Au', e3: '-' })).toEqual(['2', '12', '-'])
})
test('a change above takes back what hangs on it, and nothing else', () => {
  const state = {
    suche: '',
    filter: { e2: 'Au', e3: '2', stand: '3', art: 'bu' },
    sort: { key: 'a', descending: false },
    zeilen: 25,
    seite: 3,
  }
  const after = (filter: OneFilter<DataRecord>, value: string) =>
    withFilter(state as never, filter.key, value, filter.frees).filter
  expect(after(revier, 'Berg%2C oben')).toEqual({ e2: 'Berg%2C oben', art: 'bu' })
  expect(after(section, '')).toEqual({ e2: 'Au', art: 'bu' })
  expect(after(section, '2')).toEqual(state.filter)
  expect(after(stand, '4')).toEqual({ e2: 'Au', e3: '2', stand: '4', art: 'bu' })
})
