import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Ablage, hashOf, KeinPlatz, ordnerAblage } from './ablage.ts'
import { arbeite } from './arbeiter.ts'

let folder: string
let ablage: Ablage
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ablage-'))
  ablage = ordnerAblage(join(folder, 'dateien'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function work(content: string | Uint8Array, store = ablage): Promise<string> {
  const path = await store.arbeitsdatei()
  await writeFile(path, content)
  return path
}
const SHA_OF_ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

describe('the store', () => {
  test('names a file by its content, and gives back what was put in', async () => {
    const path = await work('abc')
    expect(await ablage.lege(path)).toEqual({ sha256: SHA_OF_ABC, groesse: 3 })
    await ablage.entferneArbeit(path)
    expect(await text((await ablage.lies(SHA_OF_ABC))!)).toBe('abc')
    expect(await text((await ablage.lies(SHA_OF_ABC, { start: 1, end: 1 }))!)).toBe('b')
    expect(await ablage.groesse(SHA_OF_ABC)).toBe(3)
    expect(await readFile((await ablage.pfad(SHA_OF_ABC))!, 'utf8')).toBe('abc')
  })
  test('keeps what is put in twice once', async () => {
    await Promise.all(Array.from({ length: 40 }, () => work('abc')).map(async (path) => ablage.lege(await path)))
    const all = []
    for await (const { sha256, groesse } of ablage.liste()) all.push([sha256, groesse])
    expect(all).toEqual([[SHA_OF_ABC, 3]])
  })
  test('has nothing where there is nothing, and takes no path for a name', async () => {
    expect(await ablage.lies('0'.repeat(64))).toBeNull()
    expect(await ablage.groesse('0'.repeat(64))).toBeNull()
    expect(await ablage.pfad('0'.repeat(64))).toBeNull()
    await ablage.entferne('0'.repeat(64))
    await expect(ablage.pfad('../../etc/passwd')).rejects.toThrow(RangeError)
  })
  test('mends a file that is not whole', async () => {
    const path = await work('abc')
    await ablage.lege(path)
    await rm((await ablage.pfad(SHA_OF_ABC))!)
    await writeFile(join(folder, 'dateien', 'ba', SHA_OF_ABC), 'a')
    await ablage.lege(path)
    expect(await text((await ablage.lies(SHA_OF_ABC))!)).toBe('abc')
  })
  test('removes of what was being made all that belongs to it', async () => {
    const path = await work('abc')
    await writeFile(`${path}.neu`, 'x')
    await ablage.entferneArbeit(path)
    expect(await readdir(join(folder, 'dateien', 'arbeit'))).toEqual([])
  })
})

/** A file system of 3 MB; only root may make one, elsewhere the tests count as skipped. */
function smallDisk(): string | null {
  const place = mkdtempSync(join(tmpdir(), 'ablage-voll-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', place], { stdio: 'ignore' })
    return place
  } catch {
    rmdirSync(place)
    return null
  }
}
const disk = smallDisk()
afterAll(() => {
  if (disk === null) return
  execFileSync('umount', [disk])
  rmdirSync(disk)
})

describe.skipIf(disk === null)('on a full disk', () => {
  test('says so, and keeps nothing half', async () => {
    const small = ordnerAblage(disk!)
    const path = await work(Buffer.alloc(4_000_000, 'x'))
    await expect(small.lege(path)).rejects.toThrow(KeinPlatz)
    const { sha256 } = await hashOf(path)
    expect(await small.groesse(sha256)).toBeNull()
    expect((await readdir(join(disk!, sha256.slice(0, 2)))).length).toBe(0)
    expect(await small.frei()).toBeGreaterThan(2_000_000)
  })
  test.each(['kacheln', 'entzerren'] as const)('%s ends with its own code', async (art) => {
    const noise = randomBytes(2400 * 2400 * 3)
    const pfad = await work(
      await sharp(noise, { raw: { width: 2400, height: 2400, channels: 3 } })
        .png()
        .toBuffer(),
    )
    const ziel = join(disk!, art)
    const punkte = [
      { mapx: 0, mapy: 0, pixelx: 0, pixely: 0 },
      { mapx: 2400, mapy: -2400, pixelx: 2400, pixely: -2400 },
    ]
    const werte = { georef_typ: 'helmert', epsg: 25832, res: 1, verfahren: 'near', kompression: 'deflate', punkte } as const
    await expect(
      arbeite(art === 'kacheln' ? { art, pfad, ziel } : { art, pfad, ziel, werte: { ...werte, punkte }, gdal: null }, {
        timeoutMs: 30_000,
        memoryBytes: 2 ** 31,
      }),
    ).rejects.toMatchObject({ code: 'karte_platz' })
    await rm(ziel, { force: true })
  })
})
