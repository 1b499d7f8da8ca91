// Queries and mutations for one customer: the record, its history and people; saving fields, folder and
// Kataster. Used by both halves.
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Kunde, NewKunde } from '#contract/kunde.ts'
import { eq, neq, oneOf } from '../../data/addresses.ts'
import { ApiError } from '../../data/api-error.ts'
import { insert, selectOne, selectPage, updateOne } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import type { RecordSave } from '../use-record-form.ts'
import { historyQuery } from '../history.data.ts'
import type { FormField } from './kunde-fields.ts'

const ALL = ['kunde'] as const
export const kundeKey = (id: string) => [...ALL, 'record', id] as const
/** Prefix of the keys of all customer lists. */
export const KUNDE_LISTS = [...ALL, 'list'] as const

export const kunde = (id: string) =>
  queryOptions({
    queryKey: kundeKey(id),
    queryFn: ({ signal }) => selectOne<Kunde>('kunde', [eq('client_id', id)], { signal }),
  })

/** Filtered by row security: a customer's admin sees their own. */
export const ownKunden = queryOptions({
  queryKey: [...ALL, 'own'],
  queryFn: async ({ signal }) =>
    (
      await selectPage<Kunde>('kunde', {
        order: [{ column: 'sortname' }, { column: 'client_id' }],
        limit: 200,
        count: 'none',
        signal,
      })
    ).rows,
})

export const kundeHistory = (id: string) =>
  historyQuery(kundeKey(id), [eq('tabelle', 'kunde'), eq('schluessel', id)])

/** The same, including who joined and left and changes to their links. */
export const kundeHistoryWithPeople = (id: string) =>
  historyQuery(
    [...kundeKey(id), 'verlauf', 'personen'],
    [eq('client_id', id), oneOf('tabelle', ['kunde', 'benutzer_kunde'])],
  )

export const kundePeople = (id: string) =>
  queryOptions({
    queryKey: [...kundeKey(id), 'people'],
    queryFn: async ({ signal }) => {
      const [people, team] = await Promise.all([
        rpc('a_get_appusers_from_client', { client_id: id }, { signal }),
        rpc('a_get_apus_team_from_client', { client_id: id }, { signal }),
      ])
      return { people, team }
    },
  })

/** Some other customers with that project folder. */
export const folderNeighbours = (client_id: number, folder: string) =>
  queryOptions({
    queryKey: [...ALL, 'ordner', folder, client_id],
    queryFn: async ({ signal }) =>
      (
        await selectPage<Pick<Kunde, 'client_id' | 'name'>>('kunde', {
          select: ['client_id', 'name'],
          filters: [eq('ordner', folder), neq('client_id', client_id)],
          order: [{ column: 'client_id' }],
          limit: 1,
          count: 'none',
          signal,
        })
      ).rows,
  })

/** After a change: updates the record and invalidates its history and all lists. */
export function tellOthers(client: QueryClient, row: Kunde) {
  client.setQueryData(kundeKey(String(row.client_id)), row)
  void client.invalidateQueries({ queryKey: [...kundeKey(String(row.client_id)), 'verlauf'] })
  void client.invalidateQueries({ queryKey: KUNDE_LISTS })
  void client.invalidateQueries({ queryKey: ownKunden.queryKey })
}

/** Saves changed fields only; rejects with changed_meanwhile if somebody else saved first. */
export function useSaveKunde(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ changes, version }: RecordSave<FormField, Kunde>) =>
      updateOne<Kunde>('kunde', [eq('client_id', id)], changes, { version }),
    onSuccess: (row) => tellOthers(client, row),
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'changed_meanwhile')
        tellOthers(client, error.current as Kunde)
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

/**
 * Project folder and Kataster have their own procedures; the record is then refetched for its new version.
 */
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
