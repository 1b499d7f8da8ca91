// Files at records: how they arrive, and who gets their bytes. Rows are read as the caller on each request; one
// who may not see the row only learns that it was not found. Notes themselves go through the data API.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#server/caller.ts'
import { Refusal } from '#server/errors.ts'
import { sendStoredFile } from '#server/files/send.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Room } from '#server/room.ts'
import { forNutzer } from '#server/route-caller.ts'
import { noteUpload, type NoteUploadOptions } from './note-upload.ts'

const FILE = { name: 'note_file', text: 'select name, mime, sha256 from app.notiz_datei where id = $1' }
const ID = /^[1-9]\d{0,17}$/

export function createNotesRoom(options: NoteUploadOptions): Room {
  const upload = noteUpload(options)
  return {
    name: 'notes',
    routes: async (app: FastifyInstance) => {
      await upload.install(app)
      // Handles HEAD itself: Fastify's way would read the whole file.
      app.route({
        method: ['GET', 'HEAD'],
        url: '/notizen/datei/:datei',
        ...forNutzer((...asked) => sendFile(options, ...asked), { programs: 'notiz_datei' }),
      })
    },
  }
}

async function sendFile(
  { database, fileStore, log }: NoteUploadOptions,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { datei = '' } = request.params as Record<string, string>
  if (!ID.test(datei)) throw new Refusal('not_found')
  const { rows } = await database.once<{ name: string; mime: string; sha256: string }>(
    asNutzer(caller, { readOnly: true }),
    { ...FILE, values: [datei] },
  )
  const [file] = rows
  if (file === undefined) throw new Refusal('not_found')
  const sent = await sendStoredFile(request, reply, fileStore, file)
  if (sent !== null) return sent
  log.error('file of a note is missing', { sha256: file.sha256 })
  throw new Refusal('not_found', 'Die Datei liegt nicht mehr auf dem Server.')
}
