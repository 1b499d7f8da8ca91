// PostgreSQL for a measurement: default durability, and its CPU time.
import { readdirSync, readFileSync } from 'node:fs'
import { findPostgresBinaries } from '../../test/postgres-binaries.ts'
import { startPrivatePostgres as start } from '../../test/private-postgres.ts'

export interface PrivatePostgres {
  /** Connection URL of the superuser. */
  readonly url: string
  /** CPU seconds used so far by the server and all its processes. */
  cpuSeconds(): number
  stop(): Promise<void>
}

export async function startPrivatePostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<PrivatePostgres> {
  const binaries = findPostgresBinaries()
  if (binaries === undefined)
    throw new Error(
      'no PostgreSQL 15 or newer with PostGIS is installed: apt install postgresql-15-postgis-3',
    )
  const { url, pid, stop } = await start(binaries, settings)
  return { url, cpuSeconds: () => cpuSecondsOf(pid), stop }
}

/** Linux only; elsewhere the figure stays empty. The kernel counts in hundredths of a second. */
function cpuSecondsOf(parent: number): number {
  let ticks = 0
  try {
    for (const entry of readdirSync('/proc')) {
      if (!/^[0-9]+$/.test(entry)) continue
      try {
        const fields = readFileSync(`/proc/${entry}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')
        if (entry === String(parent) || fields[1] === String(parent))
          ticks += Number(fields[11]) + Number(fields[12])
      } catch {
        // the process has ended in the meantime
      }
    }
  } catch {
    return Number.NaN
  }
  return ticks / 100
}
