// The thread that runs the embedded engine: takes protocol messages, guards their answers, and knows nothing of requests.
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { amcheck } from '@electric-sql/pglite/contrib/amcheck'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { postgis } from '@electric-sql/pglite-postgis'
import { DurableFiles } from './durable-files.ts'
import { engineBundle } from './engine-bundle.ts'
import { START_PARAMETERS } from './engine-settings.ts'
import { findError, tallyAnswers } from './incoming.ts'

export interface WorkerStart {
  readonly dataFolder: string
  /** Number of the request begun last, and of the one whose commit was begun last: read by the other side when it had to end the thread. */
  readonly begun: Int32Array
  readonly maxAnswerBytes: number
}

export interface WorkerRequest {
  readonly id: number
  readonly bytes: Uint8Array
  /** Statements in `bytes`; null for a script. */
  readonly steps: number | null
  /** Sent after a sound answer without an error: the commit. So a lying engine can never commit. */
  readonly onSuccess?: Uint8Array
  /** Sent after an error: the rollback. */
  readonly onError?: Uint8Array
}

export type WorkerReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'answer'; readonly id: number; readonly data: Uint8Array; readonly end: Uint8Array | null; readonly failed: boolean }
  /** The engine must be thrown away. */
  | { readonly kind: 'unsound'; readonly id: number; readonly reason: string; readonly tooComplex: boolean }
  | { readonly kind: 'too big'; readonly id: number; readonly size: number }
  | { readonly kind: 'closed' }

const { dataFolder, begun, maxAnswerBytes } = workerData as WorkerStart
const port = parentPort
if (port === null) throw new Error('this file runs as a worker')

const files = new DurableFiles(dataFolder)
const reply = (message: WorkerReply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

const slimPostgis: typeof postgis.setup = async (...given) => ({ ...(await postgis.setup(...given)), bundlePath: engineBundle() })

async function open(): Promise<PGlite> {
  const engine = await PGlite.create({
    fs: files,
    extensions: { postgis: { ...postgis, setup: slimPostgis }, pg_trgm, amcheck },
    startParams: START_PARAMETERS,
  })
  // Without a name of its own set once, a transaction-local one would stay after the transaction (single-user mode starts with none).
  await engine.exec(`set session authorization postgres`)
  await assertDurable(engine)
  const canary = await engine.query<{ answer: number }>('select 42 as answer')
  if (canary.rows[0]?.answer !== 42) throw new Error('the engine does not answer rightly')
  return engine
}

/** fsync is on, and a commit really reaches the disk. */
async function assertDurable(engine: PGlite): Promise<void> {
  const { rows } = await engine.query<{ fsync: string; method: string }>(
    `select current_setting('fsync') as fsync, current_setting('wal_sync_method') as method`,
  )
  if (rows[0]?.fsync !== 'on' || rows[0].method !== 'fsync') throw new Error(`syncs are off: ${JSON.stringify(rows[0])}`)
  const before = files.syncs
  await engine.query(`select pg_logical_emit_message(true, 'forstkontor', 'start')`)
  if (files.syncs === before) throw new Error('a commit was not synced to disk')
}

/** Runs bytes through the engine; null when its answer broke the protocol or the stack ran out. */
function run(
  engine: PGlite,
  bytes: Uint8Array,
  steps: number | null,
): { data: Uint8Array; failed: boolean } | { reason: string; tooComplex: boolean } {
  let data: Uint8Array
  try {
    data = engine.execProtocolRawSync(bytes)
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error), tooComplex: false }
  }
  const { failed, sound } = tallyAnswers(data, steps)
  if (!sound) return { reason: 'the answer is incomplete', tooComplex: true }
  // After a stack overflow the engine never finds back: its stack pointer stays where it was.
  if (failed && findError(data)?.code === '54001') return { reason: 'stack depth limit exceeded', tooComplex: true }
  return { data, failed }
}

function answer(engine: PGlite, request: WorkerRequest): void {
  const { id } = request
  Atomics.store(begun, 0, id)
  const first = run(engine, request.bytes, request.steps)
  if ('reason' in first) return reply({ kind: 'unsound', id, ...first })
  const tooBig = first.data.length > maxAnswerBytes
  const next = first.failed || tooBig ? request.onError : request.onSuccess
  let end: Uint8Array | null = null
  if (next !== undefined) {
    if (next === request.onSuccess) Atomics.store(begun, 1, id)
    const second = run(engine, next, 1)
    if ('reason' in second) return reply({ kind: 'unsound', id, ...second })
    end = second.data
  }
  if (tooBig) reply({ kind: 'too big', id, size: first.data.length })
  else reply({ kind: 'answer', id, data: first.data, end, failed: first.failed }, [first.data.buffer as ArrayBuffer])
}

try {
  const engine = await open()
  port.on('message', (message: WorkerRequest | 'close') => {
    if (message !== 'close') return answer(engine, message)
    void engine
      .exec('checkpoint')
      .then(() => engine.close())
      .finally(() => {
        reply({ kind: 'closed' })
        port.close()
      })
  })
  reply({ kind: 'ready' })
} catch (error) {
  reply({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
}
