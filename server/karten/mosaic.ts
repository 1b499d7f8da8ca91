// Puts the results of several plans together into one, strip by strip: of each sheet only the tiles beneath a
// strip are read. Where the sheets share their pixels with the mosaic they are copied, otherwise resampled.
import type { Pair } from '#domain/georef/frame.ts'
import type { Resampling } from '#domain/georef/output.ts'
import { LARGEST_MOSAIC, type Overlap } from '#contract/karte-mosaic.ts'
import type { Raster } from '#domain/georef/raster.ts'
import { hullOf, mosaicRaster, type Ring } from '#domain/georef/sheets.ts'
import { writeCog } from './cog.ts'
import { TILE } from './cog-levels.ts'
import { converterFor, type SeenResult, seenFrom } from './placed-result.ts'
import { checkResult, placeOf } from './rectify.ts'
import { drawPart, type Part } from './result-part.ts'
import type { Strip } from './sampler.ts'
import { type MosaicWork, type Rectified, WorkFault } from './work.ts'

type Task = MosaicWork & { readonly ziel: string }

export async function makeMosaic(
  { blaetter, werte, ziel, gridFolder }: Task,
  onProgress: (share: number) => void,
): Promise<Rectified> {
  const { epsg } = werte
  const converter = await converterFor([epsg, ...blaetter.map((sheet) => sheet.epsg)], gridFolder)
  const sheets: SeenResult[] = []
  for (const sheet of blaetter) sheets.push(await seenFrom(epsg, converter, sheet))
  const raster = gridOf(sheets, epsg, werte.res)
  const channels = sheets.some(({ head }) => head.bilder[0]!.channels >= 3) ? 3 : 1
  await writeCog(createMosaic(sheets, raster, channels, werte.ueberlappung), {
    raster,
    epsg,
    channels,
    kompression: werte.kompression === 'jpeg' ? 'JPEG' : 'DEFLATE',
    path: ziel,
    onProgress: (share) => onProgress(0.98 * share),
  })
  await checkResult(ziel, raster, epsg)
  const hull = hullOf(sheets.flatMap(({ ring }) => ring)).map(([east, north]) => placeOf(east, north, epsg))
  return { breite: raster.breite, hoehe: raster.hoehe, umriss: [...hull, hull[0]!] }
}

function gridOf(sheets: readonly SeenResult[], epsg: number, res: number | null): Raster {
  const resolution = res ?? Math.min(...sheets.map(({ aufloesung }) => aufloesung))
  const raster = mosaicRaster(
    sheets.map((sheet) => (sheet.epsg === epsg ? cornersOf(sheet) : sheet.ring)),
    resolution,
    LARGEST_MOSAIC,
  )
  if (raster === 'unendlich') throw new WorkFault('karte_raster_unendlich', 'no end')
  if (raster === 'zu_gross') throw new WorkFault('karte_mosaik_gross', `at ${resolution} per pixel`)
  return raster
}

/** The grid of the result itself, so that no pixel is lost and none is between two. */
const cornersOf = ({ head, lage: { west, nord, aufloesung } }: SeenResult): Ring => {
  const { breite, hoehe } = head.bilder[0]!
  const [east, south] = [west + breite * aufloesung, nord - hoehe * aufloesung]
  const corners: Pair[] = [
    [west, nord],
    [east, south],
  ]
  return corners
}

/** Draws strips of the mosaic; the first sheet is on top. */
export function createMosaic(
  sheets: readonly SeenResult[],
  raster: Raster,
  channels: 1 | 3,
  overlap: Overlap,
): (top: number, rows: number) => Promise<Strip> {
  const { west, nord, aufloesung, breite } = raster
  // One is drawn while the other is written: new ones would fill the memory faster than it is cleaned up.
  const strips = [0, 1].map(() => ({
    data: new Uint8Array(breite * TILE * channels),
    mask: new Uint8Array(breite * TILE),
  }))
  const ways = sheets.map((sheet) => ({ sheet, way: wayOf(sheet, raster) }))
  return async (top, rows) => {
    const strip = strips[(top / TILE) % 2]!
    strip.data.fill(255)
    strip.mask.fill(0)
    let empty = true
    for (let left = 0; left < breite; left += TILE) {
      const block: Raster = {
        west: west + left * aufloesung,
        nord: nord - top * aufloesung,
        aufloesung,
        breite: Math.min(TILE, breite - left),
        hoehe: rows,
      }
      let free = block.breite * rows
      for (const { sheet, way } of ways) {
        // Nothing beneath would be seen.
        if (free === 0 && overlap === 'oben') break
        const part = await drawPart(sheet.path, sheet.head, { raster: block, pixelOf: sheet.pixelOf }, way)
        if (part !== null) free -= lay(part, block, { ...strip, left, width: breite, channels, overlap })
      }
      empty &&= free === block.breite * rows
    }
    return { ...strip, empty }
  }
}

/** Sheets of one system and resolution share their pixels, because each begins at a multiple of it. */
function wayOf({ lage, pixelOf, aufloesung }: SeenResult, raster: Raster): Resampling {
  const [column, row] = pixelOf(raster.west, raster.nord)
  const isWhole = (value: number): boolean => Math.abs(value - Math.round(value)) < 1e-3
  const isSame = lage.aufloesung === aufloesung && Math.abs(aufloesung / raster.aufloesung - 1) < 1e-9
  return isSame && isWhole(column) && isWhole(row) ? 'near' : 'cubic'
}

interface Under {
  readonly data: Uint8Array
  readonly mask: Uint8Array
  readonly left: number
  readonly width: number
  readonly channels: 1 | 3
  readonly overlap: Overlap
}

/** Half covered counts as covered. */
const COVERED = 128

/** Lays a sheet beneath what is there already; returns how many pixels it is the first to cover. */
function lay(part: Part, block: Raster, { data, mask, left, width, channels, overlap }: Under): number {
  const hasAlpha = part.channels === 2 || part.channels === 4
  const isGrey = part.channels < 3
  let first = 0
  for (let row = 0, i = 0; row < block.hoehe; row++)
    for (let column = 0, at = row * width + left; column < block.breite; column++, at++, i++) {
      if (part.mask[i] === 0) continue
      const from = i * part.channels
      if (hasAlpha && part.data[from + part.channels - 1]! < COVERED) continue
      const red = part.data[from]!
      const [green, blue] = isGrey ? [red, red] : [part.data[from + 1]!, part.data[from + 2]!]
      const to = at * channels
      if (mask[at] !== 0) {
        if (overlap === 'oben') continue
        const there = channels === 1 ? 3 * data[to]! : data[to]! + data[to + 1]! + data[to + 2]!
        if (red + green + blue >= there) continue
      } else {
        mask[at] = 255
        first++
      }
      data[to] = red
      if (channels === 3) {
        data[to + 1] = green
        data[to + 2] = blue
      }
    }
  return first
}
