// Foreign SQLite files, of which only plain tables are read. The file brings its own schema: views, triggers,
// generated columns and virtual tables are programs in it, and none of them is run.
import { constants, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { FileFault, MOST_COLUMNS } from './source.ts'

/** For a text or blob; an attribute or a surveyed line is never longer. */
const MOST_CELL_BYTES = 16 * 2 ** 20
const MOST_TABLES = 5_000

/** Besides reading tables: counting, and lengths before a cell is read. */
const FUNCTIONS: ReadonlySet<string | null> = new Set([
  'count',
  'octet_length',
  'iif',
  'pragma_table_xinfo',
  'pragma_table_list',
])
const PRAGMAS: ReadonlySet<string | null> = new Set(['table_xinfo', 'table_list'])

export interface Column {
  readonly name: string
  readonly type: string
}

export interface ForeignSqlite {
  /**
   * Null: no plain table of that name, or one with columns that the file computes. Names are compared as SQLite
   * does, without regard to the case of ASCII letters.
   */
  columnsOf(table: string): readonly Column[] | null
  /** What of that name is there, whether it can be read or not. */
  kindOf(name: string): 'tabelle' | 'sicht' | null
  /** Rows of a plain table, one at a time; cells that are too long are null. */
  rows(table: string, columns: readonly string[], most?: number): Iterable<Record<string, unknown>>
  count(table: string): number
  close(): void
}

/** As SQLite compares names. */
export const foldName = (name: string): string =>
  name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** @throws FileFault */
export function openForeignSqlite(file: string): ForeignSqlite {
  try {
    return read(opened(file))
  } catch (error) {
    throw error instanceof FileFault ? error : new FileFault('datei_kaputt')
  }
}

function opened(file: string): DatabaseSync {
  const url = pathToFileURL(file)
  // The file is never written: no lock, no foreign journal beside it, none of ours.
  url.search = '?mode=ro&immutable=1'
  const db = new DatabaseSync(url, {
    readOnly: true,
    allowExtension: false,
    defensive: true,
    enableDoubleQuotedStringLiterals: false,
    limits: {
      length: 2 * MOST_CELL_BYTES,
      sqlLength: 2 ** 20,
      column: 2_000,
      exprDepth: 100,
      compoundSelect: 2,
      vdbeOp: 100_000,
      functionArg: 8,
      attach: 0,
      variableNumber: 8,
      triggerDepth: 1,
    },
  })
  db.exec(
    'pragma trusted_schema = off; pragma cell_size_check = on; pragma mmap_size = 0; ' +
      'pragma cache_size = -8192; pragma temp_store = memory',
  )
  db.setAuthorizer(authorize)
  return db
}

/** `inside`: the view or trigger that makes the access. */
function authorize(
  action: number,
  first: string | null,
  second: string | null,
  _database: string | null,
  inside: string | null,
): number {
  if (inside !== null) return constants.SQLITE_DENY
  if (action === constants.SQLITE_SELECT || action === constants.SQLITE_READ) return constants.SQLITE_OK
  if (action === constants.SQLITE_FUNCTION)
    return FUNCTIONS.has(second) ? constants.SQLITE_OK : constants.SQLITE_DENY
  if (action === constants.SQLITE_PRAGMA)
    return PRAGMAS.has(first) ? constants.SQLITE_OK : constants.SQLITE_DENY
  return constants.SQLITE_DENY
}

function read(db: DatabaseSync): ForeignSqlite {
  const prepared = (text: string) => {
    const statement = db.prepare(text)
    statement.setReadBigInts(true)
    return statement
  }
  try {
    const tables = plainTables(db)
    const known = new Map<string, readonly Column[] | null>()
    const columnsOf = (table: string): readonly Column[] | null => {
      const name = tables.get(foldName(table))
      if (name === undefined) return null
      let columns = known.get(name)
      if (columns === undefined) known.set(name, (columns = plainColumns(db, name)))
      return columns
    }
    const named = (table: string): string => {
      if (columnsOf(table) === null) throw new FileFault('datei_kaputt')
      return `main.${quoted(tables.get(foldName(table))!)}`
    }
    const kinds = kindsOf(db)
    return {
      columnsOf,
      kindOf: (name) => kinds.get(foldName(name)) ?? null,
      *rows(table, columns, most) {
        const cells = columns.map(
          (name, at) =>
            `iif(octet_length(${quoted(name)}) <= ${MOST_CELL_BYTES}, ${quoted(name)}, null) as c${at}`,
        )
        const statement = prepared(
          `select ${cells.join(', ') || '1'} from ${named(table)}${most === undefined ? '' : ` limit ${most}`}`,
        )
        for (const row of statement.iterate() as Iterable<Record<string, unknown>>)
          yield Object.fromEntries(columns.map((name, at) => [name, row[`c${at}`]]))
      },
      count: (table) =>
        Number((prepared(`select count(*) as n from ${named(table)}`).get() as { n: bigint }).n),
      close: () => db.close(),
    }
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * As listed by the file and as understood by SQLite: both must say that it is a table with its own pages. By their
 * folded names.
 */
function plainTables(db: DatabaseSync): ReadonlyMap<string, string> {
  const said = new Set<string>()
  const rows = db.prepare(
    `select name from sqlite_schema where type = 'table' and rootpage > 0 limit ${MOST_TABLES}`,
  )
  for (const { name } of rows.iterate() as Iterable<{ name: unknown }>)
    if (typeof name === 'string') said.add(name)
  const taken = db.prepare(
    `select name from pragma_table_list where schema = 'main' and type = 'table' limit ${MOST_TABLES}`,
  )
  const plain = new Map<string, string>()
  for (const { name } of taken.iterate() as Iterable<{ name: unknown }>)
    if (typeof name === 'string' && said.has(name) && !foldName(name).startsWith('sqlite_'))
      plain.set(foldName(name), name)
  return plain
}

/** By their names alone: nothing of them is run. */
function kindsOf(db: DatabaseSync): ReadonlyMap<string, 'tabelle' | 'sicht'> {
  const kinds = new Map<string, 'tabelle' | 'sicht'>()
  const rows = db.prepare(
    `select name, type from sqlite_schema where type in ('table', 'view') limit ${MOST_TABLES}`,
  )
  for (const { name, type } of rows.iterate() as Iterable<{ name: unknown; type: unknown }>)
    if (typeof name === 'string') kinds.set(foldName(name), type === 'view' ? 'sicht' : 'tabelle')
  return kinds
}

/** Of any type: SQLite stores what it is given, and types are names to it. Null if the file computes some. */
function plainColumns(db: DatabaseSync, table: string): readonly Column[] | null {
  const columns: Column[] = []
  const rows = db.prepare('select name, type, hidden from pragma_table_xinfo(?)')
  for (const { name, type, hidden } of rows.iterate(table) as Iterable<{
    name: string
    type: string
    hidden: number
  }>) {
    if (hidden !== 0) return null
    if (columns.length > MOST_COLUMNS) throw new FileFault('zu_viele_spalten')
    columns.push({ name, type })
  }
  return columns
}
