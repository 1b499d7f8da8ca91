// What the page of forest stands asks.
import { queryOptions } from '@tanstack/react-query'
import type { Baumart } from '#contract/bestand.ts'
import type { Hq } from '#contract/hq.ts'
import { contains, eq } from '../../data/addresses.ts'
import { rpc } from '../../data/rpc.ts'
import { selectOne, selectPage, selectRows } from '../../data/rows.ts'
import type { Option } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'

export type Betrieb = Pick<Hq, 'idHQ' | 'sHQ' | 'client_id' | 'fb_enabled' | 'dtFE'>
const SELECT = ['idHQ', 'sHQ', 'client_id', 'fb_enabled', 'dtFE']
const ORDER = [{ column: 'sortname' }, { column: 'idHQ' }]

/** null: there is no such headquarters for this person. */
export const waldbestandQuery = (hq: string) =>
  queryOptions({
    queryKey: ['waldbestand', hq],
    queryFn: ({ signal }) => rpc('a_get_waldbestand', { hq_id: hq }, { signal }),
    staleTime: 60_000,
  })
export const umrisseQuery = (hq: number) =>
  queryOptions({
    queryKey: ['waldbestand', String(hq), 'umrisse'],
    queryFn: ({ signal }) => rpc('a_get_bestand_umrisse', { hq_id: hq }, { signal }),
    staleTime: 5 * 60_000,
  })
/** With what the overview leaves out: yield classes and remarks. */
export const baumartenQuery = (id: number) =>
  queryOptions({
    queryKey: ['waldbestand', 'baumarten', id],
    queryFn: ({ signal }) =>
      selectRows<Baumart>('baumarten', { filters: [eq('bestand_id', id)], order: [{ column: 'id' }], limit: 200, signal }),
  })

/** Those that this person may see, for whom there are few. */
export const betriebeQuery = queryOptions({
  queryKey: ['waldbestand', 'betriebe'],
  queryFn: async ({ signal }) =>
    (await selectPage<Betrieb>('hq', { select: SELECT, order: ORDER, limit: 200, count: 'none', signal })).rows,
  staleTime: 60_000,
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
  return rows.map(({ idHQ, sHQ, kunde }) => ({ value: String(idHQ), label: kunde === null ? sHQ : `${sHQ}, ${kunde}` }))
}
const betriebName = async (id: string, signal: AbortSignal): Promise<string | null> =>
  (await selectOne<Betrieb>('hq', [eq('idHQ', id)], { select: SELECT, signal }).catch(() => null))?.sHQ ?? null
export const BETRIEB_FILTER = {
  kind: 'record',
  key: 'fb',
  label: () => t('Forstbetrieb'),
  find: findBetrieb,
  name: betriebName,
} as const
