// A scan and its points become a georeferenced file: by the product's own warper, or by GDAL where it is installed and chosen. Both get the same grid, and what they made is looked at before it counts.
import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import sharp from '#server/sharp.ts'
import type { EntzerrenWerte } from '#contract/karte-dateien.ts'
import { type Abbildung, fitAbbildung, type Passpunkt } from '#domain/georef/abbildung.ts'
import { gdalArgumente, gdalPunkte } from '#domain/georef/ausgabe.ts'
import { pruefePunkte } from '#domain/georef/punkt-pruefung.ts'
import { type Raster, rasterOf, umriss, vorgeschlageneAufloesung } from '#domain/georef/raster.ts'
import { createAbtaster } from './abtasten.ts'
import { type Arbeit, ArbeitFault, type Entzerrt } from './arbeit.ts'
import { ladeBild, MOST_SCAN_PIXELS } from './bild.ts'
import { schreibeCog } from './cog.ts'
import { liesTiff } from './tiff-lesen.ts'

type Auftrag = Extract<Arbeit, { art: 'entzerren' }>

const GRAD: ReadonlySet<number> = new Set([4258, 4326])

export async function entzerre(auftrag: Auftrag, onProgress: (anteil: number) => void): Promise<Entzerrt> {
  const { pfad, werte, ziel, gdal } = auftrag
  const { width, height } = await sharp(pfad, { limitInputPixels: MOST_SCAN_PIXELS }).metadata()
  const abbildung = abbildungOf(werte)
  const raster = gridOf(abbildung, werte, width, height)
  if (gdal === null) await byOwn(auftrag, abbildung, raster, onProgress)
  else await byGdal({ ...auftrag, gdal }, abbildung, raster, width, height, onProgress)
  await checkResult(ziel, raster, werte.epsg)
  const ring = umriss(abbildung, width, height).map(([ost, nord]) => placeOf(ost, nord, werte.epsg))
  return { breite: raster.breite, hoehe: raster.hoehe, umriss: [...ring, ring[0]!] }
}

/** To a millimetre, which is more than anybody surveys. */
const placeOf = (ost: number, nord: number, epsg: number): [number, number] => {
  const places = GRAD.has(epsg) ? 8 : 3
  return [Number(ost.toFixed(places)), Number(nord.toFixed(places))]
}

const passpunkte = ({ punkte }: EntzerrenWerte): { readonly nr: number; readonly punkt: Passpunkt }[] =>
  punkte.flatMap(({ mapx, mapy, pixelx, pixely, enable }, index) =>
    enable === false ? [] : [{ nr: index + 1, punkt: { ost: mapx, nord: mapy, spalte: pixelx, zeile: -pixely } }],
  )

function abbildungOf(werte: EntzerrenWerte): Abbildung {
  const used = passpunkte(werte)
  const punkte = used.map(({ punkt }) => punkt)
  const abbildung = fitAbbildung(werte.georef_typ, punkte)
  if (abbildung !== null) return abbildung
  const [mangel] = pruefePunkte(werte.georef_typ, punkte)
  if (mangel === undefined || mangel.code === 'unbestimmt') throw new ArbeitFault('karte_punkte_unbestimmt', 'no answer')
  if (mangel.code === 'zu_wenige') throw new ArbeitFault('karte_punkte_wenige', 'too few points', `es fehlen ${mangel.fehlen}`)
  if (mangel.code === 'linie')
    throw new ArbeitFault('karte_punkte_linie', 'on one line', mangel.wo === 'scan' ? 'im Scan' : 'auf der Karte')
  const numbers = mangel.punkte.map((index) => used[index]!.nr).join(', ')
  throw new ArbeitFault('karte_punkte_doppelt', `twice: ${numbers}`, `Punkte ${numbers}`)
}

function gridOf(abbildung: Abbildung, { res }: EntzerrenWerte, width: number, height: number): Raster {
  const raster = rasterOf(abbildung, width, height, res ?? vorgeschlageneAufloesung(abbildung, width, height))
  if (raster === 'unendlich') throw new ArbeitFault('karte_raster_unendlich', 'no end')
  if (raster === 'zu_gross') throw new ArbeitFault('karte_raster_gross', 'too large')
  return raster
}

async function byOwn(
  { pfad, ziel, werte }: Auftrag,
  abbildung: Abbildung,
  raster: Raster,
  onProgress: (anteil: number) => void,
): Promise<void> {
  const bild = await ladeBild(pfad)
  onProgress(0.05)
  await schreibeCog(createAbtaster(bild, abbildung.zumScan, raster, werte.verfahren), {
    raster,
    epsg: werte.epsg,
    channels: bild.channels === 1 ? 1 : 3,
    kompression: werte.kompression === 'jpeg' ? 'JPEG' : 'DEFLATE',
    path: ziel,
    onProgress: (share) => onProgress(0.05 + 0.9 * share),
  })
}

/** Bytes that came from outside are decoded by sharp alone; GDAL gets plain pixels. Of three colours for JPEG: grey with transparency it would write in a way that hardly anybody reads. */
async function byGdal(
  { pfad, ziel, werte, gdal }: Auftrag & { gdal: NonNullable<Auftrag['gdal']> },
  abbildung: Abbildung,
  raster: Raster,
  width: number,
  height: number,
  onProgress: (anteil: number) => void,
): Promise<void> {
  const [plain, placed] = [`${ziel}.pixel.tif`, `${ziel}.punkte.vrt`]
  try {
    const { channels, space } = await sharp(pfad).metadata()
    await sharp(pfad, { limitInputPixels: MOST_SCAN_PIXELS, failOn: 'error' })
      .flatten({ background: 'white' })
      .toColourspace(werte.kompression === 'deflate' && (channels < 3 || space === 'b-w') ? 'b-w' : 'srgb')
      .tiff({ compression: 'none', tile: true, tileWidth: 256, tileHeight: 256, bigtiff: true })
      .toFile(plain)
    onProgress(0.1)
    const punkte = gdalPunkte(
      abbildung,
      passpunkte(werte).map(({ punkt }) => punkt),
      width,
      height,
    )
    const auftrag = {
      epsg: werte.epsg,
      resampling: werte.verfahren,
      kompression: werte.kompression === 'jpeg' ? 'JPEG' : 'DEFLATE',
      aufloesung: raster.aufloesung,
    } as const
    const [[, ...translate], [, ...warp]] = gdalArgumente(punkte, auftrag, plain, placed, ziel, GRAD.has(werte.epsg)) as [
      string[],
      string[],
    ]
    translate[translate.indexOf('GTiff')] = 'VRT'
    const { west, nord, aufloesung, breite, hoehe } = raster
    const extent = ['-te', west, nord - hoehe * aufloesung, west + breite * aufloesung, nord].map(String)
    await gdalRun(gdal.translate, translate, () => undefined)
    await gdalRun(gdal.warp, ['-wm', '256', '--config', 'GDAL_CACHEMAX', '256', ...extent, ...warp], (share) =>
      onProgress(0.1 + 0.85 * share),
    )
  } finally {
    await Promise.all([plain, placed].map((path) => rm(path, { force: true })))
  }
}

/** An argument vector, no shell, none of the server's environment. */
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
    child.on('error', (error) => reject(new ArbeitFault('karte_gdal', error.message)))
    child.on('close', (code, signal) =>
      code === 0 ? resolve() : reject(new ArbeitFault('karte_gdal', `${signal ?? code}: ${said}`, lastLine(said))),
    )
  })
}
/** Without the paths in it. */
const lastLine = (text: string): string | null =>
  text
    .trim()
    .split('\n')
    .at(-1)
    ?.replaceAll(/\/[^\s'"]+/g, '…')
    .slice(0, 200) ?? null

/** Where it should lie, as large as it should be, with smaller sizes, and its pixels can be read. */
async function checkResult(path: string, raster: Raster, epsg: number): Promise<void> {
  const { bilder, lage } = await liesTiff(path).catch((error: unknown) => {
    throw new ArbeitFault('karte_pruefung', String(error))
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
  if (wrong !== null) throw new ArbeitFault('karte_pruefung', `wrong ${wrong}`)
  const last = bilder.at(-1)!
  await sharp(path, { page: last.seite, failOn: 'error', limitInputPixels: false })
    .stats()
    .catch((error: unknown) => {
      throw new ArbeitFault('karte_pruefung', String(error))
    })
}
