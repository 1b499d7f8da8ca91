// Reads the pixels of a scan, whichever program made it: as grey or three colours with eight
// bits, ready for display.
import sharp from 'sharp'
import { type Deep, readDeep } from './deep-picture.ts'
import type { Picture } from './sampling.ts'

/** Stops decompression bombs: an A0 sheet at 400 dpi has 250 million pixels. */
export const MOST_SCAN_PIXELS = 400_000_000

/**
 * The scan's pixels as stored in the file, whatever its orientation tag says: control points from other
 * programs refer to them. Transparent pixels are put on white.
 * @param shrink makes a copy smaller by this factor
 */
export async function readPicture(path: string, shrink = 1): Promise<Picture> {
  const deep = await readDeepScan(path)
  const scan =
    deep === null
      ? sharp(path, { limitInputPixels: MOST_SCAN_PIXELS, failOn: 'error', unlimited: false })
      : rawOf(deep.picture)
  const { width, height, channels, space } = await scan.metadata()
  const grey = channels < 3 || space === 'b-w'
  let image = scan.flatten({ background: 'white' }).toColourspace(grey ? 'b-w' : 'srgb')
  if (shrink > 1)
    image = image.resize({
      width: Math.max(1, Math.round(width / shrink)),
      height: Math.max(1, Math.round(height / shrink)),
      fit: 'fill',
    })
  else if (deep !== null) return deep.picture
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: info.channels, data }
}

export const rawOf = ({ data, width, height, channels }: Picture) =>
  sharp(data, {
    raw: { width, height, channels: channels === 1 ? 1 : 3 },
    limitInputPixels: MOST_SCAN_PIXELS,
  })

export const readDeepScan = (path: string): Promise<Deep | null> => readDeep(path, MOST_SCAN_PIXELS)
