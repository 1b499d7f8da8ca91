// The content of a tree report: the trees that match the list's filters, and the filters in words.
import { REPORT_MOST_TREES } from '#contract/habitat-report.ts'
import { ApiError } from '../../data/api-error.ts'
import { chipsOf } from '../../list/filter-chips.ts'
import type { ListState } from '../../list/list.ts'
import type { TableList } from '../../list/table-source.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import type { TableRow } from './habitat-list.tsx'

/** The server's limits. */
const LONGEST = 200
const MOST = 30

/** One entry per filter and one for the search; empty if all trees are shown. */
export function filterWords({ filters = [] }: TableList<TableRow>, { suche, filter }: ListState): string[] {
  const words = [
    ...(suche === '' ? [] : [t('Suche: {text}', { text: suche })]),
    ...filters.flatMap((one) => {
      const value = filter[one.key]
      return value === undefined
        ? []
        : [
            chipsOf(one as never, value)
              .map(({ text }) => text)
              .join(', '),
          ]
    }),
  ]
  return words
    .slice(0, MOST)
    .map((word) => (word.length > LONGEST ? `${word.slice(0, LONGEST - 2)} …` : word))
}

/** Rejects with a message if there are none, or more than a report can hold. */
export async function fetchAllIds(
  list: TableList<TableRow>,
  state: ListState,
  signal: AbortSignal,
): Promise<number[]> {
  const { collectRows, fetchStretch } = await import('../../list/export-rows.ts')
  const rows = await collectRows(
    list,
    state,
    fetchStretch(list, state, signal),
    () => undefined,
    REPORT_MOST_TREES + 1,
  )
  if (rows.length > REPORT_MOST_TREES)
    throw new ApiError(
      'bad_value',
      t(
        'Für einen Bericht sind das zu viele Bäume: höchstens {n} passen hinein. Filtern Sie die Liste ' +
          'weiter, zum Beispiel nach Revier oder Abteilung.',
        {
          n: formatNumber(REPORT_MOST_TREES),
        },
      ),
    )
  if (rows.length === 0)
    throw new ApiError('bad_value', t('Kein Baum passt zu diesem Filter. Bitte ändern Sie ihn.'))
  return rows.map(({ id }) => id)
}
