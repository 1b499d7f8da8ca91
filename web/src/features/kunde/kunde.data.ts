// Everything the customer screens ask of the server and tell it.
import { infiniteQueryOptions, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Hq, KundeHq } from '#contract/hq.ts'
import type { Kunde, NewKunde } from '#contract/kunde.ts'
import { eq, oneOf } from '../../data/addresses.ts'
import { ApiError } from '../../data/api-error.ts'
import { insert, selectOne, selectPage, selectRows, updateOne } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import type { RecordSave } from '../../record/use-record-form.ts'
import { verlaufQuery } from '../../record/verlauf.data.ts'
import type { FormField } from './kunde-fields.ts'

const ALL = ['kunde'] as const
const recordKey = (id: string) => [...ALL, 'record', id] as const
const LISTS = [...ALL, 'list'] as const

export const kunde = (id: string) =>
  queryOptions({ queryKey: recordKey(id), queryFn: ({ signal }) => selectOne<Kunde>('kunde', [eq('client_id', id)], { signal }) })

/** Whom row security lets through: a customer's admin sees their own. */
export const eigeneKunden = queryOptions({
  queryKey: [...ALL, 'own'],
  queryFn: async ({ signal }) =>
    (await selectPage<Kunde>('kunde', { order: [{ column: 'sortname' }, { column: 'client_id' }], limit: 200, count: 'none', signal }))
      .rows,
})

export const kundeVerlauf = (id: string) => verlaufQuery(recordKey(id), [eq('tabelle', 'kunde'), eq('schluessel', id)])

export type HqWithSwitches = Hq & { readonly switches: KundeHq | null }
const HQ_PAGE = 50
/** Headquarters with what is switched on for them. */
export const kundeHqs = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...recordKey(id), 'hqs'],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const order = [{ column: 'sortname' }, { column: 'idHQ' }]
      const { rows, total } = await selectPage<Hq>('hq', {
        filters: [eq('client_id', id)],
        order,
        limit: HQ_PAGE,
        offset: pageParam,
        signal,
      })
      const ids = rows.map(({ idHQ }) => idHQ)
      const switches =
        ids.length === 0 ? [] : await selectRows<KundeHq>('kunde_hq', { filters: [oneOf('hqid', ids)], limit: HQ_PAGE, signal })
      const bySwitch = new Map(switches.map((row) => [row.hqid, row]))
      return {
        rows: rows.map((hq): HqWithSwitches => ({ ...hq, switches: bySwitch.get(hq.idHQ) ?? null })),
        total: total ?? rows.length,
        from: pageParam,
      }
    },
    getNextPageParam: ({ rows, total, from }) => (from + rows.length < total && rows.length > 0 ? from + rows.length : null),
  })

export const kundePeople = (id: string) =>
  queryOptions({
    queryKey: [...recordKey(id), 'people'],
    queryFn: async ({ signal }) => {
      const [people, team] = await Promise.all([
        rpc('a_get_appusers_from_client', { client_id: id }, { signal }),
        rpc('a_get_apus_team_from_client', { client_id: id }, { signal }),
      ])
      return { people, team }
    },
  })

/** After a change: the record as it is now, its history, and every list that may show it. */
function tellOthers(client: QueryClient, row: Kunde) {
  client.setQueryData(recordKey(String(row.client_id)), row)
  void client.invalidateQueries({ queryKey: [...recordKey(String(row.client_id)), 'verlauf'] })
  void client.invalidateQueries({ queryKey: LISTS })
  void client.invalidateQueries({ queryKey: eigeneKunden.queryKey })
}

/** Saves changed fields only; rejects with changed_meanwhile when somebody else was faster. */
export function useSaveKunde(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ changes, version }: RecordSave<FormField, Kunde>) =>
      updateOne<Kunde>('kunde', [eq('client_id', id)], changes, { version }),
    onSuccess: (row) => tellOthers(client, row),
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'changed_meanwhile') tellOthers(client, error.current as Kunde)
    },
  })
}

export function useAddKunde() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (row: NewKunde) => insert<Kunde>('kunde', row),
    onSuccess: (row) => tellOthers(client, row),
  })
}

/** Project folder and Kataster have procedures of their own; the record is read again for its new version. */
export function useSetting(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (setting: { ordner: string | null } | { kataster_status: boolean }) => {
      await ('ordner' in setting
        ? rpc('a_set_projektordner', { client_id: id, ...setting })
        : rpc('a_set_kataster_for_client', { client_id: id, ...setting }))
      return selectOne<Kunde>('kunde', [eq('client_id', id)])
    },
    onSuccess: (row) => tellOthers(client, row),
  })
}
