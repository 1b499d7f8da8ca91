// The thread that runs the embedded engine: takes protocol messages and guards their answers; it knows
// nothing of requests.
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { amcheck } from '@electric-sql/pglite/contrib/amcheck'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { postgis } from '@electric-sql/pglite-postgis'
import { DurableFiles } from './durable-files.ts'
import { OWNER_ANSWER } from './embedded-limits.ts'
import { type LockProof, stillHeld } from './embedded-lock.ts'
import { SharedState } from './embedded-state.ts'
import { engineBundle } from './engine-bundle.ts'
import { type CompiledCode, EngineInstance } from './engine-instance.ts'
import { START_PARAMETERS } from './engine-settings.ts'
import { findError, findHeard, type Heard, tallyAnswers } from './incoming.ts'
import { WrittenFiles } from './written-files.ts'

export interface WorkerStart {
  readonly dataFolder: string
  readonly code: CompiledCode
  readonly state: Int32Array
  readonly written: Int32Array
  /** Null for a folder that no other process can know of. */
  readonly lock: LockProof | null
  /** Maximum bytes of one answer. */
  readonly maxAnswerBytes: number
  /** Limit up to which the engine's memory may grow for one request. */
  readonly requestHeapBytes: number
}

export interface WorkerRequest {
  readonly id: number
  readonly bytes: Uint8Array
  /** Number of statements in `bytes`; null for a script. */
  readonly steps: number | null
  /** Owner-level work: may use as much memory as there is. */
  readonly owner?: boolean
  /**
   * The commit; sent only after a sound answer without an error, so an engine that answers wrongly can never
   * commit.
   */
  readonly onSuccess?: Uint8Array
  /** The rollback; sent after an error. */
  readonly onError?: Uint8Array
}

export type WorkerReply =
  /** Everything except the data folder is loaded. */
  | { readonly kind: 'warm' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'answer'
      readonly id: number
      readonly data: Uint8Array
      readonly end: Uint8Array | null
    }
  /** The engine must be discarded. */
  | {
      readonly kind: 'unsound'
      readonly id: number
      readonly reason: string
      readonly cause: 'complexity' | 'memory'
    }
  /** Its answer, or the memory it took, exceeded the limit; it was rolled back. */
  | { readonly kind: 'too big'; readonly id: number }
  | { readonly kind: 'withdrawn'; readonly id: number }
  /** What NOTIFY has sent; the transaction is committed. */
  | ({ readonly kind: 'heard' } & Heard)
  /** Another process has the data folder: nothing more may be written or confirmed. */
  | { readonly kind: 'lock lost' }
  | { readonly kind: 'closed' }

const {
  dataFolder,
  code,
  state: words,
  written: marks,
  lock,
  maxAnswerBytes,
  requestHeapBytes,
} = workerData as WorkerStart
const port = parentPort
if (port === null) throw new Error('this file runs as a worker')

const reply = (message: WorkerReply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

const state = new SharedState(words)
const written = new WrittenFiles(marks)
const instance = new EngineInstance(code)
const files = new DurableFiles(
  dataFolder,
  {
    beforeFirst() {
      reply({ kind: 'warm' })
      state.awaitFolder()
    },
    assertOurs,
    written,
  },
  (options) => instance.attach(options, fail),
)

/** Does not throw: PGlite would swallow the exception and let the engine go on. */
function assertOurs(): void {
  if (lock === null || stillHeld(lock)) return
  reply({ kind: 'lock lost' })
  SharedState.halt()
}

function fail(error: unknown): void {
  reply({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
}

const slimPostgis: typeof postgis.setup = async (...given) => ({
  ...(await postgis.setup(...given)),
  bundlePath: engineBundle(),
})

async function open(): Promise<PGlite> {
  const engine = await PGlite.create({
    fs: files,
    extensions: { postgis: { ...postgis, setup: slimPostgis }, pg_trgm, amcheck },
    startParams: START_PARAMETERS,
    pgliteWasmModule: code as never,
  })
  // Single-user mode starts without a session user. Unless one is set once, a transaction-local one would
  // outlast its transaction.
  await engine.exec(`set session authorization postgres`)
  await engine.exec('listen pgrst')
  await assertDurable(engine)
  const canary = await engine.query<{ answer: number }>('select 42 as answer')
  if (canary.rows[0]?.answer !== 42) throw new Error('the engine does not answer rightly')
  return engine
}

/** Asserts that fsync is on and that a commit really reaches the disk. */
async function assertDurable(engine: PGlite): Promise<void> {
  const { rows } = await engine.query<{ fsync: string; method: string }>(
    `select current_setting('fsync') as fsync, current_setting('wal_sync_method') as method`,
  )
  if (rows[0]?.fsync !== 'on' || rows[0].method !== 'fsync')
    throw new Error(`syncs are off: ${JSON.stringify(rows[0])}`)
  const before = files.syncs
  await engine.query(`select pg_logical_emit_message(true, 'forstkontor', 'start')`)
  if (files.syncs === before) throw new Error('a commit was not synced to disk')
}

/** More than any engine needs to report a failure or completion. */
const SPARE = 64 * 1024
/** Bytes of the buffer kept between answers. */
const KEPT_BYTES = 2 ** 20

/**
 * Collects an answer up to the limit, in one buffer that grows and shrinks: separate pieces would be left
 * behind, scattered, for as long as the process lives.
 */
class Incoming {
  readonly #buffer = new ArrayBuffer(KEPT_BYTES, {
    maxByteLength: Math.max(maxAnswerBytes, OWNER_ANSWER) + SPARE,
  })
  #limit = 0
  #size = 0

  begin(limit: number): void {
    this.#limit = limit
    this.#size = 0
  }

  readonly take = (bytes: Uint8Array): void => {
    const at = this.#size
    this.#size += bytes.length
    if (this.tooBig) return instance.cancel()
    const { byteLength, maxByteLength } = this.#buffer
    if (this.#size > byteLength)
      this.#buffer.resize(Math.min(maxByteLength, Math.max(this.#size, byteLength * 2)))
    new Uint8Array(this.#buffer).set(bytes, at)
  }

  get tooBig(): boolean {
    return this.#size > this.#limit
  }

  /** Returns a copy; the buffer is free again. */
  end(): Uint8Array {
    const bytes = this.tooBig ? new Uint8Array(0) : new Uint8Array(this.#buffer, 0, this.#size).slice()
    if (this.#buffer.byteLength > KEPT_BYTES) this.#buffer.resize(KEPT_BYTES)
    return bytes
  }
}

type Ran =
  | { readonly kind: 'sound'; readonly data: Uint8Array; readonly failed: boolean }
  | { readonly kind: 'too big' }
  | { readonly kind: 'unsound'; readonly reason: string; readonly cause: 'complexity' | 'memory' }

/** Headroom: a commit or rollback that finds no memory would take the engine down with it. */
const SPARE_HEAP = 64 * 2 ** 20

const incoming = new Incoming()

interface Room {
  readonly answer: number
  readonly heap: number
}

/**
 * Runs bytes through the engine. The stream variant delivers the answer piece by piece and keeps none of it.
 */
async function run(engine: PGlite, bytes: Uint8Array, steps: number | null, room: Room): Promise<Ran> {
  incoming.begin(room.answer)
  const { value: done, refusedMemory } = instance.within(room.heap, () =>
    engine.execProtocolRawStream(bytes, { syncToFs: false, onRawData: incoming.take }),
  )
  let broken: string | null = null
  await done.catch((error: unknown) => {
    broken = error instanceof Error ? error.message : String(error)
  })
  state.heapBytes = instance.heapBytes
  const cause = refusedMemory ? 'memory' : 'complexity'
  const { tooBig } = incoming
  const data = incoming.end()
  if (broken !== null) return { kind: 'unsound', reason: broken, cause }
  if (tooBig) return { kind: 'too big' }
  const { failed, sound } = tallyAnswers(data, steps)
  if (!sound) return { kind: 'unsound', reason: 'the answer is incomplete', cause }
  if (failed && refusedMemory && findError(data)?.code === '53200') return { kind: 'too big' }
  for (const heard of findHeard(data)) reply({ kind: 'heard', ...heard })
  return { kind: 'sound', data, failed }
}

/** Begins no further request: what still waits in the mailbox never happened, and can be run elsewhere. */
function giveUp(message: Extract<WorkerReply, { kind: 'unsound' }>): never {
  reply(message)
  SharedState.halt()
}

async function answer(engine: PGlite, request: WorkerRequest): Promise<void> {
  const { id, owner = false } = request
  assertOurs()
  if (!state.begin(id)) return reply({ kind: 'withdrawn', id })
  const room = owner
    ? { answer: Math.max(maxAnswerBytes, OWNER_ANSWER) + SPARE, heap: Number.POSITIVE_INFINITY }
    : { answer: maxAnswerBytes + SPARE, heap: requestHeapBytes }
  const first = await run(engine, request.bytes, request.steps, room)
  if (first.kind === 'unsound') return giveUp({ ...first, id })
  const next = first.kind === 'too big' || first.failed ? request.onError : request.onSuccess
  let end: Uint8Array | null = null
  if (next !== undefined) {
    if (next === request.onSuccess) state.committing = id
    const second = await run(engine, next, 1, { answer: SPARE, heap: room.heap + SPARE_HEAP })
    if (second.kind === 'unsound') return giveUp({ ...second, id })
    if (second.kind === 'too big')
      return giveUp({ kind: 'unsound', id, reason: 'the end found no memory', cause: 'memory' })
    end = second.data
  }
  // What was synced before the lock was lost is in the folder that the other process opened; what came later
  // is not.
  assertOurs()
  if (first.kind === 'too big') reply({ kind: 'too big', id })
  else reply({ kind: 'answer', id, data: first.data, end }, [first.data.buffer as ArrayBuffer])
}

try {
  const engine = await open()
  state.heapBytes = instance.heapBytes
  files.opening = false
  written.begin()
  // One at a time: an answer is awaited, and the next message may arrive meanwhile.
  let last: Promise<void> = Promise.resolve()
  port.on('message', (message: WorkerRequest | 'close') => {
    last = last.then(() => (message === 'close' ? close(engine) : answer(engine, message)))
  })
  reply({ kind: 'ready' })
} catch (error) {
  fail(error)
}

async function close(engine: PGlite): Promise<void> {
  try {
    await engine.exec('checkpoint')
    await engine.close()
    written.clear()
  } finally {
    reply({ kind: 'closed' })
    port?.close()
  }
}
