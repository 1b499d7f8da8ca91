// POST habitat/{hq}/bericht and habitat/{hq}/nachweis: reports of trees and evidences of KAWM. The response
// reports progress to clients that accept it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { REPORT_STREAM } from '#contract/habitat-report.ts'
import type { Caller } from '#server/caller.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { isForLog, Refusal, toRefusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import type { Room } from '#server/room.ts'
import { forNutzer } from '#server/route-caller.ts'
import { createWorkQueue, type WorkQueue } from '#server/work-queue.ts'
import { contentDispositionOf, faultAnswer, paramOf } from '../geodata/answer.ts'
import { checkNumber } from '../geodata/imports.ts'
import { createStore } from '../geodata/store.ts'
import { evidenceJobOf, reportJobOf } from './report-jobs.ts'
import { ReportStream } from './report-stream.ts'
import { type Made, type MakingOptions, Reports, type Run, sha256, type Tell } from './reports.ts'

export interface ReportOptions extends Omit<MakingOptions, 'fileStore'> {
  /** For files that are being made. */
  readonly folder: string
  readonly log: Log
  readonly now: () => Date
  readonly work?: WorkQueue
}

const BODY_BYTES = 1_000_000
const HEAD = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export function createReportsRoom({ work = createWorkQueue(), ...options }: ReportOptions) {
  const fileStore = createStore(options.folder)
  void fileStore.tidy(options.now(), 1)
  const reports = new Reports({ ...options, fileStore })
  const desk = new ReportDesk(options, work)
  const limits = { bodyLimit: BODY_BYTES }
  return {
    name: 'reports of habitat trees',
    routes: async (app: FastifyInstance) => {
      app.setErrorHandler(faultAnswer())
      app.post(
        '/habitat/:hq/bericht',
        forNutzer(
          (...asked) => desk.respond(asked, (run, body) => reports.makeReport(run, reportJobOf(body))),
          limits,
        ),
      )
      app.post(
        '/habitat/:hq/nachweis',
        forNutzer(
          (...asked) => desk.respond(asked, (run, body) => reports.makeEvidence(run, evidenceJobOf(body))),
          limits,
        ),
      )
    },
  } satisfies Room
}

type Asked = readonly [caller: Caller, request: FastifyRequest, reply: FastifyReply]
type Make = (run: Run, body: unknown) => Promise<Made>

class ReportDesk {
  readonly #log: Log
  readonly #now: () => Date
  readonly #work: WorkQueue

  constructor({ log, now }: Pick<ReportOptions, 'log' | 'now'>, work: WorkQueue) {
    this.#log = log
    this.#now = now
    this.#work = work
  }

  async respond([caller, request, reply]: Asked, make: Make): Promise<FastifyReply> {
    const hq = paramOf(request, 'hq')
    checkNumber(hq)
    const ending = new AbortController()
    reply.raw.once('close', () => ending.abort())
    const { signal } = ending
    const run = async (notify: Tell): Promise<Made> => {
      try {
        const order = { person: caller.person, signal, onWait: () => notify('warten') }
        // Each run holds its file in memory.
        return await this.#work.run('long', order, () => make({ caller, hq, notify, signal }, request.body))
      } catch (error) {
        // The client has gone: there is no one to answer, and it is not an error.
        throw signal.aborted ? new Refusal('bad_value') : error
      }
    }
    if (!(request.headers.accept ?? '').includes(REPORT_STREAM))
      return this.#sendWhole(reply, await run(() => undefined))
    return this.#sendStream(reply, run, (error) =>
      signal.aborted ? null : this.#refusalOf(error, { id: request.id, hq }),
    )
  }

  #sendWhole(reply: FastifyReply, made: Made): FastifyReply {
    const { inhalt, typ } = made
    return reply
      .headers({
        ...HEAD,
        'content-type': typ,
        'content-length': inhalt.length,
        'content-disposition': this.#dispositionOf(made),
        'repr-digest': `sha-256=:${Buffer.from(sha256(inhalt), 'hex').toString('base64')}:`,
      })
      .send(inhalt)
  }

  /** Refusals before the first line set the status; later ones are sent as a line. */
  async #sendStream(
    reply: FastifyReply,
    run: (notify: Tell) => Promise<Made>,
    /** Null: nobody is there to read it. */
    refusalOf: (error: unknown) => Refusal | null,
  ): Promise<FastifyReply> {
    const stream = new ReportStream()
    const begun = Promise.withResolvers<void>()
    const made = run((step, done = 0, total = 0) => {
      if (step !== 'lesen') begun.resolve()
      stream.write({ art: 'schritt', schritt: step, fertig: done, von: total })
    })
    const sent = made.then(
      (file) => this.#writeFile(stream, file),
      (error: unknown) => {
        const refusal = refusalOf(error)
        if (refusal !== null) stream.write({ art: 'fehler', code: refusal.code, message: refusal.message })
      },
    )
    void sent.finally(() => stream.end())
    // Rejects if the report was refused before the first line.
    await Promise.race([begun.promise, made])
    return reply.headers({ ...HEAD, 'content-type': REPORT_STREAM }).send(stream.readable())
  }

  #writeFile(stream: ReportStream, made: Made): void {
    const { inhalt, typ, art, ending } = made
    const name = decodeURIComponent(/''(.+)$/.exec(this.#dispositionOf(made))?.[1] ?? `${art}.${ending}`)
    stream.write({ art: 'datei', name, typ, groesse: inhalt.length, sha256: sha256(inhalt) })
    stream.writeBytes(inhalt)
  }

  #dispositionOf({ art, betrieb, ending }: Made): string {
    return contentDispositionOf(art, betrieb, this.#now(), ending)
  }

  #refusalOf(error: unknown, facts: { readonly id: string; readonly hq: string }): Refusal {
    const refusal = toRefusal(error)
    if (isForLog(error, refusal.status))
      this.#log.error('report not made', { ...facts, reason: reasonForLog(error) })
    return refusal
  }
}
