// Photos of habitat trees: how they arrive, what is made of them, and who gets their bytes. Rows are read as
// the caller on each request; one who may not see the row only learns that it was not found.
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PHOTO_MOST_BYTES, type HabitatImageType, habitatImagePaths } from '#contract/habitat-images.ts'
import { exifDetails } from '#domain/habitat/exif.ts'
import type { Authenticate, Caller } from '#server/caller.ts'
import { type Context, type Database, DatabaseFault } from '#server/database/database.ts'
import type { Store } from '#server/files/store.ts'
import { fileTypeOf } from '#server/files/file-type.ts'
import { sendStoredFile } from '#server/files/send.ts'
import type { UploadQuota } from '#server/files/upload-quota.ts'
import {
  type TakenUp,
  type Uploaded,
  resumableUpload,
  UploadFault,
  type UploadPlace,
} from '#server/files/upload.ts'
import { reasonForLog, Refusal, toRefusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer, CHECK_REQUEST } from '#server/nutzer.ts'
import { createWorkQueue, type WorkQueue } from '#server/work-queue.ts'
import { PhotoFault, type PhotoResult, type PhotoSize, PHOTO_SIZES } from './photo-work.ts'
import { createPhotoProcessor, type PhotoProcessor } from './photo-processor.ts'

export interface HabitatPhotosOptions {
  readonly database: Database
  readonly authenticate: Authenticate
  readonly fileStore: Store
  /** For unfinished uploads; shared by all servers. */
  readonly folder: string
  /** Base path of the routes. */
  readonly prefix: string
  readonly log: Log
  readonly now: () => Date
  readonly quota?: UploadQuota
  readonly workshop?: PhotoProcessor
  readonly work?: WorkQueue
}

export interface HabitatPhotos {
  install(app: FastifyInstance): Promise<void>
  /** Makes the sizes of photos whose row has none. Returns how many were made. */
  makeMissingSizes(): Promise<number>
  stop(): Promise<void>
}

const RIGHT = {
  name: 'habitat_upload_recht',
  text: `select t.id, rechte.user_id() as person, rechte.habitat_war_geloescht($2, t."idHQ") as geloescht from app.habitatbaeume t
    where t.kennung = $1 and (rechte.has_role('ogf_admin') or t."idHQ" = any (rechte.hqs_aktiv()))`,
}
const THERE = {
  name: 'habitat_bild_da',
  text: 'select id, groesse, sha256 from app.habitatbilder where kennung = $1 and habitat_id = $2',
}
const TAKE = {
  name: 'habitat_bild_aufnehmen',
  text: 'select id from rechte.habitat_bild_aufnehmen($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
}
const DRAWN = {
  name: 'habitat_bild_groessen',
  text: 'select rechte.habitat_bild_groessen($1, $2, $3, $4) as ok',
}
const OPEN = {
  name: 'habitat_bilder_offen',
  text: 'select id, sha256 from rechte.habitat_bilder_offen($1, $2)',
}
const BYTES = {
  name: 'habitat_bild_bytes',
  text: 'select dateiname, typ, sha256, klein, mittel, gross from app.habitatbilder where id = $1',
}
/** In the caller's name, with the rights of the server. */
const asServer = (caller: Caller): Context => ({
  ...asNutzer(caller),
  role: 'forst_karte',
  preRequest: CHECK_REQUEST,
})
const WORKER: Context = { role: 'forst_karte' }

interface Place extends UploadPlace {
  readonly caller: Caller
  readonly habitat: number
  readonly kennung: string
  readonly geloescht: boolean
}
type NamesBySize = Readonly<Record<PhotoSize, string>>

const ID = /^[1-9]\d{0,17}$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const LONGEST_NAME = 200
const LONGEST_REMARK = 500
const FIRST_MS = 60_000
const EVERY_MS = 60 * 60_000

export function habitatbilder(options: HabitatPhotosOptions): HabitatPhotos {
  const {
    database,
    authenticate,
    fileStore,
    log,
    now,
    workshop = createPhotoProcessor(),
    work: queue = createWorkQueue(),
  } = options
  const ending = new AbortController()
  let following: Promise<unknown> = Promise.resolve()

  async function allowed(request: FastifyRequest): Promise<Place> {
    const caller = await authenticate(request.headers.authorization)
    const { baum = '', bild = '' } = request.params as Record<string, string>
    if (!UUID.test(baum) || !UUID.test(bild)) throw new Refusal('not_found')
    const { rows } = await database.once<{ id: number; person: number; geloescht: boolean }>(
      asNutzer(caller, { readOnly: true }),
      {
        ...RIGHT,
        values: [baum, bild],
      },
    )
    const [row] = rows
    if (row === undefined) throw new Refusal('not_found')
    return {
      caller,
      habitat: row.id,
      kennung: bild,
      geloescht: row.geloescht,
      name: `${bild}-${row.person}`,
      path: habitatImagePaths.upload(baum, bild),
    }
  }

  async function there(
    { caller, kennung, habitat, geloescht }: Place,
    sha256: string | null,
  ): Promise<TakenUp | null> {
    if (geloescht)
      throw new UploadFault(
        'conflict',
        'habitat_geloescht',
        'Dieses Foto wurde gelöscht und kommt nicht wieder.',
      )
    const { rows } = await database.once<{ id: number; groesse: number; sha256: string }>(
      asNutzer(caller, { readOnly: true }),
      {
        ...THERE,
        values: [kennung, habitat],
      },
    )
    const [row] = rows
    if (row === undefined) return null
    if (sha256 !== null && sha256 !== row.sha256)
      throw new UploadFault(
        'conflict',
        'habitat_kennung_vergeben',
        'Unter dieser Kennung liegt schon ein anderes Foto.',
      )
    return { groesse: Number(row.groesse), headers: { 'Habitat-Bild': String(row.id) } }
  }

  async function takeUp({ caller, habitat, kennung }: Place, file: Uploaded): Promise<TakenUp> {
    const typ = await photoTypeOf(file.filePath)
    return drawn(file.filePath, async ({ breite, hoehe, tags }, names) => {
      const { sha256, groesse, dateiname, angaben } = file
      await fileStore.putFile(file.filePath, { sha256, groesse })
      const exif = exifDetails(tags, now())
      const aufgenommen = exif.aufgenommen_am ?? momentOf(angaben['aufgenommen_am'])
      const bemerkung = remarkOf(angaben['bemerkung'])
      const values = [
        habitat,
        kennung,
        dateiname,
        typ,
        groesse,
        breite,
        hoehe,
        sha256,
        aufgenommen,
        exif.richtung,
        exif.lon,
        exif.lat,
        bemerkung,
      ]
      const id = await database.transaction(asServer(caller), async (tx) => {
        const { rows } = await tx.query<{ id: number }>({ ...TAKE, values })
        const made = rows[0]!.id
        await tx.query({ ...DRAWN, values: [made, names.klein, names.mittel, names.gross] })
        return made
      })
      return { groesse, headers: { 'Habitat-Bild': String(id) } }
    })
  }

  /** Stores the three sizes before `then` refers to them. */
  async function drawn<T>(
    filePath: string,
    then: (ergebnis: PhotoResult, names: NamesBySize) => Promise<T>,
  ): Promise<T> {
    const work = await fileStore.workFile()
    const targets = { klein: `${work}.klein`, mittel: `${work}.mittel`, gross: `${work}.gross` }
    try {
      const ergebnis = await workshop.draw({ filePath, targets })
      const [klein, mittel, gross] = await Promise.all([
        fileStore.putFile(targets.klein),
        fileStore.putFile(targets.mittel),
        fileStore.putFile(targets.gross),
      ])
      return await then(ergebnis, { klein: klein.sha256, mittel: mittel.sha256, gross: gross.sha256 })
    } finally {
      await fileStore.removeWork(work).catch(() => undefined)
    }
  }

  const upload = resumableUpload<Place>({
    ...options,
    route: '/habitatbaum/:baum/bild/:bild/upload',
    maxBytes: PHOTO_MOST_BYTES,
    tooLarge: { hint: 'bild_gross', message: 'Dieses Foto ist zu groß. Es darf höchstens 40 MB haben.' },
    longestName: LONGEST_NAME,
    allowed,
    // By the photo's own id, not the upload's: two devices that send the same photo send one.
    taken: (ort) => there(ort, null),
    there,
    takeUp: (ort, file) => queue.run('short', { person: ort.caller.person }, () => takeUp(ort, file)),
    refusalOf: (error) => {
      if (error instanceof PhotoFault) return refusalOfWork(error)
      return error instanceof DatabaseFault && error.hint !== null ? ruled(error, error.hint) : null
    },
  })

  async function sendBytes(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await authenticate(request.headers.authorization)
    const { bild = '', groesse = '' } = request.params as Record<string, string>
    if (!ID.test(bild) || !(groesse === 'original' || Object.hasOwn(PHOTO_SIZES, groesse)))
      throw new Refusal('not_found')
    const { rows } = await database.once<
      { dateiname: string; typ: string; sha256: string } & Record<PhotoSize, string | null>
    >(asNutzer(caller, { readOnly: true }), { ...BYTES, values: [bild] })
    const [row] = rows
    if (row === undefined) throw new Refusal('not_found')
    const original = groesse === 'original'
    const sha256 = original ? row.sha256 : row[groesse as PhotoSize]
    if (sha256 === null)
      throw new Refusal(
        'not_found',
        'Das Foto wird noch aufbereitet. Bitte versuchen Sie es gleich noch einmal.',
      )
    const gesendet = {
      sha256,
      mime: original ? row.typ : 'image/webp',
      name: original ? row.dateiname : null,
    }
    const sent = await sendStoredFile(request, reply, fileStore, gesendet)
    if (sent !== null) return sent
    log.error('file of a photo is missing', { sha256 })
    throw new Refusal('not_found', 'Das Foto liegt nicht mehr auf dem Server.')
  }

  async function makeMissingSizes(): Promise<number> {
    let [count, last] = [0, 0]
    while (!ending.signal.aborted) {
      const { rows } = await database.once<{ id: number; sha256: string }>(WORKER, {
        ...OPEN,
        values: [last, 100],
      })
      if (rows.length === 0) return count
      for (const { id, sha256 } of rows) {
        if (ending.signal.aborted) return count
        last = id
        if (await follow(id, sha256)) count++
      }
    }
    return count
  }
  async function follow(id: number, sha256: string): Promise<boolean> {
    const work = await fileStore.workFile()
    try {
      const filePath = await fileStore.filePath(sha256, work)
      if (filePath === null) throw new Error('the original is missing')
      await drawn(filePath, (_result, { klein, mittel, gross }) =>
        database.once(WORKER, { ...DRAWN, values: [id, klein, mittel, gross] }),
      )
      return true
    } catch (error) {
      log.error('sizes of a photo not made', { bild: id, reason: reasonForLog(error) })
      return false
    } finally {
      await fileStore.removeWork(work).catch(() => undefined)
    }
  }
  async function follows(): Promise<void> {
    for (let wait = FIRST_MS; ; wait = EVERY_MS) {
      await sleep(wait, undefined, { signal: ending.signal, ref: false })
      await makeMissingSizes().catch((error: unknown) =>
        log.error('photos cannot be looked at', { reason: reasonForLog(error) }),
      )
    }
  }

  return {
    async install(app) {
      await upload.install(app)
      // Handles HEAD itself: Fastify's way would read the whole file.
      app.route({ method: ['GET', 'HEAD'], url: '/habitatbilder/:bild/:groesse', handler: sendBytes })
      following = follows().catch(() => undefined)
    },
    makeMissingSizes,
    async stop() {
      ending.abort()
      await workshop.stop()
      await following
    },
  }
}

/** By its bytes, whatever its name says. */
async function photoTypeOf(path: string): Promise<HabitatImageType> {
  const typ = await fileTypeOf(path)
  if (typ === 'image/jpeg' || typ === 'image/png' || typ === 'image/webp') return typ
  if (await isHeic(path))
    throw new UploadFault(
      'bad_value',
      'bild_heic',
      'Fotos im Format HEIC lassen sich hier nicht öffnen. Bitte stellen Sie die Kamera auf JPEG („Maximale Kompatibilität“), oder wandeln Sie das Foto vorher um.',
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
