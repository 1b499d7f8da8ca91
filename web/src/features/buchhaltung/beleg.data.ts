// Queries and mutations for invoices and offers.
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AngebotDetails, Position, RechnungDetails } from '#contract/buchhaltung.ts'
import type { Kunde } from '#contract/kunde.ts'
import { contains, eq } from '../../data/addresses.ts'
import { ApiError, errorText } from '../../data/api-error.ts'
import { nullIfMissing, selectOne, selectPage } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import type { Option } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'

export type BelegKind = 'rechnung' | 'angebot'
export type { AngebotRest as Rest, AngebotState, Position, RechnungState } from '#contract/buchhaltung.ts'
export type Rechnung = RechnungDetails
export type Angebot = AngebotDetails
/** The columns that both have. */
export type BelegDetails = Pick<
  Rechnung & Angebot,
  'id' | 'client_id' | 'kunde' | 'nummer' | 'archiviert' | 'version' | 'ausgestellt_am' | 'ausgestellt_von'
>

interface Way {
  readonly signal?: AbortSignal
}
const notFound = () => new ApiError('not_found', errorText('not_found'), { status: 404 })
async function one<Row>(rows: Promise<Row[]>): Promise<Row> {
  const [row] = await rows
  if (row === undefined) throw notFound()
  return row
}

export const belegKey = (docKind: BelegKind, id: string) => [docKind, 'record', id] as const
export type BelegKey = ReturnType<typeof belegKey>
export const draftKey = (docKind: BelegKind, id: string) => [...belegKey(docKind, id), 'entwurf'] as const
export type DraftKey = ReturnType<typeof draftKey>
export const rechnungQuery = (id: string) =>
  queryOptions({
    queryKey: belegKey('rechnung', id),
    queryFn: ({ signal }) => one(rpc('a_get_invoice_details', { invoice_id: id }, { signal })),
  })
export const angebotQuery = (id: string) =>
  queryOptions({
    queryKey: belegKey('angebot', id),
    queryFn: ({ signal }) => one(rpc('a_get_offer_details', { offer_id: id }, { signal })),
  })
export const fetchPositions = (
  docKind: BelegKind,
  id: string | number,
  way: Way = {},
): Promise<Position[]> =>
  docKind === 'rechnung'
    ? rpc('a_get_invoice_positions', { invoice_id: id }, way)
    : rpc('a_get_offer_positions', { offer_id: id }, way)
/** The positions of one version. */
export const positionsQuery = (docKind: BelegKind, id: string, version: number) =>
  queryOptions({
    queryKey: [...belegKey(docKind, id), 'positionen', version],
    queryFn: ({ signal }) => fetchPositions(docKind, id, { signal }),
  })
/** The document as issued, or as it would be issued now. */
export const previewQuery = (docKind: BelegKind, id: string, version: number) =>
  queryOptions({
    queryKey: [...belegKey(docKind, id), 'beleg', version],
    queryFn: ({ signal }) => rpc('a_get_beleg', { art: docKind, id }, { signal }),
    staleTime: 0,
  })
export const logQuery = (docKind: BelegKind, id: string) =>
  queryOptions({
    queryKey: [...belegKey(docKind, id), 'protokoll'],
    queryFn: ({ signal }) => rpc('a_get_protokoll', { art: docKind, id }, { signal }),
  })
export const restQuery = (id: string) =>
  queryOptions({
    queryKey: [...belegKey('angebot', id), 'rest'],
    queryFn: ({ signal }) => rpc('a_get_offer_rest', { offer_id: id }, { signal }),
    staleTime: 0,
  })
/** The dates that the draft may have when it is issued. */
export const dayWindowQuery = (docKind: BelegKind, id: string, day: string) =>
  queryOptions({
    queryKey: [docKind, 'fenster', id, day],
    queryFn: ({ signal }) =>
      one(
        docKind === 'rechnung'
          ? rpc('a_get_minmax_rn_datum', { rn_datum: day, invoice_id: id }, { signal })
          : rpc('a_get_minmax_an_datum', { an_datum: day, offer_id: id }, { signal }),
      ),
    staleTime: 0,
  })
/** The earliest date allowed for a new document. */
export const earliestQuery = (docKind: BelegKind) =>
  queryOptions({
    queryKey: [docKind, 'fruehestens'],
    queryFn: ({ signal }) =>
      rpc(
        docKind === 'rechnung' ? 'a_get_min_rn_datum_for_new_invoice' : 'a_get_min_an_datum_for_new_offer',
        {},
        { signal },
      ),
    staleTime: 0,
  })
export const numbersQuery = queryOptions({
  queryKey: ['nummernkreise'],
  queryFn: ({ signal }) => rpc('a_get_nummernkreise', {}, { signal }),
  staleTime: 0,
})
export const textModulesQuery = queryOptions({
  queryKey: ['freitexte', 'kurz'],
  queryFn: ({ signal }) => rpc('a_get_all_freitexte', {}, { signal }),
  staleTime: 60_000,
})

export async function findKunde(text: string, signal: AbortSignal): Promise<Option[]> {
  const { rows } = await selectPage<Pick<Kunde, 'client_id' | 'name' | 'ort'>>('kunde', {
    select: ['client_id', 'name', 'ort'],
    filters: [contains('suchtext', text.toLowerCase())],
    order: [{ column: 'sortname' }, { column: 'client_id' }],
    limit: 8,
    count: 'none',
    signal,
  })
  return rows.map(({ client_id, name, ort }) => ({ value: String(client_id), label: `${name}, ${ort}` }))
}
export const loadKunde = (id: string, signal: AbortSignal) =>
  selectOne<Pick<Kunde, 'client_id' | 'name'>>('kunde', [eq('client_id', id)], {
    select: ['client_id', 'name'],
    signal,
  })
export const kundeName = async (id: string, signal: AbortSignal): Promise<string | null> =>
  (await nullIfMissing(loadKunde(id, signal)))?.name ?? null
export const KUNDE_FILTER = {
  kind: 'record',
  key: 'kunde',
  label: () => t('Kunde'),
  find: findKunde,
  name: kundeName,
} as const

/** Invalidates everything that shows documents. */
export function forgetBelege(client: QueryClient): Promise<unknown> {
  return Promise.all([
    client.invalidateQueries({ queryKey: ['rechnung'] }),
    client.invalidateQueries({ queryKey: ['angebot'] }),
  ])
}
/** A mutation on a document that invalidates all documents when it settles. */
export function useBelegAct<Takes, Answers>(mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  // Not awaited: what follows the action must not depend on the refetch.
  return useMutation({ mutationFn, onSettled: () => void forgetBelege(client) })
}
