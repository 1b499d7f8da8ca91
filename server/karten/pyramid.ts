// A scan in its own size and in halved copies, each cut into tiles, so that every part can
// be read without the rest.
import sharp from '#server/sharp.ts'
import { TILE_SIZE } from '#contract/karte-files.ts'
import { MOST_SCAN_PIXELS } from './picture.ts'

/** For display only: results are made from the scan itself. */
const QUALITY = 88

/** In the form that `readPicture` reads: pixels as stored in the file, grey or three colours, on white. */
export async function cutTiles(path: string, target: string): Promise<void> {
  const scan = sharp(path, { limitInputPixels: MOST_SCAN_PIXELS, failOn: 'error', sequentialRead: true })
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
