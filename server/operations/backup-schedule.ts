// Dumps the database every day, restores each dump into a scratch database and compares it, keeps the last
// days and weeks, and records the result.
import { mkdirSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { countAsFailed, createJob, type Job, type Timers } from '#server/job.ts'
import { reasonForLog } from '#server/database/log-reason.ts'
import type { Log } from '#server/log.ts'
import { aloneAmongServers, type AsOwner } from './as-owner.ts'
import { readHead } from './book-anchors.ts'
import { type Dumped, dump } from './dump.ts'
import { checkIntegrity } from './integrity.ts'
import { BadDumpFault, type Proof } from './proof.ts'
import { dumpName, dumpsToDrop, lastRun, nextRun, unprovedName } from './rotation.ts'
import { wordsOf } from './words-of.ts'

export interface BackupOptions {
  readonly asOwner: AsOwner
  readonly proof: Proof
  readonly engine: 'postgres' | 'embedded'
  /** Folder of the dumps. */
  readonly folder: string
  readonly keep: { readonly daily: number; readonly weekly: number }
  readonly log: Log
  readonly now: () => Date
}

export interface BackupResult {
  readonly ergebnis: 'ok' | 'fehler'
  readonly groesse: number
  readonly meldung: string | null
}

/** Arbitrary but fixed: of several servers only one dumps. */
const LOCK = 1_720_336_915

const NEVER = new AbortController().signal

/**
 * Null if another server is doing it, or has done it since `since`. Never rejects for a dump that failed:
 * that is a result, and it is recorded. An aborted one is not; it rejects with the signal's reason.
 */
export async function runBackup(
  options: BackupOptions,
  since: Date | null = null,
  signal: AbortSignal = NEVER,
): Promise<BackupResult | null> {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  return aloneAmongServers(options, LOCK, async () => {
    await options.proof.sweep()
    if (since !== null && (await isDone(options.asOwner, since))) return null
    const start = options.now()
    const path = join(options.folder, dumpName(start, await readHead(options.asOwner)))
    let result: BackupResult
    try {
      const { manifest, size } = await options.asOwner((owner) => dump(owner, path, options.now, signal))
      await proveRestorable(options, path, manifest, signal)
      await dropOld(options)
      result = { ergebnis: 'ok', groesse: size, meldung: null }
      options.log.info('dump made and restored', { path, size })
    } catch (error) {
      signal.throwIfAborted()
      const message = wordsOf(error)
      result = { ergebnis: 'fehler', groesse: 0, meldung: message.slice(0, 1000) }
      options.log.error('dump failed', { path, reason: message })
    }
    await record(options, path, start, result)
    return result
  })
}

async function isDone(asOwner: AsOwner, since: Date): Promise<boolean> {
  const text = `select from betrieb.sicherung where zeit >= $1 and ergebnis = 'ok' limit 1`
  return asOwner(async (owner) => (await owner.query(text, [since])).rows.length > 0)
}

/**
 * A dump that cannot be restored is worthless: it is removed, so that rotation never drops a good one for it. One
 * whose proof ended for want of memory, time or a connection may be the only one of the day: it stays, marked.
 */
async function proveRestorable(
  options: BackupOptions,
  path: string,
  { tables }: Dumped['manifest'],
  signal: AbortSignal,
): Promise<void> {
  try {
    await options.proof.prove(path, signal)
  } catch (error) {
    if (error instanceof BadDumpFault) {
      await rm(path, { force: true })
      throw new Error(
        `Die Rücksicherung zur Probe ist gescheitert (${tables.length} Tabellen): ` + wordsOf(error),
        { cause: error },
      )
    }
    const name = unprovedName(basename(path))
    await rename(path, join(options.folder, name))
    await dropOld(options)
    throw new Error(
      `Die Sicherung ist gemacht und als ${name} aufbewahrt, konnte aber nicht zur Probe zurückgesichert ` +
        `werden: ${wordsOf(error)}`,
      { cause: error },
    )
  }
}

async function dropOld({ folder, keep }: BackupOptions): Promise<void> {
  for (const name of dumpsToDrop(await readdir(folder), keep)) await rm(join(folder, name), { force: true })
}

async function record(
  { asOwner, engine, now, log }: BackupOptions,
  path: string,
  start: Date,
  result: BackupResult,
): Promise<void> {
  const text = `insert into betrieb.sicherung (zeit, dauer_ms, groesse, datei, engine, ergebnis, meldung)
    values ($1, $2, $3, $4, $5, $6, $7)`
  const values = [
    start,
    now().getTime() - start.getTime(),
    result.groesse,
    result.ergebnis === 'ok' ? path : null,
    engine,
    result.ergebnis,
    result.meldung,
  ]
  try {
    await asOwner((owner) => owner.query(text, values))
  } catch (error) {
    log.error('result of the dump could not be recorded', { reason: reasonForLog(error) })
  }
}

/** Delay after a start that missed the last run, so that the dump does not compete with it. */
const CATCH_UP_MS = 120_000
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** Delay after a failure; doubled after each further one, at most until the next regular run. */
const RETRY_MS = 30 * 60_000

/**
 * `at`: local time of day, HH:MM. A run that was missed while the server was off is made up for. The weekly
 * integrity check runs with it. Stopping aborts a running dump or proof; the next start makes up for it.
 */
export function backupSchedule(
  options: BackupOptions & { readonly at: string; readonly timers?: Timers },
): Job {
  const { at, now, log, proof, timers } = options
  let failures = 0
  const untilNext = (): number => {
    const regular = nextRun(now(), at).getTime() - now().getTime()
    return failures === 0 ? regular : Math.min(regular, RETRY_MS * 2 ** (failures - 1))
  }
  return createJob({
    name: 'dumps',
    nightly: true,
    firstMs: CATCH_UP_MS,
    everyMs: untilNext,
    usualMs: DAY_MS,
    ...(timers && { timers }),
    // What a killed server leaves of a proof is large. A run waits for it: both hold the same lock.
    atStart: () =>
      aloneAmongServers(options, LOCK, () => proof.sweep()).catch((error: unknown) =>
        log.warn('what was left of a proof could not be removed yet', { reason: reasonForLog(error) }),
      ),
    round: async (signal) => {
      const result = await runBackup(options, lastRun(now(), at), signal)
      failures = result?.ergebnis === 'fehler' ? failures + 1 : 0
      await checkIntegrity(options.asOwner, { now, log, unlessWithinMs: WEEK_MS })
      countAsFailed(failures > 0)
    },
    onFault: (error) => {
      failures++
      log.error('scheduled dump failed', { reason: reasonForLog(error) })
    },
  })
}
