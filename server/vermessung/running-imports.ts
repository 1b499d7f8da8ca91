// The imports that run in this server: begun before the browser is answered, ended without it, and recorded
// whatever becomes of them.
import type { FileLayer, ImportReport, VermessungImport } from '#contract/vermessung-import.ts'
import type { Caller } from '#server/caller.ts'
import type { Context, Statement, Transaction } from '#server/database/database.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import { inRank } from '#server/rank.ts'
import { asNutzer } from '#server/nutzer.ts'
import type { Turn } from '#server/work-queue.ts'
import { CodedRefusal } from '../geodata/coded-refusal.ts'
import { ReaderEndedError } from '../geodata/foreign.ts'
import { IMPORT_TIMEOUT_MS, type ImportOptions, reasonOf, jsonForStorage } from '../geodata/imports.ts'
import { readAhead } from '../geodata/read-ahead.ts'
import { type ImportQuestion, readObjects } from './reader.ts'
import type { Message } from './work.ts'
import { InputFault, type Written, writeObjects } from './write-objects.ts'

/** Only one import per customer at a time: a second one would find half of the first. */
const BEGIN = {
  name: 'vermessung_beginn',
  text: `update app.vermessung_import i set stand = 'laeuft', modus = $2, werte = $3::jsonb, bericht = null,
    begonnen_am = now(), beendet_am = null
    where i.id = $1 and i.stand <> 'laeuft' and i.stand <> 'fertig'
      and not exists (select from app.vermessung_import o where o.client_id = i.client_id
      and o.stand = 'laeuft')
    returning i.id`,
}
const ONE_AT_A_TIME = {
  name: 'vermessung_sperre',
  text: `select pg_advisory_xact_lock(hashtext('vermessung'))`,
}
const END = {
  name: 'vermessung_ende',
  text: `update app.vermessung_import set stand = $2, bericht = $3::jsonb, beendet_am = now()
    where id = $1 and stand <> 'fertig'`,
}
/** An import that waits for its turn has no transaction yet whose lock would tell other servers of it. */
const ALIVE = {
  name: 'vermessung_lebt',
  text: `update app.vermessung_import set begonnen_am = now() where id = $1 and stand = 'laeuft'`,
}
const ALIVE_MS = 10_000
/** $3: there is no other server, so whatever this one does not run is abandoned. */
const RECOVER = {
  name: 'vermessung_verwaist',
  text: `update app.vermessung_import i set stand = 'abgebrochen', bericht = '{"grund": "server"}', beendet_am = now()
    where i.stand = 'laeuft' and i.client_id = $1 and i.id <> all ($2::bigint[])
      and ($3 or i.begonnen_am is null or i.begonnen_am < now() - interval '1 minute')
      and pg_try_advisory_xact_lock(hashtext('vermessung_import'), i.id::integer)`,
}

/** Objects are read until then; the rest is what the database does with them. */
const READ_PERCENT = 95

export interface RunningImport {
  fortschritt: number
  /**
   * The person who started it is answered from here: the embedded engine has one session,
   * and the import occupies it.
   */
  readonly von: Caller
  readonly latest: VermessungImport
  readonly ende: AbortController
  readonly done: Promise<void>
}

/** An import that can begin. */
export interface Prepared {
  readonly id: number
  readonly client_id: number
  readonly question: ImportQuestion
  /** Runs in the transaction of the import. */
  keep?(written: Written): Statement
  /** The row as it is shown, with the file's layers. */
  show(): Promise<VermessungImport>
}

export class RunningImports {
  readonly #options: ImportOptions<FileLayer>
  readonly #byId = new Map<number, RunningImport>()
  /** Customers whose survey is being changed. */
  readonly #customers = new Set<number>()

  constructor(options: ImportOptions<FileLayer>) {
    this.#options = options
  }

  get(id: number): RunningImport | undefined {
    return this.#byId.get(id)
  }

  /** The import, if this caller started it. */
  ownOf({ claims }: Caller, id: string): RunningImport | undefined {
    const found = this.#byId.get(Number(id))
    return found?.von.claims.iss === claims.iss && found.von.claims.sub === claims.sub ? found : undefined
  }

  /** Ends imports of a customer that are marked as running, although their server has gone. */
  async recover(caller: Caller, client_id: number): Promise<void> {
    await this.#options.database.once(asNutzer(caller), this.#recoverOf(client_id))
  }

  async begin(caller: Caller, prepared: Prepared): Promise<VermessungImport> {
    const { client_id } = prepared
    // Before the first await: with one session the database would answer the second request
    // only when the first is done.
    if (this.#customers.has(client_id)) throw new CodedRefusal('import_laeuft')
    this.#customers.add(client_id)
    try {
      return await this.#begin(caller, prepared)
    } catch (error) {
      this.#customers.delete(client_id)
      throw error
    }
  }

  async abort({ ende, done }: RunningImport): Promise<void> {
    ende.abort()
    await done
  }

  async close(): Promise<void> {
    const running = [...this.#byId.values()]
    for (const { ende } of running) ende.abort()
    await Promise.all(running.map(({ done }) => done))
  }

  readonly #recoverOf = (client_id: number) => ({
    ...RECOVER,
    values: [client_id, [...this.#byId.keys()], this.#options.database.engine === 'embedded'],
  })

  async #begin(caller: Caller, prepared: Prepared): Promise<VermessungImport> {
    const { id, client_id, question } = prepared
    const { werte } = question
    const end = new AbortController()
    // Before the row is marked as running: if the queue is full, the import is refused.
    const turn = this.#options.work.admit('long', { person: caller.person, signal: end.signal })
    try {
      await this.#markAsRunning(caller, prepared)
    } catch (error) {
      turn.release()
      throw error
    }
    const ended = Promise.withResolvers<void>()
    const latest = {
      ...(await prepared.show()),
      stand: 'laeuft',
      modus: werte.modus,
      werte,
      bericht: null,
    } as const
    const running: RunningImport = { fortschritt: 0, von: caller, latest, ende: end, done: ended.promise }
    this.#byId.set(id, running)
    const run = () => this.#run(asNutzer(caller), prepared, turn, running)
    void inRank('long', run).finally(() => {
      turn.release()
      this.#byId.delete(id)
      this.#customers.delete(client_id)
      ended.resolve()
    })
    return latest
  }

  async #markAsRunning(caller: Caller, { id, client_id, question: { werte } }: Prepared): Promise<void> {
    const begun = await this.#options.database.transaction(asNutzer(caller), async (tx) => {
      await tx.query(ONE_AT_A_TIME)
      await tx.query(this.#recoverOf(client_id))
      return tx.query({ ...BEGIN, values: [id, werte.modus, JSON.stringify(werte)] })
    })
    if (begun.rowCount === 0) throw new CodedRefusal('import_laeuft')
  }

  async #run(context: Context, prepared: Prepared, turn: Turn, running: RunningImport): Promise<void> {
    const { database, fileStore, log, now, limits } = this.#options
    const { id, question, keep } = prepared
    const begun = now().getTime()
    let outcome: Outcome
    const alive = () => void database.once(context, { ...ALIVE, values: [id] }).catch(() => undefined)
    const telling = database.engine === 'postgres' ? setInterval(alive, ALIVE_MS) : undefined
    try {
      await turn.come.catch(() => {
        throw new ReaderEndedError()
      })
      const { signal } = running.ende
      const store = (messages: AsyncIterable<Message>) => async (tx: Transaction) => {
        const written = await writeObjects(tx, prepared, {
          messages,
          onProgress: (share) => {
            running.fortschritt = Math.min(READ_PERCENT, Math.round(READ_PERCENT * share))
          },
        })
        if (keep !== undefined) await tx.query(keep(written))
        return written
      }
      const within = { ...context, timeoutMs: IMPORT_TIMEOUT_MS }
      const write = (read: AsyncIterable<Message>) => database.transaction(within, store(read))
      const messages = readObjects(question, { limits, signal })
      // On PostgreSQL the lock of the transaction tells other servers that the import is alive.
      const written = await (database.engine === 'postgres'
        ? write(messages)
        : readAhead(messages, { path: await fileStore.zwischenort(), signal }, write))
      outcome = ['fertig', { ...written, dauer_ms: now().getTime() - begun }]
    } catch (error) {
      outcome = outcomeOf(error)
      if (outcome[1].grund === 'datenbank')
        log.error('survey not imported', { import: id, reason: reasonForLog(error) })
    } finally {
      clearInterval(telling)
    }
    const [stand, report] = outcome
    await database
      .once(context, { ...END, values: [id, stand, jsonForStorage(report)] })
      .catch((error: unknown) => log.error('import not ended', { import: id, reason: reasonForLog(error) }))
    if (stand === 'fertig') await fileStore.drop(id)
  }
}

type Outcome = readonly [stand: 'fertig' | 'fehlgeschlagen' | 'abgebrochen', bericht: ImportReport]

function outcomeOf(error: unknown): Outcome {
  if (error instanceof InputFault) return ['fehlgeschlagen', error.bericht]
  const reason = reasonOf(error)
  return [reason === 'abgebrochen' ? 'abgebrochen' : 'fehlgeschlagen', { grund: reason }]
}
