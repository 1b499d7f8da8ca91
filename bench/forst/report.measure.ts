// A report of as many trees and photos as one may have, typeset as the server does: the memory of the process that
// typesets it, and of this one, which sets the photos in.
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { REPORT_MOST_IMAGES, REPORT_MOST_TREES } from '#contract/habitat-report.ts'
import { temporaryFolder } from '../../e2e/app.ts'
import { createRenderer } from '../../server/documents/renderer.ts'
import { setPhotosIn } from '../../server/habitat/photo-places.ts'
import { PhotoSpool } from '../../server/habitat/photo-spool.ts'
import { reportData } from '../../server/habitat/report-data.ts'
import { fetchPhotos } from '../../server/habitat/report-photos.ts'
import { materialOf, treeOf } from '../../server/habitat/report.fixture.ts'
import { SHORT } from '../extent.ts'
import { atMost, type Figure, shown } from '../figures.ts'
import { rssOf } from '../maps/house.ts'

const TREES = SHORT ? 50 : REPORT_MOST_TREES
const PHOTOS = SHORT ? 10 : REPORT_MOST_IMAGES

/** The processes that this one has started. */
const children = (): number[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)

export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const renderer = createRenderer({ timeoutMs: 300_000, memoryBytes: 4 * 2 ** 30 })
  const spool = await PhotoSpool.open(join(folder, 'photos'))
  let [typesetter, own] = [0, 0]
  const look = setInterval(() => {
    own = Math.max(own, rssOf(process.pid))
    for (const pid of children()) typesetter = Math.max(typesetter, rssOf(pid))
  }, 50)
  try {
    const trees = Array.from({ length: TREES }, (_, at) =>
      treeOf(at + 1, { ort: [320_000 + (at % 50) * 24, 5_690_000 + Math.floor(at / 50) * 27] }),
    )
    const pictures = trees.slice(0, PHOTOS).map(({ id }) => ({
      id,
      habitat_id: id,
      mittel: String(id),
      aufgenommen: '10.03.2026',
      bemerkung: null,
    }))
    const noise = (): Promise<Buffer> =>
      sharp(randomBytes(200 * 150 * 3), { raw: { width: 200, height: 150, channels: 3 } })
        .resize(800, 600, { fit: 'fill' })
        .jpeg()
        .toBuffer()
    const fetched = await fetchPhotos({ readFrom: async () => Readable.from([await noise()]) }, pictures, {
      spool,
      signal: new AbortController().signal,
      onDone: () => undefined,
    })
    const began = performance.now()
    const bare = await renderer.bericht({
      template: 'report',
      tag: '2026-11-22',
      bilder: fetched.typesetPictures,
      daten: reportData({
        material: materialOf(trees),
        bilder: fetched.bilder,
        gefragt: PHOTOS,
        logo: null,
        stichtag: null,
        filter: [],
        teil: { nr: 1, von: 1 },
      }),
    })
    const pdf = await setPhotosIn(Buffer.from(bare), fetched, spool)
    return [
      atMost(
        `typesetting a report of ${TREES} trees with ${PHOTOS} photos, most memory`,
        600,
        typesetter / 2 ** 20,
        'MB',
      ),
      shown("the server's own process meanwhile, most memory", own / 2 ** 20, 'MB'),
      shown('the report', pdf.length / 2 ** 20, 'MB'),
      shown('typesetting it', (performance.now() - began) / 1000, 's'),
    ]
  } finally {
    clearInterval(look)
    await renderer.close()
    await spool.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}
