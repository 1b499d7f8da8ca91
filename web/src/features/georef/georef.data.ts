// What the georeferencer asks of the server and tells it.
import { queryOptions } from '@tanstack/react-query'
import type { Karte, KarteRpc, Mappoint } from '#contract/karte.ts'
import type { Auswertung } from '#domain/georef/auswertung.ts'
import type { NeuerPunkt, Stand } from '#domain/georef/sitzung.ts'
import type { MappointEingabe } from '#contract/karte.ts'
import { eq } from '../../data/addresses.ts'
import { ApiError } from '../../data/api-error.ts'
import { selectOne, selectRows } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'

export const karteKey = (id: string) => ['karte', id] as const
export const standKey = (id: string) => [...karteKey(id), 'georef'] as const

export interface GeorefRecord {
  readonly karte: Karte
  readonly punkte: readonly Mappoint[]
}
export async function fetchGeoref(id: string, signal?: AbortSignal): Promise<GeorefRecord> {
  const [karte, punkte] = await Promise.all([
    selectOne<Karte>('karte', [eq('id', id)], { signal }),
    selectRows<Mappoint>('mappoint', { filters: [eq('karte_id', id)], order: [{ column: 'nr' }], signal }),
  ])
  return { karte, punkte }
}
/** Points are worked on for long: what others do meanwhile is told when it is saved, not by moving them under somebody's hand. */
export const georefRecord = (id: string) =>
  queryOptions({
    queryKey: standKey(id),
    queryFn: ({ signal }) => fetchGeoref(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
  })

export const dateien = (id: string) =>
  queryOptions({
    queryKey: [...karteKey(id), 'dateien'],
    queryFn: ({ signal }) => rpc('a_get_karte_dateien', { karte_id: id }, { signal }),
  })
const UNDER_WAY: ReadonlySet<string> = new Set(['wartet', 'laeuft'])
export const imGange = ({ stand }: { readonly stand: string }): boolean => UNDER_WAY.has(stand)
export const auftraege = (id: string) =>
  queryOptions({
    queryKey: [...karteKey(id), 'auftraege'],
    queryFn: ({ signal }) => rpc('a_get_karte_auftraege', { karte_id: id }, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(imGange) ? 1000 : false),
  })
export const staende = (id: string) =>
  queryOptions({
    queryKey: [...karteKey(id), 'staende'],
    queryFn: ({ signal }) => rpc('a_get_karte_staende', { karte_id: id }, { signal }),
  })
export const fruehererStand = (id: number) =>
  queryOptions({
    queryKey: ['karte-stand', id],
    queryFn: ({ signal }) => rpc('a_get_karte_stand', { id }, { signal }),
    // Never changed.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Rows count upwards in the table and downwards here. Nothing else than the sign differs, so the figures stay the same to the last digit. */
export const vonTabelle = ({ mapx, mapy, pixelx, pixely, enable = true }: MappointEingabe): NeuerPunkt => ({
  ost: mapx,
  nord: mapy,
  spalte: pixelx,
  zeile: pixely === 0 ? 0 : -pixely,
  enable,
})
export const zurTabelle = ({ ost, nord, spalte, zeile, enable = true }: NeuerPunkt, rest: Auswertung['rest'][number] = null) => ({
  mapx: ost,
  mapy: nord,
  pixelx: spalte,
  pixely: zeile === 0 ? 0 : -zeile,
  enable,
  dx: rest?.dx ?? null,
  dy: rest?.dy ?? null,
  residual: rest?.laenge ?? null,
})

export interface Konflikt {
  readonly jetzt: GeorefRecord
}
/** Answers the new version, or what somebody else has saved meanwhile. */
export async function savePunkte(
  id: number,
  version: number,
  stand: Stand,
  rest: Auswertung['rest'],
  werte: NonNullable<KarteRpc['a_set_mappoints']['takes']['werte']>,
): Promise<number | Konflikt> {
  try {
    const punkte = stand.punkte.map((punkt, index) => zurTabelle(punkt, rest[index] ?? null))
    return await rpc('a_set_mappoints', { karte_id: id, punkte, version, werte }, { timeoutMs: 60_000 })
  } catch (error) {
    if (!(error instanceof ApiError) || error.rule !== 'changed_meanwhile') throw error
    return { jetzt: await fetchGeoref(String(id)) }
  }
}
