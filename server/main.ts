// Starts the server, tells the operator in German what happened, and ends it in order.
import './fetch.ts'
import { type Config, ConfigFault, readProcessConfig } from './config.ts'
import { createLog } from './log.ts'
import { startServer } from './start.ts'

const log = createLog(
  (line) => process.stdout.write(`${line}\n`),
  () => new Date(),
)

/** Faults whose message is written for the operator. */
const FOR_OPERATORS = new Set(['ConfigFault', 'OperatorFault', 'FolderInUse', 'FolderNotUsable'])

function sayFault(error: unknown): void {
  const known = error instanceof Error && (error instanceof ConfigFault || FOR_OPERATORS.has(error.name))
  const message = error instanceof Error ? error.message : String(error)
  console.error(`\nForstkontor startet nicht: ${known ? message : `unerwarteter Fehler – ${message}`}\n`)
  if (!known && error instanceof Error) log.error('start failed', { name: error.name, stack: error.stack })
}

/** The first signal ends in order, a second one at once. */
function endOnSignal(stop: () => Promise<void>): void {
  let ending = false
  const end = async () => {
    if (ending) process.exit(1)
    ending = true
    console.log('\nForstkontor wird beendet …')
    await stop().catch((error: unknown) => log.error('stop failed', { reason: String(error) }))
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end())
}

async function main(): Promise<void> {
  let config: Config
  try {
    config = readProcessConfig()
    const server = await startServer({ config, log, now: () => new Date() })
    endOnSignal(() => server.stop())
    console.log(server.welcome)
  } catch (error) {
    sayFault(error)
    process.exit(1)
  }
}

await main()
