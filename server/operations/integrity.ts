// Checks tables and indexes for damage (amcheck): weekly, and after a start that found the embedded
// engine not closed properly.
import { DatabaseFault } from '#server/database/database.ts'
import type { Log } from '#server/log.ts'
import type { AsOwner } from './as-owner.ts'

export interface IntegrityResult {
  readonly ergebnis: 'ok' | 'fehler'
  readonly meldung: string | null
}

export interface IntegrityOptions {
  readonly now: () => Date
  readonly log: Log
  /** Skipped if the last one is more recent than this. */
  readonly unlessWithinMs?: number
}

const BTREES = `select c.oid::int8 as id, c.oid::regclass::text as name from pg_class c join pg_am a on a.oid = c.relam
  where a.amname = 'btree' and c.relkind = 'i' and c.relpersistence = 'p' order by 1`
const TABLES = `select c.oid::int8 as id, c.oid::regclass::text as name
  from pg_class c
  where c.relkind in ('r', 'm', 't') and c.relpersistence = 'p'
  order by 1`

/**
 * Null if it was not due or is not possible here. One relation at a time, so that
 * requests can run in between.
 */
export async function checkIntegrity(
  asOwner: AsOwner,
  { now, log, unlessWithinMs = 0 }: IntegrityOptions,
): Promise<IntegrityResult | null> {
  const start = now()
  if (!(await isDue(asOwner, new Date(start.getTime() - unlessWithinMs)))) return null
  const schema = await prepare(asOwner, log)
  if (schema === null) return null
  const faults: string[] = []
  const look = async (list: string, check: string) => {
    const { rows } = await asOwner((owner) => owner.query<{ id: number; name: string }>(list))
    for (const { id, name } of rows) faults.push(...(await faultsOf(asOwner, check, id, name)))
  }
  await look(BTREES, `select null::text as fault from ${schema}.bt_index_check($1::oid, true)`)
  await look(
    TABLES,
    `select format('Block %s: %s', blkno, msg) as fault from ${schema}.verify_heapam($1::oid::regclass) limit 5`,
  )
  const message = faults.length === 0 ? null : faults.join('; ').slice(0, 1000)
  const result: IntegrityResult = { ergebnis: message === null ? 'ok' : 'fehler', meldung: message }
  if (faults.length > 0) log.error('integrity check found damage', { faults: faults.slice(0, 20) })
  const text = 'insert into betrieb.pruefung (zeit, dauer_ms, ergebnis, meldung) values ($1, $2, $3, $4)'
  await asOwner((owner) =>
    owner.query(text, [start, now().getTime() - start.getTime(), result.ergebnis, result.meldung]),
  )
  return result
}

async function isDue(asOwner: AsOwner, after: Date): Promise<boolean> {
  return asOwner(
    async (owner) =>
      (await owner.query('select from betrieb.pruefung where zeit > $1 limit 1', [after])).rows.length === 0,
  )
}

/**
 * Returns the schema of amcheck. Only a superuser may install it; without it the check is left to the
 * operator of the PostgreSQL server.
 */
async function prepare(asOwner: AsOwner, log: Log): Promise<string | null> {
  return asOwner(async (owner) => {
    try {
      await owner.script('create extension if not exists amcheck schema betrieb')
      const { rows } = await owner.query<{ schema: string; may: boolean }>(
        `select e.extnamespace::regnamespace::text as schema, bool_and(has_function_privilege(p.oid, 'execute')) as may
        from pg_extension e
        join pg_proc p on p.pronamespace = e.extnamespace and p.proname in ('bt_index_check', 'verify_heapam')
        where e.extname = 'amcheck' group by 1`,
      )
      return rows[0]?.may === true ? rows[0].schema : null
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error
      log.info('integrity check is not possible here', { reason: error.message })
      return null
    }
  })
}

/** Corrupted data or index, which amcheck raises too; a file that is missing or cannot be read. */
const DAMAGED = new Set(['XX000', 'XX001', 'XX002', '58030', '58P01'])

async function faultsOf(asOwner: AsOwner, check: string, id: number, name: string): Promise<string[]> {
  try {
    const { rows } = await asOwner((owner) => owner.query<{ fault: string | null }>(check, [id]))
    return rows.flatMap(({ fault }) => (fault === null ? [] : [`${name}: ${fault}`]))
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error
    // Dropped in the meantime.
    if (error.code === '42P01') return []
    // A lost connection or a time limit says nothing about the data: the round fails and is repeated.
    if (!DAMAGED.has(error.code)) throw error
    return [`${name}: ${error.message}`]
  }
}
