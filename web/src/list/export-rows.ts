// Exports a list as shown: current filters, order and columns, all pages.
import { readPatiently } from '../data/read-patiently.ts'
import { selectPage } from '../data/rows.ts'
import type { ExportTable } from '../ui/export/cells.ts'
import type { List, ListColumn, ListState } from './list.ts'
import { type Mark, markOf, stretchRead, type TableList } from './table-source.ts'

export const STRETCH = 5_000
/** Row limit of a spreadsheet, without the header row. */
export const MOST_ROWS = 1_048_575

export type FetchStretch<Row> = (mark: Mark | null) => Promise<readonly Row[]>

export const fetchStretch =
  <Row>(list: TableList<Row>, state: ListState, signal: AbortSignal): FetchStretch<Row> =>
  async (mark) => {
    const read = { ...stretchRead(list, state, mark, STRETCH), signal, timeoutMs: 30_000 }
    const { rows } = await readPatiently(() => selectPage<Row>(list.source.table, read), signal)
    return list.source.complete && rows.length > 0 ? list.source.complete(rows, signal) : rows
  }

/**
 * Reads all rows of a list. Only an empty chunk is the end, because the server may return fewer rows than
 * requested. A row whose sort value changes during the export may be read twice; it is exported once.
 */
export async function collectRows<Row>(
  list: TableList<Row>,
  state: ListState,
  fetchNext: FetchStretch<Row>,
  onProgress: (done: number) => void,
  most = MOST_ROWS,
): Promise<Row[]> {
  const rows: Row[] = []
  const seen = new Set<string | number>()
  let mark: Mark | null = null
  while (rows.length < most) {
    const stretch: readonly Row[] = await fetchNext(mark)
    const last = stretch.at(-1)
    if (last === undefined) break
    for (const row of stretch) {
      const key = list.rowKey(row)
      if (seen.has(key)) continue
      seen.add(key)
      rows.push(row)
    }
    mark = markOf(list, state, last as object)
    onProgress(rows.length)
  }
  return rows.slice(0, most)
}

/** The visible columns of the rows as cells. */
export function exportTable<Row>(
  name: string,
  columns: readonly ListColumn<Row>[],
  rows: readonly Row[],
): ExportTable {
  const cells = columns.flatMap(({ title, exported, alsoExported = [] }) =>
    exported ? [{ title, exported }, ...alsoExported] : [...alsoExported],
  )
  return {
    name: name.slice(0, 31),
    head: cells.map(({ title }) => title),
    rows: rows.map((row) => cells.map(({ exported }) => exported(row))),
  }
}

export const isTableList = <Row>(list: List<Row>): list is TableList<Row> => list.source.kind === 'table'
