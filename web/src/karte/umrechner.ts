// Coordinates of all systems in the browser. The library and the grid for the old German systems are fetched with the first map that needs them.
import { createUmrechner, type Projektor, type Umrechner } from '#domain/projektion.ts'
import { fetchBlob } from '../data/blob.ts'

/** Under the base path of the general API: the grid BETA2007, where the server has it. */
export const GITTER = 'karte/gitter/BETA2007.gsb'

let loading: Promise<Umrechner> | undefined

/** Systems that need the grid are off where there is none; whoever shows a choice says so. */
export function loadUmrechner(): Promise<Umrechner> {
  loading ??= Promise.all([import('proj4'), fetchGitter()]).then(
    ([{ default: proj4 }, gitter]) => createUmrechner(proj4 as unknown as Projektor, gitter),
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/** Empty: the server has none. */
async function fetchGitter(): Promise<ArrayBuffer | null> {
  const bytes = await (await fetchBlob(GITTER, undefined, { kept: true })).arrayBuffer()
  return bytes.byteLength === 0 ? null : bytes
}
