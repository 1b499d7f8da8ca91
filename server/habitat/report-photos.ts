// Photos of a report: our own size of 800 pixels as JPEG, which a PDF embeds unchanged. A WebP would be
// unpacked there and be ten times as large.
import { buffer } from 'node:stream/consumers'
import sharp from '#server/sharp.ts'
import type { Store } from '#server/files/store.ts'
import type { TypesetPicture } from '#server/typeset-job.ts'
import type { PrintablePicture } from './report-data.ts'
import type { ReportPicture } from './report-material.ts'

const EDGE = 800
const QUALITY = 78
const AT_ONCE = 2

/** Unreadable photos are left out: the report says how many are missing. */
export async function fetchPhotos(
  fileStore: Pick<Store, 'readFrom'>,
  pictures: readonly ReportPicture[],
  { signal, onDone }: { readonly signal: AbortSignal; readonly onDone: (done: number) => void },
): Promise<{ bilder: PrintablePicture[]; typesetPictures: TypesetPicture[] }> {
  const done: (readonly [PrintablePicture, TypesetPicture] | null)[] = []
  let [next, finished] = [0, 0]
  const worker = async (): Promise<void> => {
    while (next < pictures.length) {
      signal.throwIfAborted()
      const at = next++
      const picture = pictures[at]!
      // oxlint-disable-next-line no-await-in-loop -- two at a time
      const bytes = await jpegOf(fileStore, picture)
      const filePath = `/foto/${picture.id}.jpg`
      done[at] =
        bytes === null
          ? null
          : [
              { ...picture, filePath },
              { filePath, bytes },
            ]
      onDone(++finished)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const sound = done.filter((one) => one !== null)
  return {
    bilder: sound.map(([picture]) => picture),
    typesetPictures: sound.map(([, typesetPicture]) => typesetPicture),
  }
}

async function jpegOf(fileStore: Pick<Store, 'readFrom'>, { mittel }: ReportPicture): Promise<Buffer | null> {
  if (mittel === null) return null
  const stream = await fileStore.readFrom(mittel)
  if (stream === null) return null
  try {
    return await sharp(await buffer(stream), { limitInputPixels: 4 * EDGE * EDGE })
      .resize({ width: EDGE, height: EDGE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .jpeg({ quality: QUALITY })
      .toBuffer()
  } catch {
    return null
  }
}
