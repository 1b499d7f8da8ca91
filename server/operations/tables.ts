// What a dump contains: the tables of our schemas in the order of their references, how to read them
// faithfully, and checksums of their rows.
import type { OwnerConnection } from '#server/database/database.ts'
import { OperatorFault } from './operator-fault.ts'

export interface Table {
  /** Quoted, with its schema. */
  readonly name: string
  /** Quoted; without generated columns, which follow from the others. */
  readonly columns: readonly string[]
  /** Names of tables that must be filled before, without itself. */
  readonly needs: readonly string[]
  /** Rows refer to other rows of the same table: all must be inserted in one statement. */
  readonly refersToItself: boolean
  /** Dumps leave its rows out. */
  readonly isPassing: boolean
  /** Row security applies to the owner too. */
  readonly forced: boolean
  /** Whether forst_betrieb may read it; if not, the owner must. */
  readonly readableByBetrieb: boolean
}

export interface TableSum {
  readonly rows: number
  readonly checksum: string
  /**
   * Characters of its longest row, which determine how many are fetched at a time. Missing in dumps
   * by versions before 0.2.0.
   */
  readonly longest?: number
}

/** What sumTable says of a table without rows. */
export const NO_ROWS: TableSum = { rows: 0, checksum: '0/0', longest: 0 }

/**
 * Their rows are useless after a day, and dumps are kept for longer: answers to writes, which hold what people
 * sent. Dumps name them without rows.
 */
const PASSING = ['accounts.kept_answer']

/** Schemas that contain data; rechte: of databases before migration 0031, which old dumps are restored into. */
export const SCHEMAS = [
  'app',
  'accounts',
  'abo',
  'forest',
  'notices',
  'idp',
  'betrieb',
  'dispatch',
  'maps',
  'rechte',
] as const

/** Schemas that dumps of former programs lack: their tables stay empty. */
export const ADDED_LATER = /^(?:dispatch|maps)\./

/** Written by the migrator itself: the target database has its own. */
const OF_MIGRATOR = ['betrieb.migration', 'betrieb.nomen']

const TABLES = `
  select c.oid::regclass::text as name, c.relforcerowsecurity as forced,
    has_table_privilege('forst_betrieb', c.oid, 'select')
    and has_schema_privilege('forst_betrieb', c.relnamespace, 'usage') as "readableByBetrieb",
    (select coalesce(json_agg(quote_ident(a.attname) order by a.attnum), '[]')::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    (select coalesce(json_agg(distinct k.confrelid::regclass::text), '[]')::text from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'f') as needs
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any ($1)
    and not (n.nspname || '.' || c.relname = any ($2))
    and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass
      and d.deptype = 'e')
  order by 1`

type Row = { name: string; forced: boolean; readableByBetrieb: boolean; columns: string; needs: string }

/** In an order in which each table comes after those it refers to. */
export async function readTables(owner: OwnerConnection): Promise<Table[]> {
  const { rows } = await owner.query<Row>(TABLES, [SCHEMAS, OF_MIGRATOR])
  const tables = rows.map((row): Table => {
    const needs = JSON.parse(row.needs) as string[]
    return {
      name: row.name,
      forced: row.forced,
      readableByBetrieb: row.readableByBetrieb,
      columns: JSON.parse(row.columns) as string[],
      needs: needs.filter((name) => name !== row.name),
      refersToItself: needs.includes(row.name),
      isPassing: PASSING.includes(row.name),
    }
  })
  return inOrder(tables)
}

function inOrder(tables: readonly Table[]): Table[] {
  const names = new Set(tables.map(({ name }) => name))
  const ordered: Table[] = []
  const waiting = new Set(tables)
  while (waiting.size > 0) {
    const ready = [...waiting].filter(({ needs }) =>
      needs.every((name) => !names.has(name) || ordered.some((table) => table.name === name)),
    )
    if (ready.length === 0)
      throw new OperatorFault(
        `Diese Tabellen verweisen im Kreis aufeinander: ${[...waiting].map(({ name }) => name).join(', ')}.`,
      )
    for (const table of ready) {
      waiting.delete(table)
      ordered.push(table)
    }
  }
  return ordered
}

/**
 * Values must have the same text on both sides, whatever the settings of the server or the login. For the
 * rest of the transaction.
 */
export const FAITHFUL = `set local timezone = 'UTC';
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local bytea_output = 'hex';
  set local extra_float_digits = 1;
  set local search_path = pg_catalog;
  set local statement_timeout = 0;
  set local row_security = on`

/**
 * Runs `work` as forst_betrieb, whose policy shows every row. A table that this role may not read is read
 * by the owner with row security off, which raises an error if a policy would hide rows: a dump must
 * never be silently incomplete.
 */
export async function asReader<T>(owner: OwnerConnection, table: Table, work: () => Promise<T>): Promise<T> {
  await owner.script(
    table.readableByBetrieb ? 'set local role forst_betrieb' : 'set local row_security = off',
  )
  const result = await work()
  await owner.script('reset role; set local row_security = on')
  return result
}

/** Independent of the order of rows and of the engine. */
export async function sumTable(owner: OwnerConnection, table: Table): Promise<TableSum> {
  const part = (from: number) => `('x' || substr(md5(line), ${from}, 16))::bit(64)::bigint`
  const text = `select count(*)::int8 as rows,
    coalesce(sum(${part(1)}::numeric), 0)::text || '/' || coalesce(bit_xor(${part(17)}),
    0)::text as checksum, coalesce(max(length(line)), 0)::int8 as longest
    from (select row(${table.columns.join(', ')})::text as line from ${table.name}) lines`
  const { rows } = await asReader(owner, table, () => owner.query<{ rows: number; checksum: string }>(text))
  return rows[0] as TableSum
}

export interface Counter {
  readonly name: string
  readonly last: string
  readonly called: boolean
}

/** Sequences, including those of identity columns. */
export async function readCounters(owner: OwnerConnection): Promise<Counter[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select c.oid::regclass::text as name
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'S' and n.nspname = any ($1)
      order by 1`,
    [SCHEMAS],
  )
  const counters: Counter[] = []
  for (const { name } of rows) {
    const answer = await owner.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${name}`,
    )
    counters.push({ name, ...(answer.rows[0] as { last: string; called: boolean }) })
  }
  return counters
}
