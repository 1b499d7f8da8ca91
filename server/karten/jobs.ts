// Runs jobs: cuts scans into tiles, makes results, merges them. One of each kind at a time per server; several servers
// share the jobs, and those of a server that dies go to the others. A result stays outside the stored files
// until it is complete and checked; the row that refers to it is written last.
import { setTimeout as sleep } from 'node:timers/promises'
import type { MosaicValues } from '#contract/karte-mosaic.ts'
import type { RectifyValues } from '#domain/georef/rectify-values.ts'
import type { Converter } from '#domain/projection.ts'
import type { Context, Database, Statement } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { createJob, type Job, StoppedError } from '#server/job.ts'
import type { Log } from '#server/log.ts'
import type { Store, Stored } from '#server/files/store.ts'
import { isDiskFull } from '#server/full-disk.ts'
import { kmFromCustomer } from './far-plan.ts'
import { withSheets } from './mosaic-sheets.ts'
import { type Work, WorkFault, type Rectified, type Tiled } from './work.ts'
import type { RunWork, WorkOptions } from './run-work.ts'

export interface JobsOptions {
  readonly database: Database
  readonly fileStore: Store
  readonly runWork: RunWork
  readonly log: Log
  readonly memoryBytes: number
  readonly times?: Times
  readonly converter: Converter
  readonly gdal: Extract<Work, { art: 'entzerren' }>['gdal']
  /** Of the systems that need a grid; the usual places if left out. */
  readonly gridFolder: string | undefined
  /** Between two checks for waiting jobs; a job this server learns of starts at once. */
  readonly everyMs: number
  /** Between two heartbeats; a job whose worker misses ten of them is taken again. */
  readonly pulsMs?: number
  readonly onStart?: WorkOptions['onStart']
}

type Kind = 'kacheln' | 'entzerren' | 'mosaik'
interface Taken {
  readonly id: number
  readonly versuch: number
  readonly karte_id: number
  readonly name: string
  /** Null for a mosaic: it is made of the files of others. */
  readonly sha256: string | null
  readonly werte: string | null
}

const WORKER: Context = { role: 'forst_karte' }
const TAKE = {
  name: 'take_job',
  text: 'select id, versuch, karte_id, name, sha256, werte from maps.take_job($1, $2::interval)',
}
const ALIVE = {
  name: 'job_lives',
  text: 'select maps.job_lives($1, $2, $3, $4::interval) as ok',
}
const FAILED = {
  name: 'job_failed',
  text: 'select maps.job_failed($1, $2, $3, $4, $5) as ok',
}
const CUT = { name: 'tiles_done', text: 'select maps.tiles_done($1, $2, $3, $4::jsonb) as ok' }
const MADE = {
  name: 'result_done',
  text: 'select maps.result_done($1, $2, $3, $4, $5, $6, $7, $8::jsonb) as ok',
}

/** Of one job: decoding a scan and cutting it, georeferencing it or joining several. */
interface Times {
  readonly tilesMs: number
  readonly warpMs: number
}
const TIMES: Times = { tilesMs: 10 * 60_000, warpMs: 60 * 60_000 }
const FIRST_MS = 3_000
/** Keeps a series of failing jobs from using a whole core. */
const PAUSE_MS = 50

/** Cancelled, deleted, or given to another server. */
class NoLongerWantedError extends Error {}

const KINDS: readonly Kind[] = ['kacheln', 'entzerren', 'mosaik']

export const planJobs = (options: JobsOptions): Job[] =>
  KINDS.map((art) => {
    const lane = new Lane(art, options)
    return createJob({
      name: `jobs on plans (${art})`,
      firstMs: FIRST_MS,
      everyMs: options.everyMs,
      wokenBy: [
        'a_add_karte_auftrag',
        'a_retry_karte_kacheln',
        'a_delete_karte_datei',
        'a_add_karte_mosaik',
        'a_repeat_karte_mosaik',
      ],
      round: async (signal) => {
        while (!signal.aborted && (await lane.runNext(signal))) await sleep(PAUSE_MS)
      },
      onFault: (error) =>
        options.log.error('jobs of plans cannot be looked at', { reason: reasonForLog(error) }),
    })
  })

/** The jobs of one kind. */
class Lane {
  readonly #art: Kind
  readonly #options: JobsOptions
  readonly #pulsMs: number
  /** As an interval of the database. */
  readonly #deadline: string

  constructor(art: Kind, options: JobsOptions) {
    this.#art = art
    this.#options = options
    this.#pulsMs = options.pulsMs ?? 3_000
    this.#deadline = `${this.#pulsMs * 10} milliseconds`
  }

  /** Returns whether a job was waiting. */
  async runNext(ending: AbortSignal): Promise<boolean> {
    const values = [this.#art, this.#deadline]
    const { rows } = await this.#options.database.once<Taken>(WORKER, { ...TAKE, values })
    const [taken] = rows
    if (taken === undefined) return false
    const pulse = this.#beginPulse(taken)
    try {
      await this.#make(taken, {
        signal: AbortSignal.any([pulse.gone, ending]),
        onProgress: pulse.onProgress,
      })
    } catch (error) {
      await this.#tellFailure(taken, error)
    } finally {
      pulse.end()
    }
    return true
  }

  /** Tells the database that the job is alive, and learns from it when the job is no longer wanted. */
  #beginPulse({ id, versuch }: Taken) {
    const gone = new AbortController()
    let share = 0
    const beat = async () => {
      const values = [id, versuch, Math.min(99, Math.round(share * 100)), this.#deadline]
      const { rows } = await this.#options.database.once<{ ok: boolean }>(WORKER, { ...ALIVE, values })
      if (rows[0]?.ok !== true) gone.abort(new NoLongerWantedError('no longer wanted'))
    }
    // The work goes on when the database is down for a moment: at the end it is asked again.
    const pulse = setInterval(() => void beat().catch(() => undefined), this.#pulsMs)
    return {
      gone: gone.signal,
      onProgress: (done: number): void => {
        share = done
      },
      end: () => clearInterval(pulse),
    }
  }

  async #make(taken: Taken, running: Required<Pick<WorkOptions, 'signal' | 'onProgress'>>): Promise<void> {
    const { database, fileStore, log, memoryBytes, times = TIMES, onStart } = this.#options
    const art = this.#art
    const target = await fileStore.workFile()
    const timeoutMs = art === 'kacheln' ? times.tilesMs : times.warpMs
    const limits = { timeoutMs, memoryBytes, ...running, ...(onStart && { onStart }) }
    const began = performance.now()
    try {
      const made = await this.#work(taken, target, limits)
      const stored = await fileStore.putFile(target)
      const { rows } = await database.once<{ ok: boolean }>(WORKER, settlement(taken, stored, made))
      if (rows[0]?.ok === true)
        log.info('job of a plan done', {
          art,
          karte: taken.karte_id,
          ms: Math.round(performance.now() - began),
        })
    } finally {
      await fileStore.removeWork(target).catch(() => undefined)
    }
  }

  async #work(
    { id, karte_id, sha256, werte }: Taken,
    outPath: string,
    limits: WorkOptions,
  ): Promise<Rectified | Tiled> {
    const { runWork, gdal, database, fileStore, gridFolder } = this.#options
    if (sha256 === null) {
      const values = JSON.parse(werte!) as MosaicValues
      return withSheets({ database, fileStore, context: WORKER, signal: limits.signal }, id, (sheets) =>
        runWork({ art: 'mosaik', ziel: outPath, blaetter: sheets, werte: values, gridFolder }, limits),
      )
    }
    const filePath = await fileStore.filePath(sha256, outPath)
    if (filePath === null) throw new WorkFault('karte_datei_fehlt', sha256)
    if (this.#art === 'kacheln') return runWork({ art: 'kacheln', filePath, ziel: outPath }, limits)
    const values = JSON.parse(werte!) as RectifyValues
    await this.#refuseFar(karte_id, values)
    return runWork({ art: 'entzerren', filePath, ziel: outPath, werte: values, gdal }, limits)
  }

  async #refuseFar(karte: number, values: RectifyValues): Promise<void> {
    if (values.ort_bestaetigt === true) return
    const { database, converter } = this.#options
    const km = await kmFromCustomer(database, WORKER, converter, karte, values)
    if (km !== null) throw new WorkFault('karte_ort', `${km} km from its customer`, `${km} km`)
  }

  async #tellFailure({ id, versuch, karte_id }: Taken, error: unknown): Promise<void> {
    if (error instanceof NoLongerWantedError) return
    const { database, log } = this.#options
    const ended = error instanceof StoppedError
    const fault = error instanceof WorkFault && error.code !== 'karte_absturz' ? error : null
    // Without a code the job is retried: the process died, or the database was down.
    const code = fault?.code ?? (isDiskFull(error) ? 'karte_platz' : null)
    if (!ended)
      log.error('job of a plan failed', {
        art: this.#art,
        karte: karte_id,
        versuch,
        code,
        reason: reasonForLog(error),
      })
    await database
      .once(WORKER, { ...FAILED, values: [id, versuch, code, fault?.einzelheit ?? null, ended] })
      .catch((reason: unknown) =>
        log.error('job of a plan not settled', { karte: karte_id, reason: reasonForLog(reason) }),
      )
  }
}

/** The row of the result, written last: from then on the stored file belongs to it. */
function settlement(
  { id, versuch, name, sha256: sheetSha }: Taken,
  { sha256, groesse }: Stored,
  made: Rectified | Tiled,
): Statement {
  if ('isDamaged' in made) {
    const [greyFrom, greyTo] = made.range ?? [null, null]
    const finding = JSON.stringify({ grau_von: greyFrom, grau_bis: greyTo, beschaedigt: made.isDamaged })
    return { ...CUT, values: [id, versuch, sha256, finding] }
  }
  const { breite, hoehe, umriss } = made
  const values = [
    id,
    versuch,
    resultName(name, sheetSha === null),
    groesse,
    sha256,
    breite,
    hoehe,
    JSON.stringify(umriss),
  ]
  return { ...MADE, values }
}

/** "Blatt 7.jpg" becomes "Blatt 7_georef.tif"; a mosaic has its plan's name. */
const resultName = (name: string, isMosaic: boolean): string =>
  isMosaic
    ? `${name.slice(0, 200).trim()}.tif`
    : `${name
        .replace(/\.[^.]{1,5}$/, '')
        .slice(0, 200)
        .trim()}_georef.tif`
