// Queries of the KAWM page besides the figures.
import { queryOptions } from '@tanstack/react-query'
import type { KawmCertificate } from '#contract/kawm.ts'
import type { HistoryEntry } from '#contract/history.ts'
import { eq } from '../../data/addresses.ts'
import { selectPage } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'

/** Below the key of the tree lists, because changing a tree changes these figures. */
export const bestaendeQuery = (hq: number) =>
  queryOptions({
    queryKey: ['habitat', 'list', 'kawm', hq],
    queryFn: ({ signal }) => rpc('a_get_kawm_bestaende', { idHQ: hq }, { signal, timeoutMs: 30_000 }),
    staleTime: 60_000,
  })
/** Shares its cache entry with the page of forest stands. */
export const outlinesQuery = (hq: number) =>
  queryOptions({
    queryKey: ['waldbestand', String(hq), 'umrisse'],
    queryFn: ({ signal }) => rpc('a_get_bestand_umrisse', { hq_id: hq }, { signal }),
    staleTime: 5 * 60_000,
  })

export type CertificateRow = Pick<HistoryEntry, 'id' | 'zeit' | 'wer'> & { readonly neu: KawmCertificate }
export const certificatesKey = (hq: number) => ['kawm', 'nachweise', hq] as const
/** The newest evidence documents of a holding. */
export const certificatesQuery = (hq: number) =>
  queryOptions({
    queryKey: certificatesKey(hq),
    queryFn: async ({ signal }) =>
      (
        await selectPage<CertificateRow>('verlauf', {
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
