// Queries of the home page besides the session.
import { queryOptions } from '@tanstack/react-query'
import type { AboRow } from '#contract/abo.ts'
import type { BenutzerKunde } from '#contract/benutzer.ts'
import type { Kunde } from '#contract/kunde.ts'
import { eq, neq, oneOf } from '../../data/addresses.ts'
import { selectRows } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import { currentSession } from '../../data/session.ts'

/** Subscription terms that have not ended, the earliest end first. */
export const runningAbosQuery = (idHQ: number) =>
  queryOptions({
    queryKey: ['abo', 'laufend', idHQ],
    queryFn: ({ signal }) =>
      selectRows<AboRow>('abo_liste', {
        filters: [eq('hqid', idHQ), neq('zustand', 'beendet')],
        order: [{ column: 'ende' }, { column: 'id' }],
        limit: 20,
        signal,
      }),
    staleTime: 60_000,
  })

export const kartenProgressQuery = queryOptions({
  queryKey: ['karte', 'list', 'stand'],
  queryFn: ({ signal }) => rpc('a_get_karten_stand', {}, { signal }),
  staleTime: 60_000,
})

/**
 * Ids of the customers whose survey this person may see: both the customer's switch and that of the person's
 * own link are on.
 */
export const openKatasterQuery = queryOptions({
  queryKey: ['kataster', 'frei'],
  queryFn: async ({ signal }) => {
    const links = await selectRows<Pick<BenutzerKunde, 'client_id'>>('benutzer_kunde', {
      select: ['client_id'],
      filters: [eq('user_id', currentSession()?.user?.user_id ?? 0), eq('kataster_enabled', true)],
      signal,
    })
    if (links.length === 0) return []
    const kunden = await selectRows<Pick<Kunde, 'client_id'>>('kunde', {
      select: ['client_id'],
      filters: [
        oneOf(
          'client_id',
          links.map(({ client_id }) => String(client_id)),
        ),
        eq('kataster_status', true),
      ],
      signal,
    })
    return kunden.map(({ client_id }) => client_id)
  },
  staleTime: 60_000,
})

export const buchhaltungQuery = queryOptions({
  queryKey: ['buchhaltung', 'kurz'],
  queryFn: ({ signal }) => rpc('a_get_buchhaltung', {}, { signal }),
  staleTime: 60_000,
})
