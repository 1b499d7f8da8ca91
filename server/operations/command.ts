// What the commands dump, restore and move have in common: German messages, and an exit code
// that scripts can rely on.
import { ConfigFault } from '#server/config.ts'
import { DatabaseFault, UnavailableFault } from '#server/database/database.ts'

const FOR_OPERATORS = new Set(['OperatorFault', 'FolderInUse', 'FolderNotUsable'])

/** Runs a command; a fault is printed in one sentence and sets exit code 1. */
export async function runCommand(usage: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
    process.exitCode = 0
  } catch (error) {
    console.error(messageOf(error, usage))
    process.exitCode = 1
  }
}

function messageOf(error: unknown, usage: string): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigFault || FOR_OPERATORS.has(error.name)) return error.message
  if ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) return `${error.message}\n${usage}`
  if (error instanceof UnavailableFault)
    return `Die Datenbank ist nicht erreichbar (${error.message}). Bitte die Adresse prüfen und ob PostgreSQL läuft.`
  if (error instanceof DatabaseFault)
    return `Die Datenbank meldet einen Fehler: ${error.message} (${error.code})`
  return `Unerwarteter Fehler: ${error.stack ?? error.message}`
}

export const inMegabytes = (bytes: number) =>
  `${(bytes / 1e6).toLocaleString('de-DE', { maximumFractionDigits: 1 })} MB`
export const count = (number: number) => number.toLocaleString('de-DE')
