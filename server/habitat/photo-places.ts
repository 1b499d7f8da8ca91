// A typesetter unpacks each photo: 500 of them took a gigabyte. It gets an even picture of the same shape for
// each, and the photos take their places in the finished PDF.
import { randomUUID } from 'node:crypto'
import sharp from '#server/sharp.ts'
import type { PhotoSpool, SpooledPhoto } from './photo-spool.ts'

/** Edges of at most so many pixels keep any shape to less than a tenth of a per cent. */
const LONGEST = 48
/** Of the first marker of a JPEG. */
const START = 2
/** What an image object of the PDF says about its stream, as Typst writes it. */
const OBJECT = /(\d+) 0 obj\s*<<(?:[^<>]|<<[^<>]*>>)*>>\s*stream\r?\n$/

/** The whole numbers whose ratio is nearest to that of a photo. */
function shapeOf(ratio: number): readonly [width: number, height: number] {
  let best: readonly [number, number] = [1, 1]
  let least = Number.POSITIVE_INFINITY
  for (let long = 1; long <= LONGEST; long++) {
    const short = Math.max(1, Math.round(long * Math.min(ratio, 1 / ratio)))
    const shape = ratio > 1 ? ([long, short] as const) : ([short, long] as const)
    const off = Math.abs(shape[0] / shape[1] / ratio - 1)
    if (off < least) [best, least] = [shape, off]
  }
  return best
}

/** The even pictures of one report. */
export class PlaceMaker {
  /** Stands before the number of a photo; nothing else in the PDF can contain it. */
  readonly mark = `foto ${randomUUID()} `
  /** By shape. */
  readonly #made = new Map<string, Buffer>()

  /** A picture as JPEG that bears the number of its photo. */
  async place(id: number, { width, height }: Pick<SpooledPhoto, 'width' | 'height'>): Promise<Buffer> {
    const shape = shapeOf(width / height)
    const key = shape.join()
    let even = this.#made.get(key)
    if (even === undefined) {
      even = await sharp({
        create: { width: shape[0], height: shape[1], channels: 3, background: '#f2f4f2' },
      })
        .jpeg()
        .toBuffer()
      this.#made.set(key, even)
    }
    const text = Buffer.from(`${this.mark}${id};`, 'latin1')
    const comment = Buffer.from([0xff, 0xfe, 0, text.length + 2])
    return Buffer.concat([even.subarray(0, START), comment, text, even.subarray(START)])
  }
}

export interface PhotosOfReport {
  readonly mark: string
  /** Where they are in the spool, by their numbers; each place in a PDF needs its photo. */
  readonly spooled: ReadonlyMap<number, SpooledPhoto>
}

interface Place {
  readonly photo: SpooledPhoto
  /** Of the object's head and of its stream in the PDF. */
  readonly from: number
  readonly to: number
  readonly dictionary: Buffer
}

/**
 * The file is not laid out the way the installed version of Typst writes it: after an update of Typst this
 * module has to be checked.
 */
const unexpected = (what: string): Error => new Error(`PDF without ${what}: its photos cannot be set in`)

function placesOf(pdf: Buffer, { mark, spooled }: PhotosOfReport): Place[] {
  const places: Place[] = []
  for (let at = pdf.indexOf(mark); at !== -1; at = pdf.indexOf(mark, at + 1)) {
    const id = Number(pdf.toString('latin1', at + mark.length, pdf.indexOf(';', at)))
    const photo = spooled.get(id)
    // Marker, comment's marker and length.
    const stream = at - START - 4
    const head = pdf.toString('latin1', Math.max(0, stream - 600), stream)
    const object = OBJECT.exec(head)
    const length = Number(/\/Length (\d+)/.exec(object?.[0] ?? '')?.[1] ?? Number.NaN)
    if (photo === undefined || object === null || Number.isNaN(length))
      throw unexpected('an image of its own')
    const dictionary = object[0]
      .replace(/\/Length \d+/, `/Length ${photo.length}`)
      .replace(/\/Width \d+/, `/Width ${photo.width}`)
      .replace(/\/Height \d+/, `/Height ${photo.height}`)
    places.push({
      photo,
      from: stream - object[0].length,
      to: stream + length,
      dictionary: Buffer.from(dictionary, 'latin1'),
    })
  }
  return places
}

/** The PDF with each photo in the place of its even picture. One revision: the table of offsets is corrected. */
export async function setPhotosIn(
  pdf: Buffer,
  photos: PhotosOfReport,
  spool: Pick<PhotoSpool, 'read'>,
): Promise<Buffer<ArrayBuffer>> {
  const places = placesOf(pdf, photos)
  if (places.length === 0) return Buffer.from(pdf)
  const tailAt = pdf.lastIndexOf('\nxref')
  const tail = pdf.toString('latin1', tailAt)
  if (tailAt < places.at(-1)!.to || !/^\nxref\r?\n0 \d+\r?\n/.test(tail))
    throw unexpected('a table of offsets')
  let [grown, at] = [0, 0]
  const shifts = places.map((place) => {
    grown += place.dictionary.length + place.photo.length - (place.to - place.from)
    return { from: place.from, grown }
  })
  const moved = (offset: number): number =>
    offset + (shifts.findLast(({ from }) => from < offset)?.grown ?? 0)
  const corrected = tail
    .replaceAll(
      /^(\d{10}) (\d{5} n)/gm,
      (_line, offset: string, rest: string) => `${String(moved(Number(offset))).padStart(10, '0')} ${rest}`,
    )
    .replace(/startxref\s+(\d+)/, (_line, offset: string) => `startxref\n${moved(Number(offset))}`)
  const written = Buffer.allocUnsafe(tailAt + grown + corrected.length)
  let end = 0
  for (const { photo, from, to, dictionary } of places) {
    end += pdf.copy(written, end, at, from)
    end += dictionary.copy(written, end)
    // oxlint-disable-next-line no-await-in-loop -- one after the other, each to its place
    await spool.read(photo, written, end)
    end += photo.length
    at = to
  }
  end += pdf.copy(written, end, at, tailAt)
  written.write(corrected, end, 'latin1')
  return written
}
