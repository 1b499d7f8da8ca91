// Uploads 200 photos of 12 megapixels, scales them to three sizes and names them, four at a time, on a server
// in its own process on PostgreSQL; for comparison the same scaling by the library alone. Then sends all of
// them again, which must change nothing. Row 12 of the reference: thumbnail and place of one photo.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { habitatImagePaths } from '#contract/habitat-images.ts'
import { UPLOAD_PIECE } from '#contract/karte-files.ts'
import { exifDetails } from '#domain/habitat/exif.ts'
import { type RunningApp, temporaryFolder } from '../../e2e/app.ts'
import { tokensOf } from '../../e2e/http-sign-in.ts'
import { tagsOf, drawPhoto } from '../../server/habitat/draw-photo.ts'
import { atMost, type Figure, median, shown } from '../figures.ts'
import { GENERAL, inHouse, rssOf } from '../maps/house.ts'
import { SHORT } from '../extent.ts'

const COUNT = SHORT ? 6 : 200
const MOTIFS = SHORT ? 2 : 8
/** Concurrent senders. */
const AT_ONCE = 4
/** Photos per tree. */
const PER_TREE = 40
const CORES = Math.min(2, availableParallelism())

/** 4000 × 3000 pixels of coarse and fine noise, to reach the 4 to 6 MB of a photo of leaves. */
async function motif(path: string): Promise<void> {
  const [width, height] = [4000, 3000]
  const coarse = await sharp(randomBytes(250 * 188 * 3), { raw: { width: 250, height: 188, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const fine = await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 32 },
    },
  })
    .blur(0.7)
    .png({ compressionLevel: 0 })
    .toBuffer()
  await sharp(coarse)
    .composite([{ input: fine, blend: 'soft-light' }])
    .jpeg({ quality: 92 })
    .withExif({
      IFD2: { DateTimeOriginal: '2026:05:01 12:30:00', OffsetTimeOriginal: '+02:00' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '51/1 20/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '12/1 24/1 0/1',
        GPSImgDirection: '90/1',
      },
    })
    .toFile(path)
}

/** Works through the items, `atOnce` at a time. */
async function inTurns<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, at: number) => Promise<void>,
): Promise<number> {
  const began = performance.now()
  let next = 0
  const one = async () => {
    while (next < items.length) {
      const at = next++
      await work(items[at]!, at)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return (performance.now() - began) / 1000
}

interface PhotoUpload {
  readonly baum: string
  readonly bild: string
  readonly motif: number
  readonly nr: number
}

async function sendFile(
  app: RunningApp,
  token: string,
  { baum, bild, nr }: PhotoUpload,
  bytes: Buffer,
): Promise<'neu' | 'da'> {
  // Different bytes after the end of the image: every file is new, the work stays the same.
  const own = Buffer.concat([bytes, Buffer.from(`\nfoto ${nr} ${bild}`)])
  const headers = { 'tus-resumable': '1.0.0', authorization: `Bearer ${token}` }
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const sha256 = createHash('sha256').update(own).digest('hex')
  const begun = await fetch(`${app.origin}${GENERAL}${habitatImagePaths.upload(baum, bild)}`, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(own.length),
      'upload-metadata': `filename ${encoded(`Foto ${nr}.jpg`)},sha256 ${encoded(sha256)}`,
    },
  })
  if (begun.status !== 201) throw new Error(`photo refused: ${begun.status} ${await begun.text()}`)
  if (begun.headers.has('habitat-bild')) return 'da'
  const address = new URL(begun.headers.get('location')!, app.origin)
  for (let offset = 0; offset < own.length; offset += UPLOAD_PIECE) {
    const answer = await fetch(address, {
      method: 'PATCH',
      headers: {
        ...headers,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
      },
      body: own.subarray(offset, offset + UPLOAD_PIECE),
    })
    if (answer.status !== 204) throw new Error(`photo refused: ${answer.status} ${await answer.text()}`)
  }
  return 'neu'
}

export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  try {
    const paths = Array.from({ length: MOTIFS }, (_, nr) => join(folder, `motif-${nr}.jpg`))
    for (const path of paths) await motif(path)
    const motifs = paths.map((path) => readFileSync(path))
    const megabytes = motifs.reduce((sum, { length }) => sum + length, 0) / MOTIFS / 2 ** 20
    return [...(await alone(folder, paths, megabytes)), ...(await served(motifs))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function alone(folder: string, paths: readonly string[], megabytes: number): Promise<Figure[]> {
  const figures: Figure[] = []
  const many = Array.from({ length: SHORT ? 3 : 40 }, (_, nr) => nr)
  sharp.cache(false)
  const threads = sharp.concurrency()
  const [thumbs, places]: [number[], number[]] = [[], []]
  for (let i = 0; i < 15; i++) {
    const path = paths[i % paths.length]!
    let began = performance.now()
    await sharp(path).autoOrient().resize({ width: 320, height: 320, fit: 'inside' }).webp().toBuffer()
    thumbs.push(performance.now() - began)
    began = performance.now()
    const { exif } = await sharp(path).metadata()
    const { lat, richtung } = exifDetails(await tagsOf(exif), new Date())
    places.push(performance.now() - began)
    if (lat === null || richtung !== 90) throw new Error('the place was not read')
  }
  figures.push(
    atMost('12 thumbnail of 320 px of a photo of 12 MP', 150, median(thumbs), 'ms'),
    atMost('12 place, direction and time of it from EXIF', 5, median(places), 'ms'),
  )
  sharp.concurrency(1)
  const targets = (nr: number) => ({
    klein: join(folder, `${nr}.k`),
    mittel: join(folder, `${nr}.m`),
    gross: join(folder, `${nr}.g`),
  })
  const naive = await inTurns(many, CORES, async (nr) => {
    for (const edge of [320, 800, 1600])
      await sharp(paths[nr % paths.length]!)
        .autoOrient()
        .resize({ width: edge, height: edge, fit: 'inside' })
        .webp()
        .toFile(join(folder, `${nr}.${edge}`))
  })
  const ours = await inTurns(
    many,
    CORES,
    async (nr) => void (await drawPhoto({ filePath: paths[nr % paths.length]!, targets: targets(nr) })),
  )
  sharp.concurrency(threads)
  writeFileSync(join(folder, 'done'), '')
  figures.push(
    shown(
      `photos of 12 MP and ${megabytes.toFixed(1)} MB in three sizes by sharp alone, ` +
        `each size of the original, ${CORES} at a time`,
      many.length / naive,
      '/s',
    ),
    shown(`the same by sharp alone as the product draws them`, many.length / ours, '/s'),
  )
  return figures
}

const served = (motifs: readonly Buffer[]): Promise<Figure[]> =>
  inHouse(async ({ app, pid }) => {
    const { access_token: token } = await tokensOf(app, 'ogf_admin')
    const rest = async <T>(path: string): Promise<T> => {
      const answer = await fetch(`${app.origin}/rest/${path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as T
    }
    const trees = await rest<{ kennung: string }[]>(
      `habitatbaeume?select=kennung&order=id&limit=${Math.ceil(COUNT / PER_TREE)}`,
    )
    if (trees.length * PER_TREE < COUNT) throw new Error('too few trees')
    const uploads = Array.from(
      { length: COUNT },
      (_, nr): PhotoUpload => ({
        baum: trees[nr % trees.length]!.kennung,
        bild: randomUUID(),
        motif: nr % motifs.length,
        nr,
      }),
    )
    const before = await rest<{ id: number }[]>('habitatbilder?select=id')
    let most = rssOf(pid)
    const look = setInterval(() => (most = Math.max(most, rssOf(pid))), 50)
    const seconds = await inTurns(uploads, AT_ONCE, async (one) => {
      if ((await sendFile(app, token, one, motifs[one.motif]!)) !== 'neu')
        throw new Error('it was there before it was sent')
    }).finally(() => clearInterval(look))
    const again = { da: 0 }
    const secondsAgain = await inTurns(uploads, AT_ONCE, async (one) => {
      if ((await sendFile(app, token, one, motifs[one.motif]!)) === 'da') again.da++
    })
    const rows = await rest<
      { id: number; kennung: string; klein: string | null; exif_abweichung_m: number | null }[]
    >('habitatbilder?select=id,kennung,klein,exif_abweichung_m')
    const ids = new Set(uploads.map(({ bild }) => bild))
    const mine = rows.filter(({ kennung, klein }) => ids.has(kennung) && klein !== null)
    const times: number[] = []
    for (const { id } of mine.slice(0, 40)) {
      const began = performance.now()
      const answer = await fetch(`${app.origin}${GENERAL}${habitatImagePaths.bytes(id, 'klein')}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      if (answer.status !== 200 || (await answer.arrayBuffer()).byteLength < 500)
        throw new Error(`no thumbnail: ${answer.status}`)
      times.push(performance.now() - began)
    }
    return [
      shown(
        `${COUNT} photos uploaded, checked, drawn and named, ${AT_ONCE} senders and the server on the ` +
          `same ${availableParallelism()} cores`,
        COUNT / seconds,
        '/s',
      ),
      atMost(
        `photos of ${COUNT} that are missing or were named twice`,
        0,
        Math.abs(COUNT - mine.length) + Math.abs(rows.length - before.length - COUNT),
        '',
      ),
      atMost(`of ${COUNT} sent once more: not said to be there`, 0, COUNT - again.da, ''),
      shown('the second sending, each', (secondsAgain / COUNT) * 1000, 'ms'),
      shown("the server's own process meanwhile, most memory", most / 2 ** 20, 'MB'),
      shown('a thumbnail over HTTP', median(times), 'ms'),
    ]
  })
