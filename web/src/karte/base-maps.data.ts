// Base maps configured by the operator, their tiles, and the one that this person chose last.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type BaseMap, type BaseMapTile, baseMapPaths } from '#contract/base-map.ts'
import { fetchBlob } from '../data/blob.ts'
import { callGeneral } from '../data/client.ts'
import { pathOf } from './path.ts'

export const baseMaps = queryOptions({
  queryKey: ['grundkarten'],
  queryFn: ({ signal }) => callGeneral<BaseMap[]>('GET', pathOf(baseMapPaths.liste), { signal, quiet: true }),
  // The list changes only with a restart of the server.
  staleTime: 10 * 60_000,
})

const KEPT = 'forstkontor.grundkarte'
/** "None" is a valid choice too: the page's layers on a plain background. */
const NONE = ''

export interface BaseMapChoice {
  readonly karten: readonly BaseMap[]
  readonly gewaehlt: BaseMap | null
  readonly pick: (id: string) => void
}

export function useBaseMap(): BaseMapChoice {
  const { data: karten = [] } = useQuery(baseMaps)
  const [id, setId] = useState(() => localStorage.getItem(KEPT))
  return {
    karten,
    gewaehlt: id === NONE ? null : (karten.find((karte) => karte.id === id) ?? karten[0] ?? null),
    pick: (next) => {
      localStorage.setItem(KEPT, next)
      setId(next)
    },
  }
}

/**
 * A tile, wherever it comes from: asked for from our server, or read from the operator's file. Empty if there
 * is none.
 */
export async function fetchBaseTile(
  { id, datei }: Pick<BaseMap, 'id' | 'datei'>,
  { z, x, y }: BaseMapTile,
  signal?: AbortSignal,
): Promise<Blob> {
  if (datei === undefined) return fetchBlob(pathOf(baseMapPaths.kachel(id, z, x, y)), signal, { kept: true })
  const { tileOfFile } = await import('./pmtiles-file.ts')
  return tileOfFile(datei.fassung, { z, x, y }, signal)
}
