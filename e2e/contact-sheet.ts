// Pictures of one screen side by side and half as large, to look through.
import sharp from 'sharp'

const SHARE = 0.5
/** Pixels of a picture's height that a sheet shows. */
const HIGHEST = 2_400
const GAP = 12

export async function contactSheet(files: readonly string[], target: string): Promise<void> {
  const pictures = await Promise.all(
    files.map(async (file) => {
      const { width, height } = await sharp(file).metadata()
      const shown = Math.min(height, HIGHEST)
      const input = await sharp(file)
        .extract({ left: 0, top: 0, width, height: shown })
        .resize(Math.round(width * SHARE))
        .png()
        .toBuffer()
      return { input, width: Math.round(width * SHARE), height: Math.round(shown * SHARE) }
    }),
  )
  const width = pictures.reduce((sum, one) => sum + one.width + GAP, -GAP)
  const height = Math.max(...pictures.map((one) => one.height))
  let left = 0
  const placed = pictures.map(({ input, width: wide }) => {
    const at = { input, left, top: 0 }
    left += wide + GAP
    return at
  })
  const background = { r: 128, g: 128, b: 128 }
  await sharp({ create: { width, height: height + 1, channels: 3, background } })
    .composite(placed)
    .png()
    .toFile(target)
}
