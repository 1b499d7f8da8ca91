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
  /** Where the grid reaches, in degrees; beyond it the systems that need it have no places. */
  readonly bereich: Bereich | null
}
export interface Bereich {
  readonly west: number
  readonly sued: number
  readonly ost: number
  readonly nord: number
}

export async function ladeGitter(folder: string | undefined): Promise<Gitter> {
  const bytes = await firstOf(folder === undefined ? PLACES : [folder])
  const view = bytes === null ? null : Uint8Array.from(bytes).buffer
  return { bytes, bereich: bytes === null ? null : bereichOf(bytes), umrechner: createUmrechner(proj4 as unknown as Projektor, view) }
}

/** From the head of its only grid: NTv2 keeps seconds, and counts them towards the west. */
function bereichOf(bytes: Buffer): Bereich {
  const RECORD = 16
  const at = (record: number): number => bytes.readDoubleLE(record * RECORD + RECORD / 2) / 3600
  return { sued: at(15), nord: at(16), ost: -at(17), west: -at(18) }
}

async function firstOf(folders: readonly string[]): Promise<Buffer | null> {
  for (const folder of folders) {
    const bytes = await readFile(join(folder, GITTER)).catch(() => null)
    if (bytes !== null) return bytes
  }
  return null
}
