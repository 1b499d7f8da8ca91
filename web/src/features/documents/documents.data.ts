// Queries and mutations for a customer's own documents.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { DocumentHeader } from '#contract/document.ts'
import { fetchBlob } from '../../data/blob.ts'
import { rpc } from '../../data/rpc.ts'

export type CustomerDocument = DocumentHeader
export type DocKind = 'rechnung' | 'angebot'

export const KEY = ['dokumente', 'list'] as const
export const fetchDocuments = (signal: AbortSignal): Promise<CustomerDocument[]> =>
  rpc('__o_get_dokumente', {}, { signal })

/** The kind in a document's address: a Storno counts as an invoice, with a number from the same range. */
export const kindOf = ({ art }: Pick<CustomerDocument, 'art'>): DocKind =>
  art === 'angebot' ? 'angebot' : 'rechnung'
export const keyOf = (customerDocument: Pick<CustomerDocument, 'art' | 'id'>): string =>
  `${kindOf(customerDocument)}-${customerDocument.id}`
export const hrefOf = (customerDocument: Pick<CustomerDocument, 'art' | 'id'>): string =>
  `/dokumente/${kindOf(customerDocument)}/${customerDocument.id}`

export const filePath = (docKind: DocKind, id: number | string, kind: 'pdf' | 'xml') =>
  `beleg/${docKind}/${id}.${kind}`
/** What was issued stays as it is: a refetch would only lead the reader back to its first page. */
export const pdfQuery = (docKind: DocKind, id: number | string) =>
  queryOptions({
    queryKey: ['dokumente', 'pdf', docKind, String(id)],
    queryFn: ({ signal }) => fetchBlob(filePath(docKind, id, 'pdf'), signal),
    retry: false,
    staleTime: Infinity,
    gcTime: 60_000,
  })
export const angebotQuery = (id: number | string) =>
  queryOptions({
    queryKey: ['dokumente', 'angebot', String(id)],
    queryFn: ({ signal }) => rpc('__o_get_angebot', { offer_id: id }, { signal }),
  })

export interface Decision {
  readonly angenommen: boolean
  readonly bemerkung: string
  /** Chosen optional and alternative lines. */
  readonly positionen: readonly string[]
}
export function useDecide(id: number | string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ angenommen, bemerkung, positionen }: Decision) =>
      rpc('__o_decide_offer', { offer_id: id, angenommen, bemerkung, positionen: [...positionen] }),
    // Also after a refusal, because somebody else may have answered.
    onSettled: () => client.invalidateQueries({ queryKey: ['dokumente'] }),
  })
}
