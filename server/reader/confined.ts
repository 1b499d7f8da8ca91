// Processes that read bytes from outside: how they are started, what they may use, and how they end. Decoders
// are native code, and a thread's limits only cover JavaScript; a process can be killed.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isObserved, note, observed, offerLevel } from '#server/observe.ts'
import { type Usage, usageOf } from './usage.ts'

export interface Limits {
  /** Resident memory, including the programs it starts. */
  readonly memoryBytes: number
  readonly cpuMs: number
  /** While the server waits for it; not while it waits for the server. */
  readonly wallMs: number
}
export type Exceeded = 'memory' | 'cpu' | 'wall'

export const READER_LIMITS: Limits = { memoryBytes: 512 * 2 ** 20, cpuMs: 60_000, wallMs: 120_000 }

const LOOK_MS = 100
/**
 * What V8 and its threads reserve without using it: RLIMIT_DATA counts it, the limit of
 * resident memory does not.
 */
const RESERVED_BYTES = 768 * 2 ** 20

/** Kills it when its parent ends, even a parent that was killed and could not do it. */
const TIED: readonly string[] = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--']
/** Between two checks a native decoder can take gigabytes: the kernel's limits stop that. */
const LIMITED: readonly string[] = ['prlimit', '--core=0']

let kernelLimits: boolean | undefined
/** Both programs belong to util-linux, which other systems lack. */
function hasKernelLimits(): boolean {
  kernelLimits ??=
    process.platform === 'linux' &&
    spawnSync(TIED[0]!, [...TIED.slice(1), ...LIMITED, 'true'], { stdio: 'ignore', timeout: 5_000 })
      .status === 0
  return kernelLimits
}

type Command = readonly [command: string, args: string[]]
const commandOf = ([command = '', ...args]: readonly string[]): Command => [command, args]

/** For a program started by a confined process, whose limits it inherits. */
export const tiedCommand = (...command: readonly string[]): Command =>
  commandOf(hasKernelLimits() ? [...TIED, ...command] : command)

function limitedCommand(command: readonly string[], memoryBytes: number, cpuMs: number | null): Command {
  if (!hasKernelLimits()) return commandOf(command)
  const seconds = cpuMs === null ? null : Math.ceil(cpuMs / 1000)
  const cpu = seconds === null ? [] : [`--cpu=${seconds}:${seconds + 2}`]
  return commandOf([...TIED, ...LIMITED, `--data=${memoryBytes + RESERVED_BYTES}`, ...cpu, ...command])
}

export interface ConfinedOptions {
  readonly memoryBytes: number
  /** For its whole life; null if it does one task after the other. */
  readonly cpuMs: number | null
  /** Lines through pipes (see run-reader.ts), or Node's own messages. */
  readonly talk: 'lines' | 'json' | 'advanced'
  readonly env?: NodeJS.ProcessEnv
  readonly nodeArgs?: readonly string[]
}
/** Another program than ours: it is asked by its arguments and answers on its standard output. */
export type ProgramOptions = Omit<ConfinedOptions, 'talk' | 'nodeArgs'>

const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach(killGroup))
offerLevel('children', 'readers', () => running.size)

/**
 * Starts one of our programs in its own process group, without the server's settings, which include secrets,
 * and outside the server's folders.
 */
export function startConfined(file: URL, options: ConfinedOptions): ChildProcess {
  const { memoryBytes, nodeArgs = [] } = options
  const heapMb = Math.round((memoryBytes * 0.75) / 2 ** 20)
  const node = [process.execPath, `--max-old-space-size=${heapMb}`, ...nodeArgs, fileURLToPath(file)]
  return start(node, options, options.talk, basename(file.pathname, '.ts'))
}

/** The same for a program of somebody else. */
export const startProgram = (command: readonly string[], options: ProgramOptions): ChildProcess =>
  start(command, options, 'output', basename(command[0] ?? ''))

function start(
  program: readonly string[],
  { memoryBytes, cpuMs, env = {} }: ProgramOptions,
  talk: ConfinedOptions['talk'] | 'output',
  name: string,
): ChildProcess {
  const [command, args] = limitedCommand(program, memoryBytes, cpuMs)
  const child = spawn(command, args, {
    env,
    cwd: tmpdir(),
    detached: true,
    ...(talk === 'lines'
      ? { stdio: ['pipe', 'ignore', 'ignore', 'pipe'] }
      : talk === 'output'
        ? { stdio: ['ignore', 'pipe', 'ignore'] }
        : { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: talk }),
  })
  passOnFaults(child)
  running.add(child)
  const forget = (): void => void running.delete(child)
  child.once('exit', forget)
  child.once('error', forget)
  if (isObserved()) tellEnd(child, name)
  return child
}

/** What one process may write into our log. */
const MOST_WRITTEN = 16_384

/** What a library or Node writes there goes where the server's own faults go, with its request or job. */
export function passOnFaults({ stderr }: ChildProcess): void {
  let left = MOST_WRITTEN
  const pass = (text: string): void => {
    if (left > 0) process.stderr.write(text.slice(0, left))
    left -= text.length
  }
  stderr?.setEncoding('utf8').on('data', AsyncLocalStorage.bind(pass))
}

/** Those that the server itself has ended. */
const killed = new WeakSet<ChildProcess>()

/**
 * The server kills those that are done, so only what ends otherwise has failed: also by the kernel's kill, for lack of
 * memory.
 */
function tellEnd(child: ChildProcess, name: string): void {
  const end = (): Promise<void> =>
    new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) =>
        code === 0 || killed.has(child) ? resolve() : reject(new Error(`ended with ${signal ?? code}`)),
      )
    })
  observed({ kind: 'child', name }, end).catch(() => undefined)
}

/** Kills it and everything it started. */
export function killGroup(child: ChildProcess): void {
  const { pid, exitCode, signalCode } = child
  killed.add(child)
  if (pid === undefined || pid <= 1 || exitCode !== null || signalCode !== null) return
  for (const target of [-pid, pid])
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // Already gone.
    }
}

/**
 * Checks the process's usage until the returned function is called; reports the first limit that it exceeds.
 */
export function watchUsage(
  child: ChildProcess,
  { memoryBytes, cpuMs }: Pick<Limits, 'memoryBytes' | 'cpuMs'>,
  onExceeded: (what: Exceeded, used: Usage) => void,
): () => void {
  let before: number | null = null
  let stopped = false
  const look = setInterval(() => {
    if (child.pid === undefined) return
    void usageOf(child.pid).then((used) => {
      before ??= used.cpuMs
      const what = used.memoryBytes > memoryBytes ? 'memory' : used.cpuMs - before > cpuMs ? 'cpu' : null
      if (what === null || stopped) return
      end()
      note('loss', what)
      onExceeded(what, used)
    })
  }, LOOK_MS)
  const end = (): void => {
    stopped = true
    clearInterval(look)
  }
  return end
}

/** Kills every reading process, whatever it is doing; resolves when all of them are gone. */
export async function closeReaders(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const gone = once(child, 'exit')
      killGroup(child)
      await gone
    }),
  )
}

/** For tests and for the log: the number of running processes. */
export const readersRunning = (): number => running.size
