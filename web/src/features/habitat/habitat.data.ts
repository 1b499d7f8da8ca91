// Queries and mutations for habitat trees: one tree and its check-ups, findings of the check, saving, adding,
// deleting.
import { type TreeField } from '#domain/habitatbaum-fields.ts'
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { Habitatbaum, HabitatbaumKarte, HabitatbaumRow, HabitatInspection } from '#contract/habitat.ts'
import { ApiError } from '../../data/api-error.ts'
import { eq, type Filter, gte, lt, notNull } from '../../data/addresses.ts'
import { insert, removeOne, selectOne, selectPage, selectRows, updateOne } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import { useHasRole, useSession } from '../../data/session.ts'
import type { ListState } from '../../list/list.ts'
import { type Asking, filtersOf } from '../../list/table-source.ts'
import type { RecordSave } from '../../record/use-record-form.ts'
import { historyQuery } from '../../record/history.data.ts'
import { grad } from '../../karte/mercator.ts'
import { type Block, type Heap, type Box, boxOfBlock, SMALLEST } from './heaps.ts'
import { type Tree, treeOf, type TreeValues, rowOf } from '../../record/habitat/tree.ts'

const ALL = ['habitat'] as const
export const treeKey = (id: number | string) => [...ALL, 'record', String(id)] as const
/** Prefix of the keys of all tree lists and maps. */
export const HABITAT_LISTS = [...ALL, 'list'] as const

export const treeQuery = (id: string) =>
  queryOptions({
    queryKey: treeKey(id),
    queryFn: async ({ signal }) =>
      treeOf(await selectOne<Habitatbaum>('habitatbaeume', [eq('id', id)], { signal })),
  })
export const treeHistory = (id: number) =>
  historyQuery(treeKey(id), [eq('tabelle', 'habitatbaeume'), eq('schluessel', String(id))])

export const inspectionsQuery = (id: number) =>
  queryOptions({
    queryKey: [...treeKey(id), 'kontrollen'],
    queryFn: ({ signal }) =>
      selectRows<HabitatInspection>('habitatkontrollen', {
        filters: [eq('habitat_id', id)],
        order: [
          { column: 'datum', descending: true },
          { column: 'id', descending: true },
        ],
        limit: 500,
        signal,
      }),
  })

/** Below the lists' key, because changing a tree may change the findings. */
export const checkQuery = (hq: number | string) =>
  queryOptions({
    queryKey: [...HABITAT_LISTS, 'pruefung', String(hq)],
    queryFn: ({ signal }) => rpc('a_get_habitat_pruefung', { idHQ: hq }, { signal, timeoutMs: 60_000 }),
    staleTime: 60_000,
  })
/** Number of trees by forest address, for the filter options. */
export const addressesQuery = (hq: number | string) =>
  queryOptions({
    queryKey: [...HABITAT_LISTS, 'adressen', String(hq)],
    queryFn: async ({ signal }) => (await rpc('__o_get_kawm', { idHQ: hq }, { signal })).bestaende,
    staleTime: 60_000,
  })
/** Outlines of the holding's stands; shares its cache entry with the page of forest stands. */
export const outlinesQuery = (hq: number | string) =>
  queryOptions({
    queryKey: ['waldbestand', String(hq), 'umrisse'],
    queryFn: ({ signal }) => rpc('a_get_bestand_umrisse', { hq_id: hq }, { signal }),
    staleTime: 5 * 60_000,
  })

const karteKey = (filters: readonly Filter[]) =>
  [...HABITAT_LISTS, 'karte', filters.map(({ key, inner }) => `${key} ${inner}`)] as const

/** How many trees match the list's filters, and their extent; null if there are none. */
export const extentQuery = (list: Asking, state: Pick<ListState, 'suche' | 'filter'>) => {
  const filters = filtersOf(list, state as ListState)
  return queryOptions({
    queryKey: [...karteKey(filters), 'umfang'],
    queryFn: async ({ signal }) => {
      const [row] = await selectRows<{ n: number; w: number; s: number; o: number; r: number }>(
        'habitatbaeume_karte',
        {
          select: ['n:count()', 'w:x.min()', 's:y.min()', 'o:x.max()', 'r:y.max()'],
          filters,
          signal,
          timeoutMs: 30_000,
        },
      )
      const box: Box | null = row === undefined || row.n === 0 ? null : [row.w, row.s, row.o, row.r]
      return { anzahl: row?.n ?? 0, kasten: box }
    },
    staleTime: 60_000,
  })
}

/** With more single trees than this, a block is shown in the smallest clusters. */
const MOST_SINGLE = 1_500
interface HeapRow {
  readonly n: number
  readonly id: number
  readonly zeichen: number
  readonly w: number
  readonly s: number
  readonly o: number
  readonly r: number
}
/** Clusters or single trees of one part of the map; row security and filters are those of the list. */
export const heapsQuery = (list: Asking, state: Pick<ListState, 'suche' | 'filter'>, block: Block) => {
  const filters = filtersOf(list, state as ListState)
  return queryOptions({
    queryKey: [...karteKey(filters), block.stufe, block.x, block.y],
    queryFn: async ({ signal }): Promise<Heap[]> => {
      const [west, south, east, north] = boxOfBlock(block)
      const [[lonWest, latSouth], [lonEast, latNorth]] = [grad(west, south), grad(east, north)]
      // Half-open intervals, so that each tree is in exactly one block. By degrees, because they are indexed.
      const inside = [
        ...filters,
        gte('lat', latSouth),
        lt('lat', latNorth),
        gte('lon', lonWest),
        lt('lon', lonEast),
      ]
      const read = { filters: inside, signal, timeoutMs: 30_000 }
      if (block.stufe === null) {
        const rows = await selectRows<Pick<HabitatbaumKarte, 'id' | 'x' | 'y' | 'zeichen'>>(
          'habitatbaeume_karte',
          {
            ...read,
            select: ['id', 'x', 'y', 'zeichen'],
            limit: MOST_SINGLE + 1,
          },
        )
        if (rows.length <= MOST_SINGLE)
          return rows.map(({ id, x, y, zeichen }) => ({ anzahl: 1, id, zeichen, kasten: [x, y, x, y] }))
      }
      const rows = await selectRows<HeapRow>('habitatbaeume_karte', {
        ...read,
        select: [
          `zelle_${block.stufe ?? SMALLEST}`,
          'n:count()',
          'id:id.min()',
          'zeichen:zeichen.min()',
          'w:x.min()',
          's:y.min()',
          'o:x.max()',
          'r:y.max()',
        ],
      })
      return rows.map(({ n, id, zeichen, w, s, o, r }) => ({ anzahl: n, id, zeichen, kasten: [w, s, o, r] }))
    },
    staleTime: 60_000,
  })
}

export type PhotoRow = Pick<HabitatbaumRow, 'id' | 'nummer' | 'art' | 'art_text' | 'bild_id' | 'verloren'>
const PHOTOS_AT_ONCE = 48
/** Matching trees that have a photo, latest capture first, with their title photo. */
export const photosQuery = (list: Asking, state: Pick<ListState, 'suche' | 'filter'>) => {
  const filters = filtersOf(list, state as ListState)
  return infiniteQueryOptions({
    queryKey: [...HABITAT_LISTS, 'fotos', filters.map(({ key, inner }) => `${key} ${inner}`)],
    initialPageParam: null as number | null,
    queryFn: async ({ pageParam, signal }) =>
      (
        await selectPage<PhotoRow>('habitatbaeume_liste', {
          select: ['id', 'nummer', 'art', 'art_text', 'bild_id', 'verloren'],
          filters: [...filters, notNull('bild_id'), ...(pageParam === null ? [] : [lt('id', pageParam)])],
          order: [{ column: 'id', descending: true }],
          limit: PHOTOS_AT_ONCE,
          count: 'none',
          signal,
        })
      ).rows,
    getNextPageParam: (rows) => (rows.length < PHOTOS_AT_ONCE ? null : rows.at(-1)!.id),
    staleTime: 60_000,
  })
}

function tellOthers(client: QueryClient, tree: Tree) {
  client.setQueryData(treeKey(tree.id), tree)
  void client.invalidateQueries({ queryKey: [...treeKey(tree.id), 'verlauf'] })
  void client.invalidateQueries({ queryKey: HABITAT_LISTS })
}

/** Saves changed fields only; rejects with changed_meanwhile if somebody else saved first. */
export function useSaveTree(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ changes, version }: RecordSave<TreeField, Tree>) => {
      try {
        return treeOf(
          await updateOne<Habitatbaum>('habitatbaeume', [eq('id', id)], rowOf(changes), { version }),
        )
      } catch (error) {
        if (error instanceof ApiError && error.code === 'changed_meanwhile')
          throw new ApiError(error.code, error.message, {
            status: error.status,
            current: treeOf(error.current as Habitatbaum),
          })
        throw error
      }
    },
    onSuccess: (tree) => tellOthers(client, tree),
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'changed_meanwhile')
        tellOthers(client, error.current as Tree)
    },
  })
}
/**
 * `kennung` is created once per form, so that a retry after a lost connection does not create a second tree.
 */
export function useAddTree() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ kennung, idHQ, werte }: { kennung: string; idHQ: number; werte: TreeValues }) =>
      treeOf(await insert<Habitatbaum>('habitatbaeume', { kennung, idHQ, ...rowOf(werte) })),
    onSuccess: (tree) => tellOthers(client, tree),
  })
}
export const removeTree = (id: number, signal?: AbortSignal) =>
  removeOne('habitatbaeume', [eq('id', id)], { signal })
export function useRemoveTree(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => removeTree(id),
    onSuccess: () => {
      client.removeQueries({ queryKey: treeKey(id) })
      void client.invalidateQueries({ queryKey: HABITAT_LISTS })
    },
  })
}
export function useInspection(tree: number) {
  const client = useQueryClient()
  const after = () => {
    void client.invalidateQueries({ queryKey: [...treeKey(tree), 'kontrollen'] })
    void client.invalidateQueries({ queryKey: HABITAT_LISTS })
  }
  const add = useMutation({
    mutationFn: (row: Pick<HabitatInspection, 'kennung' | 'datum' | 'ergebnis' | 'bemerkung'>) =>
      insert<HabitatInspection>('habitatkontrollen', { habitat_id: tree, ...row }),
    onSuccess: after,
  })
  const remove = useMutation({
    mutationFn: (id: number) => removeOne('habitatkontrollen', [eq('id', id)]),
    onSuccess: after,
  })
  return { add, remove }
}

export interface HabitatRights {
  readonly mayChange: boolean
  readonly erase: boolean
}
/** Decides what is offered; the database enforces it. */
export function useHabitatRights(hq: number): HabitatRights {
  const admin = useHasRole('ogf_admin')
  const link = useSession().hqs.find(({ idHQ, fb_enabled }) => idHQ === hq && fb_enabled)
  return {
    mayChange: admin || link !== undefined,
    erase: admin || (link?.hq_status.includes('hq_admin') ?? false),
  }
}
