// A bank statement (CAMT.053, MT940, or an archive of them): the same reading as on the screen and the same procedures,
// all parts in one transaction.
import { MAX_BYTES } from '#domain/camt/bank-file.ts'
import { bankPortions } from '#domain/camt/portions.ts'
import type { Database } from '#server/database/database.ts'
import { asNutzer } from '#server/nutzer.ts'
import { type ImportOrder, type ImportResult, type ProgramImport, refusal } from '#server/program-import.ts'
import type { Limits } from '#server/reader/confined.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import { type ReadStatement, readStatement } from './reader.ts'

const MAY = { name: 'import_auszug_may', text: `select rights.refuse_unless(rights.has_role('apus_admin'))` }
const OWN = { name: 'import_auszug_own', text: 'select iban from app.lieferant limit 1' }
const PROBE = {
  name: 'import_auszug_probe',
  text: `select (a ->> 'neu')::integer as neu, (a ->> 'bekannt')::integer as bekannt,
    (a ->> 'fraglich')::integer as fraglich from app.a_probe_bank($1::jsonb) a`,
}
const STORE = {
  name: 'import_auszug_store',
  text: `select (a ->> 'neu')::integer as neu, (a ->> 'bekannt')::integer as bekannt
    from app.a_import_bank($1::jsonb, $2) a`,
}
const TIMEOUT_MS = 60_000

interface Ground {
  readonly database: Database
  readonly limits: Limits
  readonly work: WorkQueue
}

export const statementByProgram = (ground: Ground): ProgramImport => ({
  was: 'kontoauszug',
  programs: 'rpc/a_import_bank',
  words: 'auszug',
  mostBytes: MAX_BYTES,
  settings: { konto: 'possible' },
  may: (caller) => ground.database.once(asNutzer(caller, { readOnly: true }), MAY),
  run(order) {
    const { caller, file, signal } = order
    return ground.work.run('long', { person: caller.person, signal }, async () => {
      const read = await readStatement(file.path, { limits: ground.limits, signal })
      await checkAccount(ground.database, order, read.accounts)
      return order.isProbe ? probe(ground.database, order, read) : store(ground.database, order, read)
    })
  },
})

/** The screen asks before it takes a statement of another account; a program says so. */
async function checkAccount(
  database: Database,
  { caller, settings }: ImportOrder,
  accounts: readonly string[],
): Promise<void> {
  const { rows } = await database.once<{ iban: string }>(asNutzer(caller, { readOnly: true }), OWN)
  const own = rows[0]?.iban ?? ''
  const other = accounts.find(
    (account) => own !== '' && account !== '' && account !== own && account !== settings['konto'],
  )
  if (other !== undefined) throw refusal('import_konto', { konto: other })
}

interface Counted {
  readonly neu: number
  readonly bekannt: number
  readonly fraglich?: number
}
const added = (counts: readonly Counted[], read: ReadStatement): ImportResult => {
  const sum = (key: keyof Counted) => counts.reduce((total, one) => total + (one[key] ?? 0), 0)
  return {
    zahlen: { neu: sum('neu'), bekannt: sum('bekannt'), fraglich: sum('fraglich') },
    fehlerzahl: 0,
    fehler: [],
    hinweise: read.hinweise,
  }
}

async function probe(
  database: Database,
  { caller }: ImportOrder,
  read: ReadStatement,
): Promise<ImportResult> {
  const counts: Counted[] = []
  for (const part of bankPortions(read.buchungen)) {
    const asked = { ...PROBE, values: [JSON.stringify(part)] }
    // oxlint-disable-next-line no-await-in-loop -- one statement at a time
    counts.push((await database.once<Counted>(asNutzer(caller), asked)).rows[0]!)
  }
  return added(counts, read)
}

const store = (
  database: Database,
  { caller, file, keep }: ImportOrder,
  read: ReadStatement,
): Promise<ImportResult> =>
  database.transaction(asNutzer(caller, { timeoutMs: TIMEOUT_MS }), async (tx) => {
    const counts: Counted[] = []
    for (const part of bankPortions(read.buchungen)) {
      const given = { ...STORE, values: [JSON.stringify(part), file.name.slice(0, 200)] }
      // oxlint-disable-next-line no-await-in-loop -- in the order of the days
      counts.push((await tx.query<Counted>(given)).rows[0]!)
    }
    const result = added(counts, read)
    await tx.query(keep(result))
    return result
  })
