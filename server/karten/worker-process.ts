// The process that does one task and ends. The server ends it earlier if it takes too long or too much
// memory, or is no longer needed.
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import sharp from 'sharp'
import { isDiskFull } from '#server/full-disk.ts'
import { type Inspected, type Work, WorkFault, type WorkMessage } from './work.ts'
import { MOST_SCAN_PIXELS } from './picture.ts'
import { ownPlaceOf } from './geotiff-place.ts'
import { makeMosaic } from './mosaic.ts'
import { rectify } from './rectify.ts'
import { seamBetween } from './seam-work.ts'
import { sheetsOf, takePage } from './pages.ts'
import { drawPdf, factsOf } from './pdf.ts'
import { cutTiles } from './pyramid.ts'
import { checkWhole, checkWholePdf } from './whole-file.ts'

if (process.send === undefined) throw new Error('this file is started by the server')

// Only the formats of scans, whatever a file claims to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadTiff', 'VipsForeignLoadWebp'],
})
sharp.cache(false)

const LARGEST_EDGE = 200_000
/** Anything smaller is not a scan. */
const SMALLEST_EDGE = 16
/** With less free space than this, a failure is taken for a full disk. */
const ALMOST_NOTHING = 4 * 2 ** 20

export async function dimensionsOf(path: string) {
  const { width, height, density } = await sharp(path, { limitInputPixels: false }).metadata()
  if (width * height > MOST_SCAN_PIXELS || Math.max(width, height) > LARGEST_EDGE)
    throw new WorkFault('karte_pixel', `${width} × ${height}`, `${width} × ${height}`)
  if (Math.min(width, height) < SMALLEST_EDGE) throw new WorkFault('karte_bild', `${width} × ${height}`)
  // Programs write 72 when they do not know the resolution.
  const dpi = density === undefined || density <= 72 || density > 10_000 ? null : Math.round(density)
  return { breite: width, hoehe: height, dpi }
}

async function inspect(path: string): Promise<Inspected> {
  await checkWhole(path)
  const dimensions = await dimensionsOf(path)
  const place = await ownPlaceOf(path, dimensions.breite, dimensions.hoehe)
  return { ...dimensions, lage: place, sheets: (await sheetsOf(path)).length }
}

const send = (message: WorkMessage): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(message, undefined, {}, () => resolve())
  })
let last = 0
function onProgress(share: number): void {
  if (share - last < 0.01 && share < 1) return
  last = share
  void send({ kind: 'fortschritt', anteil: share })
}

async function work(task: Work): Promise<unknown> {
  switch (task.art) {
    case 'pruefen':
      return inspect(task.filePath)
    case 'umfang':
      return { sheets: (await factsOf(task.pdftoppm, task.filePath)).pages }
    case 'pdf':
      await checkWholePdf(task.filePath)
      await drawPdf(task)
      return dimensionsOf(task.ziel)
    case 'seite':
      await takePage(task)
      return null
    case 'kacheln':
      return cutTiles(task.filePath, task.ziel)
    case 'entzerren':
      return rectify(task, onProgress)
    case 'mosaik':
      return makeMosaic(task, onProgress)
    case 'naht':
      return seamBetween(task)
  }
}

/** Library errors carry no code: what remains is a full disk or a broken picture. */
async function faultOf(task: Work, error: unknown): Promise<WorkFault> {
  const message = error instanceof Error ? error.message : String(error)
  const target = 'ziel' in task ? dirname(task.ziel) : null
  const free =
    target === null
      ? Number.POSITIVE_INFINITY
      : await statfs(target).then(
          ({ bavail, bsize }) => bavail * bsize,
          () => Number.POSITIVE_INFINITY,
        )
  if (isDiskFull(error) || free < ALMOST_NOTHING || /no space left/i.test(message))
    return new WorkFault('karte_platz', message)
  if (error instanceof WorkFault) return error
  if (/pixel limit/i.test(message)) return new WorkFault('karte_pixel', message)
  return new WorkFault('karte_bild', message)
}

process.on('message', (task: Work) => {
  void work(task)
    .then((result): WorkMessage => ({ kind: 'fertig', ergebnis: result }))
    .catch(async (error: unknown): Promise<WorkMessage> => {
      const { code, message, einzelheit } = await faultOf(task, error)
      return { kind: 'fehler', code, message: message.slice(0, 500), einzelheit }
    })
    .then(send)
})
// Without the server neither this process nor the programs it started have anything left to do.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
