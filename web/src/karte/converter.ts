// Converts between coordinate systems in the browser. The library and the grid for the old German systems are
// fetched with the first map that needs them.
import { queryOptions } from '@tanstack/react-query'
import { createConverter, type Projector, type Converter } from '#domain/projection.ts'
import { fetchBlob } from '../data/blob.ts'

/** Path below the general API's base path: the grid BETA2007, if the server has it. */
export const GRID = 'karte/gitter/BETA2007.gsb'

let loading: Promise<Converter> | undefined

/**
 * Without the grid, the systems that need it are unavailable; callers that offer a choice of systems say so.
 */
export function loadConverter(): Promise<Converter> {
  loading ??= Promise.all([import('proj4'), fetchGrid()]).then(
    ([{ default: proj4 }, grid]) => createConverter(proj4 as unknown as Projector, grid),
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/** Without the grid, for systems that need none. */
export const loadPlainConverter = async (): Promise<Converter> =>
  createConverter((await import('proj4')).default as unknown as Projector, null)

/** One for all screens. */
export const converterQuery = queryOptions({
  queryKey: ['karte', 'converter'],
  queryFn: loadConverter,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** Null if the server has no grid: it then sends an empty file. */
async function fetchGrid(): Promise<ArrayBuffer | null> {
  const bytes = await (await fetchBlob(GRID, undefined, { kept: true })).arrayBuffer()
  return bytes.byteLength === 0 ? null : bytes
}
