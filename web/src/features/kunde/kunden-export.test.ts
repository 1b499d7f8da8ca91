import { expect, test } from 'vitest'
import { day } from '../../ui/export/cells.ts'
import type { ExportMark, ExportRow } from './kunden-address.ts'
import type { KundenColumn } from './kunden-columns.tsx'
import { collectRows, exportTable } from './kunden-export.ts'
import { FIRST_VIEW } from './kunden-list.ts'

const row = (client_id: number, sortname = `n${String(client_id).padStart(5, '0')}`): ExportRow =>
  ({ client_id, sortname, name: sortname, name_zusatz: client_id === 2 ? 'GmbH' : null, plz: '01067' }) as ExportRow

/** Answers by key, as the server does; never more than `cut` rows. */
const serve =
  (rows: readonly ExportRow[], cut: number) =>
  async (mark: ExportMark | null): Promise<readonly ExportRow[]> => {
    const from = mark === null ? 0 : rows.findIndex(({ client_id }) => client_id === mark.client_id) + 1
    return rows.slice(from, from + cut)
  }

test('an answer shorter than asked is not the end', async () => {
  const rows = Array.from({ length: 25 }, (_, nr) => row(nr + 1))
  const steps: number[] = []
  expect(await collectRows(FIRST_VIEW, serve(rows, 10), (done) => steps.push(done))).toEqual(rows)
  expect(steps).toEqual([10, 20, 25])
})

test('nothing is an empty export', async () => expect(await collectRows(FIRST_VIEW, serve([], 10), () => undefined)).toEqual([]))

test('a customer renamed to a later name meanwhile is written once', async () => {
  const stretches = [[row(1), row(2)], [row(3), row(1, 'z')], []]
  const rows = await collectRows(
    FIRST_VIEW,
    async () => stretches.shift() ?? [],
    () => undefined,
  )
  expect(rows.map(({ client_id }) => client_id)).toEqual([1, 2, 3])
})

test('the next stretch begins where the last one ended, also when that row was known already', async () => {
  const marks: (ExportMark | null)[] = []
  const stretches = [[row(1), row(2)], [row(3), row(1, 'z')], []]
  await collectRows(
    FIRST_VIEW,
    async (mark) => {
      marks.push(mark)
      return stretches.shift() ?? []
    },
    () => undefined,
  )
  expect(marks).toEqual([null, { value: 'n00002', client_id: 2 }, { value: 'z', client_id: 1 }])
})

test('a fault ends the export', async () => {
  const broken = async () => {
    throw new Error('away')
  }
  await expect(collectRows(FIRST_VIEW, broken, () => undefined)).rejects.toThrow('away')
})

test('the chosen columns in their order, the second line of the name in a column of its own', () => {
  const column = (key: string, title: string, exported: KundenColumn['exported']): KundenColumn => ({
    key,
    title,
    cell: () => null,
    exported,
  })
  const columns = [
    column('name', 'Name', ({ name }) => name),
    column('plz', 'PLZ', ({ plz }) => plz),
    column('tag', 'Tag', () => day('2026-12-31')),
  ]
  expect(exportTable(columns, [row(1), row(2)])).toEqual({
    name: 'Kunden',
    head: ['Name', 'Namenszusatz', 'PLZ', 'Tag'],
    rows: [
      ['n00001', null, '01067', { day: '2026-12-31' }],
      ['n00002', 'GmbH', '01067', { day: '2026-12-31' }],
    ],
  })
})
