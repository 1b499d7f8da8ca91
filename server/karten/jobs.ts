// Runs jobs: cuts scans into tiles, makes results. One of each kind at a time per server; several servers
// share the jobs, and those of a server that dies go to the others. A result stays outside the stored files
// until it is complete and checked; the row that refers to it is written last.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RectifyValues } from '#contract/karte-files.ts'
import type { Context, Database } from '#server/database/database.ts'
import { reasonForLog } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { type Store, isFull } from '#server/files/store.ts'
import { type Work, WorkFault, type Rectified } from './work.ts'
import type { RunWork, WorkOptions } from './run-work.ts'

export interface JobsOptions {
  readonly database: Database
  readonly fileStore: Store
  readonly runWork: RunWork
  readonly log: Log
  readonly memoryBytes: number
  readonly gdal: Extract<Work, { art: 'entzerren' }>['gdal']
  /** Between two checks for waiting jobs; a job this server learns of starts at once. */
  readonly everyMs: number
  /** Between two heartbeats; a job whose worker misses ten of them is taken again. */
  readonly pulsMs?: number
  readonly onStart?: WorkOptions['onStart']
}

export interface Jobs {
  wake(): void
  stop(): Promise<void>
}

type Kind = 'kacheln' | 'entzerren'
interface Taken {
  readonly id: number
  readonly versuch: number
  readonly karte_id: number
  readonly name: string
  readonly sha256: string
  readonly werte: string | null
}

const WORKER: Context = { role: 'forst_karte' }
const TAKE = {
  name: 'karte_auftrag_nehmen',
  text: 'select id, versuch, karte_id, name, sha256, werte from rechte.karte_auftrag_nehmen($1, $2::interval)',
}
const ALIVE = {
  name: 'karte_auftrag_lebt',
  text: 'select rechte.karte_auftrag_lebt($1, $2, $3, $4::interval) as ok',
}
const FAILED = {
  name: 'karte_auftrag_fehler',
  text: 'select rechte.karte_auftrag_fehler($1, $2, $3, $4, $5) as ok',
}
const CUT = { name: 'karte_kacheln_fertig', text: 'select rechte.karte_kacheln_fertig($1, $2, $3) as ok' }
const MADE = {
  name: 'karte_ergebnis_fertig',
  text: 'select rechte.karte_ergebnis_fertig($1, $2, $3, $4, $5, $6, $7, $8::jsonb) as ok',
}

const TIME_MS: Readonly<Record<Kind, number>> = { kacheln: 10 * 60_000, entzerren: 60 * 60_000 }
const FIRST_MS = 3_000
/** Keeps a series of failing jobs from using a whole core. */
const PAUSE_MS = 50

/** Cancelled, deleted, or given to another server. */
class NoLongerWantedError extends Error {}
class EndedError extends Error {}

export function startJobs(options: JobsOptions): Jobs {
  const lanes = (['kacheln', 'entzerren'] as const).map((art) => startLane(art, options))
  return {
    wake: () => lanes.forEach((lane) => lane.wake()),
    stop: async () => void (await Promise.all(lanes.map((lane) => lane.stop()))),
  }
}

function startLane(art: Kind, options: JobsOptions): Jobs {
  const { database, log, everyMs, pulsMs = 3_000 } = options
  const ending = new AbortController()
  let again = false
  let nudge: (() => void) | null = null
  const frist = `${pulsMs * 10} milliseconds`

  async function next(): Promise<boolean> {
    const { rows } = await database.once<Taken>(WORKER, { ...TAKE, values: [art, frist] })
    if (rows[0] === undefined) return false
    await one(rows[0])
    return true
  }

  async function one(jobSpec: Taken): Promise<void> {
    const { id, versuch } = jobSpec
    const gone = new AbortController()
    let share = 0
    const beat = async () => {
      const { rows } = await database.once<{ ok: boolean }>(WORKER, {
        ...ALIVE,
        values: [id, versuch, Math.min(99, Math.round(share * 100)), frist],
      })
      if (rows[0]?.ok !== true) gone.abort(new NoLongerWantedError('no longer wanted'))
    }
    // The work goes on when the database is down for a moment: at the end it is asked again.
    const pulse = setInterval(() => void beat().catch(() => undefined), pulsMs)
    try {
      await make(jobSpec, AbortSignal.any([gone.signal, ending.signal]), (done) => {
        share = done
      })
    } catch (error) {
      await tellFailure(jobSpec, error)
    } finally {
      clearInterval(pulse)
    }
  }

  async function make(
    { id, versuch, karte_id, name, sha256, werte }: Taken,
    signal: AbortSignal,
    onProgress: (share: number) => void,
  ) {
    const { fileStore, runWork, memoryBytes, gdal, onStart } = options
    const ziel = await fileStore.workFile()
    const limits: WorkOptions = {
      timeoutMs: TIME_MS[art],
      memoryBytes,
      signal,
      onProgress,
      ...(onStart && { onStart }),
    }
    const began = performance.now()
    try {
      const filePath = await fileStore.filePath(sha256, ziel)
      if (filePath === null) throw new WorkFault('karte_datei_fehlt', sha256)
      let rectified: Rectified | null = null
      if (art === 'kacheln') await runWork({ art, filePath, ziel }, limits)
      else
        rectified = await runWork(
          { art, filePath, ziel, werte: JSON.parse(werte!) as RectifyValues, gdal },
          limits,
        )
      const stored = await fileStore.putFile(ziel)
      const statement =
        rectified === null
          ? { ...CUT, values: [id, versuch, stored.sha256] }
          : {
              ...MADE,
              values: [
                id,
                versuch,
                resultName(name),
                stored.groesse,
                stored.sha256,
                rectified.breite,
                rectified.hoehe,
                JSON.stringify(rectified.umriss),
              ],
            }
      const { rows } = await database.once<{ ok: boolean }>(WORKER, statement)
      if (rows[0]?.ok === true)
        log.info('job of a plan done', { art, karte: karte_id, ms: Math.round(performance.now() - began) })
    } finally {
      await fileStore.removeWork(ziel).catch(() => undefined)
    }
  }

  async function tellFailure({ id, versuch, karte_id }: Taken, error: unknown): Promise<void> {
    if (error instanceof NoLongerWantedError) return
    const ended = error instanceof EndedError
    const full = isFull(error)
    const fault = error instanceof WorkFault && error.code !== 'karte_absturz' ? error : null
    if (!ended)
      log.error('job of a plan failed', {
        art,
        karte: karte_id,
        versuch,
        code: fault?.code ?? (full ? 'karte_platz' : null),
        reason: reasonForLog(error),
      })
    // Without a code the job is retried: the process died, or the database was down.
    const code = fault?.code ?? (full ? 'karte_platz' : null)
    await database
      .once(WORKER, { ...FAILED, values: [id, versuch, code, fault?.einzelheit ?? null, ended] })
      .catch((reason: unknown) =>
        log.error('job of a plan not settled', { karte: karte_id, reason: reasonForLog(reason) }),
      )
  }

  async function run(): Promise<void> {
    await pause(Math.min(FIRST_MS, everyMs))
    while (!ending.signal.aborted) {
      again = false
      const busy = await next().catch((error: unknown) => {
        log.error('jobs of plans cannot be looked at', { reason: reasonForLog(error) })
        return false
      })
      if (busy) await sleep(PAUSE_MS)
      else if (!again) await pause(everyMs)
    }
  }

  async function pause(milliseconds: number): Promise<void> {
    if (ending.signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref()
      nudge = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    nudge = null
  }

  const running = run()
  return {
    wake() {
      again = true
      nudge?.()
    },
    async stop() {
      ending.abort(new EndedError('the server stops'))
      nudge?.()
      await running
    },
  }
}

/** "Blatt 7.jpg" becomes "Blatt 7_georef.tif". */
const resultName = (name: string): string =>
  `${name
    .replace(/\.[^.]{1,5}$/, '')
    .slice(0, 200)
    .trim()}_georef.tif`
