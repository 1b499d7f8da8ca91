// A scan in its own size and in halves of it, each cut into tiles: each part can be read without the rest.
import sharp from '#server/sharp.ts'
import { TILE_SIZE } from '#contract/karte-files.ts'
import { MOST_SCAN_PIXELS } from './picture.ts'

/** Looked at, never reckoned with: results are made of the scan itself. */
const QUALITY = 88

/** As `readPicture` reads it: pixels as they lie in the file, grey or three colours, laid on white. */
export async function cutTiles(path: string, ziel: string): Promise<void> {
  const scan = sharp(path, { limitInputPixels: MOST_SCAN_PIXELS, failOn: 'error', sequentialRead: true })
  const { channels, space, width, height } = await scan.metadata()
  // A tile that is much larger than the picture is refused by the library that reads it.
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
    .toFile(ziel)
}
