// Export of the list as it is shown: current filters, order and columns, all pages.
import { selectPage } from '../../data/rows.ts'
import type { ExportTable } from '../../ui/export/cells.ts'
import { fieldLabel } from './kunde-fields.ts'
import { type ExportMark, type ExportRow, type KundeRow, markOf, stretchRead } from './kunden-address.ts'
import type { KundenColumn } from './kunden-columns.tsx'
import type { KundenList } from './kunden-list.ts'

export const STRETCH = 5_000
/** A spreadsheet holds no more rows than this, its head included. */
export const MOST_ROWS = 1_048_575

export type FetchStretch = (mark: ExportMark | null) => Promise<readonly ExportRow[]>

export const fetchStretch =
  (list: KundenList, signal: AbortSignal): FetchStretch =>
  async (mark) =>
    (await selectPage<ExportRow>('kunde', { ...stretchRead(list, mark, STRETCH), signal, timeoutMs: 30_000 })).rows

/**
 * All rows of the list. Only an empty stretch is the end: a server that cuts answers shorter than asked must not cut the export. A customer whose sort value
 * changes while the export runs may come twice; it is written once.
 */
export async function collectRows(list: KundenList, fetchNext: FetchStretch, onProgress: (done: number) => void): Promise<KundeRow[]> {
  const rows: KundeRow[] = []
  const seen = new Set<number>()
  let mark: ExportMark | null = null
  while (rows.length < MOST_ROWS) {
    const stretch: readonly ExportRow[] = await fetchNext(mark)
    const last = stretch.at(-1)
    if (last === undefined) break
    for (const row of stretch) {
      if (seen.has(row.client_id)) continue
      seen.add(row.client_id)
      rows.push(row)
    }
    mark = markOf(list, last)
    onProgress(rows.length)
  }
  return rows.slice(0, MOST_ROWS)
}

/** The name's second line has a column of its own in a file. */
export function exportTable(columns: readonly KundenColumn[], rows: readonly KundeRow[]): ExportTable {
  const [name, ...others] = columns
  if (name === undefined) throw new Error('no columns')
  return {
    name: 'Kunden',
    head: [name.title, fieldLabel('name_zusatz'), ...others.map(({ title }) => title)],
    rows: rows.map((row) => [name.exported(row), row.name_zusatz, ...others.map(({ exported }) => exported(row))]),
  }
}
