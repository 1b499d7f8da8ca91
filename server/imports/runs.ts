// The imports that run in this server: each goes on without its caller, and its answer is kept in the transaction in
// which it writes (db/nouns/kept-import.sql).
import { randomUUID } from 'node:crypto'
import { type Caller, personOf } from '#server/caller.ts'
import { type Database, DatabaseFault } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { KeyLimitRefusal, Refusal, toRefusal } from '#server/errors.ts'
import type { Log } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import {
  type ImportOrder,
  ImportRefusal,
  type ImportResult,
  type ProgramImport,
  refusal,
  RowsRefusedError,
} from '#server/program-import.ts'
import { coded } from '../geodata/import-fault.ts'

const BEGIN = {
  name: 'import_begin',
  text: 'select id, stand, answer from accounts.begin_import($1, $2, $3, $4::uuid)',
}
const KEEP = { name: 'import_keep', text: 'select accounts.keep_import($1, $2::uuid, $3)' }
const FAIL = { name: 'import_fail', text: 'select accounts.fail_import($1, $2::uuid, $3)' }
const NOTE = { name: 'import_note', text: 'select accounts.note_import($1, $2::uuid, $3)' }
const READ = {
  name: 'import_read',
  text: 'select stand, fortschritt, answer from accounts.read_import($1, $2)',
}

/** How often a server says that it is at work; after a minute of silence another takes over. */
const BEAT_MS = 10_000
const POLL_MS = 300
/** The list of what came into being is left out of a larger one. */
const MOST_ANSWER_BYTES = 1_000_000

/** Why nothing was imported. */
export interface Failure {
  readonly error: Refusal['code']
  readonly hint: string | null
  readonly message: string
  readonly werte: Readonly<Record<string, string | number>>
  readonly result?: ImportResult
}
export type Ended = { readonly result: ImportResult } | { readonly failure: Failure }
export type Going = { readonly id: number; readonly fortschritt: number }
export type State = (Ended & { readonly id: number }) | (Going & { readonly stand: 'laeuft' | 'abgebrochen' })

interface Run {
  readonly id: number
  readonly was: string
  readonly person: string
  /** Of the program's key; null: the person's own session. */
  readonly zugang: number | null
  /** The same for all keys of a person. */
  readonly human: string
  readonly digest: string
  readonly key: string
  fortschritt: number
  readonly ended: Promise<Ended>
  readonly ending: AbortController
}

export interface RunsOptions {
  readonly database: Database
  readonly log: Log
}
export interface Wanted {
  readonly caller: Caller
  readonly one: ProgramImport
  readonly key: string
  readonly digest: string
  readonly order: Pick<ImportOrder, 'file' | 'settings'>
}

/** Keys of one person share what the person may have, but not each other's imports. */
const isOf = (run: Run, caller: Caller): boolean =>
  run.person === caller.person && run.zugang === (caller.key?.id ?? null)

export class Runs {
  readonly #options: RunsOptions
  readonly #byId = new Map<number, Run>()

  constructor(options: RunsOptions) {
    this.#options = options
  }

  /**
   * Begins the import, or finds the one that has its key.
   * @param release runs when the file is no longer needed
   */
  async begin(
    wanted: Wanted,
    release: () => Promise<void>,
  ): Promise<{
    readonly id: number
    readonly isRepeated: boolean
    readonly ended: Promise<Ended> | Ended | null
  }> {
    const { caller, one, key, digest } = wanted
    // The embedded engine has one session, which a running import may occupy: it is found without asking.
    const own = this.find(caller, key)
    if (own !== undefined) {
      await release()
      if (own.digest !== digest) throw refusal('key_reused')
      return { id: own.id, isRepeated: true, ended: own.ended }
    }
    const lauf = randomUUID()
    const begun = await this.#options.database
      .once<{ id: number; stand: string; answer: string | null }>(asNutzer(caller), {
        ...BEGIN,
        values: [key, digest, one.was, lauf],
      })
      .catch(async (error: unknown) => {
        await release()
        throw error
      })
    const { stand, answer, ...row } = begun.rows[0]!
    const id = Number(row.id)
    if (stand === 'neu') {
      const run = this.#run(wanted, { id, lauf }, release)
      return { id, isRepeated: false, ended: run.ended }
    }
    await release()
    if (stand === 'anders') throw refusal('key_reused')
    if (stand === 'fertig') return { id, isRepeated: true, ended: JSON.parse(answer ?? '{}') as Ended }
    return { id, isRepeated: true, ended: this.#byId.get(id)?.ended ?? null }
  }

  /** Waits for an import, also one of another server. Null: it still runs. */
  async waitFor(
    caller: Caller,
    { id, was }: { readonly id: number; readonly was: string },
    ended: Promise<Ended> | Ended | null,
    ms: number,
  ): Promise<Ended | null> {
    const until = performance.now() + ms
    if (ended !== null) return Promise.race([ended, sleep(ms)])
    while (performance.now() < until) {
      // oxlint-disable-next-line no-await-in-loop -- it is asked again and again
      const state = await this.read(caller, was, String(id))
      if (!('stand' in state)) return state
      // oxlint-disable-next-line no-await-in-loop -- as above
      await sleep(POLL_MS)
    }
    return null
  }

  /** How one's own import is going. @throws Refusal */
  async read(caller: Caller, was: string, id: string): Promise<State> {
    if (!/^[1-9]\d{0,14}$/.test(id)) throw new Refusal('not_found')
    const run = this.#byId.get(Number(id))
    if (run !== undefined && isOf(run, caller) && run.was === was)
      return { id: run.id, stand: 'laeuft', fortschritt: run.fortschritt }
    const { rows } = await this.#options.database.once<{
      stand: string
      fortschritt: number
      answer: string | null
    }>(asNutzer(caller, { readOnly: true }), { ...READ, values: [id, was] })
    const [row] = rows
    if (row === undefined) throw new Refusal('not_found')
    if (row.answer !== null) return { id: Number(id), ...(JSON.parse(row.answer) as Ended) }
    const stand = row.stand === 'verlassen' ? 'abgebrochen' : 'laeuft'
    return { id: Number(id), stand, fortschritt: Number(row.fortschritt) }
  }

  /** Whatever keys the person has. */
  runningOf(human: string): number {
    return [...this.#byId.values()].filter((run) => run.human === human).length
  }

  /** The one that the caller began with this number, if it runs here. */
  find(caller: Caller, key: string): Run | undefined {
    return [...this.#byId.values()].find((run) => isOf(run, caller) && run.key === key)
  }

  /** Ends those that run: the database rolls them back. */
  async close(): Promise<void> {
    const running = [...this.#byId.values()]
    for (const { ending } of running) ending.abort(refusal('import_server'))
    await Promise.all(running.map(({ ended }) => ended))
  }

  #run(
    wanted: Wanted,
    mine: { readonly id: number; readonly lauf: string },
    release: () => Promise<void>,
  ): Run {
    const { caller, one, key, digest } = wanted
    const { promise, resolve } = Promise.withResolvers<Ended>()
    const run: Run = {
      id: mine.id,
      was: one.was,
      person: caller.person,
      zugang: caller.key?.id ?? null,
      human: personOf(caller.claims),
      digest,
      key,
      fortschritt: 0,
      ended: promise,
      ending: new AbortController(),
    }
    this.#byId.set(run.id, run)
    void this.#work(wanted, mine, run).then(async (ended) => {
      await release().catch(() => undefined)
      this.#byId.delete(run.id)
      resolve(ended)
    })
    return run
  }

  async #work(
    { caller, one, order }: Wanted,
    { id, lauf }: { id: number; lauf: string },
    run: Run,
  ): Promise<Ended> {
    const { database, log } = this.#options
    const beating = setInterval(() => {
      const noted = { ...NOTE, values: [id, lauf, run.fortschritt] }
      void database.once(asNutzer(caller), noted).catch(() => undefined)
    }, BEAT_MS)
    try {
      const result = await one.run({
        ...order,
        caller,
        isProbe: false,
        signal: run.ending.signal,
        onProgress: (percent) => {
          run.fortschritt = Math.min(99, Math.max(0, Math.round(percent)))
        },
        keep: (kept) => ({ ...KEEP, values: [id, lauf, answerOf(kept)] }),
      })
      return { result }
    } catch (error) {
      const failure = failureOf(run.ending.signal.aborted ? refusal('import_server') : error)
      if (failure.error === 'internal')
        log.error('import of a program failed', { import: id, was: one.was, reason: reasonForLog(error) })
      const ended = { failure }
      await database
        .once(asNutzer(caller), { ...FAIL, values: [id, lauf, JSON.stringify(ended)] })
        .catch((reason: unknown) =>
          log.error('import not ended', { import: id, reason: reasonForLog(reason) }),
        )
      return ended
    } finally {
      clearInterval(beating)
    }
  }
}

const sleep = (ms: number) => new Promise<null>((resolve) => void setTimeout(() => resolve(null), ms).unref())

function answerOf(result: ImportResult): string {
  const whole = JSON.stringify({ result })
  if (Buffer.byteLength(whole) <= MOST_ANSWER_BYTES) return whole
  const short = JSON.stringify({ result: { ...result, angelegt: [] } })
  if (Buffer.byteLength(short) <= MOST_ANSWER_BYTES) return short
  return JSON.stringify({ result: { ...result, angelegt: [], hinweise: [] } })
}

function hintOf(error: unknown, code: Refusal['code']): string | null {
  if (error instanceof KeyLimitRefusal) return error.hint
  return error instanceof DatabaseFault && code !== 'internal' ? (error.hint ?? null) : null
}

export function failureOf(error: unknown): Failure {
  if (error instanceof RowsRefusedError) {
    const { code, hint, message } = refusal('import_fehler')
    return { error: code, hint, message, werte: {}, result: error.result }
  }
  const known = coded(error)
  if (known instanceof ImportRefusal)
    return { error: known.code, hint: known.hint, message: known.message, werte: known.werte }
  const { code, message } = toRefusal(known)
  const hint = hintOf(known, code)
  return { error: code, hint, message, werte: {} }
}
