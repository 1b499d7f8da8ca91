// Reduces PostGIS to what the embedded engine loads. The package includes raster, topology and geocoder, and
// PGlite compiles and links every library it is given at each start, which takes longer than all the rest of
// the start. So a copy without them is made once.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGE = join(ROOT, 'node_modules/@electric-sql/pglite-postgis')

/**
 * Libraries and scripts of the three extensions that the product does not use, copies of scripts for other
 * ways of installing, and upgrade steps from versions that PGlite never had.
 */
const SPARED = [
  /^lib\/postgresql\/(?!postgis-3\.so$)/,
  /^share\/postgresql\/contrib\//,
  /^share\/postgresql\/extension\/(?:postgis_|address_standardizer)/,
  /^share\/postgresql\/extension\/postgis--(?:unpackaged|ANY|[\d.]+\w*--)/,
]

const BLOCK = 512
const textAt = (header: Buffer, from: number, length: number): string =>
  header.toString('latin1', from, from + length).replace(/\0.*$/s, '')

/**
 * A tar archive without the files that `spare` matches. Throws a RangeError if names are longer than the
 * headers can hold.
 */
export function withoutFiles(tar: Buffer, spare: (name: string) => boolean): Buffer {
  const kept: Buffer[] = []
  let at = 0
  while (at + BLOCK <= tar.length && tar[at] !== 0) {
    const header = tar.subarray(at, at + BLOCK)
    const name = [textAt(header, 345, 155), textAt(header, 0, 100)].filter((part) => part !== '').join('/')
    const kind = textAt(header, 156, 1)
    if (/[A-Zgx]/.test(kind)) throw new RangeError(`an entry of kind ${kind}`)
    const size = Number.parseInt(textAt(header, 124, 12), 8)
    const end = at + BLOCK + Math.ceil(size / BLOCK) * BLOCK
    if (!spare(name)) kept.push(tar.subarray(at, end))
    at = end
  }
  return Buffer.concat([...kept, Buffer.alloc(2 * BLOCK)])
}

const versionOf = (): string =>
  (JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }).version

/** Named after the package version, so that a copy of another version is never loaded by mistake. */
const placeOf = (): string => join(ROOT, 'build', `postgis-${versionOf()}.tar.gz`)

/** The copy made by scripts/build.ts; without it the whole package, which also works. */
export function engineBundle(): URL {
  const place = placeOf()
  return pathToFileURL(existsSync(place) ? place : join(PACKAGE, 'dist/postgis.tar.gz'))
}

export function buildEngineBundle(): void {
  const whole = gunzipSync(readFileSync(join(PACKAGE, 'dist/postgis.tar.gz')))
  const place = placeOf()
  mkdirSync(dirname(place), { recursive: true })
  const fresh = `${place}.${process.pid}`
  // Read at each start and never transferred: fast unpacking matters, size does not.
  writeFileSync(
    fresh,
    gzipSync(
      withoutFiles(whole, (name) => SPARED.some((part) => part.test(name))),
      { level: 1 },
    ),
  )
  renameSync(fresh, place)
}
