// A file that is made for a download while the disk gets full.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toRefusal } from '#server/errors.ts'
import { smallDisk } from '../../test/small-disk.ts'
import { writeGpkg } from './write-gpkg.ts'

const folder = smallDisk(1)

test.skipIf(folder === null)('a GeoPackage that does not fit is refused as such', async () => {
  const path = join(folder!, 'neu-1')
  const rows = (async function* () {
    for (let nr = 0; nr < 20_000; nr++) yield { geometrie: null, werte: { text: `${'x'.repeat(100)}${nr}` } }
  })()
  const tables = (async function* () {
    yield {
      name: 'zeilen',
      titel: 'Zeilen',
      typ: 'POINT',
      spalten: [{ name: 'text', typ: 'text' }],
      zeilen: rows,
    }
  })()
  const error: unknown = await writeGpkg(path, 25_833, tables as never).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(toRefusal(error).code).toBe('storage_full')
  rmSync(path, { force: true })
  expect(readdirSync(folder!)).toEqual([])
})
