// A scan in its own size and in halved copies, each cut into tiles, so that every part can
// be read without the rest.
import type { Sharp } from 'sharp'
import sharp from '#server/sharp.ts'
import { TILE_SIZE } from '#contract/karte-files.ts'
import { collarOf } from './collar.ts'
import { MOST_SCAN_PIXELS, rawOf, readDeepScan, readPicture } from './picture.ts'
import { hasLostBlocks } from './whole-file.ts'
import type { Tiled } from './work.ts'

/** For display only: results are made from the scan itself. */
const QUALITY = 88

/** In the form that `readPicture` reads: pixels as stored in the file, grey or three colours, on white. */
export async function cutTiles(path: string, target: string): Promise<Tiled> {
  const { range, isDamaged } = await drawTiles(path, target)
  return { range, isDamaged: isDamaged || (await hasLostBlocks(path)) }
}

async function drawTiles(path: string, target: string): Promise<Tiled> {
  const deep = await readDeepScan(path)
  if (deep !== null) {
    await writeTiles(rawOf(deep.picture), target)
    return { range: deep.range, isDamaged: false }
  }
  if ((await collarOf(path)) !== null) {
    await writeTiles(rawOf(await readPicture(path)), target)
    return { range: null, isDamaged: false }
  }
  const scan = (failOn: 'warning' | 'error') =>
    sharp(path, { limitInputPixels: MOST_SCAN_PIXELS, failOn, sequentialRead: true })
  // A JPEG of which parts are broken can be drawn, with grey or shifted patches: people decide whether it is
  // of use. Warnings about other formats are of no consequence.
  if ((await scan('error').metadata()).format !== 'jpeg') {
    await writeTiles(scan('error'), target)
    return { range: null, isDamaged: false }
  }
  try {
    await writeTiles(scan('warning'), target)
    return { range: null, isDamaged: false }
  } catch {
    await writeTiles(scan('error'), target)
    return { range: null, isDamaged: true }
  }
}

async function writeTiles(scan: Sharp, target: string): Promise<void> {
  const { channels, space, width, height } = await scan.metadata()
  // The reading library refuses tiles that are much larger than the picture.
  const tile = Math.min(TILE_SIZE, Math.ceil(Math.max(width, height) / 16) * 16)
  await scan
    .flatten({ background: 'white' })
    .toColourspace(channels < 3 || space === 'b-w' ? 'b-w' : 'srgb')
    .tiff({
      compression: 'jpeg',
      quality: QUALITY,
      tile: true,
      tileWidth: tile,
      tileHeight: tile,
      pyramid: true,
      bigtiff: true,
    })
    .toFile(target)
}
