import { expect, test } from 'vitest'
import { day } from '../ui/export/cells.ts'
import { EVERY_KIND, type Thing } from './every-kind.fixture.ts'
import { collectRows, exportTable } from './export-rows.ts'
import { type ListColumn, plainState } from './list.ts'
import type { Mark } from './table-source.ts'

const PLAIN = plainState(EVERY_KIND)
type Sorted = Thing & { readonly sortname: string }
const row = (id: number, sortName = `n${String(id).padStart(5, '0')}`): Sorted =>
  ({ id, sortname: sortName, name: sortName }) as Sorted
const ignore = () => undefined

/** Pages by key as the server does, with at most `cut` rows per answer. */
const serve =
  (rows: readonly Sorted[], cut: number) =>
  async (mark: Mark | null): Promise<readonly Sorted[]> => {
    const from = mark === null ? 0 : rows.findIndex(({ id }) => id === mark.key) + 1
    return rows.slice(from, from + cut)
  }

test('an answer shorter than asked is not the end', async () => {
  const rows = Array.from({ length: 25 }, (_, nr) => row(nr + 1))
  const steps: number[] = []
  expect(await collectRows(EVERY_KIND, PLAIN, serve(rows, 10), (done) => steps.push(done))).toEqual(rows)
  expect(steps).toEqual([10, 20, 25])
})

test('nothing is an empty export', async () =>
  expect(await collectRows(EVERY_KIND, PLAIN, serve([], 10), ignore)).toEqual([]))

test('no more than asked for', async () => {
  const rows = Array.from({ length: 25 }, (_, nr) => row(nr + 1))
  expect(await collectRows(EVERY_KIND, PLAIN, serve(rows, 10), ignore, 12)).toEqual(rows.slice(0, 12))
})

test('a row whose name becomes a later one meanwhile is written once', async () => {
  const stretches = [[row(1), row(2)], [row(3), row(1, 'z')], []]
  const rows = await collectRows(EVERY_KIND, PLAIN, async () => stretches.shift() ?? [], ignore)
  expect(rows.map(({ id }) => id)).toEqual([1, 2, 3])
})

test('the next stretch begins where the last one ended, also when that row was known already', async () => {
  const marks: (Mark | null)[] = []
  const stretches = [[row(1), row(2)], [row(3), row(1, 'z')], []]
  const next = async (mark: Mark | null) => {
    marks.push(mark)
    return stretches.shift() ?? []
  }
  await collectRows(EVERY_KIND, PLAIN, next, ignore)
  expect(marks).toEqual([null, { value: 'n00002', key: 2 }, { value: 'z', key: 1 }])
})

test('a fault ends the export', async () => {
  const broken = async () => {
    throw new Error('away')
  }
  await expect(collectRows(EVERY_KIND, PLAIN, broken, ignore)).rejects.toThrow('away')
})

test('the chosen columns in their order; those that cannot be written are left out', () => {
  const column = (key: string, more: Partial<ListColumn<Thing>> = {}): ListColumn<Thing> => ({
    key,
    title: key,
    cell: () => null,
    ...more,
  })
  const columns = [
    column('name', {
      exported: ({ name }) => name,
      alsoExported: [{ title: 'Nr.', exported: ({ id }) => id }],
    }),
    column('knopf'),
    column('tag', { exported: () => day('2026-12-31') }),
  ]
  expect(exportTable('x'.repeat(40), columns, [row(1)])).toEqual({
    name: 'x'.repeat(31),
    head: ['name', 'Nr.', 'tag'],
    rows: [['n00001', 1, { day: '2026-12-31' }]],
  })
})
