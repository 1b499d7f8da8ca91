// POST habitat/{hq}/bericht and habitat/{hq}/nachweis: reports of trees and evidences of KAWM. The data are
// read as the caller and typeset in the typesetter's own process; the response reports progress.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  REPORT_MOST_TREES,
  REPORT_PHOTOS,
  REPORT_STREAM,
  type ReportJob,
  type ReportPhotos,
  type ReportStep,
  type ReportLine,
  type EvidenceJob,
} from '#contract/habitat-report.ts'
import { isDay } from '#domain/day.ts'
import type { Authenticate, Caller } from '#server/caller.ts'
import type { Database } from '#server/database/database.ts'
import type { Store as Files } from '#server/files/store.ts'
import { reasonForLog, Refusal, toRefusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import { createWorkQueue, type WorkQueue } from '#server/work-queue.ts'
import type { Typeset, TypesetPicture } from '#server/typeset-job.ts'
import { createStore } from '../geodata/store.ts'
import { contentDispositionOf, faultAnswer, paramOf } from '../geodata/answer.ts'
import { fetchPhotos } from './report-photos.ts'
import { reportData, type ReportChoice } from './report-data.ts'
import { type Question, fetchMaterial, type Material } from './report-material.ts'
import { type EvidenceFile, evidenceGpkg, evidenceXlsx, evidenceZip } from './evidence.ts'

export interface ReportOptions {
  readonly database: Database
  readonly authenticate: Authenticate
  /** The stored photos. */
  readonly storedFiles: Pick<Files, 'readFrom'>
  readonly satz: Typeset
  /** For files that are being made. */
  readonly folder: string
  readonly log: Log
  readonly now: () => Date
  readonly work?: WorkQueue
}

const TIMEOUT_MS = 60_000
const BODY_BYTES = 1_000_000
const MOST_WORDS = 30
const LONGEST_WORD = 200

type Tell = (schritt: ReportStep, fertig?: number, von?: number) => void
interface Run {
  readonly caller: Caller
  readonly hq: string
  readonly notify: Tell
  readonly signal: AbortSignal
}
interface Result {
  readonly inhalt: Buffer
  readonly typ: 'application/pdf' | 'application/zip'
  readonly ending: 'pdf' | 'zip'
  readonly art: string
  readonly betrieb: string
}

export function reportRoutes(options: ReportOptions): (app: FastifyInstance) => Promise<void> {
  const { database, authenticate, storedFiles, satz, log, now, work: turns = createWorkQueue() } = options
  const fileStore = createStore(options.folder)
  void fileStore.tidy(now(), 1)

  async function readFrom(
    { caller, notify, signal }: Run,
    query: Question,
  ): Promise<{
    material: Material
    typesetPictures: TypesetPicture[]
    choice: Omit<ReportChoice, 'filter' | 'teil'>
  }> {
    notify('lesen')
    const material = await database.transaction(
      asNutzer(caller, { readOnly: true, timeoutMs: TIMEOUT_MS }),
      (tx) => fetchMaterial(tx, query),
    )
    signal.throwIfAborted()
    const total = material.bilder.length
    if (total > 0) notify('fotos', 0, total)
    const fotos = await fetchPhotos(storedFiles, material.bilder, {
      signal,
      onDone: (fertig) => notify('fotos', fertig, total),
    })
    const { firma } = material.kopf
    const logo: TypesetPicture[] =
      firma?.logo && firma.logo_typ
        ? [
            {
              filePath: `/logo.${{ 'image/png': 'png', 'image/jpeg': 'jpg', 'image/svg+xml': 'svg' }[firma.logo_typ]}`,
              bytes: Buffer.from(firma.logo, 'base64'),
            },
          ]
        : []
    return {
      material,
      typesetPictures: [...logo, ...fotos.typesetPictures],
      choice: {
        material,
        bilder: fotos.bilder,
        gefragt: query.fotos === 'keine' ? null : total,
        logo: logo[0]?.filePath ?? null,
        stichtag: query.tag,
      },
    }
  }
  const pdfOf = async (choice: ReportChoice, bilder: readonly TypesetPicture[]): Promise<Buffer> =>
    Buffer.from(
      await satz({ template: 'report', tag: choice.material.kopf.heute, daten: reportData(choice), bilder }),
    )

  async function bericht(currentRun: Run, { ids, filter, fotos }: ReportJob): Promise<Result> {
    const { material, typesetPictures, choice } = await readFrom(currentRun, {
      hq: currentRun.hq,
      ids: ids === null ? null : ids.map(Number),
      fotos,
      tag: null,
    })
    currentRun.notify('setzen')
    const inhalt = await pdfOf({ ...choice, filter, teil: { nr: 1, von: 1 } }, typesetPictures)
    return { inhalt, typ: 'application/pdf', ending: 'pdf', art: 'Habitatbaeume', betrieb: material.kopf.sHQ }
  }

  async function nachweis(currentRun: Run, { tag, fotos }: EvidenceJob): Promise<Result> {
    const { notify, signal, caller, hq } = currentRun
    const { material, typesetPictures, choice } = await readFrom(currentRun, { hq, ids: null, fotos, tag })
    const { kawm } = material
    if (kawm === null) throw new Refusal('not_found')
    const von = Math.max(1, Math.ceil(material.baeume.length / REPORT_MOST_TREES))
    const all: EvidenceFile[] = []
    for (let nr = 1; nr <= von; nr++) {
      signal.throwIfAborted()
      notify('setzen', nr - 1, von)
      // Photos come after the last part of the list.
      const last = nr === von
      const one = {
        ...choice,
        filter: [],
        teil: { nr, von },
        bilder: last ? choice.bilder : [],
        gefragt: last ? choice.gefragt : null,
      }
      all.push({
        name: von === 1 ? 'Nachweis.pdf' : `Nachweis_Teil-${nr}-von-${von}.pdf`,
        // oxlint-disable-next-line no-await-in-loop -- the typesetter does one document at a time
        inhalt: await pdfOf(
          one,
          last ? typesetPictures : typesetPictures.filter(({ filePath }) => filePath === choice.logo),
        ),
        was:
          nr === 1
            ? 'Deckblatt mit den Kennzahlen, Karte und Liste der Bäume (PDF/A)'
            : 'Fortsetzung der Liste (PDF/A)',
      })
    }
    notify('packen')
    all.push(
      {
        name: 'Nachweis.xlsx',
        inhalt: await evidenceXlsx(material, kawm, tag),
        was: 'Kennzahlen, Bäume und Bestände als Tabellen',
      },
      {
        name: 'Nachweis.gpkg',
        inhalt: await evidenceGpkg(fileStore, material, tag),
        was: `Bäume und Bestände als GeoPackage für QGIS, EPSG:${material.epsg}`,
      },
    )
    const inhalt = await evidenceZip(all, material, tag)
    signal.throwIfAborted()
    const figures = { soll: kawm.soll, erfasst: kawm.erfasst, markiert: kawm.markiert }
    await database.once(asNutzer(caller), {
      ...REMEMBER,
      values: [hq, tag, `KAWM-Nachweis_${tag}.zip`, inhalt.length, sha256(inhalt), JSON.stringify(figures)],
    })
    return { inhalt, typ: 'application/zip', ending: 'zip', art: 'KAWM-Nachweis', betrieb: material.kopf.sHQ }
  }

  /**
   * Sends lines of progress and then the file to clients that accept REPORT_STREAM, to others the bare file.
   */
  async function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (currentRun: Run) => Promise<Result>,
  ): Promise<FastifyReply> {
    const caller = await authenticate(request.headers.authorization)
    const hq = paramOf(request, 'hq')
    if (!/^[1-9]\d{0,14}$/.test(hq)) throw new Refusal('not_found')
    const ending = new AbortController()
    reply.raw.once('close', () => ending.abort())
    const run = async (notify: Tell): Promise<Result> => {
      try {
        const order = { person: caller.person, signal: ending.signal, onWait: () => notify('warten') }
        // Each run holds its photos in memory.
        return await turns.run('long', order, () => work({ caller, hq, notify, signal: ending.signal }))
      } catch (error) {
        // The client has gone: there is no one to answer, and it is not an error.
        throw ending.signal.aborted ? new Refusal('bad_value') : error
      }
    }
    const head = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
    if (!(request.headers.accept ?? '').includes(REPORT_STREAM)) {
      const { inhalt, typ, ending: end, art, betrieb } = await run(() => undefined)
      return reply
        .headers({
          ...head,
          'content-type': typ,
          'content-length': inhalt.length,
          'content-disposition': contentDispositionOf(art, betrieb, now(), end),
          'repr-digest': `sha-256=:${createHash('sha256').update(inhalt).digest('base64')}:`,
        })
        .send(inhalt)
    }
    // Refusals before the first line set the status; later ones are sent as a line.
    const queue: Buffer[] = []
    let wake: (() => void) | null = null
    let done = false
    const push = (bytes: Buffer): void => {
      queue.push(bytes)
      wake?.()
    }
    const line = (zeile: ReportLine): void => push(Buffer.from(`${JSON.stringify(zeile)}\n`, 'utf8'))
    let first: (() => void) | null = null
    const begun = new Promise<void>((resolve) => (first = resolve))
    const made = run((schritt, fertig = 0, von = 0) => {
      if (schritt !== 'lesen') first?.()
      line({ art: 'schritt', schritt, fertig, von })
    })
    const whole = made.then(
      ({ inhalt, typ, ending: end, art, betrieb }) => {
        const name = decodeURIComponent(
          /''(.+)$/.exec(contentDispositionOf(art, betrieb, now(), end))?.[1] ?? `${art}.${end}`,
        )
        line({ art: 'datei', name, typ, groesse: inhalt.length, sha256: sha256(inhalt) })
        push(inhalt)
      },
      (error: unknown) => {
        if (ending.signal.aborted) return
        const refusal = toRefusal(error)
        if (refusal.status >= 500)
          log.error('report not made', { id: request.id, hq, reason: reasonForLog(error) })
        line({ art: 'fehler', code: refusal.code, message: refusal.message })
      },
    )
    void whole.finally(() => {
      done = true
      wake?.()
    })
    // Rejects if the report was refused before the first line.
    await Promise.race([begun, made])
    async function* lines(): AsyncGenerator<Buffer> {
      for (;;) {
        for (let bytes = queue.shift(); bytes !== undefined; bytes = queue.shift()) yield bytes
        if (done) return
        await new Promise<void>((resolve) => (wake = resolve))
        wake = null
      }
    }
    return reply
      .headers({ ...head, 'content-type': REPORT_STREAM })
      .send(Readable.from(lines(), { objectMode: false }))
  }

  return async (app) => {
    app.setErrorHandler(faultAnswer())
    app.post('/habitat/:hq/bericht', { bodyLimit: BODY_BYTES }, (request, reply) =>
      respond(request, reply, (currentRun) => bericht(currentRun, reportJobOf(request.body))),
    )
    app.post('/habitat/:hq/nachweis', { bodyLimit: BODY_BYTES }, (request, reply) =>
      respond(request, reply, (currentRun) => nachweis(currentRun, evidenceJobOf(request.body))),
    )
  }
}

const REMEMBER = {
  name: 'kawm_nachweis_merken',
  text: 'select rechte.kawm_nachweis_merken($1, $2::date, $3, $4, $5, $6::jsonb)',
}
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const objectOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {}
const falsch = (message: string): never => {
  throw new Refusal('bad_value', message)
}
const photosOf = (value: unknown): ReportPhotos =>
  REPORT_PHOTOS.find((one) => one === value) ??
  falsch('Welche Fotos der Bericht zeigen soll, ist nicht zu verstehen.')

function reportJobOf(body: unknown): ReportJob {
  const { ids, filter, fotos } = objectOf(body)
  const known = (id: unknown): boolean => /^[1-9]\d{0,14}$/.test(String(id))
  if (ids !== null && !(Array.isArray(ids) && ids.length > 0 && ids.every(known)))
    return falsch('Es ist kein Baum gewählt. Bitte wählen Sie Bäume aus, oder setzen Sie den Filter zurück.')
  if (ids !== null && ids.length > REPORT_MOST_TREES)
    return falsch(
      `Für einen Bericht sind das zu viele Bäume. Höchstens ${REPORT_MOST_TREES.toLocaleString('de-DE')} passen hinein. Filtern Sie die Liste, zum Beispiel nach Revier oder Abteilung, und erstellen Sie mehrere Berichte.`,
    )
  if (
    !Array.isArray(filter) ||
    filter.length > MOST_WORDS ||
    !filter.every((word) => typeof word === 'string' && word.length <= LONGEST_WORD)
  )
    return falsch('Der Filter ist nicht zu verstehen. Bitte laden Sie die Seite neu.')
  return { ids: ids as number[] | null, filter: filter as string[], fotos: photosOf(fotos) }
}
function evidenceJobOf(body: unknown): EvidenceJob {
  const { tag, fotos } = objectOf(body)
  if (typeof tag !== 'string' || !isDay(tag) || tag < '2000-01-01')
    return falsch('Bitte nennen Sie den Stichtag, zum Beispiel den 31.12. des letzten Jahres.')
  const chosen = photosOf(fotos)
  return { tag, fotos: chosen === 'alle' ? 'titel' : chosen }
}
