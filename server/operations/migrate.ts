// Brings a database to the state of db/: roles, numbered migrations (forward only), then the nouns. May be
// killed at any point and run again.
import { DatabaseFault, type OwnerConnection } from '#server/database/database.ts'
import { PlacedFault } from '#server/database/faults.ts'
import type { Log } from '#server/log.ts'
import { bootstrapRoles } from './bootstrap-roles.ts'
import {
  type Migration,
  type Nouns,
  programVersion,
  readGeneration,
  readMigrations,
  readNouns,
} from './migration-files.ts'
import { OperatorFault } from './operator-fault.ts'

export interface MigrateOptions {
  /** The folder db/ with migrations/ and nouns/. */
  readonly folder: string
  readonly log: Log
  readonly now: () => Date
  /** For tests: version of the program. */
  readonly version?: string
}

export interface Migrated {
  /** Names of the migrations applied by this run. */
  readonly applied: readonly string[]
  readonly nounsApplied: boolean
}

/** Arbitrary but fixed: two migrators of one database wait for each other. */
const LOCK = 4_031_746_229

const RECORDS = `create schema if not exists betrieb;
  create table if not exists betrieb.migration (nummer integer primary key, name text not null,
    sha256 text not null, zeit timestamptz not null, dauer_ms integer not null);
  create table if not exists betrieb.nomen (eines boolean primary key default true check (eines),
    sha256 text not null, zeit timestamptz not null);
  alter table betrieb.nomen add column if not exists programm text, add column if not exists stand integer`

export async function migrate(owner: OwnerConnection, options: MigrateOptions): Promise<Migrated> {
  const migrations = readMigrations(options.folder)
  const nouns = readNouns(options.folder)
  await prepare(owner, migrations, nounsOf(nouns, migrations, options))
  const applied: string[] = []
  for (const migration of migrations)
    if (await apply(owner, migration, migrations, options)) applied.push(migration.name)
  return { applied, nounsApplied: await applyNouns(owner, nouns, migrations, options) }
}

/** The rules that a program brings. */
interface Rules {
  readonly sha256: string
  readonly generation: number
  readonly version: string
}

const nounsOf = (
  nouns: Nouns,
  migrations: readonly Migration[],
  { folder, version = programVersion() }: MigrateOptions,
): Rules => ({
  sha256: `${nouns.sha256} ${migrations.at(-1)?.name ?? ''}`,
  generation: readGeneration(folder).generation,
  version,
})

/**
 * To the state in which a dump was made and no further, without nouns. A database that is
 * already beyond it is refused.
 */
export async function migrateTo(
  owner: OwnerConnection,
  state: readonly { name: string; sha256: string }[],
  options: MigrateOptions,
): Promise<void> {
  const migrations = readMigrations(options.folder)
  checkHistory(
    new Map(state.map(({ name, sha256 }) => [Number(name.slice(0, 4)), { name, sha256 }])),
    migrations,
  )
  await prepare(owner, migrations)
  const present = (await readHistory(owner)).size
  if (present > state.length) {
    throw new OperatorFault(
      'Die Zieldatenbank ist neuer als die Sicherung. ' +
        'Bitte in eine ganz leere Datenbank ohne Tabellen einspielen; ' +
        'sie wird danach auf den neuen Stand gebracht.',
    )
  }
  for (const migration of migrations.slice(0, state.length))
    await apply(owner, migration, migrations, options)
}

/** Nothing is changed, not even a role, before it is clear that this program may. */
async function prepare(
  owner: OwnerConnection,
  migrations: readonly Migration[],
  rules?: Rules,
): Promise<void> {
  await checkServer(owner)
  if (await exists(owner, 'betrieb.migration')) checkHistory(await readHistory(owner), migrations)
  if (rules !== undefined && (await recordsExist(owner))) await checkRules(owner, rules)
  await locked(owner, () => bootstrapRoles(owner))
  if (!(await recordsExist(owner))) await locked(owner, () => owner.script(RECORDS))
  checkHistory(await readHistory(owner), migrations)
}

/**
 * Migrations do not reveal that two programs differ only in their rules: the older one would
 * replace the newer one's.
 */
async function checkRules(owner: OwnerConnection, { sha256, generation, version }: Rules): Promise<void> {
  const { rows } = await owner.query<{ programm: string | null; stand: number | null }>(
    'select programm, stand from betrieb.nomen where sha256 <> $1 and stand > $2',
    [sha256, generation],
  )
  const [newer] = rows
  if (newer === undefined) return
  throw new OperatorFault(
    'Die Regeln der Datenbank sind neuer als dieses Programm: ' +
      `Forstkontor ${newer.programm ?? 'unbekannt'} hat Regelstand ${newer.stand} angewendet, ` +
      `dieses ist ${version} mit Regelstand ${generation} und würde sie durch ältere ersetzen. ` +
      'Es wurde nichts geändert. ' +
      'Bitte das neuere Programm starten; zurück geht es nur mit einer älteren Sicherung, eingespielt in ' +
      'eine leere Datenbank (npm run restore).',
  )
}

/**
 * One transaction under the lock, which ends with it: no session state, so it also works
 * behind a transaction pooler.
 */
async function locked<T>(owner: OwnerConnection, work: () => Promise<T>): Promise<T> {
  await owner.script(`begin; select pg_advisory_xact_lock(${LOCK})`)
  try {
    const result = await work()
    const { rows } = await owner.query(
      `select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and granted limit 1`,
    )
    if (rows.length === 0)
      throw new OperatorFault(
        'Eine Migration oder ein Nomen beendet die Transaktion selbst (commit, rollback). Bitte entfernen.',
      )
    await owner.script('commit')
    return result
  } catch (error) {
    await owner.script('rollback').catch(() => undefined)
    throw error
  }
}

async function checkServer(owner: OwnerConnection): Promise<void> {
  const { rows } = await owner.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  )
  const { version = 0, encoding } = rows[0] ?? {}
  if (version < 150000)
    throw new OperatorFault(
      `PostgreSQL ${Math.floor(version / 10000)} ist zu alt. Bitte Version 15 oder neuer verwenden.`,
    )
  if (encoding !== 'UTF8')
    throw new OperatorFault(
      `Die Datenbank ist in ${encoding} angelegt. Bitte eine neue mit ENCODING 'UTF8' anlegen.`,
    )
}

async function exists(owner: OwnerConnection, table: string): Promise<boolean> {
  const { rows } = await owner.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    table,
  ])
  return rows[0]?.there === true
}

/** Whether the last of the columns in RECORDS exists. */
async function recordsExist(owner: OwnerConnection): Promise<boolean> {
  const { rows } = await owner.query(
    `select from pg_attribute where attrelid = to_regclass('betrieb.nomen') and attname = 'stand' and not attisdropped`,
  )
  return rows.length > 0
}

type History = ReadonlyMap<number, { readonly name: string; readonly sha256: string }>

async function readHistory(owner: OwnerConnection): Promise<History> {
  const { rows } = await owner.query<{ nummer: number; name: string; sha256: string }>(
    'select nummer, name, sha256 from betrieb.migration',
  )
  return new Map(rows.map(({ nummer, name, sha256 }) => [nummer, { name, sha256 }]))
}

/** Applied migrations must still exist unchanged, and none may have been inserted before them. */
function checkHistory(history: History, migrations: readonly Migration[]): void {
  const files = new Map(migrations.map((migration) => [migration.number, migration]))
  for (const [number, { name, sha256 }] of history) {
    const file = files.get(number)
    if (file === undefined)
      throw new OperatorFault(
        `Die Datenbank ist neuer als dieses Programm: ${name} ist schon angewendet. Bitte das neuere Programm starten.`,
      )
    if (file.sha256 !== sha256) {
      throw new OperatorFault(
        `${name} wurde nach der Anwendung geändert. ` +
          'Bitte die Datei zurücksetzen und die Änderung in eine neue Migration schreiben.',
      )
    }
  }
  const last = Math.max(0, ...history.keys())
  const late = migrations.find(({ number }) => number < last && !history.has(number))
  if (late !== undefined)
    throw new OperatorFault(
      `${late.name} liegt vor der schon angewendeten Nummer ${last}. Bitte neu nummerieren.`,
    )
}

/** True if this run applied it. Checked again under the lock: another migrator may have been faster. */
async function apply(
  owner: OwnerConnection,
  migration: Migration,
  all: readonly Migration[],
  { log, now }: MigrateOptions,
): Promise<boolean> {
  if ((await readHistory(owner)).has(migration.number)) return false
  const start = now()
  const done = await named(migration.name, () =>
    locked(owner, async () => {
      const history = await readHistory(owner)
      checkHistory(history, all)
      if (history.has(migration.number)) return false
      await owner.script(migration.sql)
      const values = [
        migration.number,
        migration.name,
        migration.sha256,
        now(),
        now().getTime() - start.getTime(),
      ]
      await owner.query(
        'insert into betrieb.migration (nummer, name, sha256, zeit, dauer_ms) values ($1, $2, $3, $4, $5)',
        values,
      )
      return true
    }),
  )
  if (done) log.info('migration applied', { name: migration.name })
  return done
}

/** Applies all nouns in one transaction, if one of them or the tables below them changed. */
async function applyNouns(
  owner: OwnerConnection,
  nouns: Nouns,
  migrations: readonly Migration[],
  options: MigrateOptions,
): Promise<boolean> {
  const { log, now } = options
  const rules = nounsOf(nouns, migrations, options)
  const { sha256, generation, version } = rules
  const current = 'select from betrieb.nomen where sha256 = $1 and stand >= $2'
  const isCurrent = async () => (await owner.query(current, [sha256, generation])).rows.length > 0
  if (await isCurrent()) return false
  const done = await locked(owner, async () => {
    if (await isCurrent()) return false
    // A newer program may have been faster.
    await checkRules(owner, rules)
    for (const { name, sql } of nouns.sql) await named(name, () => owner.script(sql))
    const text = `insert into betrieb.nomen (sha256, zeit, programm, stand) values ($1, $2, $3, $4)
      on conflict (eines) do update set sha256 = excluded.sha256, zeit = excluded.zeit,
        programm = excluded.programm, stand = excluded.stand`
    await owner.query(text, [sha256, now(), version, generation])
    return true
  })
  if (done) log.info('nouns applied', { count: nouns.sql.length, generation })
  return done
}

async function named<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error
    if (/\bpostgis\b/i.test(error.message) && ['42501', '0A000', '58P01'].includes(error.code))
      throw postgisFault(error)
    throw new PlacedFault(file, error)
  }
}

function postgisFault(error: DatabaseFault): OperatorFault {
  return new OperatorFault(
    error.code === '42501'
      ? 'PostGIS ist in dieser Datenbank noch nicht eingerichtet, und der Eigentümer darf das nicht. ' +
          'Bitte einmal als Superuser in der Datenbank ausführen: CREATE EXTENSION postgis;'
      : 'PostGIS ist auf dem Datenbankserver nicht installiert. Bitte das Paket installieren (Debian: ' +
          'postgresql-15-postgis-3) und erneut starten.',
  )
}
