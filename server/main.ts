// Starts the server, tells the operator in German what happened, and shuts it down cleanly and in time.
import './fetch.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, ConfigFault, readLogFormat, readProcessConfig } from './config.ts'
import { type Outputs, openOutputs } from './outputs.ts'
import { killOffspring } from './offspring.ts'
import { type RunningServer, startServer } from './start.ts'
import { tellWhileStarting } from './still-starting.ts'
import { setWatchdog } from './watchdog.ts'

/** Errors whose message is written for the operator. */
const FOR_OPERATORS = new Set(['ConfigFault', 'OperatorFault', 'FolderInUseError', 'FolderNotUsableError'])

/** Before the settings are read there are none to follow but the format's own. */
const firstOutputs = (): Outputs => openOutputs({ LOG_FORMAT: readLogFormat(), LOG_LEVEL: 'info' })

function sayFault(error: unknown, { log, isJson }: Outputs): void {
  const known = error instanceof Error && (error instanceof ConfigFault || FOR_OPERATORS.has(error.name))
  const message = error instanceof Error ? error.message : String(error)
  if (!isJson)
    console.error(`\nForstkontor startet nicht: ${known ? message : `unerwarteter Fehler – ${message}`}\n`)
  if (known && isJson) log.error('start failed', { reason: message })
  if (!known && error instanceof Error) log.error('start failed', { name: error.name, stack: error.stack })
}

/**
 * Milliseconds after the grace period: at the first the orderly shutdown is cut short by process.exit, at the
 * second the watchdog kills.
 */
const [IN_ORDER_MS, AT_ALL_MS] = [650, 900]
/**
 * process.exit waits for threads, and a thread may be busy in native code. On a busy machine that takes a
 * while: it gets what is left of the grace period, within limits, because the data folder is free by then.
 */
const [LEAST_EXIT_MS, AT_ONCE_MS, MOST_EXIT_MS] = [250, 2_000, 10_000]

/** @param exitMs until the watchdog kills the process, whatever it is doing */
function leave(code: number, exitMs: number): never {
  killOffspring(process.pid)
  setWatchdog(Math.min(MOST_EXIT_MS, Math.max(LEAST_EXIT_MS, exitMs)))
  process.exit(code)
}

/** The first signal ends the process in an orderly way, a second one at once. */
function endOnSignal(
  { GRACE_S, DRAIN_S }: Config,
  { giveUp, say }: Pick<Outputs, 'say'> & { readonly giveUp: AbortController },
  starting: Promise<RunningServer>,
): void {
  let server: RunningServer | null = null
  let ending = false
  const end = async () => {
    if (ending) leave(1, AT_ONCE_MS)
    ending = true
    const drainMs = server === null ? 0 : DRAIN_S * 1000
    const endMs = drainMs + GRACE_S * 1000
    setWatchdog(endMs + AT_ALL_MS)
    const last = performance.now() + endMs + AT_ALL_MS
    const left = (): number => last - performance.now()
    setTimeout(() => leave(1, left()), endMs + IN_ORDER_MS)
    say('\nForstkontor wird beendet …')
    giveUp.abort()
    server?.drain()
    await sleep(drainMs)
    const overdue = await starting.then(
      (running) => running.stop(),
      () => [],
    )
    leave(overdue.length === 0 ? 0 : 1, left())
  }
  starting.then(
    (running) => {
      server = running
    },
    () => undefined,
  )
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end())
}

async function main(): Promise<void> {
  const giveUp = new AbortController()
  let outputs: Outputs | null = null
  try {
    const config = readProcessConfig()
    outputs = openOutputs(config)
    const { log, say } = outputs
    const starting = startServer({ config, log, now: () => new Date(), signal: giveUp.signal })
    endOnSignal(config, { giveUp, say }, starting)
    const { welcome } = await tellWhileStarting(starting, say)
    say(welcome)
    // How to sign in is no part of a log: `npm run setup-link` and `npm run demo-password` say it.
    log.info('ready', { origin: config.PUBLIC_ORIGIN })
  } catch (error) {
    if (giveUp.signal.aborted) return
    sayFault(error, outputs ?? firstOutputs())
    process.exit(1)
  }
}

await main()
