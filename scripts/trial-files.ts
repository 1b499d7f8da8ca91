// Files of the trial's plans: scans drawn, cut and laid onto the map by the product's own hands, once for each build. They lie in a store of their own, from which a trial takes what its rows name.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { EntzerrenWerte } from '#contract/karte-dateien.ts'
import { makePlan } from '../db/seeds/plan-zeichnen.ts'
import { generateSample, type Sample, TRIAL_SIZE } from '../db/seeds/sample.ts'
import type { SampleBlatt } from '../db/seeds/sample-blaetter.ts'
import type { ProbeBlatt } from '../db/seeds/seed-dateien.ts'
import { type Ablage, ordnerAblage } from '../server/dateien/ablage.ts'
import { entzerre } from '../server/karten/entzerren.ts'
import { schneideKacheln } from '../server/karten/pyramide.ts'

/** The rows that belong to the files. */
const LISTE = 'blaetter.json'

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
    rmSync(join(fresh, 'arbeit'), { recursive: true, force: true })
    writeFileSync(join(fresh, LISTE), JSON.stringify(blaetter))
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

/** What was built; nothing where it was not: then the trial's plans have no scans. */
export function readTrialFiles(folder: string): ProbeBlatt[] {
  const path = join(folder, LISTE)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ProbeBlatt[]) : []
}
