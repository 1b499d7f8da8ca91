// Queries for deliveries: what was sent to whom, whether mail can be sent at all, and what a mail would
// contain.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Dispatch, DispatchKind, DispatchState } from '#contract/zahlung.ts'
import type { Beleg } from '#domain/beleg.ts'
import { eq } from '../../../data/addresses.ts'
import { callGeneral } from '../../../data/client.ts'
import { selectOne, selectRows } from '../../../data/rows.ts'
import { rpc } from '../../../data/rpc.ts'

/** Below the document's own key, so that every action on it refetches this too. */
const keyOf = (art: DispatchKind, id: string) =>
  [art === 'angebot' ? 'angebot' : 'rechnung', 'record', id, 'versand', art] as const

const WATCH_MS = 2_500
const isUnderWay = ({ zustand, versuche }: Dispatch): boolean => zustand === 'wartet' && versuche < 2
export const dispatchQuery = (art: DispatchKind, id: string) =>
  queryOptions({
    queryKey: keyOf(art, id),
    queryFn: ({ signal }) => rpc('a_get_versand', { art, id }, { signal }),
    staleTime: 0,
    // Poll while a mail is under way; poll less often for one that was postponed.
    refetchInterval: ({ state }) =>
      state.data?.some(isUnderWay)
        ? WATCH_MS
        : state.data?.some(({ zustand }) => zustand === 'wartet')
          ? 8 * WATCH_MS
          : false,
  })

export const dispatchStateQuery = queryOptions({
  queryKey: ['versand', 'lage'],
  queryFn: ({ signal }) => callGeneral<DispatchState>('GET', 'versand/lage', { quiet: true, signal }),
  staleTime: 60_000,
})

export interface StoredFile {
  readonly id: number
  readonly art: 'pdf' | 'xml'
  readonly dateiname: string
  readonly groesse: number
}
/** The stored files; none for a moment after issuing. */
export const filesQuery = (art: DispatchKind, id: string) =>
  queryOptions({
    queryKey: [...keyOf(art, id), 'dateien'],
    queryFn: ({ signal }) =>
      selectRows<StoredFile>('dokument', {
        select: ['id', 'art', 'dateiname', 'groesse'],
        filters: [eq(`${art}_id`, id)],
        signal,
      }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.length === 0 ? WATCH_MS : false),
  })

/**
 * Where the customer wants documents of this kind sent today; the frozen document has the address of its own
 * date.
 */
export const rechnungMail = async (client_id: string | number, signal: AbortSignal): Promise<string> => {
  const [row] = await selectRows<{ rechnung_mail: string | null }>('kunde_rechnung', {
    select: ['rechnung_mail'],
    filters: [eq('client_id', client_id)],
    signal,
  })
  return row?.rechnung_mail ?? ''
}

interface ToSend {
  readonly beleg: Beleg
  readonly an: string
}
/** The customer has a new address: the documents opened before suggest it too. */
export function proposeFromNowOn(client: QueryClient, client_id: string, an: string): void {
  client.setQueriesData<ToSend>({ predicate: ({ queryKey }) => queryKey.at(-1) === 'senden' }, (old) =>
    old?.beleg.empfaenger.client_id === client_id ? { ...old, an } : old,
  )
}

/** A document with the suggested recipient address. */
export const toSendQuery = (art: DispatchKind, id: string) =>
  queryOptions({
    queryKey: [...keyOf(art, id), 'senden'],
    queryFn: async ({ signal }): Promise<ToSend> => {
      const beleg =
        art === 'mahnung'
          ? (await selectOne<{ beleg: Beleg }>('mahnung', [eq('id', id)], { select: ['beleg'], signal }))
              .beleg
          : await rpc('a_get_beleg', { art, id }, { signal })
      const mail = await rechnungMail(beleg.empfaenger.client_id, signal)
      return { beleg, an: mail === '' ? beleg.empfaenger.mail : mail }
    },
    staleTime: 0,
  })
