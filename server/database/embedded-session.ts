// Statements and transactions on one run of the embedded engine; prepared statements end with that run.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { note, offerLevel } from '#server/observe.ts'
import {
  AnswerTooLargeFault,
  DatabaseFault,
  type OwnerConnection,
  OutcomeUnknownFault,
  PoolTimeoutFault,
  type Result,
  type Statement,
  UnavailableFault,
} from './database.ts'
import { AnswerTooBigError, type Engine, EngineLostError, WithdrawnError } from './embedded-engine.ts'
import { OWNER_ANSWER } from './embedded-limits.ts'
import { type Answer, createExchange, type Exchange, PreparedStatements, type Step } from './exchange.ts'
import { toFault } from './faults.ts'
import { deliver, findError } from './incoming.ts'
import { COMMIT, ROLLBACK } from './transaction-steps.ts'
import { Outgoing } from './wire.ts'

const alone = (step: Step) => createExchange([{ text: step.text, silent: true }], null).bytes
const [COMMIT_BYTES, ROLLBACK_BYTES] = [alone(COMMIT), alone(ROLLBACK)]

/** Present while the engine is closed. If it is missing at a start, the engine was not closed properly. */
const closedMark = (folder: string) => join(folder, 'pgdata.closed')

/** `isOurs`: the folder has not been taken over in the meantime. */
export function openSession(
  engine: Engine,
  folder: string,
  maxAnswerBytes: number,
  isOurs: () => boolean,
): EngineSession {
  const unclean = !existsSync(closedMark(folder))
  rmSync(closedMark(folder), { force: true })
  note('renewal', unclean ? 'recovered' : 'orderly')
  offerLevel('engine_bytes', 'embedded', () => engine.heapBytes)
  return new EngineSession(engine, unclean, maxAnswerBytes, () => {
    if (isOurs()) writeFileSync(closedMark(folder), '')
  })
}

/** How often a running statement is checked. */
const LOOK_MS = 250

/** One statement and its limits. */
export interface Run {
  readonly limitMs: number
  readonly readOnly: boolean
  /** Deadline of its wait: it must have begun by then. */
  readonly until: number
  /** Checked repeatedly while it runs: does it keep others waiting unfairly? */
  isUnfair(runMs: number): boolean
}

export class EngineSession {
  readonly unclean: boolean
  readonly #engine: Engine
  readonly #statements = new PreparedStatements()
  readonly #markClosed: () => void
  readonly #maxAnswerBytes: number
  /** Runs that were sent, in the order the engine takes them. */
  readonly #sent: Run[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(engine: Engine, unclean: boolean, maxAnswerBytes: number, markClosed: () => void) {
    this.#engine = engine
    this.unclean = unclean
    this.#maxAnswerBytes = maxAnswerBytes
    this.#markClosed = markClosed
  }

  /** One transaction in one message. Null if the engine was lost before beginning it. */
  async once(steps: readonly Step[], run: Run): Promise<Answer[] | null> {
    const exchange = createExchange(steps, this.#statements)
    this.#sent.push(run)
    if (this.#sent.length === 1) this.#arm()
    const sent = this.#engine.send({
      bytes: exchange.bytes,
      steps: steps.length,
      onSuccess: COMMIT_BYTES,
      onError: ROLLBACK_BYTES,
    })
    const patience = setTimeout(() => sent.withdraw(), Math.max(0, run.until - performance.now()))
    try {
      const { data, end } = await sent.answer
      const answers = await receive(exchange, data)
      const refused = end === null ? null : findError(end)
      if (refused !== null) throw refused
      return answers
    } catch (error) {
      if (error instanceof EngineLostError && !error.begun) {
        // While a thread is being ended each try is lost at once. Without a turn of the event loop in between, its
        // end would never be heard of, and the next tries would take the process.
        await nextTurn()
        return null
      }
      throw faultOf(error, run.readOnly, this.#maxAnswerBytes)
    } finally {
      clearTimeout(patience)
      const at = this.#sent.indexOf(run)
      this.#sent.splice(at, 1)
      if (at === 0) this.#arm()
    }
  }

  begin(limitMs: number, opening: readonly Step[]): EngineTransaction {
    return new EngineTransaction(this.#engine, this.#statements, limitMs, opening, this.#maxAnswerBytes)
  }

  async asOwner<T>(work: (owner: OwnerConnection) => Promise<T>): Promise<T> {
    const owner = new EngineOwner(this.#engine)
    try {
      return await work(owner)
    } finally {
      await owner.close()
    }
  }

  get heapBytes(): number {
    return this.#engine.heapBytes
  }

  async close(withinMs?: number): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (await this.#engine.close(withinMs)) this.#markClosed()
  }

  /** Ends the engine at once, whatever it is doing. */
  lose(reason: string): Promise<void> {
    return this.#engine.kill(reason, 'lock')
  }

  /** The time of a statement starts when the previous one has ended. */
  #arm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const run = this.#sent[0]
    if (run === undefined) return
    const since = performance.now()
    const look = () => {
      const left = since + run.limitMs - performance.now()
      if (left <= 0) void this.#engine.kill(`longer than ${run.limitMs} ms`, 'time')
      else if (run.isUnfair(performance.now() - since)) void this.#engine.kill('others are waiting', 'time')
      else this.#timer = setTimeout(look, Math.min(left, LOOK_MS))
    }
    this.#timer = setTimeout(look, Math.min(run.limitMs, LOOK_MS))
  }
}

/** A transaction of several messages; it has the engine to itself until it ends. */
export class EngineTransaction {
  readonly #engine: Engine
  readonly #statements: PreparedStatements
  readonly #opening: readonly Step[]
  readonly #maxAnswerBytes: number
  readonly #timer: NodeJS.Timeout
  #begun = false
  #ended = false
  #overdue = false
  #last: Promise<unknown> = Promise.resolve()
  #giveUp: (fault: Error) => void = () => undefined

  constructor(
    engine: Engine,
    statements: PreparedStatements,
    limitMs: number,
    opening: readonly Step[],
    maxAnswerBytes: number,
  ) {
    this.#engine = engine
    this.#maxAnswerBytes = maxAnswerBytes
    this.#statements = statements
    this.#opening = opening
    this.#timer = setTimeout(() => this.#expire(), limitMs)
  }

  query(steps: readonly Step[]): Promise<Answer> {
    const answer = this.#last.then(() => this.#query(steps))
    this.#last = answer.catch(() => undefined)
    return answer
  }

  /** Runs `work`, then commits; rolls back if `work` rejects or runs out of time. */
  async finish<T>(work: () => Promise<T>): Promise<T> {
    try {
      const overdue = new Promise<never>((_, reject) => {
        this.#giveUp = reject
      })
      const result = await Promise.race([work(), overdue])
      await this.#end(COMMIT)
      return result
    } catch (error) {
      await this.#end(ROLLBACK).catch(() => undefined)
      throw error
    } finally {
      clearTimeout(this.#timer)
    }
  }

  async #query(steps: readonly Step[]): Promise<Answer> {
    if (this.#ended) throw new DatabaseFault('the transaction has ended', { code: '25000' })
    const all = this.#begun ? steps : [...this.#opening, ...steps]
    this.#begun = true
    const exchange = createExchange(all, this.#statements)
    try {
      const { data } = await this.#engine.send({ bytes: exchange.bytes, steps: all.length }).answer
      return (await receive(exchange, data)).at(-1) as Answer
    } catch (error) {
      throw faultOf(error, true, this.#maxAnswerBytes)
    }
  }

  async #end(step: Step): Promise<void> {
    await this.#last
    if (this.#ended) return
    this.#ended = true
    if (!this.#begun) return
    const exchange = createExchange([step], null)
    try {
      const { data } = await this.#engine.send({ bytes: exchange.bytes, steps: 1 }).answer
      const [answer] = await receive(exchange, data)
      if (step === COMMIT && answer?.command !== 'COMMIT')
        throw new DatabaseFault('a statement of the transaction had failed', { code: '25P02' })
    } catch (error) {
      if (error instanceof EngineLostError && error.begun && step === COMMIT)
        throw new OutcomeUnknownFault(error.message, error)
      throw faultOf(error, true, this.#maxAnswerBytes)
    }
  }

  /**
   * A running statement can only be ended together with the engine. A caller that dawdles loses only its
   * transaction.
   */
  #expire(): void {
    if (this.#overdue) return
    this.#overdue = true
    if (this.#engine.inFlight > 0) void this.#engine.kill('the transaction took too long', 'time')
    else this.#giveUp(new DatabaseFault('the transaction took too long', { code: '25P03' }))
  }
}

/** The embedded engine's only user is its owner: anyone who may call this may do everything. */
class EngineOwner implements OwnerConnection {
  readonly engine = 'embedded'
  readonly #engine: Engine
  #closed = false
  constructor(engine: Engine) {
    this.#engine = engine
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Result<Row>> {
    const statement: Statement = { text, values }
    const exchange = createExchange([statement], null)
    const data = await this.#send({ bytes: exchange.bytes, steps: 1 })
    try {
      return (await receive(exchange, data))[0] as Result<unknown> as Result<Row>
    } catch (error) {
      throw toFault(error, false)
    }
  }

  async script(sqlText: string): Promise<void> {
    const out = new Outgoing()
    out.query(sqlText)
    const error = findError(await this.#send({ bytes: out.bytes(), steps: null }))
    if (error !== null) throw toFault(error, false)
  }

  /** All share one session, so an open transaction is rolled back and a changed role or setting is reset. */
  async close(): Promise<void> {
    if (this.#closed) return
    const out = new Outgoing()
    out.query('rollback')
    await this.#send({ bytes: out.bytes(), steps: null }).catch(() => undefined)
    await this.script('reset all; reset role').catch(() => undefined)
    this.#closed = true
  }

  async #send(request: { bytes: Uint8Array; steps: number | null }): Promise<Uint8Array> {
    if (this.#closed) throw new DatabaseFault('the connection was closed', { code: '08003' })
    try {
      return (await this.#engine.send({ ...request, owner: true }).answer).data
    } catch (error) {
      throw faultOf(error, false, OWNER_ANSWER)
    }
  }
}

function receive(exchange: Exchange, data: Uint8Array): Promise<Answer[]> {
  deliver(data, exchange)
  return exchange.promise
}

/** `harmless`: it cannot have changed anything. */
function faultOf(error: unknown, harmless: boolean, limit: number): DatabaseFault {
  if (error instanceof AnswerTooBigError) return new AnswerTooLargeFault(limit, error)
  if (error instanceof WithdrawnError) return new PoolTimeoutFault(error.message)
  if (!(error instanceof EngineLostError)) return toFault(error, false)
  if (error.committing && !harmless) return new OutcomeUnknownFault(error.message, error)
  if (error.cause === 'time')
    return new DatabaseFault(`canceled: ${error.message}`, { code: '57014', cause: error })
  if (error.cause === 'complexity') return new DatabaseFault(error.message, { code: '54001', cause: error })
  if (error.cause === 'memory') return new AnswerTooLargeFault(limit, error)
  return new UnavailableFault(error.message, error)
}
