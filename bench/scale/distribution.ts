// What Citus' documented rules ask of a schema that is distributed by customer, asked of PostgreSQL's catalogue. Its
// documentation: "Creating and Modifying Distributed Objects (DDL)", "SQL Support and Workarounds", and the messages of
// its foreign_constraint.c and policy.c. Citus itself is not installed.
import type { OwnerConnection } from '#server/database/database.ts'

/** The tenant. */
export const COLUMN = 'client_id'

/** On every node, because rows of customers refer to them or their functions read them: small and seldom written. */
export const REFERENCE: ReadonlySet<string> = new Set([
  'app.abkuerzung',
  'app.abo_preis',
  'app.benutzer',
  'app.freitext',
  'app.gutschein',
  'app.kontoumsatz',
  'app.lieferant',
  'app.positionsvorlage',
  'app.sepa_lauf',
])

/** Rows of customers without the customer in them. */
export const UNDISTRIBUTED: ReadonlySet<string> = new Set(['app.angebot_offen', 'app.rechnung_offen'])

export type Rule = 'column' | 'key' | 'foreign key' | 'action' | 'trigger' | 'policy' | 'request' | 'call'
export type SchemaOffences = Readonly<Record<Exclude<Rule, 'request' | 'call'>, readonly string[]>>

interface TableRow {
  readonly name: string
  readonly tenant: boolean
  readonly needed: boolean
}
interface KeyRow {
  readonly name: string
  readonly columns: string
}
interface ForeignKeyRow {
  readonly name: string
  readonly target: string
  readonly columns: string
  readonly targets: string
  readonly updates: string
  readonly deletes: string
}

/** Without those of extensions. */
const TABLES = `select n.nspname || '.' || c.relname as name, a.attname is not null as tenant,
    coalesce(a.attnotnull, false) as needed
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_attribute a on a.attrelid = c.oid and a.attname = '${COLUMN}' and not a.attisdropped
  where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by 1`

const named = (of: string): string =>
  `(select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = ${of})`
const columnsOf = (table: string, numbers: string): string =>
  `array_to_string(array(select coalesce(a.attname, '(expression)')
    from unnest(${numbers}) with ordinality as k (nr, at)
    left join pg_attribute a on a.attrelid = ${table} and a.attnum = k.nr and k.nr > 0
    order by k.at), ',')`

const KEYS = `select ${named('i.indrelid')} as name,
    ${columnsOf('i.indrelid', '(i.indkey::smallint[])[0:i.indnkeyatts - 1]')} as columns
  from pg_index i
  where (i.indisunique or i.indisexclusion) order by 1, 2`

const FOREIGN_KEYS = `select ${named('f.conrelid')} as name, ${named('f.confrelid')} as target,
    ${columnsOf('f.conrelid', 'f.conkey')} as columns, ${columnsOf('f.confrelid', 'f.confkey')} as targets,
    f.confupdtype as updates, f.confdeltype as deletes
  from pg_constraint f
  where f.contype = 'f' order by 1, 3`

const TRIGGERS = `select distinct ${named('t.tgrelid')} as name,
    (select n.nspname || '.' || p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where p.oid = t.tgfoid) as does
  from pg_trigger t
  where not t.tgisinternal order by 1, 2`

const POLICIES = `select distinct ${named('p.polrelid')} as name
  from pg_policy p
  where concat(pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) ~ '\\mSELECT\\M'
  order by 1`

/** Calls without the customer among their arguments. */
const CALLS = `select p.proname as name
  from pg_proc p
  where p.pronamespace = 'app'::regnamespace
    and not coalesce(p.proargnames && array['${COLUMN}', 'kunde_id'], false)`

export const listed = (found: readonly string[]): string[] => [...new Set(found)].toSorted()

export interface Kinds {
  readonly distributed: ReadonlySet<string>
  readonly reference: ReadonlySet<string>
  /** On the coordinator alone: the provider's own books, sign-in, work of the server. */
  readonly local: ReadonlySet<string>
}

export async function kindsOf(owner: OwnerConnection): Promise<Kinds> {
  const { rows } = await owner.query<TableRow>(TABLES)
  const distributed = rows.filter(({ name, needed }) => needed || UNDISTRIBUTED.has(name))
  const names = new Set(distributed.map(({ name }) => name))
  return {
    distributed: names,
    reference: new Set(rows.map(({ name }) => name).filter((name) => REFERENCE.has(name))),
    local: new Set(rows.map(({ name }) => name).filter((name) => !REFERENCE.has(name) && !names.has(name))),
  }
}

const SETS = /[nd]/
/** Why Citus refuses a foreign key; null if it does not. */
function faultOf(key: ForeignKeyRow, { distributed, reference }: Kinds): 'foreign key' | 'action' | null {
  const [from, to] = [distributed.has(key.name), distributed.has(key.target)]
  if (from && to) {
    const at = key.columns.split(',').indexOf(COLUMN)
    if (at < 0 || key.targets.split(',')[at] !== COLUMN) return 'foreign key'
    return key.updates === 'c' || SETS.test(key.updates) || SETS.test(key.deletes) ? 'action' : null
  }
  if (reference.has(key.target)) return null
  if (from || to) return 'foreign key'
  // From a table on every node to one that is only on the coordinator.
  return reference.has(key.name) && /[cnd]/.test(key.updates + key.deletes) ? 'foreign key' : null
}

export async function callsWithoutCustomer(owner: OwnerConnection): Promise<ReadonlySet<string>> {
  const { rows } = await owner.query<{ name: string }>(CALLS)
  return new Set(rows.map(({ name }) => name))
}

export async function offencesOf(owner: OwnerConnection, kinds: Kinds): Promise<SchemaOffences> {
  const ask = async <Row>(text: string): Promise<readonly Row[]> =>
    (await owner.query<Row & Record<string, unknown>>(text)).rows
  const tables = await ask<TableRow>(TABLES)
  const keys = await ask<KeyRow>(KEYS)
  const foreign = await ask<ForeignKeyRow>(FOREIGN_KEYS)
  const triggers = await ask<{ name: string; does: string }>(TRIGGERS)
  const policies = await ask<{ name: string }>(POLICIES)
  const foreignWith = (fault: string): string[] =>
    foreign
      .filter((key) => faultOf(key, kinds) === fault)
      .map(({ name, target, columns }) => `${name}(${columns})>${target}`)
  const isDistributed = ({ name }: { readonly name: string }): boolean => kinds.distributed.has(name)
  return {
    column: listed(
      tables
        .filter(({ name, tenant, needed }) => UNDISTRIBUTED.has(name) || (tenant && !needed))
        .map(({ name }) => name),
    ),
    key: listed(
      keys
        .filter(
          (key) =>
            isDistributed(key) && !UNDISTRIBUTED.has(key.name) && !key.columns.split(',').includes(COLUMN),
        )
        .map(({ name, columns }) => `${name}(${columns})`),
    ),
    'foreign key': listed(foreignWith('foreign key')),
    action: listed(foreignWith('action')),
    trigger: listed(triggers.filter(isDistributed).map(({ does }) => does)),
    policy: listed(policies.filter(isDistributed).map(({ name }) => name)),
  }
}
