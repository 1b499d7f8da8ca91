// A logical dump: every row of our schemas in one snapshot, with row counts and checksums that a restore is compared with.
import type { OwnerConnection } from '#server/database/database.ts'
import { type Manifest, writeDumpFile } from './dump-file.ts'
import { OperatorFault } from './operator-fault.ts'
import { asReader, FAITHFUL, readCounters, readTables, sumTable, type Table } from './tables.ts'

export interface Dumped {
  readonly manifest: Manifest
  /** Bytes of the file. */
  readonly size: number
}

/** The file appears under its name only when it is complete and on disk; readable by its owner alone. */
export async function dump(owner: OwnerConnection, path: string, now: () => Date): Promise<Dumped> {
  await checkOurs(owner)
  await owner.script(`begin isolation level repeatable read read only; ${FAITHFUL}`)
  try {
    const tables = await readTables(owner)
    const manifest = await describe(owner, tables, now())
    const size = await writeDumpFile(path, linesOf(owner, tables, manifest))
    return { manifest, size }
  } finally {
    await owner.script('rollback')
  }
}

async function checkOurs(owner: OwnerConnection): Promise<void> {
  const { rows } = await owner.query<{ ours: boolean }>(`select to_regclass('betrieb.migration') is not null as ours`)
  if (rows[0]?.ours !== true)
    throw new OperatorFault('Diese Datenbank enthält noch keine Daten von Forstkontor. Bitte die Adresse oder den Ordner prüfen.')
}

async function describe(owner: OwnerConnection, tables: readonly Table[], zeit: Date): Promise<Manifest> {
  const version = await owner.query<{ version: string }>('select version() as version')
  const migrations = await owner.query<{ name: string; sha256: string }>('select name, sha256 from betrieb.migration order by nummer')
  const sums = []
  for (const table of tables) sums.push({ name: table.name, ...(await sumTable(owner, table)) })
  return {
    kind: 'forstkontor-dump',
    format: 1,
    zeit: zeit.toISOString(),
    engine: owner.engine,
    version: version.rows[0]?.version ?? '',
    migrations: migrations.rows,
    tables: sums,
    counters: await readCounters(owner),
  }
}

async function* linesOf(owner: OwnerConnection, tables: readonly Table[], manifest: Manifest): AsyncGenerator<object> {
  yield manifest
  for (const table of tables) {
    yield { table: table.name }
    await asReader(owner, table, () => owner.script(`declare dump_rows no scroll cursor for select t::text as line from ${table.name} t`))
    for (;;) {
      const { rows } = await owner.query<{ line: string }>('fetch 1000 from dump_rows')
      if (rows.length === 0) break
      for (const { line } of rows) yield { row: line }
    }
    await owner.script('close dump_rows')
  }
  yield { end: true }
}
