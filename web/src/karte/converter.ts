// Coordinates of all systems in the browser. The library and the grid for the old German systems are fetched with the first map that needs them.
import { createConverter, type Projector, type Converter } from '#domain/projection.ts'
import { fetchBlob } from '../data/blob.ts'

/** Under the base path of the general API: the grid BETA2007, where the server has it. */
export const GRID = 'karte/gitter/BETA2007.gsb'

let loading: Promise<Converter> | undefined

/** Systems that need the grid are off where there is none; whoever shows a choice says so. */
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

/** Empty: the server has none. */
async function fetchGrid(): Promise<ArrayBuffer | null> {
  const bytes = await (await fetchBlob(GRID, undefined, { kept: true })).arrayBuffer()
  return bytes.byteLength === 0 ? null : bytes
}
