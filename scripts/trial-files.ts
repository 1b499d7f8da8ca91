// Files of the trial's plans and trees: scans drawn, cut and laid onto the map by the product's own hands, photos drawn and brought to their sizes, once for each build. They lie in a store of their own, from which a trial takes what its rows name.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import proj4 from 'proj4'
import sharp from 'sharp'
import type { EntzerrenWerte } from '#contract/karte-dateien.ts'
import { exifAngaben } from '#domain/habitat/exif.ts'
import { createUmrechner, type Projektor } from '#domain/projektion.ts'
import { makeFoto } from '../db/seeds/foto-zeichnen.ts'
import { makePlan } from '../db/seeds/plan-zeichnen.ts'
import { generateSample, type Sample, TRIAL_SIZE } from '../db/seeds/sample.ts'
import type { SampleBlatt } from '../db/seeds/sample-blaetter.ts'
import { makeFotos, type SampleFoto } from '../db/seeds/sample-fotos.ts'
import type { ProbeBlatt, ProbeFoto } from '../db/seeds/seed-dateien.ts'
import { type Ablage, ordnerAblage } from '../server/dateien/ablage.ts'
import { zeichneFoto } from '../server/habitat/foto-zeichnen.ts'
import { entzerre } from '../server/karten/entzerren.ts'
import { schneideKacheln } from '../server/karten/pyramide.ts'

/** The rows that belong to the files. */
const LISTE = 'blaetter.json'
const FOTOS = 'fotos.json'

/** `count`: only so many of the sheets. */
export async function buildTrialFiles(target: string, { now, count }: { readonly now: Date; readonly count?: number }): Promise<void> {
  const fresh = `${target}-${process.pid}`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  try {
    const sample = generateSample({ ...TRIAL_SIZE, now })
    const ablage = ordnerAblage(fresh)
    const blaetter: ProbeBlatt[] = []
    for (const blatt of sample.blaetter.slice(0, count)) blaetter.push(await makeFiles(sample, blatt, ablage))
    // All at once: each waits for the drawing threads most of its time.
    const fotos = await Promise.all(
      makeFotos(sample.habitatbaeume)
        .slice(0, count)
        .map((foto) => makePhoto(foto, ablage, now)),
    )
    rmSync(join(fresh, 'arbeit'), { recursive: true, force: true })
    writeFileSync(join(fresh, LISTE), JSON.stringify(blaetter))
    writeFileSync(join(fresh, FOTOS), JSON.stringify(fotos))
    rmSync(target, { recursive: true, force: true })
    renameSync(fresh, target)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

async function makeFiles(sample: Sample, { karte_id, client_id, name, wunsch }: SampleBlatt, ablage: Ablage): Promise<ProbeBlatt> {
  const scan = await ablage.arbeitsdatei()
  const made = `${scan}.tif`
  try {
    const { jpeg } = await makePlan(wunsch)
    writeFileSync(scan, jpeg)
    await schneideKacheln(scan, made)
    const kacheln = await ablage.lege(made)
    rmSync(made)
    const karte = sample.kartenblatt.find(({ id }) => id === karte_id)!
    const werte: EntzerrenWerte | null =
      karte.georef_typ === null
        ? null
        : {
            georef_typ: karte.georef_typ,
            epsg: karte.epsg,
            res: karte.res,
            verfahren: 'bilinear',
            kompression: 'jpeg',
            punkte: sample.mappoint
              .filter((punkt) => punkt.karte_id === karte_id)
              .map(({ mapx, mapy, pixelx, pixely, enable }) => ({ mapx, mapy, pixelx, pixely, enable })),
          }
    const entzerrt =
      werte === null ? null : await entzerre({ art: 'entzerren', pfad: scan, ziel: made, werte, gdal: null }, () => undefined)
    const ergebnis =
      werte === null || entzerrt === null
        ? null
        : { name: name.replace('.jpg', '_georef.tif'), ...(await ablage.lege(made)), ...entzerrt, werte }
    const { width, height, density = 72 } = await sharp(scan).metadata()
    const stored = await ablage.lege(scan)
    return {
      karte_id,
      client_id,
      scan: { name, ...stored, kacheln_sha256: kacheln.sha256, breite: width, hoehe: height, dpi: density },
      ergebnis,
    }
  } finally {
    await ablage.entferneArbeit(scan)
  }
}

/** As an upload goes, but for the row: read, brought to its sizes, put into the store. */
async function makePhoto({ habitat_id, name, epsg, ort, wunsch }: SampleFoto, ablage: Ablage, now: Date): Promise<ProbeFoto> {
  const [lon, lat] = createUmrechner(proj4 as unknown as Projektor, null).umrechnung(epsg, 4326)(ort)
  const work = await ablage.arbeitsdatei()
  const ziele = { klein: `${work}.klein`, mittel: `${work}.mittel`, gross: `${work}.gross` }
  try {
    writeFileSync(work, await makeFoto({ ...wunsch, lon, lat }))
    const { breite, hoehe, tags } = await zeichneFoto({ pfad: work, ziele })
    const { aufgenommen_am, richtung, lon: readLon, lat: readLat } = exifAngaben(tags, now)
    const [klein, mittel, gross] = await Promise.all([ablage.lege(ziele.klein), ablage.lege(ziele.mittel), ablage.lege(ziele.gross)])
    const sizes = { klein: klein.sha256, mittel: mittel.sha256, gross: gross.sha256 }
    return { habitat_id, name, ...(await ablage.lege(work)), breite, hoehe, ...sizes, aufgenommen_am, richtung, lon: readLon, lat: readLat }
  } finally {
    await ablage.entferneArbeit(work)
  }
}

/** What was built; nothing where it was not: then the trial's plans have no scans. */
export const readTrialFiles = (folder: string): ProbeBlatt[] => listOf<ProbeBlatt>(folder, LISTE)
export const readTrialPhotos = (folder: string): ProbeFoto[] => listOf<ProbeFoto>(folder, FOTOS)

function listOf<T>(folder: string, name: string): T[] {
  const path = join(folder, name)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T[]) : []
}
