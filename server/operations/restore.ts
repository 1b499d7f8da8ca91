// Restores a dump into an empty database and compares every table with the sums recorded when it was
// written; all or nothing.
import { DatabaseFault, type OwnerConnection } from '#server/database/database.ts'
import { PlacedFault } from '#server/database/faults.ts'
import { type Manifest, readDumpLines, readManifest } from './dump-file.ts'
import { migrate, migrateTo, type MigrateOptions } from './migrate.ts'
import { DumpFault, OperatorFault } from './operator-fault.ts'
import { ADDED_LATER, FAITHFUL, readTables, sumTable, type Table } from './tables.ts'

export interface Restored {
  readonly manifest: Manifest
  readonly rows: number
}

/**
 * The database must have no tables, or only empty ones. A dump of an older schema is restored into that
 * schema and migrated afterwards, which requires a database without tables.
 */
export async function restore(
  owner: OwnerConnection,
  path: string,
  options: MigrateOptions,
): Promise<Restored> {
  const manifest = await readManifest(path)
  await migrateTo(owner, manifest.migrations, options)
  await owner.script(`begin; ${FAITHFUL}`)
  try {
    const tables = await readTables(owner)
    checkSameTables(tables, manifest)
    for (const table of tables) await openTable(owner, table)
    await checkEmpty(owner, tables)
    const rows = await fill(owner, path, tables)
    for (const { name, last, called } of manifest.counters)
      await owner.query('select setval($1::text::regclass, $2, $3)', [name, last, called])
    const hasFeed = await leavePositions(owner)
    await owner.script('set constraints all immediate')
    for (const table of tables) await closeTable(owner, table)
    await compare(owner, tables, manifest)
    await owner.script('commit')
    await migrate(owner, options)
    if (!hasFeed) await leavePositions(owner)
    return { manifest, rows }
  } catch (error) {
    await owner.script('rollback').catch(() => undefined)
    throw error
  }
}

/**
 * Programs may know positions of events that came after the dump: no event gets one of them again, and the gap tells
 * the feed that they are of another past (`dispatch.knows_position`). By the time, so that restoring the same dump
 * twice does not begin at the same place. False: the schema of the dump has no events yet.
 */
async function leavePositions(owner: OwnerConnection): Promise<boolean> {
  const sequence = 'app.ereignis_id_seq'
  const { rows } = await owner.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    sequence,
  ])
  if (rows[0]?.there !== true) return false
  await owner.query(`select setval('${sequence}', greatest(last_value + 1000000,
    (extract(epoch from now()) * 1000)::bigint)) from ${sequence}`)
  return true
}

function checkSameTables(tables: readonly Table[], manifest: Manifest): void {
  const there = manifest.tables.map(({ name }) => name).sort()
  const isMissing = (name: string) => ADDED_LATER.test(name) && !there.includes(name)
  const here = tables
    .map(({ name }) => name)
    .filter((name) => !isMissing(name))
    .sort()
  if (here.join() !== there.join())
    throw new DumpFault(
      `Die Tabellen der Sicherung passen nicht zur Datenbank: ${differences(here, there).join(', ')}.`,
    )
}

const differences = (one: readonly string[], other: readonly string[]) => [
  ...one.filter((name) => !other.includes(name)),
  ...other.filter((name) => !one.includes(name)),
]

/**
 * The owner fills the table with the original rows: no trigger may add, stamp or refuse, no policy may hide.
 * References are still checked.
 */
async function openTable(owner: OwnerConnection, { name, forced }: Table): Promise<void> {
  await owner.script(
    `alter table ${name} disable trigger user${forced ? `; alter table ${name} no force row level security` : ''}`,
  )
}

async function closeTable(owner: OwnerConnection, { name, forced }: Table): Promise<void> {
  await owner.script(
    `alter table ${name} enable trigger user${forced ? `; alter table ${name} force row level security` : ''}`,
  )
}

async function checkEmpty(owner: OwnerConnection, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await owner.query(`select from ${name} limit 1`)
    if (rows.length > 0) {
      throw new OperatorFault(
        `Die Zieldatenbank enthält schon Daten (${name}). ` +
          'Bitte in eine leere Datenbank oder einen leeren Ordner einspielen.',
      )
    }
  }
}

/** Most rows and characters per statement: one row may be a large polygon. */
const [BATCH_ROWS, BATCH_LENGTH] = [1000, 4 * 2 ** 20]

async function fill(owner: OwnerConnection, path: string, tables: readonly Table[]): Promise<number> {
  let table: Table | undefined
  let [total, length] = [0, 0]
  let lines: string[] = []
  const flush = async () => {
    if (table !== undefined && lines.length > 0)
      await atTable(table, table.refersToItself ? setAside(owner, lines) : insert(owner, table, lines))
    total += lines.length
    length = 0
    lines = []
  }
  const finish = async () => {
    await flush()
    if (table?.refersToItself === true) await atTable(table, insertAside(owner, table))
  }
  await owner.script(`create temporary table ${ASIDE} (line text not null) on commit drop`)
  for await (const line of readDumpLines(path)) {
    if ('row' in line) {
      lines.push(line.row)
      length += line.row.length
      if (lines.length >= BATCH_ROWS || length >= BATCH_LENGTH) await flush()
      continue
    }
    await finish()
    table = 'table' in line ? tables.find(({ name }) => name === line.table) : undefined
  }
  return total
}

async function insert(owner: OwnerConnection, table: Table, lines: readonly string[]): Promise<void> {
  await owner.query(insertFrom(table, 'select unnest($1::text[]) as line'), [lines])
}

/**
 * A row may stand before one that it refers to, so all rows of such a table must arrive in one statement. They are
 * collected in the database, which has room for more than fits into one parameter.
 */
const ASIDE = 'pg_temp.restored_line'

async function setAside(owner: OwnerConnection, lines: readonly string[]): Promise<void> {
  await owner.query(`insert into ${ASIDE} select unnest($1::text[])`, [lines])
}

async function insertAside(owner: OwnerConnection, table: Table): Promise<void> {
  await owner.query(insertFrom(table, `select line from ${ASIDE}`))
  await owner.script(`truncate ${ASIDE}`)
}

function insertFrom({ name, columns }: Table, lines: string): string {
  const values = columns.map((column) => `(line).${column}`).join(', ')
  // offset 0 keeps the planner from parsing each line once per column.
  return `insert into ${name} (${columns.join(', ')}) overriding system value select ${values}
    from (select line::${name} from (${lines}) texts offset 0) lines`
}

async function atTable({ name }: Table, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error
    throw new PlacedFault(name, error)
  }
}

async function compare(owner: OwnerConnection, tables: readonly Table[], manifest: Manifest): Promise<void> {
  for (const expected of manifest.tables) {
    const table = tables.find(({ name }) => name === expected.name) as Table
    const found = await sumTable(owner, table)
    if (found.rows === expected.rows && found.checksum === expected.checksum) continue
    throw new DumpFault(
      `${table.name}: Prüfsumme oder Zeilenzahl weicht von der Sicherung ab (${found.rows} statt ` +
        `${expected.rows} Zeilen). Es wurde nichts übernommen.`,
    )
  }
}
