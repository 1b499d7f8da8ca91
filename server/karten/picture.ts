// Reads the pixels of a scan, whichever program made it: as grey or three colours with eight
// bits, ready for display.
import sharp from 'sharp'
import { type Collar, collarOf, presentBy } from './collar.ts'
import { type Deep, readDeep } from './deep-picture.ts'
import { isPresent, type Present, presentOf } from './present.ts'
import type { Picture } from './sampling.ts'

/** Stops decompression bombs: an A0 sheet at 400 dpi has 250 million pixels. */
export const MOST_SCAN_PIXELS = 400_000_000

/**
 * The scan's pixels as stored in the file, whatever its orientation tag says: control points from other
 * programs refer to them. Transparent pixels, and those that a TIFF declares to be none, are put on white and are
 * not present.
 * @param shrink makes a copy smaller by this factor, of which nothing is transparent
 */
export async function readPicture(path: string, shrink = 1): Promise<Picture> {
  const deep = await readDeepScan(path)
  const collar = await collarOf(path)
  const scan = deep === null ? opened(path) : rawOf(deep.picture)
  const { width, height, channels, space, hasAlpha } = await scan.metadata()
  const grey = channels < 3 || space === 'b-w'
  const opaque = collar?.isExtraBand === true ? scan.removeAlpha() : scan.flatten({ background: 'white' })
  let image = opaque.toColourspace(grey ? 'b-w' : 'srgb')
  if (shrink > 1)
    image = image.resize({
      width: Math.max(1, Math.round(width / shrink)),
      height: Math.max(1, Math.round(height / shrink)),
      fit: 'fill',
    })
  else if (deep !== null) return deep.picture
  const { data, info } = await image.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const picture = { width: info.width, height: info.height, channels: info.channels, data }
  if (shrink > 1) return picture
  const present = await presentIn(path, picture, {
    collar,
    hasAlpha: hasAlpha && collar?.isExtraBand !== true,
  })
  return present === null ? picture : { ...onWhite(picture, present), present }
}

const opened = (path: string) =>
  sharp(path, { limitInputPixels: MOST_SCAN_PIXELS, failOn: 'error', unlimited: false })

interface Transparency {
  readonly collar: Collar | null
  readonly hasAlpha: boolean
}
/** Half transparent counts as there. */
const THERE = 128

async function presentIn(
  path: string,
  picture: Picture,
  { collar, hasAlpha }: Transparency,
): Promise<Present | null> {
  if (!hasAlpha) return collar === null ? null : presentBy(collar, path, picture)
  const alpha = await opened(path).extractChannel('alpha').raw({ depth: 'uchar' }).toBuffer()
  return presentOf(picture.width * picture.height, (pixel) => alpha[pixel]! >= THERE)
}

function onWhite(picture: Picture, present: Present): Picture {
  const { width, height, channels, data } = picture
  for (let pixel = 0; pixel < width * height; pixel++)
    if (!isPresent(present, pixel)) data.fill(255, pixel * channels, (pixel + 1) * channels)
  return picture
}

export const rawOf = ({ data, width, height, channels }: Picture) =>
  sharp(data, {
    raw: { width, height, channels: channels === 1 ? 1 : 3 },
    limitInputPixels: MOST_SCAN_PIXELS,
  })

export const readDeepScan = (path: string): Promise<Deep | null> => readDeep(path, MOST_SCAN_PIXELS)
