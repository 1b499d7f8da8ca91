// Habitat trees: reading one and its check-ups, what the check finds, saving, adding, deleting.
import { infiniteQueryOptions, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Habitatbaum, HabitatbaumZeile, Habitatkontrolle, HabitatZustand, HabitatStatus } from '#contract/habitat.ts'
import { ApiError } from '../../data/api-error.ts'
import { eq, gt, lt, notNull } from '../../data/addresses.ts'
import { insert, removeOne, selectOne, selectPage, selectRows, updateOne } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import { useHasRole, useSession } from '../../data/session.ts'
import type { ListState } from '../../list/list.ts'
import { type Asking, filtersOf } from '../../list/table-source.ts'
import type { RecordSave } from '../../record/use-record-form.ts'
import { verlaufQuery } from '../../record/verlauf.data.ts'
import { type Ort, punkteOf } from './haufen.ts'
import { type Baum, type BaumFeld, baumOf, type BaumWerte, rowOf } from '../../record/habitat/baum.ts'

const ALL = ['habitat'] as const
export const baumKey = (id: number | string) => [...ALL, 'record', String(id)] as const
/** Every list and map of trees begins with it. */
export const HABITAT_LISTS = [...ALL, 'list'] as const

export const baumQuery = (id: string) =>
  queryOptions({
    queryKey: baumKey(id),
    queryFn: async ({ signal }) => baumOf(await selectOne<Habitatbaum>('habitatbaeume', [eq('id', id)], { signal })),
  })
export const baumVerlauf = (id: number) => verlaufQuery(baumKey(id), [eq('tabelle', 'habitatbaeume'), eq('schluessel', String(id))])

export const kontrollenQuery = (id: number) =>
  queryOptions({
    queryKey: [...baumKey(id), 'kontrollen'],
    queryFn: ({ signal }) =>
      selectRows<Habitatkontrolle>('habitatkontrollen', {
        filters: [eq('habitat_id', id)],
        order: [
          { column: 'datum', descending: true },
          { column: 'id', descending: true },
        ],
        limit: 500,
        signal,
      }),
  })

/** Under the lists' key: what is changed may be found or found no longer. */
export const pruefungQuery = (hq: number | string) =>
  queryOptions({
    queryKey: [...HABITAT_LISTS, 'pruefung', String(hq)],
    queryFn: ({ signal }) => rpc('a_get_habitat_pruefung', { idHQ: hq }, { signal, timeoutMs: 60_000 }),
    staleTime: 60_000,
  })
/** By forest address, how many trees; for the choices of the filters. */
export const adressenQuery = (hq: number | string) =>
  queryOptions({
    queryKey: [...HABITAT_LISTS, 'adressen', String(hq)],
    queryFn: async ({ signal }) => (await rpc('__o_get_kawm', { idHQ: hq }, { signal })).bestaende,
    staleTime: 60_000,
  })
/** The holding's stands on the map; the same answer as the page of the stands keeps. */
export const umrisseQuery = (hq: number | string) =>
  queryOptions({
    queryKey: ['waldbestand', String(hq), 'umrisse'],
    queryFn: ({ signal }) => rpc('a_get_bestand_umrisse', { hq_id: hq }, { signal }),
    staleTime: 5 * 60_000,
  })

const AT_ONCE = 10_000
/** How a tree is drawn: candidates and trees, alive and dead, lost ones last. */
export const zeichenOf = (zustand: HabitatZustand, status: HabitatStatus, verloren: boolean): number =>
  verloren ? 3 : status === 'anwaerter' ? 2 : zustand === 'lebend' || zustand === 'absterbend' ? 0 : 1

interface PunktZeile {
  readonly id: number
  readonly lon: number
  readonly lat: number
  readonly zustand: HabitatZustand
  readonly status: HabitatStatus
  readonly verlust_datum: string | null
}
/** All places that the list's filters let through: row security and filters are those of the list. */
export const punkteQuery = (list: Asking, state: Pick<ListState, 'suche' | 'filter'>) => {
  const filters = filtersOf(list, state as ListState)
  return queryOptions({
    queryKey: [...HABITAT_LISTS, 'punkte', filters.map(({ key, inner }) => `${key} ${inner}`)],
    queryFn: async ({ signal }) => {
      const orte: Ort[] = []
      for (let last = 0; ; ) {
        // oxlint-disable-next-line no-await-in-loop -- each stretch begins where the one before ended
        const { rows } = await selectPage<PunktZeile>('habitatbaeume_liste', {
          select: ['id', 'lon', 'lat', 'zustand', 'status', 'verlust_datum'],
          filters: [...filters, gt('id', last)],
          order: [{ column: 'id' }],
          limit: AT_ONCE,
          count: 'none',
          signal,
          timeoutMs: 30_000,
        })
        for (const { id, lon, lat, zustand, status, verlust_datum } of rows)
          orte.push({ id, lon, lat, art: zeichenOf(zustand, status, verlust_datum !== null) })
        // The operator may have set a lower limit than is asked for here.
        if (rows.length === 0) return punkteOf(orte)
        last = rows.at(-1)!.id
      }
    },
    staleTime: 60_000,
  })
}

export type FotoZeile = Pick<HabitatbaumZeile, 'id' | 'nummer' | 'art' | 'art_text' | 'bild_id' | 'verloren'>
const FOTOS_AT_ONCE = 48
/** Trees with a photo that the list's filters let through, captured last first, with their title photo. */
export const fotosQuery = (list: Asking, state: Pick<ListState, 'suche' | 'filter'>) => {
  const filters = filtersOf(list, state as ListState)
  return infiniteQueryOptions({
    queryKey: [...HABITAT_LISTS, 'fotos', filters.map(({ key, inner }) => `${key} ${inner}`)],
    initialPageParam: null as number | null,
    queryFn: async ({ pageParam, signal }) =>
      (
        await selectPage<FotoZeile>('habitatbaeume_liste', {
          select: ['id', 'nummer', 'art', 'art_text', 'bild_id', 'verloren'],
          filters: [...filters, notNull('bild_id'), ...(pageParam === null ? [] : [lt('id', pageParam)])],
          order: [{ column: 'id', descending: true }],
          limit: FOTOS_AT_ONCE,
          count: 'none',
          signal,
        })
      ).rows,
    getNextPageParam: (rows) => (rows.length < FOTOS_AT_ONCE ? null : rows.at(-1)!.id),
    staleTime: 60_000,
  })
}

function tellOthers(client: QueryClient, baum: Baum) {
  client.setQueryData(baumKey(baum.id), baum)
  void client.invalidateQueries({ queryKey: [...baumKey(baum.id), 'verlauf'] })
  void client.invalidateQueries({ queryKey: HABITAT_LISTS })
}

/** Saves changed fields only; rejects with changed_meanwhile when somebody else was faster. */
export function useSaveBaum(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ changes, version }: RecordSave<BaumFeld, Baum>) => {
      try {
        return baumOf(await updateOne<Habitatbaum>('habitatbaeume', [eq('id', id)], rowOf(changes), { version }))
      } catch (error) {
        if (error instanceof ApiError && error.code === 'changed_meanwhile')
          throw new ApiError(error.code, error.message, { status: error.status, current: baumOf(error.current as Habitatbaum) })
        throw error
      }
    },
    onSuccess: (baum) => tellOthers(client, baum),
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'changed_meanwhile') tellOthers(client, error.current as Baum)
    },
  })
}
/** `kennung` is made once for each form: a press that is repeated after a cut line makes no second tree. */
export function useAddBaum() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ kennung, idHQ, werte }: { kennung: string; idHQ: number; werte: BaumWerte }) =>
      baumOf(await insert<Habitatbaum>('habitatbaeume', { kennung, idHQ, ...rowOf(werte) })),
    onSuccess: (baum) => tellOthers(client, baum),
  })
}
export const removeBaum = (id: number, signal?: AbortSignal) => removeOne('habitatbaeume', [eq('id', id)], { signal })
export function useRemoveBaum(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => removeBaum(id),
    onSuccess: () => {
      client.removeQueries({ queryKey: baumKey(id) })
      void client.invalidateQueries({ queryKey: HABITAT_LISTS })
    },
  })
}
export function useKontrolle(baum: number) {
  const client = useQueryClient()
  const after = () => {
    void client.invalidateQueries({ queryKey: [...baumKey(baum), 'kontrollen'] })
    void client.invalidateQueries({ queryKey: HABITAT_LISTS })
  }
  const add = useMutation({
    mutationFn: (row: Pick<Habitatkontrolle, 'kennung' | 'datum' | 'ergebnis' | 'bemerkung'>) =>
      insert<Habitatkontrolle>('habitatkontrollen', { habitat_id: baum, ...row }),
    onSuccess: after,
  })
  const remove = useMutation({ mutationFn: (id: number) => removeOne('habitatkontrollen', [eq('id', id)]), onSuccess: after })
  return { add, remove }
}

export interface Darf {
  readonly aendern: boolean
  readonly loeschen: boolean
}
/** What is offered; the database decides. */
export function useDarf(hq: number): Darf {
  const admin = useHasRole('ogf_admin')
  const link = useSession().hqs.find(({ idHQ, fb_enabled }) => idHQ === hq && fb_enabled)
  return { aendern: admin || link !== undefined, loeschen: admin || (link?.hq_status.includes('hq_admin') ?? false) }
}
