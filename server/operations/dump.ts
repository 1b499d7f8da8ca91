// A logical dump: every row of our schemas in one snapshot, with row counts and checksums for
// comparison with a restore.
import type { OwnerConnection } from '#server/database/database.ts'
import { type Manifest, writeDumpFile } from './dump-file.ts'
import { OperatorFault } from './operator-fault.ts'
import { asReader, FAITHFUL, NO_ROWS, readCounters, readTables, sumTable, type Table } from './tables.ts'

export interface Dumped {
  readonly manifest: Manifest
  /** Bytes of the file. */
  readonly size: number
}

/** The file appears under its name only when it is complete and on disk; only its owner may read it. */
export async function dump(
  owner: OwnerConnection,
  path: string,
  now: () => Date,
  signal?: AbortSignal,
): Promise<Dumped> {
  await checkOurs(owner)
  await owner.script(`begin isolation level repeatable read read only; ${FAITHFUL}`)
  try {
    const tables = await readTables(owner)
    const manifest = await describe(owner, tables, now())
    const size = await writeDumpFile(path, linesOf(owner, tables, manifest, signal))
    return { manifest, size }
  } finally {
    await owner.script('rollback')
  }
}

async function checkOurs(owner: OwnerConnection): Promise<void> {
  const { rows } = await owner.query<{ ours: boolean }>(
    `select to_regclass('betrieb.migration') is not null as ours`,
  )
  if (rows[0]?.ours !== true)
    throw new OperatorFault(
      'Diese Datenbank enthält noch keine Daten von Forstkontor. Bitte die Adresse oder den Ordner prüfen.',
    )
}

async function describe(owner: OwnerConnection, tables: readonly Table[], time: Date): Promise<Manifest> {
  const version = await owner.query<{ version: string }>('select version() as version')
  const migrations = await owner.query<{ name: string; sha256: string }>(
    'select name, sha256 from betrieb.migration order by nummer',
  )
  const sums = []
  for (const table of tables)
    sums.push({ name: table.name, ...(table.isPassing ? NO_ROWS : await sumTable(owner, table)) })
  return {
    kind: 'forstkontor-dump',
    format: 1,
    zeit: time.toISOString(),
    engine: owner.engine,
    version: version.rows[0]?.version ?? '',
    migrations: migrations.rows,
    tables: sums,
    counters: await readCounters(owner),
  }
}

/** Most rows and characters in memory at a time: a row may be a document of 20 MB. */
const [MOST_ROWS, PIECE_LENGTH] = [1000, 8 * 2 ** 20]

async function* linesOf(
  owner: OwnerConnection,
  tables: readonly Table[],
  manifest: Manifest,
  signal?: AbortSignal,
): AsyncGenerator<object> {
  yield manifest
  for (const table of tables) {
    yield { table: table.name }
    if (table.isPassing) continue
    const { longest = 1 } = manifest.tables.find(({ name }) => name === table.name) ?? {}
    const atATime = Math.max(1, Math.min(MOST_ROWS, Math.floor(PIECE_LENGTH / Math.max(1, longest))))
    await asReader(owner, table, () =>
      owner.script(`declare dump_rows no scroll cursor for select t::text as line from ${table.name} t`),
    )
    for (;;) {
      signal?.throwIfAborted()
      const { rows } = await owner.query<{ line: string }>(`fetch ${atATime} from dump_rows`)
      if (rows.length === 0) break
      for (const { line } of rows) yield { row: line }
    }
    await owner.script('close dump_rows')
  }
  yield { end: true }
}
