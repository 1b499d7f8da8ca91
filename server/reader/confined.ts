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

/** Between two looks a native decoder can take gigabytes: the kernel's own limits hold there. PDEATHSIG ends it with the server, even one that was killed. */
const KERNEL_LIMITS: readonly string[] = ['setpriv', '--pdeathsig', 'KILL', '--no-new-privs', '--', 'prlimit', '--core=0']
let kernelLimits: boolean | undefined
/** Both programs belong to util-linux, which other systems lack. */
function hasKernelLimits(): boolean {
  kernelLimits ??=
    process.platform === 'linux' &&
    spawnSync(KERNEL_LIMITS[0]!, [...KERNEL_LIMITS.slice(1), 'true'], { stdio: 'ignore', timeout: 5_000 }).status === 0
  return kernelLimits
}

/** The same command, within the limits of the kernel where the system has the programs for it. */
export function limitedCommand(
  command: string,
  args: readonly string[],
  { memoryBytes, cpuMs }: { readonly memoryBytes: number; readonly cpuMs: number | null },
): readonly [command: string, args: string[]] {
  if (!hasKernelLimits()) return [command, [...args]]
  const [first = '', ...rest] = KERNEL_LIMITS
  const seconds = cpuMs === null ? null : Math.ceil(cpuMs / 1000)
  return [
    first,
    [...rest, `--data=${memoryBytes + RESERVED_BYTES}`, ...(seconds === null ? [] : [`--cpu=${seconds}:${seconds + 2}`]), command, ...args],
  ]
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
export function startConfined(file: URL, { memoryBytes, cpuMs, talk, env = {}, nodeArgs = [] }: ConfinedOptions): ChildProcess {
  const heapMb = Math.round((memoryBytes * 0.75) / 2 ** 20)
  const [command, args] = limitedCommand(process.execPath, [`--max-old-space-size=${heapMb}`, ...nodeArgs, fileURLToPath(file)], {
    memoryBytes,
    cpuMs,
  })
  const child = spawn(command, args, {
    env,
    cwd: tmpdir(),
    detached: true,
    ...(talk === 'lines'
      ? { stdio: ['pipe', 'ignore', 'ignore', 'pipe'] }
      : { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: talk }),
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
