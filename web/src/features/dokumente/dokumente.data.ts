// A customer's own documents: what is asked and decided.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { DokumentKopf } from '#contract/dokument.ts'
import { fetchBlob } from '../../data/blob.ts'
import { rpc } from '../../data/rpc.ts'

export type Dokument = DokumentKopf
export type Sorte = 'rechnung' | 'angebot'

export const KEY = ['dokumente', 'list'] as const
export const loadDokumente = (signal: AbortSignal): Promise<Dokument[]> => rpc('__o_get_dokumente', {}, { signal })

/** Under which address a document stands: a Storno is an invoice with a number of the same range. */
export const sorteOf = ({ art }: Pick<Dokument, 'art'>): Sorte => (art === 'angebot' ? 'angebot' : 'rechnung')
export const keyOf = (dokument: Pick<Dokument, 'art' | 'id'>): string => `${sorteOf(dokument)}-${dokument.id}`
export const hrefOf = (dokument: Pick<Dokument, 'art' | 'id'>): string => `/dokumente/${sorteOf(dokument)}/${dokument.id}`

export const dateiPfad = (sorte: Sorte, id: number | string, kind: 'pdf' | 'xml') => `beleg/${sorte}/${id}.${kind}`
export const pdfQuery = (sorte: Sorte, id: number | string) =>
  queryOptions({
    queryKey: ['dokumente', 'pdf', sorte, String(id)],
    queryFn: ({ signal }) => fetchBlob(dateiPfad(sorte, id, 'pdf'), signal),
    retry: false,
    staleTime: 60_000,
    gcTime: 60_000,
  })
export const angebotQuery = (id: number | string) =>
  queryOptions({
    queryKey: ['dokumente', 'angebot', String(id)],
    queryFn: ({ signal }) => rpc('__o_get_angebot', { offer_id: id }, { signal }),
  })

export interface Entscheid {
  readonly angenommen: boolean
  readonly bemerkung: string
  /** Chosen optional and alternative lines. */
  readonly positionen: readonly string[]
}
export function useDecide(id: number | string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ angenommen, bemerkung, positionen }: Entscheid) =>
      rpc('__o_decide_offer', { offer_id: id, angenommen, bemerkung, positionen: [...positionen] }),
    // Refused ones as well: somebody else may have answered.
    onSettled: () => client.invalidateQueries({ queryKey: ['dokumente'] }),
  })
}
