// Measures the offset between two results where they overlap, and draws a piece of both on top of each other.
import type { KarteSeam, SeamOffset } from '#contract/karte-mosaic.ts'
import sharp from '#server/sharp.ts'
import { type GreyPart, inkOf } from '#domain/georef/ink.ts'
import type { Raster } from '#domain/georef/raster.ts'
import { measureSeam } from '#domain/georef/seam.ts'
import { boxOfRing, neighbourhoodOf } from '#domain/georef/sheets.ts'
import { computed, drawPart } from './result-part.ts'
import { converterFor, type SeenResult, seenFrom } from './placed-result.ts'
import type { PlacedResult, SeamWork } from './work.ts'

/** In which a unit is not a metre. */
const NOT_METRES: ReadonlySet<number> = new Set([4258, 4326, 3857])
/** Where the sheets overlap is found out at this size. */
const ROUGH_PIXELS = 256 ** 2
/** Moderate: a pixel of half a decimetre along 500 m of seam. */
const FINE_PIXELS = 1_000_000
const PICTURE = 320

export async function seamBetween({ blaetter, gridFolder }: SeamWork): Promise<KarteSeam> {
  const epsg = await metricSystem(blaetter, gridFolder)
  const converter = await converterFor([epsg, ...blaetter.map((sheet) => sheet.epsg)], gridFolder)
  const [first, second] = [
    await seenFrom(epsg, converter, blaetter[0]),
    await seenFrom(epsg, converter, blaetter[1]),
  ]
  const nothing: KarteSeam = { art: 'unsicher', grund: 'ohne_ueberlappung', bild: null }
  if (neighbourhoodOf(first.ring, second.ring).art !== 'ueberlappt') return nothing
  const finest = Math.max(first.aufloesung, second.aufloesung)
  const rough = await partsOn(rasterOver(boxes(first, second), ROUGH_PIXELS, finest), first, second)
  const box = commonBox(rough)
  if (box === null) return nothing
  const { raster, a, b } = await partsOn(rasterOver(box, FINE_PIXELS, finest), first, second)
  const seam = measureSeam(a, b)
  const seamPicture = await pictureOf(a, b)
  if (typeof seam === 'string') return { art: 'unsicher', grund: seam, bild: seamPicture }
  const { aufloesung } = raster
  const metres = ({ x, y }: { x: number; y: number }): SeamOffset => ({
    ost: millimetres(x * aufloesung),
    nord: millimetres(-y * aufloesung),
  })
  return {
    art: 'gemessen',
    ...metres(seam),
    vertrauen: Math.round(seam.vertrauen * 100) / 100,
    aufloesung,
    teile: seam.teile.map((part) => (part === null ? null : metres(part))),
    bild: seamPicture,
  }
}

const millimetres = (metres: number): number => Math.round(metres * 1000) / 1000

/** That of both sheets, or else UTM in their zone. */
async function metricSystem(
  [first, second]: readonly [PlacedResult, PlacedResult],
  gridFolder: string | undefined,
): Promise<number> {
  if (first.epsg === second.epsg && !NOT_METRES.has(first.epsg)) return first.epsg
  const converter = await converterFor([first.epsg, 4258, 25833], gridFolder)
  const { west, ost, sued, nord } = boxOfRing(first.umriss)
  const [longitude] = computed(converter!.conversion(first.epsg, 4258), [(west + ost) / 2, (sued + nord) / 2])
  return longitude < 6 ? 25831 : longitude < 12 ? 25832 : 25833
}

interface Box {
  readonly west: number
  readonly sued: number
  readonly ost: number
  readonly nord: number
}

function boxes({ ring }: SeenResult, { ring: other }: SeenResult): Box {
  const [a, b] = [boxOfRing(ring), boxOfRing(other)]
  return {
    west: Math.max(a.west, b.west),
    sued: Math.max(a.sued, b.sued),
    ost: Math.min(a.ost, b.ost),
    nord: Math.min(a.nord, b.nord),
  }
}

/** With at most so many pixels, and none finer than the sheets'. */
function rasterOver({ west, sued, ost, nord }: Box, pixels: number, finest: number): Raster {
  const [width, height] = [ost - west, nord - sued]
  const resolution = Math.max(finest, Math.sqrt((width * height) / pixels), Math.max(width, height) / 8192)
  const count = (length: number): number => Math.max(1, Math.ceil(length / resolution))
  return { west, nord, aufloesung: resolution, breite: count(width), hoehe: count(height) }
}

interface Parts {
  readonly raster: Raster
  readonly a: GreyPart
  readonly b: GreyPart
}
async function partsOn(raster: Raster, first: SeenResult, second: SeenResult): Promise<Parts> {
  return { raster, a: await greyOn(raster, first), b: await greyOn(raster, second) }
}

async function greyOn(raster: Raster, { path, head, pixelOf }: SeenResult): Promise<GreyPart> {
  const [width, height] = [raster.breite, raster.hoehe]
  const grey = new Uint8Array(width * height).fill(255)
  const mask = new Uint8Array(width * height)
  const part = await drawPart(path, head, { raster, pixelOf }, 'bilinear')
  if (part === null) return { width, height, grey, mask }
  const { data, channels } = part
  const hasAlpha = channels === 2 || channels === 4
  for (let at = 0, from = 0; at < mask.length; at++, from += channels) {
    if (part.mask[at] === 0 || (hasAlpha && data[from + channels - 1]! < 128)) continue
    mask[at] = 255
    grey[at] = channels < 3 ? data[from]! : (data[from]! + data[from + 1]! + data[from + 2]!) / 3
  }
  return { width, height, grey, mask }
}

/** Around the pixels that both sheets have. */
function commonBox({ raster, a, b }: Parts): Box | null {
  let [left, top, right, bottom] = [a.width, a.height, -1, -1]
  for (let y = 0, at = 0; y < a.height; y++)
    for (let x = 0; x < a.width; x++, at++) {
      if (a.mask[at] === 0 || b.mask[at] === 0) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  if (right < 0) return null
  const { west, nord, aufloesung } = raster
  return {
    west: west + left * aufloesung,
    ost: west + (right + 1) * aufloesung,
    nord: nord - top * aufloesung,
    sued: nord - (bottom + 1) * aufloesung,
  }
}

/** Where most is drawn on both: the first in red, the second in blue, what is on both black. */
async function pictureOf(a: GreyPart, b: GreyPart): Promise<string> {
  const [left, top] = busiest(a, b)
  const [width, height] = [Math.min(PICTURE, a.width), Math.min(PICTURE, a.height)]
  const data = new Uint8Array(width * height * 3)
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++, to += 3) {
      const at = (top + y) * a.width + left + x
      const [one, two] = [a.mask[at] === 0 ? 255 : a.grey[at]!, b.mask[at] === 0 ? 255 : b.grey[at]!]
      data[to] = two
      data[to + 1] = Math.min(one, two)
      data[to + 2] = one
    }
  const png = await sharp(data, { raw: { width, height, channels: 3 } })
    .png({ palette: true, colours: 64 })
    .toBuffer()
  return png.toString('base64')
}

function busiest(a: GreyPart, b: GreyPart): readonly [left: number, top: number] {
  const [one, two] = [inkOf(a), inkOf(b)]
  const places = (length: number): number[] =>
    Array.from({ length: Math.max(1, Math.ceil((length - PICTURE / 2) / (PICTURE / 2))) }, (_, i) =>
      Math.max(0, Math.min((i * PICTURE) / 2, length - PICTURE)),
    )
  let best: readonly [number, number] = [0, 0]
  let most = -1
  for (const top of places(a.height))
    for (const left of places(a.width)) {
      let [ofA, ofB] = [0, 0]
      for (let y = top; y < Math.min(a.height, top + PICTURE); y += 2)
        for (let x = left; x < Math.min(a.width, left + PICTURE); x += 2) {
          const at = y * a.width + x
          if (one.ink[at]! > 0) ofA++
          if (two.ink[at]! > 0) ofB++
        }
      if (Math.min(ofA, ofB) > most) {
        most = Math.min(ofA, ofB)
        best = [left, top]
      }
    }
  return best
}
