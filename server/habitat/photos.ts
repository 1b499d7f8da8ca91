// Photos of habitat trees and of survey objects: how they arrive, what is made of them, and who gets their bytes.
// Rows are read as the caller on each request; one who may not see the row only learns that it was not found.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import type { Store } from '#server/files/store.ts'
import { sendStoredFile } from '#server/files/send.ts'
import type { UploadQuota } from '#server/files/upload-quota.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Room } from '#server/room.ts'
import { forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, type WorkQueue } from '#server/work-queue.ts'
import { PHOTO_KINDS, type PhotoKind } from './photo-kinds.ts'
import { type PhotoSize, PHOTO_SIZES } from './photo-work.ts'
import { createPhotoProcessor, type PhotoProcessor } from './photo-processor.ts'
import { PhotoSizes } from './photo-sizes.ts'
import { photoUpload } from './photo-upload.ts'

export interface PhotosOptions {
  readonly database: Database
  readonly fileStore: Store
  /** For unfinished uploads; shared by all servers. */
  readonly folder: string
  /** Base path of the routes. */
  readonly prefix: string
  readonly log: Log
  readonly now: () => Date
  readonly quota?: UploadQuota
  readonly processor?: PhotoProcessor
  readonly work?: WorkQueue
}

const ID = /^[1-9]\d{0,17}$/

export function createPhotosRoom(options: PhotosOptions) {
  const { processor = createPhotoProcessor(), work = createWorkQueue() } = options
  const sizes = new PhotoSizes({ ...options, processor })
  return {
    name: 'photos',
    routes: async (app: FastifyInstance) => {
      for (const kind of PHOTO_KINDS) {
        // oxlint-disable-next-line no-await-in-loop -- routes are registered one after the other
        await photoUpload({ ...options, kind, sizes, work }).install(app)
        // Handles HEAD itself: Fastify's way would read the whole file.
        app.route({
          method: ['GET', 'HEAD'],
          url: kind.bytesRoute,
          ...forNutzer((...asked) => sendBytes(options, kind, ...asked), { programs: kind.relation }),
        })
      }
    },
    jobs: [sizes.job],
    /** Makes the sizes of photos whose row has none. Returns how many were made. */
    makeMissingSizes: () => sizes.makeMissing(),
    close: () => processor.stop(),
  } satisfies Room & Record<string, unknown>
}

async function sendBytes(
  { database, fileStore, log }: PhotosOptions,
  { bytes }: PhotoKind,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { bild = '', groesse = '' } = request.params as Record<string, string>
  if (!ID.test(bild) || !(groesse === 'original' || Object.hasOwn(PHOTO_SIZES, groesse)))
    throw new Refusal('not_found')
  const { rows } = await database.once<
    { dateiname: string; typ: string; sha256: string } & Record<PhotoSize, string | null>
  >(asNutzer(caller, { readOnly: true }), { ...bytes, values: [bild] })
  const [row] = rows
  if (row === undefined) throw new Refusal('not_found')
  const original = groesse === 'original'
  const sha256 = original ? row.sha256 : row[groesse as PhotoSize]
  if (sha256 === null)
    throw new Refusal(
      'not_found',
      'Das Foto wird noch aufbereitet. Bitte versuchen Sie es gleich noch einmal.',
    )
  const isSent = {
    sha256,
    mime: original ? row.typ : 'image/webp',
    name: original ? row.dateiname : null,
  }
  const sent = await sendStoredFile(request, reply, fileStore, isSent)
  if (sent !== null) return sent
  log.error('file of a photo is missing', { sha256 })
  throw new Refusal('not_found', 'Das Foto liegt nicht mehr auf dem Server.')
}
