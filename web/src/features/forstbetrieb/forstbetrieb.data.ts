// Queries and mutations for the headquarters screens.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Abo } from '#contract/abo.ts'
import type { HqRow, PolygonJson } from '#contract/forstbetrieb.ts'
import type { Hq, KundeHq } from '#contract/hq.ts'
import type { Kunde } from '#contract/kunde.ts'
import type { UserOfHq } from '#contract/rpc.ts'
import type { HistoryEntry } from '#contract/history.ts'
import { eq, type Filter, gte, oneOf } from '../../data/addresses.ts'
import { ApiError } from '../../data/api-error.ts'
import { removeOne, selectOne, selectPage, selectRows, updateOne } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import type { HqField, SwitchField } from '#domain/hq-fields.ts'
import { HQ_LISTS, hqKey, refreshHq } from '../../record/hq/hq-record.data.ts'
import type { RecordSave } from '../../record/use-record-form.ts'
import { historyQuery } from '../../record/history.data.ts'

export const hqRecord = (id: string) =>
  queryOptions({
    queryKey: [...hqKey(id), 'hq'],
    queryFn: ({ signal }) => selectOne<Hq>('hq', [eq('idHQ', id)], { signal }),
  })
export const hqSwitches = (id: string) =>
  queryOptions({
    queryKey: [...hqKey(id), 'switches'],
    queryFn: ({ signal }) => selectOne<KundeHq>('kunde_hq', [eq('hqid', id)], { signal }),
  })
/** Joined data: the customer's name, the drawn area, the number of people. */
export const hqDetails = (id: string) =>
  queryOptions({
    queryKey: [...hqKey(id), 'details'],
    queryFn: async ({ signal }) => (await rpc('__o_get_hq_details', { hq_id: id }, { signal }))[0] ?? null,
  })

/** Changes of the switches, newest first: since when each has its current state. */
export const switchHistory = (id: string) =>
  queryOptions({
    queryKey: [...hqKey(id), 'switch-history'],
    queryFn: async ({ signal }) =>
      (
        await selectPage<Pick<HistoryEntry, 'zeit' | 'wer' | 'aktion' | 'neu'>>('verlauf', {
          select: ['zeit', 'wer', 'aktion', 'neu'],
          filters: [eq('tabelle', 'kunde_hq'), eq('schluessel', id)],
          order: [{ column: 'id', descending: true }],
          limit: 200,
          count: 'none',
          signal,
        })
      ).rows,
  })

/** Running subscriptions, as far as the caller may see them. `day`: today in the user's time zone. */
export const runningAbos = (id: string, day: string) =>
  queryOptions({
    queryKey: [...hqKey(id), 'abos', day],
    queryFn: ({ signal }) =>
      selectRows<Pick<Abo, 'id' | 'modul' | 'ende' | 'zustand'>>('abo', {
        select: ['id', 'modul', 'ende', 'zustand'],
        filters: [eq('hqid', id), gte('ende', day), oneOf('zustand', ['aktiv', 'gekuendigt'])],
        order: [{ column: 'ende' }, { column: 'id' }],
        limit: 20,
        signal,
      }),
  })

/** Master data, switches, area and people of one headquarters in one history. */
export const hqHistory = (id: string) =>
  historyQuery(hqKey(id), [eq('hqid', id), oneOf('tabelle', ['hq', 'kunde_hq', 'hq_flaeche', 'benutzer_hq'])])

/** Names of people by id, as far as the caller may see them. */
export const peopleNames = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['hq', 'names', ids],
    enabled: ids.length > 0,
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }) => {
      const rows = await selectRows<Pick<UserOfHq, 'user_id' | 'first_name' | 'last_name' | 'username'>>(
        'benutzer',
        {
          select: ['user_id', 'first_name', 'last_name', 'username'],
          filters: [oneOf('user_id', ids)],
          signal,
        },
      )
      return new Map(rows.map((row) => [row.user_id, personName(row)]))
    },
  })
export const personName = ({
  first_name,
  last_name,
  username,
}: Pick<UserOfHq, 'first_name' | 'last_name' | 'username'>): string =>
  [first_name, last_name].filter(Boolean).join(' ') || username

/** Call after any change to a headquarters or its parts. */
function useRefresh(hq: Pick<Hq, 'idHQ' | 'client_id'>) {
  const client = useQueryClient()
  return () => refreshHq(client, hq)
}

export function useSaveHq(hq: Hq) {
  const client = useQueryClient()
  const id = String(hq.idHQ)
  const take = (row: Hq) => {
    client.setQueryData(hqRecord(id).queryKey, row)
    refreshHq(client, row)
  }
  return useMutation({
    mutationFn: ({ changes, version }: RecordSave<HqField, Hq>) =>
      updateOne<Hq>('hq', [eq('idHQ', id)], changes, { version }),
    onSuccess: take,
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'changed_meanwhile') take(error.current as Hq)
    },
  })
}
export function useSaveSwitches(hq: Hq) {
  const client = useQueryClient()
  const id = String(hq.idHQ)
  const take = (row: KundeHq) => {
    client.setQueryData(hqSwitches(id).queryKey, row)
    refreshHq(client, hq)
  }
  return useMutation({
    mutationFn: ({ changes, version }: RecordSave<SwitchField, KundeHq>) =>
      updateOne<KundeHq>('kunde_hq', [eq('hqid', id)], changes, { version }),
    onSuccess: take,
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'changed_meanwhile') take(error.current as KundeHq)
    },
  })
}

// People

export const hqPeople = (id: string) =>
  queryOptions({
    queryKey: [...hqKey(id), 'people'],
    queryFn: ({ signal }) => rpc('__o_get_users_from_hq', { client_id: id }, { signal }),
  })
export const hqRights = (id: string) =>
  queryOptions({
    queryKey: [...hqKey(id), 'rights'],
    queryFn: async ({ signal }) => (await rpc('__o_get_hq_rights', { hq_id: id }, { signal }))[0] ?? null,
  })
export const hqsOfPerson = (user_id: number) =>
  queryOptions({
    queryKey: ['hq', 'of-person', user_id],
    queryFn: ({ signal }) => rpc('__o_get_hqs_from_user', { user_id }, { signal }),
  })

export type PersonHit = Pick<UserOfHq, 'user_id' | 'username' | 'first_name' | 'last_name'>
const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text)
const wordFilter = (word: string): Filter => {
  const literal = word
    .toLowerCase()
    .replaceAll(/[\\%_]/g, '\\$&')
    .replaceAll('*', '_')
  return { key: 'suchtext', value: `like.*${literal}*`, inner: `suchtext.like.*${literal}*` }
}

/**
 * People who could be connected: among those visible to the caller, and by complete address also those the
 * caller may connect without seeing them.
 */
export const findPeople = (id: string, text: string) =>
  queryOptions({
    queryKey: [...hqKey(id), 'find', text],
    enabled: text.length >= 2,
    queryFn: async ({ signal }): Promise<readonly PersonHit[]> => {
      const words = text.split(/\s+/).filter(Boolean).slice(0, 6)
      const [seen, found] = await Promise.all([
        selectPage<PersonHit>('benutzer', {
          select: ['user_id', 'username', 'first_name', 'last_name'],
          filters: [...words.map(wordFilter), eq('enabled', true)],
          order: [{ column: 'last_name' }, { column: 'user_id' }],
          limit: 12,
          count: 'none',
          signal,
        }),
        isAddress(text) ? rpc('__o_find_user_for_hq', { hq_id: id, email: text }, { signal }) : [],
      ])
      return [...found, ...seen.rows.filter(({ user_id }) => !found.some((one) => one.user_id === user_id))]
    },
  })

interface PersonActs {
  readonly connect: { person: PersonHit }
  readonly disconnect: { person: PersonHit }
  readonly status: { person: PersonHit; hq_status: string[] }
  readonly app: { person: PersonHit; status: 'aktiv' | 'gesperrt' }
}
export type PersonAct = {
  [K in keyof PersonActs]: { readonly kind: K } & PersonActs[K]
}[keyof PersonActs]
export function usePersonAct(hq: Hq) {
  const refresh = useRefresh(hq)
  return useMutation({
    mutationFn: async (act: PersonAct) => {
      const { user_id, username } = act.person
      const hqId = hq.idHQ
      if (act.kind === 'connect') await rpc('__o_connect_user_to_hq', { username, user_id, hqid: hqId })
      else if (act.kind === 'disconnect')
        await rpc('__o_disconnect_user_from_hq', { username, user_id, hqid: hqId })
      else if (act.kind === 'status')
        await rpc('a_set_hq_status', { user_id, hqid: hqId, hq_status: act.hq_status })
      else await rpc('__o_change_app_status', { user_id, username, status: act.status })
    },
    onSettled: refresh,
  })
}

// Area

export const hqArea = (id: string) =>
  queryOptions({
    queryKey: [...hqKey(id), 'area'],
    queryFn: async ({ signal }) => (await rpc('__o_get_area_from_hq', { hq_id: id }, { signal }))[0] ?? null,
  })
/** The customer's coordinate system, for uploading an area. */
export const kundeEpsg = (client_id: number) =>
  queryOptions({
    queryKey: ['kunde', 'record', String(client_id), 'epsg'],
    queryFn: async ({ signal }) =>
      (
        await selectOne<Pick<Kunde, 'epsg'>>('kunde', [eq('client_id', client_id)], {
          select: ['epsg'],
          signal,
        })
      ).epsg,
  })
export function useSetArea(hq: Hq) {
  const refresh = useRefresh(hq)
  return useMutation({
    mutationFn: (area: { polygon: PolygonJson; epsg: number; version: number | null }) =>
      rpc(
        'a_set_hq_flaeche',
        { hq_id: hq.idHQ, geojson: area.polygon, epsg: area.epsg, version: area.version },
        { timeoutMs: 20_000 },
      ),
    onSettled: refresh,
  })
}
export function useRemoveArea(hq: Hq) {
  const refresh = useRefresh(hq)
  return useMutation({
    mutationFn: (version: number) => removeOne('hq_flaeche', [eq('hqid', hq.idHQ), eq('version', version)]),
    onSettled: refresh,
  })
}

// Lists

/** Extents of all headquarters visible to the caller; meant for callers who see only a few. */
export const hqBoxes = queryOptions({
  queryKey: ['hq', 'boxes'],
  queryFn: ({ signal }) => rpc('__o_get_bbox_from_hq', {}, { signal }),
})
/** A forester's headquarters. */
export const ownHqs = queryOptions({
  queryKey: [...HQ_LISTS, 'own'],
  queryFn: async ({ signal }) =>
    (
      await selectPage<HqRow>('hq_liste', {
        order: [{ column: 'sortname' }, { column: 'idHQ' }],
        limit: 200,
        count: 'none',
        signal,
      })
    ).rows,
})

export async function findKunden(
  text: string,
  signal: AbortSignal,
): Promise<{ value: string; label: string }[]> {
  const { rows } = await selectPage<Pick<Kunde, 'client_id' | 'name' | 'ort'>>('kunde', {
    select: ['client_id', 'name', 'ort'],
    filters: text.split(/\s+/).filter(Boolean).slice(0, 6).map(wordFilter),
    order: [{ column: 'sortname' }, { column: 'client_id' }],
    limit: 10,
    count: 'none',
    signal,
  })
  return rows.map(({ client_id, name, ort }) => ({ value: String(client_id), label: `${name}, ${ort}` }))
}
export async function kundeName(id: string, signal: AbortSignal): Promise<string | null> {
  const [row] = await selectRows<Pick<Kunde, 'name' | 'ort'>>('kunde', {
    select: ['name', 'ort'],
    filters: [eq('client_id', id)],
    limit: 1,
    signal,
  })
  return row ? `${row.name}, ${row.ort}` : null
}
