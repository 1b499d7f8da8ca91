// Queries and mutations of the georeferencer.
import { queryOptions } from '@tanstack/react-query'
import type { Karte, KarteRpc, Mappoint } from '#contract/karte.ts'
import type { Evaluation } from '#domain/georef/evaluation.ts'
import type { NewPoint, State } from '#domain/georef/session.ts'
import type { KeptPoint } from '#domain/georef/rectify-values.ts'
import { eq } from '../../data/addresses.ts'
import { ApiError } from '../../data/api-error.ts'
import { selectOne, selectRows } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'

export const karteKey = (id: string) => ['karte', id] as const
export const georefKey = (id: string) => [...karteKey(id), 'georef'] as const

/** Lists, the plan's own page and its files; not the points being edited. */
export const OTHER_PLAN_DATA = {
  predicate: ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    String(queryKey[0]).startsWith('karte') && queryKey.at(-1) !== 'georef',
}

export interface GeorefRecord {
  readonly karte: Karte
  readonly punkte: readonly Mappoint[]
}
export async function fetchGeoref(id: string, signal?: AbortSignal): Promise<GeorefRecord> {
  const [karte, points] = await Promise.all([
    selectOne<Karte>('karte', [eq('id', id)], { signal }),
    selectRows<Mappoint>('mappoint', { filters: [eq('karte_id', id)], order: [{ column: 'nr' }], signal }),
  ])
  return { karte, punkte: points }
}
/** Editing points takes long: changes by others are reported on saving and do not move points meanwhile. */
export const georefRecord = (id: string) =>
  queryOptions({
    queryKey: georefKey(id),
    queryFn: ({ signal }) => fetchGeoref(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
  })

export const storedFiles = (id: string) =>
  queryOptions({
    queryKey: [...karteKey(id), 'dateien'],
    queryFn: ({ signal }) => rpc('a_get_karte_dateien', { karte_id: id }, { signal }),
  })
const UNDER_WAY: ReadonlySet<string> = new Set(['wartet', 'laeuft'])
export const isUnderWay = ({ stand }: { readonly stand: string }): boolean => UNDER_WAY.has(stand)
export const jobs = (id: string) =>
  queryOptions({
    queryKey: [...karteKey(id), 'auftraege'],
    queryFn: ({ signal }) => rpc('a_get_karte_auftraege', { karte_id: id }, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 1000 : false),
  })
/** Asked once: the first view shall not change under the person's hands. */
export const surroundings = (id: string) =>
  queryOptions({
    queryKey: [...karteKey(id), 'umgebung'],
    queryFn: ({ signal }) => rpc('a_get_karte_umgebung', { karte_id: Number(id) }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
export const states = (id: string) =>
  queryOptions({
    queryKey: [...karteKey(id), 'staende'],
    queryFn: ({ signal }) => rpc('a_get_karte_staende', { karte_id: id }, { signal }),
  })
export const earlierVersion = (id: number) =>
  queryOptions({
    queryKey: ['karte-stand', id],
    queryFn: ({ signal }) => rpc('a_get_karte_stand', { id }, { signal }),
    // Versions are immutable.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Rows count upwards in the table and downwards here. Only the sign differs, so no digit is lost. */
export const fromTable = ({ mapx, mapy, pixelx, pixely, enable = true }: KeptPoint): NewPoint => ({
  ost: mapx,
  nord: mapy,
  spalte: pixelx,
  zeile: pixely === 0 ? 0 : -pixely,
  enable,
})
export const toTable = (
  { ost, nord, spalte, zeile, enable = true }: NewPoint,
  rest: Evaluation['rest'][number] = null,
) => ({
  mapx: ost,
  mapy: nord,
  pixelx: spalte,
  pixely: zeile === 0 ? 0 : -zeile,
  enable,
  dx: rest?.dx ?? null,
  dy: rest?.dy ?? null,
  residual: rest?.laenge ?? null,
})

export interface Conflict {
  readonly present: GeorefRecord
}
/** Returns the new version, or what somebody else has saved meanwhile. */
export async function savePoints(
  id: number,
  version: number,
  stand: State,
  rest: Evaluation['rest'],
  values: NonNullable<KarteRpc['a_set_mappoints']['takes']['werte']>,
): Promise<number | Conflict> {
  try {
    const points = stand.punkte.map((point, index) => toTable(point, rest[index] ?? null))
    return await rpc(
      'a_set_mappoints',
      { karte_id: id, punkte: points, version, werte: values },
      { timeoutMs: 60_000 },
    )
  } catch (error) {
    if (!(error instanceof ApiError) || error.rule !== 'changed_meanwhile') throw error
    return { present: await fetchGeoref(String(id)) }
  }
}
