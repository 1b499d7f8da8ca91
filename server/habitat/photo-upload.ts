// How photos arrive, of trees and of survey objects (photo-kinds.ts): who may send one, what is accepted, and what
// is written down of it. The protocol itself is in server/files/upload.ts.
import { open } from 'node:fs/promises'
import type { FastifyRequest } from 'fastify'
import { PHOTO_MOST_BYTES, type HabitatImageType } from '#contract/habitat-images.ts'
import { exifDetails } from '#domain/habitat/exif.ts'
import type { Caller } from '#server/caller.ts'
import { type Context, type Database, DatabaseFault } from '#server/database/database.ts'
import { fileTypeOf } from '#server/files/file-type.ts'
import type { UploadQuota } from '#server/files/upload-quota.ts'
import { resumableUpload, type Upload } from '#server/files/upload.ts'
import type { TakenUp, Uploaded, UploadPlace } from '#server/files/upload-options.ts'
import { UploadFault } from '#server/files/upload-refusals.ts'
import type { Store } from '#server/files/store.ts'
import { Refusal, toRefusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer, CHECK_REQUEST } from '#server/nutzer.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import { isUuid, type PhotoKind } from './photo-kinds.ts'
import type { PhotoSizes } from './photo-sizes.ts'
import { PhotoFault } from './photo-work.ts'

export interface PhotoUploadOptions {
  readonly kind: PhotoKind
  readonly database: Database
  readonly fileStore: Store
  readonly sizes: PhotoSizes
  /** For unfinished uploads; shared by all servers. */
  readonly folder: string
  /** Base path of the routes. */
  readonly prefix: string
  readonly log: Log
  readonly now: () => Date
  readonly quota?: UploadQuota
  readonly work: WorkQueue
}

/** In the caller's name, with the rights of the server. */
const asServer = (caller: Caller): Context => ({
  ...asNutzer(caller),
  role: 'forst_karte',
  preRequest: CHECK_REQUEST,
})

interface Place extends UploadPlace {
  readonly caller: Caller
  /** What the photo is of, as the kind's statements take it. */
  readonly object: readonly (string | number)[]
  readonly kennung: string
  readonly geloescht: boolean
}

const LONGEST_NAME = 200
const LONGEST_REMARK = 500

export function photoUpload(options: PhotoUploadOptions): Upload {
  const { kind, work } = options
  return resumableUpload<Place>({
    ...options,
    route: kind.uploadRoute,
    maxBytes: PHOTO_MOST_BYTES,
    tooLarge: { hint: 'bild_gross', message: 'Dieses Foto ist zu groß. Es darf höchstens 40 MB haben.' },
    longestName: LONGEST_NAME,
    allowed: (caller, request) => placeOf(options, caller, request),
    // By the photo's own id, not the upload's: two devices that send the same photo send one.
    taken: (ort) => checkThere(options, ort, null),
    there: (ort, sha256) => checkThere(options, ort, sha256),
    takeUp: (ort, file) => work.run('short', { person: ort.caller.person }, () => takeUp(options, ort, file)),
    refusalOf: (error) => {
      if (error instanceof PhotoFault) return refusalOfWork(error)
      return error instanceof DatabaseFault && error.hint !== null ? ruled(error, error.hint) : null
    },
  })
}

type Asking = Pick<PhotoUploadOptions, 'database' | 'kind'>
async function placeOf({ database, kind }: Asking, caller: Caller, request: FastifyRequest): Promise<Place> {
  const params = request.params as Record<string, string>
  const { bild } = params
  const asked = kind.objectOf(params)
  if (asked === null || !isUuid(bild)) throw new Refusal('not_found')
  const { rows } = await database.once<{ object: string; person: number; geloescht: boolean }>(
    asNutzer(caller, { readOnly: true }),
    { ...kind.right, values: [bild, ...asked] },
  )
  const [row] = rows
  if (row === undefined) throw new Refusal('not_found')
  return {
    caller,
    object: JSON.parse(row.object) as (string | number)[],
    kennung: bild,
    geloescht: row.geloescht,
    name: `${bild}-${row.person}`,
    path: kind.uploadPath(asked, bild),
  }
}

/** Null: nothing has this photo's id yet. @throws UploadFault when another photo has it, or had it */
async function checkThere(
  { database, kind: { header, rules, there } }: Asking,
  { caller, kennung, object, geloescht }: Place,
  sha256: string | null,
): Promise<TakenUp | null> {
  if (geloescht) throw new UploadFault('conflict', rules.deleted, 'Dieses Foto wurde endgültig gelöscht.')
  const { rows } = await database.once<{ id: number; groesse: number; sha256: string }>(
    asNutzer(caller, { readOnly: true }),
    { ...there, values: [kennung, ...object] },
  )
  const [row] = rows
  if (row === undefined) return null
  if (sha256 !== null && sha256 !== row.sha256)
    throw new UploadFault('conflict', rules.taken, 'Unter dieser Kennung liegt schon ein anderes Foto.')
  return { groesse: Number(row.groesse), headers: { [header]: String(row.id) } }
}

async function takeUp(
  { database, fileStore, sizes, now, kind: { add, drawn, header } }: PhotoUploadOptions,
  { caller, object, kennung }: Place,
  file: Uploaded,
): Promise<TakenUp> {
  const type = await photoTypeOf(file.filePath)
  return sizes.draw(file.filePath, async ({ breite, hoehe, tags }, names) => {
    const { sha256, groesse, dateiname, angaben } = file
    await fileStore.putFile(file.filePath, { sha256, groesse })
    const exif = exifDetails(tags, now())
    const taken = exif.aufgenommen_am ?? momentOf(angaben['aufgenommen_am'])
    const remark = remarkOf(angaben['bemerkung'])
    const values = [
      ...object,
      kennung,
      dateiname,
      type,
      groesse,
      breite,
      hoehe,
      sha256,
      taken,
      exif.richtung,
      exif.lon,
      exif.lat,
      remark,
    ]
    const id = await database.transaction(asServer(caller), async (tx) => {
      const { rows } = await tx.query<{ id: number }>({ ...add, values })
      const made = rows[0]!.id
      await tx.query({ ...drawn, values: [made, names.klein, names.mittel, names.gross] })
      return made
    })
    return { groesse, headers: { [header]: String(id) } }
  })
}

/** By its bytes, whatever its name says. */
async function photoTypeOf(path: string): Promise<HabitatImageType> {
  const kind = await fileTypeOf(path)
  if (kind === 'image/jpeg' || kind === 'image/png' || kind === 'image/webp') return kind
  if (await isHeic(path))
    throw new UploadFault(
      'bad_value',
      'bild_heic',
      'Fotos im Format HEIC lassen sich hier nicht öffnen. ' +
        'Bitte stellen Sie die Kamera auf JPEG („Maximale Kompatibilität“), ' +
        'oder wandeln Sie das Foto vorher um.',
    )
  throw new UploadFault(
    'bad_value',
    'bild_typ',
    'Diese Datei ist kein Foto, das sich verwenden lässt. Bitte laden Sie JPEG, PNG oder WebP hoch.',
  )
}

/** HEVC pictures: our library has no licensed decoder for them. */
async function isHeic(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
    const head = buffer.toString('latin1', 0, bytesRead)
    return (
      head.slice(4, 8) === 'ftyp' &&
      /hei[cxms]|hev[cxms]|mif1|msf1/.test(head.slice(8, 48)) &&
      !head.slice(8, 12).startsWith('avi')
    )
  } finally {
    await file.close()
  }
}

/** Passes on the name of the database rule, by which the browser finds its sentence. */
function ruled(error: DatabaseFault, hint: string): Refusal {
  const { code, message } = toRefusal(error)
  return new UploadFault(code, hint, message)
}

function refusalOfWork({ code }: PhotoFault): Refusal {
  switch (code) {
    case 'bild_platz':
      return new Refusal('storage_full')
    case 'bild_absturz':
      return new Refusal('unavailable')
    case 'bild_pixel':
      return new UploadFault(
        'bad_value',
        code,
        'Das Foto hat zu viele Pixel. Es darf höchstens 50 Megapixel haben.',
      )
    case 'bild_klein':
      return new UploadFault(
        'bad_value',
        code,
        'Das Foto ist zu klein. Es muss an jeder Seite mindestens 32 Pixel haben.',
      )
    case 'bild_aufwand':
      return new UploadFault(
        'bad_value',
        code,
        'Das Foto lässt sich nicht verarbeiten. Bitte speichern Sie es in einem Bildprogramm neu als JPEG.',
      )
    case 'bild_kaputt':
      return new UploadFault(
        'bad_value',
        code,
        'Das Foto lässt sich nicht lesen: es ist beschädigt oder unvollständig. Bitte nehmen Sie es noch einmal auf.',
      )
  }
}

/** The time given by the device, used if the photo has none. */
function momentOf(said: string | null | undefined): string | null {
  if (said == null || !/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(said)) return null
  const at = new Date(said)
  return Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1990 || at.getUTCFullYear() > 2200
    ? null
    : at.toISOString()
}

function remarkOf(said: string | null | undefined): string | null {
  // oxlint-disable-next-line no-control-regex
  const text = (said ?? '').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '').trim()
  return text === '' ? null : [...text].slice(0, LONGEST_REMARK).join('')
}
