// Pixels of a scan, whatever office programs made of it: grey or three colours, eight bits, as it is to be looked at.
import sharp from 'sharp'
import type { Picture } from './sampler.ts'

/** Decompression bombs end here: an A0 sheet at 400 dpi has 250 million. */
export const MOST_SCAN_PIXELS = 400_000_000

/**
 * The scan's pixels as they lie in the file, whatever it says of its orientation: control points of other programs count them so. A transparent one is laid on white.
 * @param shrink a copy so many times smaller
 */
export async function readPicture(path: string, shrink = 1): Promise<Picture> {
  const scan = sharp(path, { limitInputPixels: MOST_SCAN_PIXELS, failOn: 'error', unlimited: false })
  const { width, height, channels, space } = await scan.metadata()
  const grey = channels < 3 || space === 'b-w'
  let image = scan.flatten({ background: 'white' }).toColourspace(grey ? 'b-w' : 'srgb')
  if (shrink > 1)
    image = image.resize({
      width: Math.max(1, Math.round(width / shrink)),
      height: Math.max(1, Math.round(height / shrink)),
      fit: 'fill',
    })
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, channels: info.channels, data }
}
