// The real server as its own process, for the journeys: embedded trial in a temporary folder, or on the test run's PostgreSQL.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../test/private-postgres.ts'

const ROOT = join(import.meta.dirname, '..')
/** As `npm start` sets it: what one start has compiled, the next ones find. */
const COMPILED = join(ROOT, '.cache/compile')

export interface AppOptions {
  /** Settings on top of the trial's; PORT and DATA_DIR are chosen when they are not given. */
  readonly env?: Readonly<Record<string, string>>
  /** An existing folder to start on; then it is kept at the end. */
  readonly dataDir?: string
  readonly port?: number
}

export interface RunningApp {
  readonly origin: string
  readonly port: number
  readonly dataDir: string
  /** From the start of the process until /healthz said ok. */
  readonly readyMs: number
  /** Everything the process has written so far. */
  output(): string
  /** In order; answers the exit code. */
  stop(): Promise<number | null>
  /** kill -9. */
  kill(): Promise<void>
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'forstkontor-e2e-'))

interface Spawned {
  readonly child: ChildProcess
  readonly origin: string
  readonly port: number
  readonly dataDir: string
  output(): string
}

async function spawnApp({ env = {}, dataDir = temporaryFolder(), port }: AppOptions): Promise<Spawned> {
  const chosen = port ?? (await freePort())
  const child = spawn(process.execPath, [join(ROOT, 'server/main.ts')], {
    cwd: ROOT,
    // Nothing of the tester's own environment but what a process needs.
    env: {
      PATH: process.env['PATH'],
      HOME: tmpdir(),
      TZ: 'Europe/Berlin',
      PORT: String(chosen),
      DATA_DIR: dataDir,
      NODE_COMPILE_CACHE: COMPILED,
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
  return { child, origin: `http://localhost:${chosen}`, port: chosen, dataDir, output: () => written }
}

/** Starts and waits until the server is ready. */
export async function startApp(options: AppOptions = {}): Promise<RunningApp> {
  const started = performance.now()
  const app = await spawnApp(options)
  const { child, origin, dataDir } = app
  const gone = once(child, 'exit')
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await gone
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
    return code
  }
  const kill = async () => void (await end('SIGKILL'))
  return { origin, port: app.port, dataDir, readyMs, output: app.output, stop, kill }
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
