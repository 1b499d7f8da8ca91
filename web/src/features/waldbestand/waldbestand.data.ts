// Queries of the page of forest stands.
import { queryOptions } from '@tanstack/react-query'
import type { Baumart } from '#contract/bestand.ts'
import { eq } from '../../data/addresses.ts'
import { rpc } from '../../data/rpc.ts'
import { selectRows } from '../../data/rows.ts'

/** Null if no such headquarters is visible to this person. */
export const waldbestandQuery = (hq: string) =>
  queryOptions({
    queryKey: ['waldbestand', hq],
    queryFn: ({ signal }) => rpc('a_get_waldbestand', { hq_id: hq }, { signal }),
    staleTime: 60_000,
  })
export const outlinesQuery = (hq: number) =>
  queryOptions({
    queryKey: ['waldbestand', String(hq), 'umrisse'],
    queryFn: ({ signal }) => rpc('a_get_bestand_umrisse', { hq_id: hq }, { signal }),
    staleTime: 5 * 60_000,
  })
/** Includes yield classes and remarks, which the overview leaves out. */
export const baumartenQuery = (id: number) =>
  queryOptions({
    queryKey: ['waldbestand', 'baumarten', id],
    queryFn: ({ signal }) =>
      selectRows<Baumart>('baumarten', {
        filters: [eq('bestand_id', id)],
        order: [{ column: 'id' }],
        limit: 200,
        signal,
      }),
  })
