// What the home page asks beyond the session.
import { queryOptions } from '@tanstack/react-query'
import type { AboZeile } from '#contract/abo.ts'
import { eq, neq } from '../../data/addresses.ts'
import { selectRows } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'

export const kawmQuery = (idHQ: number) =>
  queryOptions({
    queryKey: ['habitat', 'kawm', idHQ],
    queryFn: ({ signal }) => rpc('__o_get_kawm', { idHQ }, { signal }),
    staleTime: 60_000,
  })

/** null: nobody has drawn it yet. */
export const umrissQuery = (idHQ: number) =>
  queryOptions({
    queryKey: ['hq', 'umriss', idHQ],
    queryFn: async ({ signal }) => (await rpc('__o_get_area_from_hq', { hq_id: idHQ }, { signal }))[0] ?? null,
    staleTime: 5 * 60_000,
  })

/** Terms that have not ended, the one that ends first before the others. */
export const laufendeAbosQuery = (idHQ: number) =>
  queryOptions({
    queryKey: ['abo', 'laufend', idHQ],
    queryFn: ({ signal }) =>
      selectRows<AboZeile>('abo_liste', {
        filters: [eq('hqid', idHQ), neq('zustand', 'beendet')],
        order: [{ column: 'ende' }, { column: 'id' }],
        limit: 20,
        signal,
      }),
    staleTime: 60_000,
  })

export const kartenStandQuery = queryOptions({
  queryKey: ['karte', 'list', 'stand'],
  queryFn: ({ signal }) => rpc('a_get_karten_stand', {}, { signal }),
  staleTime: 60_000,
})

export const buchhaltungQuery = queryOptions({
  queryKey: ['buchhaltung', 'kurz'],
  queryFn: ({ signal }) => rpc('a_get_buchhaltung', {}, { signal }),
  staleTime: 60_000,
})
