// Queries and mutations for plans: one plan, its neighbours and history; saving, adding, deleting.
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Karte } from '#contract/karte.ts'
import type { Kunde } from '#contract/kunde.ts'
import { and, contains, eq, gt, gte, lt, lte, neq, oneOf, or } from '../../data/addresses.ts'
import { ApiError } from '../../data/api-error.ts'
import { insert, nullIfMissing, removeOne, selectOne, selectPage, updateOne } from '../../data/rows.ts'
import type { RecordSave } from '../../record/use-record-form.ts'
import { historyQuery } from '../../record/history.data.ts'
import type { Option } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'

const ALL = ['karte'] as const
export const karteKey = (id: string | number) => [...ALL, 'record', String(id)] as const
/** Prefix of the keys of all plan lists. */
export const KARTE_LISTS = [...ALL, 'list'] as const

export type KarteRow = Karte & { readonly sortname: string }

export const karteQuery = (id: string) =>
  queryOptions({
    queryKey: karteKey(id),
    queryFn: ({ signal }) => selectOne<KarteRow>('karte', [eq('id', id)], { signal }),
  })

export type ShortKunde = Pick<Kunde, 'client_id' | 'name' | 'epsg'>
export const loadKunde = (id: string, signal?: AbortSignal) =>
  selectOne<ShortKunde>('kunde', [eq('client_id', id)], { select: ['client_id', 'name', 'epsg'], signal })
/** Below the plans' own key, because it reads fewer columns of the customer than elsewhere. */
export const kundeQuery = (id: number | string) =>
  queryOptions({
    queryKey: [...ALL, 'kunde', String(id)],
    queryFn: ({ signal }) => loadKunde(String(id), signal),
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
const kundeName = async (id: string, signal: AbortSignal): Promise<string | null> =>
  (await nullIfMissing(loadKunde(id, signal)))?.name ?? null
export const KUNDE_FILTER = {
  kind: 'record',
  key: 'kunde',
  column: 'client_id',
  label: () => t('Kunde'),
  find: findKunde,
  name: kundeName,
} as const

export interface Neighbour {
  readonly id: number
  readonly map_name: string
}
/** The previous and next plan of the same customer, by name. */
export const neighboursQuery = ({ id, client_id, sortname }: KarteRow) =>
  queryOptions({
    queryKey: [...KARTE_LISTS, 'nachbarn', id, sortname],
    queryFn: async ({ signal }) => {
      const neighbour = async (descending: boolean): Promise<Neighbour | null> => {
        const beyond = descending ? lt : gt
        const { rows } = await selectPage<Neighbour>('karte', {
          select: ['id', 'map_name'],
          filters: [
            eq('client_id', client_id),
            (descending ? lte : gte)('sortname', sortname),
            or(beyond('sortname', sortname), and(eq('sortname', sortname), beyond('id', id))),
          ],
          order: [
            { column: 'sortname', descending },
            { column: 'id', descending },
          ],
          limit: 1,
          count: 'none',
          signal,
        })
        return rows[0] ?? null
      }
      const [previous, next] = await Promise.all([neighbour(true), neighbour(false)])
      return { previous, next }
    },
    staleTime: 30_000,
  })

export type SameNumber = Neighbour
export const MOST_NAMED = 3
/**
 * Other plans of the customer with that order or register number; one more than displayed, to know whether
 * there are more.
 */
export const sameNumberQuery = (
  client_id: number,
  field: 'auftr_nr' | 'reg_nr',
  planNumber: string,
  except: number | null,
) =>
  queryOptions({
    queryKey: [...KARTE_LISTS, 'gleich', client_id, field, planNumber, except],
    queryFn: async ({ signal }) =>
      (
        await selectPage<SameNumber>('karte', {
          select: ['id', 'map_name'],
          filters: [
            eq('client_id', client_id),
            eq(field, planNumber),
            ...(except === null ? [] : [neq('id', except)]),
          ],
          order: [{ column: 'sortname' }, { column: 'id' }],
          limit: MOST_NAMED + 1,
          count: 'none',
          signal,
        })
      ).rows,
    enabled: client_id > 0 && planNumber !== '',
    staleTime: 30_000,
  })

/** How many of the caller's plans wait for an answer. */
export const waitingQuery = queryOptions({
  queryKey: [...KARTE_LISTS, 'wartend'],
  queryFn: async ({ signal }) =>
    (
      await selectPage('karte', {
        select: ['id'],
        filters: [oneOf('client_status', ['offen', 'in_pruefung'])],
        limit: 1,
        count: 'exact',
        signal,
      })
    ).total ?? 0,
})

export const karteHistory = (id: number) =>
  historyQuery(karteKey(id), [
    oneOf('tabelle', ['kartenblatt', 'karte_intern']),
    eq('schluessel', String(id)),
  ])

/** After a change: updates the record and invalidates its history and all lists. */
function tellOthers(client: QueryClient, row: KarteRow) {
  client.setQueryData(karteKey(row.id), row)
  void client.invalidateQueries({ queryKey: [...karteKey(row.id), 'verlauf'] })
  void client.invalidateQueries({ queryKey: KARTE_LISTS })
}

/** Saves changed fields only; rejects with changed_meanwhile if somebody else saved first. */
export function useSaveKarte<F extends keyof Karte>(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ changes, version }: RecordSave<F, Karte>) =>
      updateOne<KarteRow>('karte', [eq('id', id)], changes, { version }),
    onSuccess: (row) => tellOthers(client, row),
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'changed_meanwhile')
        tellOthers(client, error.current as KarteRow)
    },
  })
}

export type NewKarte = Partial<Karte> & Pick<Karte, 'client_id' | 'map_name'>
export function useAddKarte() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (row: NewKarte) => insert<KarteRow>('karte', row),
    onSuccess: (row) => tellOthers(client, row),
  })
}

export function useRemoveKarte(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => removeOne('karte', [eq('id', id)]),
    onSuccess: () => {
      client.removeQueries({ queryKey: karteKey(id) })
      void client.invalidateQueries({ queryKey: KARTE_LISTS })
    },
  })
}

/** For bulk changes, regardless of version: only this field is changed. */
export const setKarte = (id: number, change: Partial<Karte>) =>
  updateOne<Karte>('karte', [eq('id', id)], change)
