// Where the settings put files: into the folder, the bucket, or one of them while the other is still read.
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findS3Server, type S3Server, startS3Server } from '../test/s3-server.ts'
import { readConfig } from './config.ts'
import { openFileStore } from './file-store.ts'
import type { Store } from './files/store.ts'
import { silentLog } from './log.ts'

const PROGRAM = findS3Server()

describe.skipIf(PROGRAM === undefined)('FILES_PLACE', () => {
  let s3: S3Server
  const folder = mkdtempSync(join(tmpdir(), 'file-store-'))
  beforeAll(async () => {
    s3 = await startS3Server(PROGRAM!)
  })
  afterAll(async () => {
    await s3?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const open = (place?: string): Store =>
    openFileStore(
      readConfig({
        FILES_DIR: folder,
        FILES_S3_ENDPOINT: s3.endpoint,
        FILES_S3_BUCKET: s3.bucket,
        FILES_S3_REGION: s3.region,
        FILES_S3_ACCESS_KEY: s3.accessKeyId,
        FILES_S3_SECRET_KEY: s3.secretAccessKey,
        ...(place !== undefined && { FILES_PLACE: place }),
      }),
      silentLog,
    )
  async function put(store: Store, content: string): Promise<string> {
    const path = await store.workFile()
    await writeFile(path, content)
    return (await store.putFile(path)).sha256
  }
  const places = async (sha256: string): Promise<boolean[]> =>
    Promise.all(['folder', 'bucket'].map(async (place) => (await open(place).groesse(sha256)) !== null))

  test.each([
    [undefined, [false, true]],
    ['bucket', [false, true]],
    ['folder', [true, false]],
    ['folder+bucket', [true, false]],
    ['bucket+folder', [false, true]],
  ])('%s', async (place, expected) => {
    const name = await put(open(place), `put with ${place}`)
    expect(await places(name)).toEqual(expected)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const both of ['folder+bucket', 'bucket+folder'])
      expect(await text((await open(both).readFrom(name))!)).toBe(`put with ${place}`)
  })
})
