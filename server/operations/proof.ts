// Proves a dump: a separate process restores it into an empty database and compares it. The
// process has limits of memory and time and is ended with everything it started; what it made is
// removed however it ended.
import { type ChildProcess, fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { certificateFlags, environmentOfConnection } from '#server/database/connection-environment.ts'
import { databaseOf, withDatabase } from '#server/database/address.ts'
import type { OwnerConnection } from '#server/database/database.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { killGroup, passOnFaults } from '#server/reader/confined.ts'
import { usageOf } from '#server/reader/usage.ts'
import type { ProofOrder, ProofReply } from './proof-process.ts'

export interface ProofOptions {
  /**
   * Address of PostgreSQL; without it, or if its owner may not create a database, the embedded engine takes
   * the rows: dumps do not depend on the engine.
   */
  readonly ownerUrl?: string
  /** Parent of the embedded engine's temporary folder. */
  readonly folder: string
  /** The folder db/. */
  readonly schemaFolder: string
  /** Saves creating an embedded database from scratch. */
  readonly templateArchive?: string
  readonly memoryBytes?: number
  readonly timeoutMs?: number
  /** For tests: called with the process as it starts. */
  onStart?(child: ChildProcess): void
}

/** The dump is worthless; every other reason lets it be good. */
export class BadDumpFault extends Error {
  override readonly name = 'BadDumpFault'
}

/** The process, unlike the server, does not reach PostgreSQL. */
class NoConnectionError extends Error {}

export interface Proof {
  /** Rejects with BadDumpFault if the dump cannot be restored, else for reasons of the machine, or if aborted. */
  prove(path: string, signal: AbortSignal): Promise<void>
  /** Removes what a killed server left behind of dumps and proofs. Only while holding the lock among the servers. */
  sweep(): Promise<void>
}

/** The embedded engine with PostGIS takes 0.9 GB; rows are streamed. */
const MEMORY_BYTES = 2 ** 31
const HEAP_MB = 768
/** 2 GB take half an hour on a slow machine. */
const TIMEOUT_MS = 4 * 3_600_000
const LOOK_MS = 500
const PROCESS = fileURLToPath(new URL('./proof-process.ts', import.meta.url))
const FOLDER = 'probe-'
/** A dump that was being written (dump-file.ts); those made by hand have other names and may be under way. */
const isDraft = (name: string): boolean => /^forstkontor-[^/]+\.gz\.neu-\d+$/.test(name)

/** Other installations may be on the same PostgreSQL server. */
const prefixOf = (ownerUrl: string): string =>
  `forstkontor_probe_${createHash('sha256')
    .update(`/${databaseOf(ownerUrl)}`)
    .digest('hex')
    .slice(0, 8)}_`

export function createProof(options: ProofOptions): Proof {
  const { ownerUrl, folder, schemaFolder, templateArchive } = options

  async function embedded(path: string, signal: AbortSignal): Promise<void> {
    const place = await mkdtemp(join(folder, FOLDER))
    try {
      await inProcess(
        {
          path,
          schemaFolder,
          place: { folder: place, ...(templateArchive !== undefined && { templateArchive }) },
        },
        signal,
        options,
      )
    } finally {
      await rm(place, { recursive: true, force: true, maxRetries: 5 })
    }
  }

  async function beside(
    owner: OwnerConnection,
    url: string,
    path: string,
    signal: AbortSignal,
  ): Promise<'done' | 'not here'> {
    const name = `${prefixOf(url)}${randomBytes(6).toString('hex')}`
    await owner.query(`create database ${name} template template0 encoding 'UTF8'`)
    try {
      await inProcess({ path, schemaFolder, place: { url: withDatabase(url, name) } }, signal, options)
      return 'done'
    } catch (error) {
      if (error instanceof NoConnectionError) return 'not here'
      if (error instanceof Error && error.message.includes('CREATE EXTENSION postgis')) return 'not here'
      throw error
    } finally {
      await owner.query(`drop database if exists ${name} with (force)`)
    }
  }

  return {
    async prove(path, signal) {
      if (ownerUrl === undefined) return embedded(path, signal)
      const owner = await createOwnerConnection(ownerUrl)
      try {
        if ((await mayCreate(owner)) && (await beside(owner, ownerUrl, path, signal)) === 'done') return
      } finally {
        await owner.close()
      }
      await embedded(path, signal)
    },
    async sweep() {
      for (const name of await readdir(folder).catch(() => []))
        if (name.startsWith(FOLDER) || isDraft(name))
          await rm(join(folder, name), { recursive: true, force: true })
      if (ownerUrl === undefined) return
      const owner = await createOwnerConnection(ownerUrl)
      try {
        const { rows } = await owner.query<{ name: string }>(
          'select datname as name from pg_database where starts_with(datname, $1)',
          [prefixOf(ownerUrl)],
        )
        for (const { name } of rows) await owner.query(`drop database if exists ${name} with (force)`)
      } finally {
        await owner.close()
      }
    },
  }
}

async function mayCreate(owner: OwnerConnection): Promise<boolean> {
  const { rows } = await owner.query<{ may: boolean }>(
    'select rolcreatedb or rolsuper as may from pg_roles where rolname = current_user',
  )
  return rows[0]?.may === true
}

function inProcess(order: ProofOrder, signal: AbortSignal, options: ProofOptions): Promise<void> {
  const { memoryBytes = MEMORY_BYTES, timeoutMs = TIMEOUT_MS, onStart } = options
  return new Promise<void>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    // The database address is sent as a message, which does not show in a list of processes.
    const child = fork(PROCESS, {
      env: 'url' in order.place ? environmentOfConnection() : {},
      execArgv: [`--max-old-space-size=${HEAP_MB}`, ...certificateFlags()],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      detached: true,
    })
    passOnFaults(child)
    stepAside(child)
    let settled = false
    const settle = (end: () => void): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      clearInterval(look)
      signal.removeEventListener('abort', onAbort)
      const gone = child.exitCode !== null || child.signalCode !== null
      // What it worked in is removed next, so it must be gone first.
      if (gone || child.pid === undefined) end()
      else child.once('exit', end)
      killGroup(child)
    }
    const fail = (reason: string): void => settle(() => reject(new Error(reason)))
    const onAbort = (): void => settle(() => reject(signal.reason as Error))
    const timer = setTimeout(
      () => fail(`Die Probe war nach ${Math.round(timeoutMs / 60_000)} Minuten nicht fertig`),
      timeoutMs,
    )
    const look = setInterval(() => {
      if (child.pid === undefined) return
      void usageOf(child.pid).then((used) => {
        if (used.memoryBytes > memoryBytes)
          fail(`Die Probe brauchte mehr als ${Math.round(memoryBytes / 2 ** 20)} MB Arbeitsspeicher`)
      })
    }, LOOK_MS)
    signal.addEventListener('abort', onAbort, { once: true })
    child.on('message', (reply: ProofReply) => settle(() => (reply.ok ? resolve() : reject(faultOf(reply)))))
    child.on('error', (error) => fail(error.message))
    child.on('exit', (code, ended) => fail(`Der Prozess der Probe endete mit ${ended ?? code}`))
    onStart?.(child)
    child.send(order, () => undefined)
  })
}

function faultOf({ message, why }: Extract<ProofReply, { ok: false }>): Error {
  if (why === 'dump') return new BadDumpFault(message)
  return why === 'connection' ? new NoConnectionError(message) : new Error(message)
}

/** Requests have priority. */
function stepAside({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // Not allowed everywhere; then it runs at normal priority.
  }
}
