// Converts coordinates of all systems in Node, with the grid for the old German ones if it is installed.
import { existsSync, readFileSync } from 'node:fs'
import proj4 from 'proj4'
import { createConverter, type Projector, type Converter } from '#domain/projection.ts'

/** Where Debian's package proj-data installs it. */
const PLACES = ['/usr/share/proj/BETA2007.gsb', '/usr/local/share/proj/BETA2007.gsb']

let made: Converter | undefined
export function converter(): Converter {
  if (made !== undefined) return made
  const file = PLACES.find((path) => existsSync(path))
  const bytes = file === undefined ? null : readFileSync(file)
  made = createConverter(
    proj4 as unknown as Projector,
    bytes === null
      ? null
      : (bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer),
  )
  return made
}
