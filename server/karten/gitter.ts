// Coordinates of all systems on the server, and the grid of the old German ones, which browsers fetch from here as well.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import proj4 from 'proj4'
import { createUmrechner, type Projektor, type Umrechner } from '#domain/projektion.ts'

export const GITTER = 'BETA2007.gsb'
/** Where proj-data puts it. */
const PLACES = ['/usr/share/proj', '/usr/local/share/proj']

export interface Gitter {
  /** Null: the systems that need it are off. */
  readonly bytes: Buffer | null
  readonly umrechner: Umrechner
}

export async function ladeGitter(folder: string | undefined): Promise<Gitter> {
  const bytes = await firstOf(folder === undefined ? PLACES : [folder])
  const view = bytes === null ? null : Uint8Array.from(bytes).buffer
  return { bytes, umrechner: createUmrechner(proj4 as unknown as Projektor, view) }
}

async function firstOf(folders: readonly string[]): Promise<Buffer | null> {
  for (const folder of folders) {
    const bytes = await readFile(join(folder, GITTER)).catch(() => null)
    if (bytes !== null) return bytes
  }
  return null
}
