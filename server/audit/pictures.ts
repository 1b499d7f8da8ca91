// GET pruefung/datev/{nr}.zip: the originals of the received invoices of a batch for DATEV, byte for byte, with the
// list by which DATEV finds the picture of each line (docs/decisions/eingang.md).
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DatevPicture } from '#contract/datev.ts'
import {
  documentXml,
  PACKAGE_BYTES,
  PACKAGE_FILES,
  PICTURE_BYTES,
  pictureName,
} from '#domain/datev/pictures.ts'
import type { Caller } from '#server/caller.ts'
import type { Context, Database } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import { type ZipFile, zipStream } from '#server/write-zip.ts'
import { sendPackage } from './send-package.ts'

export interface PicturesOptions {
  readonly database: Database
  readonly log: Log
  readonly now: () => Date
  readonly work: WorkQueue
}

const FILE = /^([1-9]\d{0,17})\.zip$/
const READER: Context = { role: 'forst_dokument' }
const RECORD = { name: 'datev_belege_export', text: 'select app.a_add_datev_belege($1)' }
const PICTURES = {
  name: 'datev_belege',
  text: 'select eingang_id, nummer, kreditor, format, sha256, groesse from app.a_get_datev_belege($1)',
}
const BYTES = {
  name: 'datev_belege_bytes',
  text: `select encode(inhalt, 'base64') as inhalt from app.eingang where id = $1`,
}
type Listed = Pick<DatevPicture, 'eingang_id' | 'nummer' | 'kreditor' | 'format' | 'sha256' | 'groesse'>

/** Answers with the package, file by file; only one of them is in memory. */
export const sendPictures =
  ({ database, log, now, work }: PicturesOptions) =>
  async (caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { datei } = request.params as { datei: string }
    const [, nr] = FILE.exec(datei) ?? []
    if (nr === undefined) throw new Refusal('not_found')
    // Checks the permission and records who downloaded what; if refused, nothing below happens.
    await database.once(asNutzer(caller), { ...RECORD, values: [nr] })
    return sendPackage(work, caller, reply, {
      name: `DATEV_Belege_${nr}.zip`,
      make: async () => {
        const pictures = await picturesOf(database, caller, nr)
        return zipStream(filesOf({ database, log, now }, pictures, request.id))
      },
    })
  }

/** @throws Refusal if they are more than a package may hold */
async function picturesOf(database: Database, caller: Caller, nr: string): Promise<Listed[]> {
  const { rows } = await database.once<Listed>(asNutzer(caller, { readOnly: true }), {
    ...PICTURES,
    values: [nr],
  })
  // As in the batch, whose line has no link to it.
  const pictures = rows.filter(({ groesse }) => groesse <= PICTURE_BYTES)
  const bytes = pictures.reduce((total, { groesse }) => total + groesse, 0)
  if (pictures.length > PACKAGE_FILES || bytes > PACKAGE_BYTES)
    throw new Refusal(
      'conflict',
      'Für ein Paket sind das zu viele Belege. Bitte wählen Sie einen kürzeren Zeitraum.',
    )
  return pictures
}

/** A file that is no longer what came in is left out: its place in the list would vouch for it. */
async function* filesOf(
  { database, log, now }: Omit<PicturesOptions, 'work'>,
  pictures: readonly Listed[],
  requestId: string,
): AsyncGenerator<ZipFile> {
  const sent: Listed[] = []
  for (const picture of pictures) {
    const { eingang_id, sha256 } = picture
    const { rows } = await database.once<{ inhalt: string }>(READER, { ...BYTES, values: [eingang_id] })
    const content = Buffer.from(rows[0]?.inhalt ?? '', 'base64')
    if (createHash('sha256').update(content).digest('hex') !== sha256) {
      log.error('a received invoice is not what came in', { id: requestId, eingang: eingang_id })
      continue
    }
    sent.push(picture)
    const name = pictureName(picture)
    yield { name, inhalt: content, compress: name.endsWith('.xml') }
  }
  yield {
    name: 'document.xml',
    inhalt: Buffer.from(documentXml(now().toISOString(), sent)),
    compress: true,
  }
}
