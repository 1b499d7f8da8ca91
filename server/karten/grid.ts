// Coordinates of all systems on the server, and the grid for the old German ones, which
// browsers fetch from here too.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import proj4 from 'proj4'
import { createConverter, type Projector, type Converter } from '#domain/projection.ts'

export const GRID = 'BETA2007.gsb'
/** Where proj-data installs it. */
const PLACES = ['/usr/share/proj', '/usr/local/share/proj']

export interface Grid {
  /** Null: the systems that need it are off. */
  readonly bytes: Buffer | null
  readonly converter: Converter
  /** The area of the grid in degrees; outside it, the systems that need it have no coordinates. */
  readonly extent: GridExtent | null
}
export interface GridExtent {
  readonly west: number
  readonly sued: number
  readonly ost: number
  readonly nord: number
}

export async function readGrid(folder: string | undefined): Promise<Grid> {
  const bytes = await firstOf(folder === undefined ? PLACES : [folder])
  const view = bytes === null ? null : Uint8Array.from(bytes).buffer
  return {
    bytes,
    extent: bytes === null ? null : extentOf(bytes),
    converter: createConverter(proj4 as unknown as Projector, view),
  }
}

/** From the header of its only subgrid: NTv2 stores seconds, with longitudes positive towards the west. */
function extentOf(bytes: Buffer): GridExtent {
  const RECORD = 16
  const at = (record: number): number => bytes.readDoubleLE(record * RECORD + RECORD / 2) / 3600
  return { sued: at(15), nord: at(16), ost: -at(17), west: -at(18) }
}

async function firstOf(folders: readonly string[]): Promise<Buffer | null> {
  for (const folder of folders) {
    const bytes = await readFile(join(folder, GRID)).catch(() => null)
    if (bytes !== null) return bytes
  }
  return null
}
