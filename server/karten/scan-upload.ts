// Uploads of scans: which files are accepted, and how they are taken up. The protocol itself is
// in server/files/upload.ts.
import type { FastifyRequest } from 'fastify'
import { kartePaths, type ScanPlace } from '#contract/karte-files.ts'
import { dinOf } from '#domain/sheet-format.ts'
import type { Caller } from '#server/caller.ts'
import type { Context, Database } from '#server/database/database.ts'
import type { Store } from '#server/files/store.ts'
import { fileTypeOf } from '#server/files/file-type.ts'
import type { UploadQuota } from '#server/files/upload-quota.ts'
import { resumableUpload, type Upload } from '#server/files/upload.ts'
import type { TakenUp, Uploaded, UploadPlace } from '#server/files/upload-options.ts'
import { UploadFault } from '#server/files/upload-refusals.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer, CHECK_REQUEST } from '#server/nutzer.ts'
import { type Limits, READER_LIMITS } from '#server/reader/confined.ts'
import { createWorkQueue, type WorkQueue } from '#server/work-queue.ts'
import type { OwnPlace } from './geotiff-place.ts'
import { placeScan } from './place-scan.ts'
import { type Inspected, WorkFault } from './work.ts'
import { type RunWork, within } from './run-work.ts'

export interface ScanUploadOptions {
  readonly database: Database
  readonly fileStore: Store
  readonly runWork: RunWork
  /** For unfinished uploads; shared by all servers. */
  readonly folder: string
  /** Base path of the routes. */
  readonly prefix: string
  readonly maxBytes: number
  readonly quota?: UploadQuota
  /** For looking at a file. */
  readonly limits?: Limits
  /** For drawing a page of a PDF: its whole picture is in memory. */
  readonly drawing?: Limits
  readonly pdftoppm: string | null
  readonly log: Log
  readonly now: () => Date
  /** A scan was taken up and its tiles are queued. */
  wake(): void
  readonly work?: WorkQueue
}

/** 400 million pixels take 1.2 GB; see docs/decisions/foreign-files.md. */
export const DRAWING_LIMITS: Limits = { memoryBytes: 2 ** 31, cpuMs: 120_000, wallMs: 180_000 }

const RIGHT = {
  name: 'karte_upload_recht',
  text: `select rights.user_id() as person
    from app.kartenblatt k
    where k.id = $1 and rights.has_any('apus_admin', 'apus_team')`,
}
const DONE = { name: 'upload_size', text: 'select maps.upload_size($1, $2) as groesse' }
const TAKE = {
  name: 'add_scan',
  text: 'select maps.add_scan($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as id',
}
/** In the caller's name, with the rights of the server. */
const asKarte = (caller: Caller): Context => ({
  ...asNutzer(caller),
  role: 'forst_karte',
  preRequest: CHECK_REQUEST,
})

interface Place extends UploadPlace {
  readonly caller: Caller
  readonly karte: string
}

const ID = /^[1-9]\d{0,17}$/

export type ScanUpload = Upload

export function scanUpload(options: ScanUploadOptions): ScanUpload {
  const { database, work = createWorkQueue() } = options
  return resumableUpload<Place>({
    ...options,
    route: '/karte/:karte/upload',
    tooLarge: { hint: 'upload_gross', message: 'Diese Datei ist größer, als Scans sein dürfen.' },
    longestName: 255,
    allowed: (caller, request) => placeOf(database, caller, request),
    taken: (ort, id) => takenUp(database, ort, id),
    takeUp: (ort, file) => work.run('short', { person: ort.caller.person }, () => takeUp(options, ort, file)),
    refusalOf: (error) => (error instanceof WorkFault ? refusalOfWork(error) : null),
  })
}

/** The plan of a request, for those who may give it a scan. @throws Refusal */
export async function sheetOf(
  database: Database,
  caller: Caller,
  request: FastifyRequest,
): Promise<{ readonly karte: string; readonly person: number }> {
  const { karte } = request.params as { karte: string }
  if (!ID.test(karte)) throw new Refusal('not_found')
  const { rows } = await database.once<{ person: number }>(asNutzer(caller, { readOnly: true }), {
    ...RIGHT,
    values: [karte],
  })
  if (rows[0] === undefined) throw new Refusal('not_found')
  return { karte, person: rows[0].person }
}

async function placeOf(database: Database, caller: Caller, request: FastifyRequest): Promise<Place> {
  const { karte, person } = await sheetOf(database, caller, request)
  return { caller, karte, name: `${karte}-${person}`, path: kartePaths.upload(karte) }
}

async function takenUp(database: Database, { caller, karte }: Place, id: string): Promise<TakenUp | null> {
  const { rows } = await database.once<{ groesse: number | null }>(asKarte(caller), {
    ...DONE,
    values: [karte, id],
  })
  const size = rows[0]?.groesse ?? null
  return size === null ? null : { groesse: Number(size), headers: {} }
}

/** A file becomes the plan's scan. */
export async function takeUp(
  options: ScanUploadOptions,
  { caller, karte }: Pick<Place, 'caller' | 'karte'>,
  { id, filePath, dateiname, sha256, groesse }: Uploaded,
): Promise<TakenUp> {
  const { database, fileStore, wake } = options
  let picture: string | null = null
  try {
    const mime = await fileTypeOf(filePath)
    if (mime === null)
      throw new UploadFault(
        'bad_value',
        'upload_typ',
        'Diese Datei ist kein Scan, der sich verwenden lässt. Bitte laden Sie TIFF, JPEG, PNG, WebP oder PDF hoch.',
      )
    if (mime === 'application/pdf') picture = await fileStore.workFile()
    const { breite, hoehe, dpi, lage, sheets } = await look(options, filePath, picture)
    await fileStore.putFile(filePath, { sha256, groesse })
    const drawn = picture === null ? null : (await fileStore.putFile(picture)).sha256
    const din = dinOf(breite, hoehe, dpi)
    const values = [karte, id, dateiname, mime, groesse, sha256, drawn, breite, hoehe, dpi, din]
    const { rows } = await database.once<{ id: number }>(asKarte(caller), { ...TAKE, values })
    const placed = lage === null ? null : await placeIfPossible(options, caller, karte, lage)
    wake()
    return {
      groesse,
      headers: {
        'Karte-Datei': String(rows[0]!.id),
        ...(placed !== null && { 'Karte-Lage': placed }),
        ...(sheets > 1 && { 'Karte-Seiten': String(sheets) }),
      },
    }
  } finally {
    if (picture !== null) await fileStore.removeWork(picture)
  }
}

/** The scan is stored already: a place that cannot be saved is no reason to refuse it. */
async function placeIfPossible(
  { database, log }: ScanUploadOptions,
  caller: Caller,
  karte: string,
  place: OwnPlace,
): Promise<ScanPlace | null> {
  try {
    return await placeScan(database, caller, karte, place)
  } catch (error) {
    log.error('place of a scan not saved', { karte, reason: reasonForLog(error) })
    return null
  }
}

/**
 * In a separate process: it is the first to read an uploaded file.
 * @param bild where the picture of a PDF is to be; null for a file that is a picture itself
 */
async function look(
  { runWork, pdftoppm, limits = READER_LIMITS, drawing = DRAWING_LIMITS }: ScanUploadOptions,
  filePath: string,
  picture: string | null,
): Promise<Inspected> {
  // Reads its structure, and decodes no pixel.
  if (picture === null) return runWork({ art: 'pruefen', filePath }, within(limits))
  if (pdftoppm === null) throw noPdf()
  const { sheets } = await runWork({ art: 'umfang', filePath, pdftoppm }, within(limits))
  const drawn = await runWork({ art: 'pdf', filePath, ziel: picture, pdftoppm }, within(drawing))
  return { ...drawn, sheets, lage: null }
}

const noPdf = () =>
  new UploadFault(
    'bad_value',
    'karte_pdf',
    'Aus diesem PDF lässt sich auf diesem Server kein Bild machen. ' +
      'Bitte laden Sie den Plan als TIFF, JPEG oder PNG hoch.',
  )

export function refusalOfWork({ code }: WorkFault): Refusal {
  switch (code) {
    case 'karte_platz':
      return new Refusal('storage_full')
    case 'karte_pixel':
      return new UploadFault(
        'bad_value',
        'karte_pixel',
        'Das Bild ist zu groß. Es darf höchstens 400 Millionen Pixel haben, an jeder Seite höchstens 200.000.',
      )
    case 'karte_speicher':
    case 'karte_zeit':
      return new UploadFault(
        'bad_value',
        'datei_aufwand',
        'Die Datei ließ sich nicht lesen: Sie braucht dafür zu viel Speicher oder Zeit. ' +
          'Bitte teilen Sie sie auf, oder exportieren Sie sie neu.',
      )
    case 'karte_pdf':
      return noPdf()
    case 'karte_pdf_kennwort':
      return new UploadFault(
        'bad_value',
        code,
        'Dieses PDF ist mit einem Passwort geschützt. Bitte speichern Sie es ohne Passwort, ' +
          'und laden Sie es dann hoch.',
      )
    case 'karte_seite':
      return new UploadFault('bad_value', code, 'Diese Seite gibt es in der Datei nicht.')
    case 'karte_datei_fehlt':
      return new UploadFault(
        'conflict',
        code,
        'Die Datei des Scans liegt nicht mehr auf dem Server. Bitte laden Sie den Scan noch einmal hoch.',
      )
    case 'karte_abgeschnitten':
      return new UploadFault(
        'bad_value',
        code,
        'Die Datei hört mitten im Bild auf. Vermutlich ist das Kopieren oder Scannen abgebrochen: Bitte kopieren Sie ' +
          'sie noch einmal von der Quelle, und laden Sie sie dann hoch.',
      )
    case 'karte_tiff_lerc':
    case 'karte_tiff_lzma':
    case 'karte_tiff_zstd':
    case 'karte_tiff_art':
    case 'karte_tiff_tiefe':
      return new UploadFault('bad_value', code, UNREAD_TIFF[code])
    default:
      return new UploadFault(
        'bad_value',
        'karte_bild',
        'Die Datei lässt sich nicht lesen: sie ist beschädigt oder unvollständig. ' +
          'Bitte öffnen Sie sie in einem Bildprogramm, und speichern Sie sie neu.',
      )
  }
}

const UNREAD_TIFF = {
  karte_tiff_lerc:
    'Dieses TIFF ist mit LERC gepackt, was wir nicht lesen. Bitte speichern Sie es mit DEFLATE, LZW oder JPEG.',
  karte_tiff_lzma:
    'Dieses TIFF ist mit LZMA gepackt, was wir nicht lesen. Bitte speichern Sie es mit DEFLATE, LZW oder JPEG.',
  karte_tiff_zstd:
    'Dieses TIFF ist mit ZSTD gepackt, was wir nicht lesen. Bitte speichern Sie es mit DEFLATE, LZW oder JPEG.',
  karte_tiff_art:
    'Dieses TIFF ist in einer Art gepackt, die wir nicht lesen. Bitte speichern Sie es mit DEFLATE, LZW oder JPEG.',
  karte_tiff_tiefe:
    'Die Werte dieses TIFF haben 64 Bit, was wir nicht lesen. Bitte speichern Sie es mit 8, 16 oder 32 Bit.',
} as const
