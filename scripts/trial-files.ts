// Files of the trial's plans and trees, made once per build: scans are drawn, tiled and rectified, and photos
// drawn and scaled, by the product's own code. They are kept in a separate store, from which a trial takes
// what its rows name.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import proj4 from 'proj4'
import sharp from 'sharp'
import type { RectifyValues } from '#domain/georef/rectify-values.ts'
import { exifDetails } from '#domain/habitat/exif.ts'
import { createConverter, type Projector } from '#domain/projection.ts'
import { drawTreePhoto } from '../db/seeds/draw-tree-photo.ts'
import { makePlan } from '../db/seeds/draw-plan.ts'
import { generateSample, type Sample, TRIAL_SIZE } from '../db/seeds/sample.ts'
import type { SampleSheet } from '../db/seeds/sample-sheets.ts'
import { makePhotos, type SamplePhoto } from '../db/seeds/sample-photos.ts'
import type { TrialSheet, TrialPhoto } from '../db/seeds/seed-files.ts'
import { type Store, folderStore } from '../server/files/store.ts'
import { drawPhoto } from '../server/habitat/draw-photo.ts'
import { rectify } from '../server/karten/rectify.ts'
import { cutTiles } from '../server/karten/pyramid.ts'

/** Files listing the rows. */
const LIST = 'blaetter.json'
const PHOTOS = 'fotos.json'

/** `count` limits the number of sheets. */
export async function buildTrialFiles(
  target: string,
  { now, count }: { readonly now: Date; readonly count?: number },
): Promise<void> {
  const fresh = `${target}-${process.pid}`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  try {
    const sample = generateSample({ ...TRIAL_SIZE, now })
    const fileStore = folderStore(fresh)
    const sheetList: TrialSheet[] = []
    for (const singleSheet of sample.sheetList.slice(0, count))
      sheetList.push(await makeFiles(sample, singleSheet, fileStore))
    // All at once: each mostly waits for the drawing threads.
    const photos = await Promise.all(
      makePhotos(sample.habitatbaeume)
        .slice(0, count)
        .map((photo) => makePhoto(photo, fileStore, now)),
    )
    rmSync(join(fresh, 'arbeit'), { recursive: true, force: true })
    writeFileSync(join(fresh, LIST), JSON.stringify(sheetList))
    writeFileSync(join(fresh, PHOTOS), JSON.stringify(photos))
    rmSync(target, { recursive: true, force: true })
    renameSync(fresh, target)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

async function makeFiles(
  sample: Sample,
  { karte_id, client_id, name, request }: SampleSheet,
  fileStore: Store,
): Promise<TrialSheet> {
  const scan = await fileStore.workFile()
  const made = `${scan}.tif`
  try {
    const { jpeg } = await makePlan(request)
    writeFileSync(scan, jpeg)
    await cutTiles(scan, made)
    const tiles = await fileStore.putFile(made)
    rmSync(made)
    const karte = sample.kartenblatt.find(({ id }) => id === karte_id)!
    const values: RectifyValues | null =
      karte.georef_typ === null
        ? null
        : {
            georef_typ: karte.georef_typ,
            epsg: karte.epsg,
            res: karte.res,
            verfahren: 'bilinear',
            kompression: 'jpeg',
            punkte: sample.mappoint
              .filter((point) => point.karte_id === karte_id)
              .map(({ mapx, mapy, pixelx, pixely, enable }) => ({ mapx, mapy, pixelx, pixely, enable })),
          }
    const rectified =
      values === null
        ? null
        : await rectify(
            { art: 'entzerren', filePath: scan, ziel: made, werte: values, gdal: null },
            () => undefined,
          )
    const result =
      values === null || rectified === null
        ? null
        : {
            name: name.replace('.jpg', '_georef.tif'),
            ...(await fileStore.putFile(made)),
            ...rectified,
            werte: values,
          }
    const { width, height, density = 72 } = await sharp(scan).metadata()
    const stored = await fileStore.putFile(scan)
    return {
      karte_id,
      client_id,
      scan: { name, ...stored, kacheln_sha256: tiles.sha256, breite: width, hoehe: height, dpi: density },
      ergebnis: result,
    }
  } finally {
    await fileStore.removeWork(scan)
  }
}

/** Like an upload, but without the row: read, scaled, stored. */
async function makePhoto(
  { habitat_id, name, epsg, ort, request }: SamplePhoto,
  fileStore: Store,
  now: Date,
): Promise<TrialPhoto> {
  const [lon, lat] = createConverter(proj4 as unknown as Projector, null).conversion(epsg, 4326)(ort)
  const work = await fileStore.workFile()
  const targets = { klein: `${work}.klein`, mittel: `${work}.mittel`, gross: `${work}.gross` }
  try {
    writeFileSync(work, await drawTreePhoto({ ...request, lon, lat }))
    const { breite, hoehe, tags } = await drawPhoto({ filePath: work, targets })
    const { aufgenommen_am, richtung, lon: readLon, lat: readLat } = exifDetails(tags, now)
    const [small, medium, gross] = await Promise.all([
      fileStore.putFile(targets.klein),
      fileStore.putFile(targets.mittel),
      fileStore.putFile(targets.gross),
    ])
    const sizes = { klein: small.sha256, mittel: medium.sha256, gross: gross.sha256 }
    return {
      habitat_id,
      name,
      ...(await fileStore.putFile(work)),
      breite,
      hoehe,
      ...sizes,
      aufgenommen_am,
      richtung,
      lon: readLon,
      lat: readLat,
    }
  } finally {
    await fileStore.removeWork(work)
  }
}

/** What was built; empty without a build: the trial's plans then have no scans. */
export const readTrialFiles = (folder: string): TrialSheet[] => listOf<TrialSheet>(folder, LIST)
export const readTrialPhotos = (folder: string): TrialPhoto[] => listOf<TrialPhoto>(folder, PHOTOS)

function listOf<T>(folder: string, name: string): T[] {
  const path = join(folder, name)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T[]) : []
}
