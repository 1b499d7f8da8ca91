// A report with very many photos: what it takes, and that each photo is in it as it is.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import sharp from '#server/sharp.ts'
import type { TypesetPicture } from '#server/typeset-job.ts'
import { createRenderer } from '../documents/renderer.ts'
import { setPhotosIn } from './photo-places.ts'
import { PhotoSpool } from './photo-spool.ts'
import { reportData } from './report-data.ts'
import { materialOf, treeOf } from './report.fixture.ts'
import { fetchPhotos } from './report-photos.ts'

const TREES = 300
/** With its trees such a report takes 270 MB; each photo that a typesetter unpacks takes 2 MB more. */
const MEMORY = 380 * 2 ** 20
const folder = mkdtempSync(join(tmpdir(), 'forstkontor-report-'))
const trees = Array.from({ length: TREES }, (_, at) => treeOf(at + 1))
const pictures = trees.map(({ id }) => ({
  id: 1000 + id,
  habitat_id: id,
  mittel: String(id),
  aufgenommen: '10.03.2026',
  bemerkung: null,
}))
const shapes = [
  [800, 600],
  [600, 800],
  [800, 533],
] as const
const stored = new Map<string, Buffer>()
let spool: PhotoSpool
let fetched: Awaited<ReturnType<typeof fetchPhotos>>
const renderer = createRenderer({ timeoutMs: 120_000, memoryBytes: MEMORY })

const typeset = (pictures: readonly TypesetPicture[]) =>
  renderer.bericht({
    template: 'report',
    tag: '2026-11-22',
    bilder: pictures,
    daten: reportData({
      material: materialOf(trees),
      bilder: fetched.bilder,
      gefragt: pictures.length,
      logo: null,
      stichtag: null,
      filter: [],
      teil: { nr: 1, von: 1 },
    }),
  })
const photoOf = async (id: number): Promise<Buffer> => {
  const place = fetched.spooled.get(id)!
  const bytes = Buffer.alloc(place.length)
  await spool.read(place, bytes, 0)
  return bytes
}

beforeAll(async () => {
  for (const [at, { mittel }] of pictures.entries()) {
    const [width, height] = shapes[at % shapes.length]!
    const noise = sharp(randomBytes(80 * 60 * 3), { raw: { width: 80, height: 60, channels: 3 } })
    // oxlint-disable-next-line no-await-in-loop -- each in turn takes no more memory
    stored.set(mittel, await noise.resize(width, height, { fit: 'fill' }).jpeg().toBuffer())
  }
  spool = await PhotoSpool.open(join(folder, 'photos'))
  fetched = await fetchPhotos(
    {
      readFrom: (name) => Promise.resolve(name === '7' ? null : Readable.from([stored.get(name)!])),
    },
    pictures,
    { spool, signal: new AbortController().signal, onDone: () => undefined },
  )
}, 120_000)
afterAll(async () => {
  await renderer.close()
  await spool.remove()
  expect(readdirSync(folder)).toEqual([])
  rmSync(folder, { recursive: true })
})

test('300 trees with a photo each stay within their memory, and every photo is in the file byte for byte', async () => {
  expect(fetched.bilder).toHaveLength(TREES - 1)
  const bare = Buffer.from(await typeset(fetched.typesetPictures))
  const pdf = await setPhotosIn(bare, fetched, spool)
  expect(pdf.indexOf(fetched.mark)).toBe(-1)
  for (const { id } of fetched.bilder) {
    const bytes = await photoOf(id)
    const { width, height } = fetched.spooled.get(id)!
    const at = pdf.indexOf(bytes)
    expect(at).toBeGreaterThan(0)
    const head = pdf
      .toString('latin1', at - 400, at)
      .split(' obj')
      .at(-1)!
    for (const words of [`/Length ${bytes.length}`, `/Width ${width}`, `/Height ${height}`, '/DCTDecode'])
      expect(head).toContain(words)
    expect(pdf.toString('latin1', at + bytes.length, at + bytes.length + 10)).toBe('\nendstream')
  }
}, 120_000)
test('its table of offsets leads to every object, as that of the typesetter does', async () => {
  const few = fetched.typesetPictures.slice(0, 3)
  const shown = { ...fetched, bilder: fetched.bilder.slice(0, 3) }
  const bare = Buffer.from(
    await renderer.bericht({
      template: 'report',
      tag: '2026-11-22',
      bilder: few,
      daten: reportData({
        material: materialOf(trees.slice(0, 3)),
        bilder: shown.bilder,
        gefragt: 3,
        logo: null,
        stichtag: null,
        filter: [],
        teil: { nr: 1, von: 1 },
      }),
    }),
  )
  const offsetsOf = (pdf: Buffer) => {
    const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.toString('latin1', pdf.length - 60))![1])
    const table = pdf.toString('latin1', start)
    expect(table).toMatch(/^xref\r?\n/)
    return [...table.matchAll(/^(\d{10}) \d{5} n/gm)].map((line) =>
      pdf.toString('latin1', Number(line[1]), Number(line[1]) + 12).replace(/obj[^]*/, 'obj'),
    )
  }
  const before = offsetsOf(bare)
  expect(before.length).toBeGreaterThan(50)
  for (const object of before) expect(object).toMatch(/^\d+ 0 obj$/)
  expect(offsetsOf(await setPhotosIn(bare, fetched, spool))).toEqual(before)
}, 60_000)
test('typeset as they are, so many photos go beyond it', async () => {
  const whole = await Promise.all(
    fetched.bilder.map(async ({ id, filePath }) => ({ filePath, bytes: await photoOf(id) })),
  )
  const outcome = await typeset(whole).then(
    () => 'typeset',
    (fault: unknown) => fault,
  )
  expect(outcome).toMatchObject({ code: 'absturz' })
}, 120_000)
test('a place without its photo is a fault and no empty page', async () => {
  const bare = Buffer.from(await typeset(fetched.typesetPictures))
  await expect(setPhotosIn(bare, { ...fetched, spooled: new Map() }, spool)).rejects.toThrow(
    /image of its own/,
  )
}, 120_000)
