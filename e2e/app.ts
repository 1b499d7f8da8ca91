// Runs the real server in its own process for the journeys: a private trial with the sample data, or what the
// settings say.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnerConnection } from '../server/database/database.ts'
import { createOwnerConnection } from '../server/database/postgres-owner.ts'
import { asUser, copyDatabase, dropDatabase } from '../test/databases.ts'
import { freePort } from '../test/private-postgres.ts'
import { START_ENV, START_FLAGS } from '../test/start-command.ts'

const ROOT = join(import.meta.dirname, '..')
/**
 * URL of the database with the sample data that servers copy (e2e/sample.setup.ts); without it every trial
 * runs on the embedded engine.
 */
export const SAMPLE_URL = 'E2E_SAMPLE_URL'

export interface AppOptions {
  /**
   * `embedded`: the trial as `npm start` starts it. Otherwise the sample data is in PostgreSQL if available,
   * which starts with a fraction of the work.
   */
  readonly engine?: 'embedded'
  /** Settings on top of the trial's; PORT and DATA_DIR are chosen if not given. */
  readonly env?: Readonly<Record<string, string>>
  /** An existing folder to start on; it is kept at the end. */
  readonly dataDir?: string
  readonly port?: number
  /** Replaces the server itself, for example by `npm start`. */
  readonly command?: readonly [program: string, ...words: string[]]
  /** Changes the copy of the sample data before the server starts on it; needs PostgreSQL. */
  readonly prepare?: (owner: OwnerConnection) => Promise<void>
}

export interface RunningApp {
  readonly origin: string
  readonly port: number
  readonly pid: number
  readonly dataDir: string
  /** From the start of the process until /healthz answered ok. */
  readonly readyMs: number
  readonly child: ChildProcess
  /** All output of the process so far. */
  output(): string
  /** Stops it regularly; returns the exit code. */
  stop(): Promise<number | null>
  /** kill -9. */
  kill(): Promise<void>
  /** Stops it and starts it again in the same place, on the same data, with only these settings. */
  restart(env?: AppOptions['env']): Promise<RunningApp>
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'forstkontor-e2e-'))

export interface Spawned {
  readonly child: ChildProcess
  readonly origin: string
  readonly port: number
  readonly dataDir: string
  output(): string
  /** Removes what was created for this process only, once it has ended. */
  clear(): Promise<void>
}

/** Journeys that start with the sample data and do not choose where it is stored. */
const mayBeCopied = ({ engine, env = {}, dataDir }: AppOptions): boolean =>
  engine === undefined &&
  dataDir === undefined &&
  env['DATABASE_URL'] === undefined &&
  env['NODE_ENV'] === undefined

/** What to run, and how to clean up afterwards. */
async function commandOf(options: AppOptions): Promise<Pick<Place, 'args' | 'clear'>> {
  const sample = process.env[SAMPLE_URL]
  if (sample === undefined || !mayBeCopied(options)) {
    if (options.prepare) throw new Error('sample data can be changed in PostgreSQL alone')
    return { args: ['server/main.ts'], clear: () => Promise.resolve() }
  }
  const url = await copyDatabase(sample)
  if (options.prepare) {
    const owner = await createOwnerConnection(url)
    try {
      await options.prepare(owner)
    } finally {
      await owner.close()
    }
  }
  return { args: ['e2e/trial-on-postgres.ts', asUser(url, 'forst_api'), url], clear: () => dropDatabase(url) }
}

/** Everything needed to start a server, possibly again after it has ended. */
interface Place {
  readonly args: readonly string[]
  readonly dataDir: string
  readonly port: number
  clear(): Promise<void>
}

async function placeOf(options: AppOptions): Promise<Place> {
  const { dataDir = temporaryFolder(), port } = options
  const chosen = port ?? (await freePort())
  return { ...(await commandOf(options)), dataDir, port: chosen }
}

/** Does not wait until it is ready. */
export const spawnApp = async (options: AppOptions): Promise<Spawned> =>
  spawnAt(await placeOf(options), options)

function spawnAt({ args, dataDir, port, clear }: Place, { env = {}, command }: AppOptions): Spawned {
  const [program, ...words] = command ?? [process.execPath, ...START_FLAGS, ...args]
  const child = spawn(program, words, {
    cwd: ROOT,
    // From the tester's environment only what a process needs.
    env: {
      PATH: process.env['PATH'],
      HOME: tmpdir(),
      TMPDIR: tmpdir(),
      TZ: 'Europe/Berlin',
      PORT: String(port),
      DATA_DIR: dataDir,
      ...START_ENV,
      // Two minutes after a start the server would catch up on its dump and restore it as proof, which is
      // more work than a whole journey; backup-schedule.sql.test.ts covers it.
      BACKUP: 'off',
      // No proxy checks their health before they end.
      DRAIN_S: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      written += text
    })
  }
  return { child, origin: `http://localhost:${port}`, port, dataDir, output: () => written, clear }
}

const MOST_TO_END_MS = 60_000

/** Starts and waits until the server is ready. */
export const startApp = async (options: AppOptions = {}): Promise<RunningApp> =>
  startAt(await placeOf(options), options)

async function startAt(place: Place, options: AppOptions): Promise<RunningApp> {
  const started = performance.now()
  const app = spawnAt(place, options)
  const { child, origin, dataDir } = app
  const gone = once(child, 'exit')
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      // Node may wait for ever at its end for a thread that compiles and waits for the main thread
      // (nodejs/node#54918). The product has a watchdog for that, a server of journeys this.
      const timer = setTimeout(() => child.kill('SIGKILL'), MOST_TO_END_MS)
      await gone
      clearTimeout(timer)
    }
    return child.exitCode
  }
  while (!(await isReady(origin))) {
    if (child.exitCode !== null || performance.now() - started > 120_000) {
      await end('SIGKILL')
      throw new Error(`the server did not become ready:\n${app.output()}`)
    }
    await sleep(50)
  }
  const readyMs = performance.now() - started
  const stop = async () => {
    const code = await end('SIGTERM')
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    await app.clear()
    return code
  }
  const kill = async () => void (await end('SIGKILL'))
  const restart = async (env: AppOptions['env'] = {}) => {
    await end('SIGTERM')
    return startAt(place, { ...options, env })
  }
  return {
    child,
    pid: child.pid ?? 0,
    origin,
    port: app.port,
    dataDir,
    readyMs,
    output: app.output,
    stop,
    kill,
    restart,
  }
}

/** A start that is expected to fail. */
export async function failingStart(options: AppOptions): Promise<{ code: number | null; output: string }> {
  const { child, output } = await spawnApp(options)
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000)
  await once(child, 'exit')
  clearTimeout(timer)
  return { code: child.exitCode, output: output() }
}

async function isReady(origin: string): Promise<boolean> {
  return fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(2000) }).then(
    (answer) => answer.ok,
    () => false,
  )
}
