// Turns a scan and its control points into a georeferenced file: with the product's own warper, or with GDAL
// where it is installed and selected. Both get the same grid, and their result is checked before it counts.
import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import sharp from '#server/sharp.ts'
import type { RectifyValues } from '#domain/georef/rectify-values.ts'
import { type Transform, fitTransform, type ControlPoint } from '#domain/georef/transform.ts'
import { gdalArguments, gdalPoints } from '#domain/georef/output.ts'
import { pointDefectsOf } from '#domain/georef/point-check.ts'
import { isTooCoarse, type Raster, rasterOf, outlineOf, suggestedResolution } from '#domain/georef/raster.ts'
import { createSampler } from './sampler.ts'
import { type Work, WorkFault, type Rectified } from './work.ts'
import { collarOf } from './collar.ts'
import { MOST_SCAN_PIXELS, rawOf, readPicture } from './picture.ts'
import { isPresent } from './present.ts'
import { writeCog } from './cog.ts'
import { readTiff } from './read-tiff.ts'

type JobSpec = Extract<Work, { art: 'entzerren' }>

const DEGREES: ReadonlySet<number> = new Set([4258, 4326])

export async function rectify(jobSpec: JobSpec, onProgress: (share: number) => void): Promise<Rectified> {
  const { filePath, werte, ziel, gdal } = jobSpec
  const { width, height } = await sharp(filePath, { limitInputPixels: MOST_SCAN_PIXELS }).metadata()
  const transform = transformOf(werte)
  const raster = gridOf(transform, werte, width, height)
  if (gdal === null) await byOwn(jobSpec, transform, raster, onProgress)
  else await byGdal({ ...jobSpec, gdal }, transform, raster, width, height, onProgress)
  await checkResult(ziel, raster, werte.epsg)
  const ring = outlineOf(transform, width, height).map(([east, north]) => placeOf(east, north, werte.epsg))
  return { breite: raster.breite, hoehe: raster.hoehe, umriss: [...ring, ring[0]!] }
}

/** To a millimetre, finer than any survey. */
export const placeOf = (east: number, north: number, epsg: number): [number, number] => {
  const places = DEGREES.has(epsg) ? 8 : 3
  return [Number(east.toFixed(places)), Number(north.toFixed(places))]
}

const controlPoints = ({ punkte }: RectifyValues): { readonly nr: number; readonly point: ControlPoint }[] =>
  punkte.flatMap(({ mapx, mapy, pixelx, pixely, enable }, index) =>
    enable === false
      ? []
      : [{ nr: index + 1, point: { ost: mapx, nord: mapy, spalte: pixelx, zeile: -pixely } }],
  )

function transformOf(values: RectifyValues): Transform {
  const used = controlPoints(values)
  const points = used.map(({ point }) => point)
  const transform = fitTransform(values.georef_typ, points)
  if (transform !== null) return transform
  const [defect] = pointDefectsOf(values.georef_typ, points)
  if (defect?.code === 'zu_wenige')
    throw new WorkFault('karte_punkte_wenige', 'too few points', `es fehlen ${defect.missing}`)
  if (defect?.code === 'linie')
    throw new WorkFault(
      'karte_punkte_linie',
      'on one line',
      defect.where === 'scan' ? 'im Scan' : 'auf der Karte',
    )
  if (defect === undefined || !('punkte' in defect))
    throw new WorkFault('karte_punkte_unbestimmt', 'no answer')
  const numbers = defect.punkte.map((index) => used[index]!.nr).join(', ')
  throw new WorkFault('karte_punkte_doppelt', `twice: ${numbers}`, `Punkte ${numbers}`)
}

function gridOf(transform: Transform, { res }: RectifyValues, width: number, height: number): Raster {
  const suggested = suggestedResolution(transform, width, height)
  if (res !== null && isTooCoarse(res, suggested)) throw new WorkFault('karte_raster_grob', 'too coarse')
  const raster = rasterOf(transform, width, height, res ?? suggested)
  if (raster === 'unendlich') throw new WorkFault('karte_raster_unendlich', 'no end')
  if (raster === 'zu_gross') throw new WorkFault('karte_raster_gross', 'too large')
  return raster
}

async function byOwn(
  { filePath, ziel, werte }: JobSpec,
  transform: Transform,
  raster: Raster,
  onProgress: (share: number) => void,
): Promise<void> {
  const picture = await readPicture(filePath)
  onProgress(0.05)
  await writeCog(createSampler(picture, transform.zumScan, raster, werte.verfahren), {
    raster,
    epsg: werte.epsg,
    channels: picture.channels === 1 ? 1 : 3,
    kompression: werte.kompression === 'jpeg' ? 'JPEG' : 'DEFLATE',
    path: ziel,
    onProgress: (share) => onProgress(0.05 + 0.9 * share),
  })
}

/**
 * Only sharp decodes bytes from outside; GDAL gets plain pixels. Three colours for JPEG, because GDAL would
 * write grey with transparency in a way that hardly any program reads.
 */
async function byGdal(
  { filePath, ziel, werte, gdal }: JobSpec & { gdal: NonNullable<JobSpec['gdal']> },
  transform: Transform,
  raster: Raster,
  width: number,
  height: number,
  onProgress: (share: number) => void,
): Promise<void> {
  const [plain, placed] = [`${ziel}.pixel.tif`, `${ziel}.punkte.vrt`]
  try {
    const scan = await plainScan(filePath)
    const { channels, space } = await scan.metadata()
    await scan
      .toColourspace(werte.kompression === 'deflate' && (channels < 3 || space === 'b-w') ? 'b-w' : 'srgb')
      .tiff({ compression: 'none', tile: true, tileWidth: 256, tileHeight: 256, bigtiff: true })
      .toFile(plain)
    onProgress(0.1)
    const points = gdalPoints(
      transform,
      controlPoints(werte).map(({ point }) => point),
      width,
      height,
    )
    const jobSpec = {
      epsg: werte.epsg,
      resampling: werte.verfahren,
      kompression: werte.kompression === 'jpeg' ? 'JPEG' : 'DEFLATE',
      aufloesung: raster.aufloesung,
    } as const
    const [[, ...translate], [, ...warp]] = gdalArguments(
      points,
      jobSpec,
      plain,
      placed,
      ziel,
      DEGREES.has(werte.epsg),
    ) as [string[], string[]]
    translate[translate.indexOf('GTiff')] = 'VRT'
    const { west, nord, aufloesung, breite, hoehe } = raster
    const extent = ['-te', west, nord - hoehe * aufloesung, west + breite * aufloesung, nord].map(String)
    await gdalRun(gdal.translate, translate, () => undefined)
    await gdalRun(
      gdal.warp,
      ['-wm', '256', '--config', 'GDAL_CACHEMAX', '256', ...extent, ...warp],
      (share) => onProgress(0.1 + 0.85 * share),
    )
  } finally {
    await Promise.all([plain, placed].map((path) => rm(path, { force: true })))
  }
}

/** With what is no sheet as transparency, which GDAL then keeps out of its result. */
async function plainScan(filePath: string): Promise<Sharp> {
  const scan = sharp(filePath, { limitInputPixels: MOST_SCAN_PIXELS, failOn: 'error' })
  const { hasAlpha, depth } = await scan.metadata()
  if (!hasAlpha && depth === 'uchar' && (await collarOf(filePath)) === null) return scan
  const picture = await readPicture(filePath)
  const { width, height, present } = picture
  if (present === undefined) return rawOf(picture)
  const alpha = new Uint8Array(width * height)
  for (let pixel = 0; pixel < alpha.length; pixel++) if (isPresent(present, pixel)) alpha[pixel] = 255
  return rawOf(picture).joinChannel(Buffer.from(alpha.buffer), { raw: { width, height, channels: 1 } })
}

/** With an argument vector: no shell, and nothing of the server's environment. */
function gdalRun(program: string, args: readonly string[], onShare: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-2000)
    })
    child.stdout.on('data', (chunk: Buffer) => {
      const tens = chunk.toString('latin1').match(/\d+/g)?.at(-1)
      if (tens !== undefined) onShare(Math.min(100, Number(tens)) / 100)
    })
    child.on('error', (error) => reject(new WorkFault('karte_gdal', error.message)))
    child.on('close', (code, signal) =>
      code === 0
        ? resolve()
        : reject(new WorkFault('karte_gdal', `${signal ?? code}: ${said}`, lastLine(said))),
    )
  })
}
/** The last line without the paths in it. */
const lastLine = (text: string): string | null =>
  text
    .trim()
    .split('\n')
    .at(-1)
    ?.replaceAll(/\/[^\s'"]+/g, '…')
    .slice(0, 200) ?? null

/** Checks position, size, overviews, and that its pixels can be read. */
export async function checkResult(path: string, raster: Raster, epsg: number): Promise<void> {
  const { bilder, lage } = await readTiff(path).catch((error: unknown) => {
    throw new WorkFault('karte_pruefung', String(error))
  })
  const [voll] = bilder
  const near = (a: number, b: number) => Math.abs(a - b) <= raster.aufloesung * 1e-3
  const wrong =
    voll!.breite !== raster.breite || voll!.hoehe !== raster.hoehe
      ? 'size'
      : lage === null ||
          !near(lage.west, raster.west) ||
          !near(lage.nord, raster.nord) ||
          Math.abs(lage.aufloesung / raster.aufloesung - 1) > 1e-9
        ? 'place'
        : lage.epsg !== epsg
          ? 'system'
          : Math.max(raster.breite, raster.hoehe) > 1024 && bilder.length < 2
            ? 'overviews'
            : null
  if (wrong !== null) throw new WorkFault('karte_pruefung', `wrong ${wrong}`)
  const last = bilder.at(-1)!
  await sharp(path, { page: last.seite, failOn: 'error', limitInputPixels: false })
    .stats()
    .catch((error: unknown) => {
      throw new WorkFault('karte_pruefung', String(error))
    })
}
