// POST karte/{karte}/seite: a further sheet of another plan's scan becomes the scan of this one, by choice of who
// uploaded a file of several sheets. Asked twice, it is there once.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MOST_SHEETS } from '#contract/karte-files.ts'
import type { Caller } from '#server/caller.ts'
import { Refusal } from '#server/errors.ts'
import { hashOf } from '#server/files/store.ts'
import { UploadFault } from '#server/files/upload-refusals.ts'
import { asNutzer } from '#server/nutzer.ts'
import { READER_LIMITS } from '#server/reader/confined.ts'
import { refuseGeneral } from '#server/refuse.ts'
import { forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, goneSignal } from '#server/work-queue.ts'
import { within } from './run-work.ts'
import { DRAWING_LIMITS, refusalOfWork, type ScanUploadOptions, sheetOf, takeUp } from './scan-upload.ts'
import { WorkFault } from './work.ts'

/** Of the same customer, and seen by the caller. */
const SOURCE = {
  name: 'karte_seite_quelle',
  text: `select d.name, d.mime, d.sha256
    from app.karte_datei d join app.kartenblatt k on k.client_id = d.client_id
    where d.id = $2 and k.id = $1 and d.art = 'scan'`,
}
interface Source {
  readonly name: string
  readonly mime: string
  readonly sha256: string
}
const PDF = 'application/pdf'

export const pageRoute =
  (options: ScanUploadOptions) =>
  async (app: FastifyInstance): Promise<void> => {
    app.post(
      '/karte/:karte/seite',
      forNutzer(async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
        const { work = createWorkQueue() } = options
        const { karte } = await sheetOf(options.database, caller, request)
        const { datei, seite } = askedIn(request.body)
        const source = await sourceOf(options, caller, karte, datei)
        try {
          const order = { person: caller.person, signal: goneSignal(reply) }
          const headers = await work.run('short', order, () =>
            takePage(options, { caller, karte, datei, seite, source }),
          )
          return await reply
            .header('cache-control', 'no-store')
            .send({ code: 20_000, message: 'ok', data: { datei: Number(headers['Karte-Datei']) } })
        } catch (error) {
          const refusal = error instanceof WorkFault ? refusalOfWork(error) : error
          if (refusal instanceof UploadFault) return refuseGeneral(reply, refusal, { hint: refusal.hint })
          throw refusal
        }
      }),
    )
  }

function askedIn(body: unknown): { readonly datei: number; readonly seite: number } {
  const { datei, seite } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
  if (!isCount(datei) || !isCount(seite) || seite > MOST_SHEETS) throw new Refusal('bad_value')
  return { datei, seite }
}

async function sourceOf(
  { database }: ScanUploadOptions,
  caller: Caller,
  karte: string,
  fileId: number,
): Promise<Source> {
  const { rows } = await database.once<Source>(asNutzer(caller, { readOnly: true }), {
    ...SOURCE,
    values: [karte, fileId],
  })
  if (rows[0] === undefined) throw new Refusal('not_found')
  return rows[0]
}

interface Asked {
  readonly caller: Caller
  readonly karte: string
  readonly datei: number
  readonly seite: number
  readonly source: Source
}

async function takePage(
  options: ScanUploadOptions,
  { caller, karte, datei, seite, source }: Asked,
): Promise<Readonly<Record<string, string>>> {
  const { fileStore, runWork, pdftoppm, limits = READER_LIMITS, drawing = DRAWING_LIMITS } = options
  const isPdf = source.mime === PDF
  if ((isPdf && pdftoppm === null) || (!isPdf && source.mime !== 'image/tiff'))
    throw new WorkFault('karte_seite', `no pages in ${source.mime}`)
  const [kept, target] = [await fileStore.workFile(), await fileStore.workFile()]
  try {
    const filePath = await fileStore.filePath(source.sha256, kept)
    if (filePath === null) throw new WorkFault('karte_datei_fehlt', source.sha256)
    await runWork(
      { art: 'seite', filePath, ziel: target, seite, pdftoppm: isPdf ? pdftoppm : null },
      // A sheet of a TIFF is copied without decoding it.
      within(isPdf ? drawing : limits),
    )
    const stem = source.name.replace(/\.[^.]*$/, '').slice(0, 200)
    const { headers } = await takeUp(
      options,
      { caller, karte },
      {
        id: createHash('sha256').update(`${karte} ${datei} ${seite}`).digest('hex'),
        filePath: target,
        angaben: {},
        dateiname: `${stem} Seite ${seite}.${isPdf ? 'png' : 'tif'}`,
        ...(await hashOf(target)),
      },
    )
    return headers
  } finally {
    for (const path of [kept, target]) await fileStore.removeWork(path)
  }
}
