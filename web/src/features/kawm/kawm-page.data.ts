// What the page of KAWM asks beyond the figures.
import { queryOptions } from '@tanstack/react-query'
import type { KawmNachweis } from '#contract/kawm.ts'
import type { Verlauf } from '#contract/verlauf.ts'
import { eq } from '../../data/addresses.ts'
import { selectPage } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'

/** Under the key of the lists of trees: whoever changes a tree changes these figures. */
export const bestaendeQuery = (hq: number) =>
  queryOptions({
    queryKey: ['habitat', 'list', 'kawm', hq],
    queryFn: ({ signal }) => rpc('a_get_kawm_bestaende', { idHQ: hq }, { signal, timeoutMs: 30_000 }),
    staleTime: 60_000,
  })
/** The same answer as the page of the stands keeps. */
export const umrisseQuery = (hq: number) =>
  queryOptions({
    queryKey: ['waldbestand', String(hq), 'umrisse'],
    queryFn: ({ signal }) => rpc('a_get_bestand_umrisse', { hq_id: hq }, { signal }),
    staleTime: 5 * 60_000,
  })

export type NachweisZeile = Pick<Verlauf, 'id' | 'zeit' | 'wer'> & { readonly neu: KawmNachweis }
export const nachweiseKey = (hq: number) => ['kawm', 'nachweise', hq] as const
/** The newest evidences that were made of a holding. */
export const nachweiseQuery = (hq: number) =>
  queryOptions({
    queryKey: nachweiseKey(hq),
    queryFn: async ({ signal }) =>
      (
        await selectPage<NachweisZeile>('verlauf', {
          select: ['id', 'zeit', 'wer', 'neu'],
          filters: [eq('tabelle', 'kawm_nachweis'), eq('schluessel', String(hq))],
          order: [{ column: 'id', descending: true }],
          limit: 20,
          count: 'none',
          signal,
        })
      ).rows,
    staleTime: 30_000,
  })
