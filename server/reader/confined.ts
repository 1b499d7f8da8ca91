// Processes that read bytes from outside: how they are started, what they may use, and how they end. Decoders are native code, and a thread's limits count JavaScript alone; a process can be killed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Usage, usageOf } from './usage.ts'

export interface Limits {
  /** Resident, with the programs it starts. */
  readonly memoryBytes: number
  readonly cpuMs: number
  /** While somebody waits for it; not while it waits itself. */
  readonly wallMs: number
}
export type Exceeded = 'memory' | 'cpu' | 'wall'

export const READER_LIMITS: Limits = { memoryBytes: 512 * 2 ** 20, cpuMs: 60_000, wallMs: 120_000 }

const LOOK_MS = 100
/** What V8 and its threads reserve without using it: counted by RLIMIT_DATA, not by the limit of resident memory. */
const RESERVED_BYTES = 768 * 2 ** 20

/** Ends it with whoever started it, even one that was killed and could tell nobody. */
const TIED: readonly string[] = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--']
/** Between two looks a native decoder can take gigabytes: the kernel's own limits hold there. */
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

/** For a program that a confined process starts: it has that one's limits already. */
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
  /** Of its whole life; null where it serves one piece of work after the other. */
  readonly cpuMs: number | null
  /** Lines through pipes (see run-reader.ts), or Node's own messages. */
  readonly talk: 'lines' | 'json' | 'advanced'
  readonly env?: NodeJS.ProcessEnv
  readonly nodeArgs?: readonly string[]
}

const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach(killGroup))

/** A program of ours in a process group of its own, without the server's settings, among which are secrets, and in no folder of the server's. */
export function startConfined(
  file: URL,
  { memoryBytes, cpuMs, talk, env = {}, nodeArgs = [] }: ConfinedOptions,
): ChildProcess {
  const heapMb = Math.round((memoryBytes * 0.75) / 2 ** 20)
  const [command, args] = limitedCommand(
    [process.execPath, `--max-old-space-size=${heapMb}`, ...nodeArgs, fileURLToPath(file)],
    memoryBytes,
    cpuMs,
  )
  const child = spawn(command, args, {
    env,
    cwd: tmpdir(),
    detached: true,
    ...(talk === 'lines'
      ? { stdio: ['pipe', 'ignore', 'ignore', 'pipe'] }
      : { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: talk }),
  })
  running.add(child)
  const forget = (): void => void running.delete(child)
  child.once('exit', forget)
  child.once('error', forget)
  return child
}

/** Ends it and all that it started. */
export function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || pid <= 1 || exitCode !== null || signalCode !== null) return
  for (const target of [-pid, pid])
    try {
      process.kill(target, 'SIGKILL')
    } catch {
      // Gone already.
    }
}

/** Looks at what the process uses, from now until the answered function is called; tells the first limit that it exceeds. */
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
      onExceeded(what, used)
    })
  }, LOOK_MS)
  const end = (): void => {
    stopped = true
    clearInterval(look)
  }
  return end
}

/** Ends every process that reads something, whatever it is doing; answers when all of them are gone. */
export async function closeReaders(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const gone = once(child, 'exit')
      killGroup(child)
      await gone
    }),
  )
}

/** For tests and for the log: how many of them there are. */
export const readersRunning = (): number => running.size
