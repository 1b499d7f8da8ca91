// Holdings to choose from, for pages that show data of one of them.
import { queryOptions } from '@tanstack/react-query'
import type { Hq } from '#contract/hq.ts'
import { contains, eq } from '../data/addresses.ts'
import { nullIfMissing, selectOne, selectPage } from '../data/rows.ts'
import { rpc } from '../data/rpc.ts'
import type { Option } from '../ui/Field.tsx'
import { t } from '../ui/text.ts'

export type Betrieb = Pick<Hq, 'idHQ' | 'sHQ' | 'client_id' | 'fb_enabled' | 'dtFE' | 'ebenen'>
const SELECT = ['idHQ', 'sHQ', 'client_id', 'fb_enabled', 'dtFE', 'ebenen']
const ORDER = [{ column: 'sortname' }, { column: 'idHQ' }]

/** Holdings that this person may see, for people who have few. */
export const betriebeQuery = queryOptions({
  queryKey: ['betrieb', 'wahl'],
  queryFn: async ({ signal, client }) => {
    const { rows } = await selectPage<Betrieb>('hq', {
      select: SELECT,
      order: ORDER,
      limit: 200,
      count: 'none',
      signal,
    })
    // Saves a request once one of them is shown.
    for (const row of rows) client.setQueryData(betriebQuery(String(row.idHQ)).queryKey, row)
    return rows
  },
  staleTime: 60_000,
})
export const betriebQuery = (id: string) =>
  queryOptions({
    queryKey: ['betrieb', 'einer', id],
    queryFn: ({ signal }) => selectOne<Betrieb>('hq', [eq('idHQ', id)], { select: SELECT, signal }),
    staleTime: 60_000,
  })
/** Outline of a holding; null if none has been drawn yet. */
export const outlineQuery = (idHQ: number) =>
  queryOptions({
    queryKey: ['hq', 'umriss', idHQ],
    queryFn: async ({ signal }) =>
      (await rpc('__o_get_area_from_hq', { hq_id: idHQ }, { signal }))[0] ?? null,
    staleTime: 5 * 60_000,
  })

async function findBetrieb(text: string, signal: AbortSignal): Promise<Option[]> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 5)
  const { rows } = await selectPage<Betrieb & { kunde: string | null }>('hq_liste', {
    select: ['idHQ', 'sHQ', 'kunde'],
    filters: words.map((word) => contains('suchtext', word)),
    order: ORDER,
    limit: 8,
    count: 'none',
    signal,
  })
  return rows.map(({ idHQ, sHQ, kunde }) => ({
    value: String(idHQ),
    label: kunde === null ? sHQ : `${sHQ}, ${kunde}`,
  }))
}
const betriebName = async (id: string, signal: AbortSignal): Promise<string | null> =>
  (await nullIfMissing(selectOne<Betrieb>('hq', [eq('idHQ', id)], { select: SELECT, signal })))?.sHQ ?? null
export const BETRIEB_FILTER = {
  kind: 'record',
  key: 'fb',
  label: () => t('Forstbetrieb'),
  find: findBetrieb,
  name: betriebName,
} as const
