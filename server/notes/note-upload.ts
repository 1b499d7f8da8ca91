// How files arrive at a record: who may send one, what is accepted, and what is written down of it. The protocol
// itself is in server/files/upload.ts.
import type { FastifyRequest } from 'fastify'
import {
  isNoteKind,
  NOTE_FILE_BYTES,
  NOTE_FILE_NAME,
  NOTE_LIMITS,
  type NoteKind,
  notePaths,
} from '#contract/note.ts'
import type { Caller } from '#server/caller.ts'
import { type Context, type Database, DatabaseFault } from '#server/database/database.ts'
import { Refusal, toRefusal } from '#server/errors.ts'
import type { Store } from '#server/files/store.ts'
import type { TakenUp, Uploaded, UploadPlace } from '#server/files/upload-options.ts'
import type { UploadQuota } from '#server/files/upload-quota.ts'
import { UploadFault } from '#server/files/upload-refusals.ts'
import { resumableUpload, type Upload } from '#server/files/upload.ts'
import type { Log } from '#server/log.ts'
import { asNutzer, CHECK_REQUEST } from '#server/nutzer.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import { type NoteFileFault, noteFileTypeOf } from './note-file-type.ts'

export interface NoteUploadOptions {
  readonly database: Database
  readonly fileStore: Store
  /** For unfinished uploads; shared by all servers and with the other kinds of uploads. */
  readonly folder: string
  /** Base path of the routes. */
  readonly prefix: string
  readonly quota?: UploadQuota
  readonly log: Log
  readonly now: () => Date
  readonly work: WorkQueue
}

const RIGHT = {
  name: 'note_upload_right',
  text: 'select person, dateien, bytes from notes.upload_right($1, $2, null)',
}
const DONE = { name: 'note_uploaded', text: 'select notiz, datei, groesse from notes.uploaded($1)' }
const TAKE = {
  name: 'note_add_file',
  text: 'select notiz, datei from notes.add_file($1, $2, $3, $4, $5, $6, $7, $8, $9)',
}
/** In the caller's name, with the rights of the server. */
const asServer = (caller: Caller): Context => ({
  ...asNutzer(caller),
  role: 'forst_karte',
  preRequest: CHECK_REQUEST,
})

interface Place extends UploadPlace {
  readonly caller: Caller
  readonly art: NoteKind
  readonly datensatz: string
  /** No further file of the announced size fits. */
  readonly isFull: boolean
}

const ID = /^[1-9]\d{0,17}$/
const FAULTS: Readonly<Record<NoteFileFault | 'notiz_dateien_voll', string>> = {
  notiz_datei_typ:
    'Diese Datei lässt sich nicht anhängen. Möglich sind PDF, Bilder (JPEG, PNG, TIFF, WebP), ' +
    'Word, Excel, PowerPoint, OpenDocument, Text und CSV.',
  notiz_datei_name:
    'Der Name dieser Datei passt nicht zu ihrem Inhalt. Bitte prüfen Sie, woher sie kommt, und benennen Sie sie um.',
  notiz_datei_makro:
    'Diese Datei enthält Makros und wird deshalb nicht angenommen. Bitte speichern Sie sie ohne Makros oder als PDF.',
  notiz_dateien_voll:
    'Hier ist kein Platz für weitere Dateien. Bitte löschen Sie zuerst eine, die Sie nicht mehr brauchen.',
}

export function noteUpload(options: NoteUploadOptions): Upload {
  const { database, work } = options
  return resumableUpload<Place>({
    ...options,
    route: '/notizen/:art/:datensatz/upload',
    maxBytes: NOTE_FILE_BYTES,
    tooLarge: {
      hint: 'notiz_datei_gross',
      message: 'Diese Datei ist zu groß. Sie darf höchstens 50 MB haben.',
    },
    longestName: NOTE_FILE_NAME,
    allowed: (caller, request) => placeOf(database, caller, request),
    taken: (ort, id) => taken(database, ort, id),
    there: (ort) => {
      if (ort.isFull) throw new UploadFault('conflict', 'notiz_dateien_voll', FAULTS.notiz_dateien_voll)
      return Promise.resolve(null)
    },
    takeUp: (ort, file) => work.run('short', { person: ort.caller.person }, () => takeUp(options, ort, file)),
    refusalOf: (error) =>
      error instanceof DatabaseFault && error.hint !== null ? ruled(error, error.hint) : null,
  })
}

async function placeOf(database: Database, caller: Caller, request: FastifyRequest): Promise<Place> {
  const { art = '', datensatz = '' } = request.params as Record<string, string>
  if (!isNoteKind(art) || !ID.test(datensatz)) throw new Refusal('not_found')
  const { rows } = await database.once<{ person: number; dateien: number; bytes: number }>(
    asNutzer(caller, { readOnly: true }),
    { ...RIGHT, values: [art, datensatz] },
  )
  const { person, dateien, bytes } = rows[0]!
  const announced = Number(request.headers['upload-length'] ?? 0)
  return {
    caller,
    art,
    datensatz,
    isFull: Number(dateien) >= NOTE_LIMITS.files || Number(bytes) + announced > NOTE_LIMITS.bytes,
    name: `${art}-${datensatz}-${person}`,
    path: notePaths.upload(art, datensatz),
  }
}

const headersOf = ({ notiz, datei }: { notiz: number; datei: number }) => ({
  Notiz: String(notiz),
  'Notiz-Datei': String(datei),
})

async function taken(database: Database, { caller }: Place, id: string): Promise<TakenUp | null> {
  const { rows } = await database.once<{ notiz: number; datei: number; groesse: number }>(asServer(caller), {
    ...DONE,
    values: [id],
  })
  const [row] = rows
  return row === undefined ? null : { groesse: Number(row.groesse), headers: headersOf(row) }
}

async function takeUp(
  { database, fileStore }: NoteUploadOptions,
  { caller, art, datensatz }: Place,
  { id, filePath, dateiname, sha256, groesse, angaben }: Uploaded,
): Promise<TakenUp> {
  const found = await noteFileTypeOf(filePath, dateiname)
  if ('fault' in found) throw new UploadFault('bad_value', found.fault, FAULTS[found.fault])
  await fileStore.putFile(filePath, { sha256, groesse })
  const note = angaben['notiz'] ?? null
  if (note !== null && !ID.test(note)) throw new Refusal('not_found')
  const forKunde = angaben['fuer_kunde'] === 'ja'
  const values = [art, datensatz, note, forKunde, id, dateiname, found.mime, groesse, sha256]
  const { rows } = await database.once<{ notiz: number; datei: number }>(asServer(caller), {
    ...TAKE,
    values,
  })
  return { groesse, headers: headersOf(rows[0]!) }
}

/** Passes on the name of the database rule, by which the browser finds its sentence. */
function ruled(error: DatabaseFault, hint: string): Refusal {
  const { code, message } = toRefusal(error)
  return new UploadFault(code, hint, message)
}
