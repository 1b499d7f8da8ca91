// Photos of a report: our own size of 800 pixels as JPEG, which a PDF embeds unchanged. A WebP would be
// unpacked there and be ten times as large. They wait on disk until the PDF is typeset.
import { buffer } from 'node:stream/consumers'
import sharp from '#server/sharp.ts'
import type { Store } from '#server/files/store.ts'
import type { TypesetPicture } from '#server/typeset-job.ts'
import type { PrintablePicture } from './report-data.ts'
import type { ReportPicture } from './report-material.ts'
import { type PhotosOfReport, PlaceMaker } from './photo-places.ts'
import type { PhotoSpool, SpooledPhoto } from './photo-spool.ts'

const EDGE = 800
const QUALITY = 78
const AT_ONCE = 2

export interface FetchedPhotos extends PhotosOfReport {
  readonly bilder: readonly PrintablePicture[]
  /** What is typeset in their places. */
  readonly typesetPictures: readonly TypesetPicture[]
}

/** Unreadable photos are left out: the report says how many are missing. */
export async function fetchPhotos(
  fileStore: Pick<Store, 'readFrom'>,
  pictures: readonly ReportPicture[],
  {
    spool,
    signal,
    onDone,
  }: { readonly spool: PhotoSpool; readonly signal: AbortSignal; readonly onDone: (done: number) => void },
): Promise<FetchedPhotos> {
  const spooled = new Map<number, SpooledPhoto>()
  let [next, finished] = [0, 0]
  const worker = async (): Promise<void> => {
    while (next < pictures.length) {
      signal.throwIfAborted()
      const picture = pictures[next++]!
      // oxlint-disable-next-line no-await-in-loop -- two at a time
      const drawn = await jpegOf(fileStore, picture)
      // oxlint-disable-next-line no-await-in-loop
      if (drawn !== null) spooled.set(picture.id, await spool.add(drawn.data, drawn.info))
      onDone(++finished)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const places = new PlaceMaker()
  const printable: PrintablePicture[] = []
  const typesetPictures: TypesetPicture[] = []
  for (const picture of pictures) {
    const photo = spooled.get(picture.id)
    if (photo === undefined) continue
    const filePath = `/foto/${picture.id}.jpg`
    printable.push({ ...picture, filePath })
    // oxlint-disable-next-line no-await-in-loop -- made once for each shape
    typesetPictures.push({ filePath, bytes: await places.place(picture.id, photo) })
  }
  return { bilder: printable, typesetPictures, spooled, mark: places.mark }
}

async function jpegOf(fileStore: Pick<Store, 'readFrom'>, { mittel }: ReportPicture) {
  if (mittel === null) return null
  const stream = await fileStore.readFrom(mittel)
  if (stream === null) return null
  try {
    return await sharp(await buffer(stream), { limitInputPixels: 4 * EDGE * EDGE })
      .resize({ width: EDGE, height: EDGE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .jpeg({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true })
  } catch {
    return null
  }
}
