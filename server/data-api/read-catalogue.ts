// Reads what is published from pg_catalog, which a login without rights may do: one statement, one JSON
// document.
import type { Context, Database } from '#server/database/database.ts'
import { Catalogue } from './catalogue.ts'
import type { CatalogueRows } from './catalogue-rows.ts'

// $1: exposed schemas, $2: web roles. Only pg_catalog is on the search path, so every printed type and
// expression is qualified.
const RELATIONS = `
  select c.oid::int8 as id, n.nspname as schema, c.relname as name, pg_relation_is_updatable(c.oid, true) as writable,
    (select coalesce(json_agg(json_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'default', case
          when a.attidentity <> ''
          then format('nextval(%L::regclass)', pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname),
          a.attname))
          when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end,
        'readers', (select coalesce(json_agg(w.role), '[]') from web w
        where has_column_privilege(w.role, c.oid, a.attnum, 'select'))
      ) order by a.attnum), '[]')
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and exists (select from web w
          where has_column_privilege(w.role, c.oid, a.attnum, 'select, insert, update'))) as columns,
    (select coalesce(json_agg(a.attname order by k.position), '[]')
      from pg_index i
      cross join unnest(i.indkey) with ordinality k(number, position)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
      where i.indrelid = c.oid and i.indisprimary) as primary_key
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
    and exists (select from web w where has_any_column_privilege(w.role, c.oid, 'select, insert, update')
      or has_table_privilege(w.role, c.oid, 'delete'))`

const FOREIGN_KEYS = `
  select k.conname as name, k.conrelid::int8 as from_id, k.confrelid::int8 as to_id,
    (select json_agg(a.attname order by u.position) from unnest(k.conkey) with ordinality u(number, position)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number) as from_columns,
    (select json_agg(a.attname order by u.position) from unnest(k.confkey) with ordinality u(number, position)
      join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number) as to_columns,
    exists (select from pg_constraint q where q.conrelid = k.conrelid and q.contype in ('p', 'u')
      and q.conkey @> k.conkey and q.conkey <@ k.conkey) as from_unique
  from pg_constraint k join relations f on f.id = k.conrelid join relations t on t.id = k.confrelid
  where k.contype = 'f' and k.conparentid = 0`

const FUNCTIONS = `
  select n.nspname as schema, p.proname as name, p.proretset as set, p.provolatile = 'v' as volatile,
    (select coalesce(json_agg(json_build_object('name', coalesce(a.name, ''), 'type', format_type(a.type, null),
        'required', a.position <= p.pronargs - p.pronargdefaults, 'variadic', a.mode = 'v') order by a.position), '[]')
      from (select x.name, x.type, x.mode, row_number() over (order by x.at) as position from all_args x
        where x.mode in ('i', 'b', 'v')) a) as args,
    case when p.prorettype = 'void'::regtype then 'void'
      when t.typtype = 'c' or exists (select from all_args o where o.mode in ('o', 'b', 't')) then 'rows'
      when p.prorettype in ('json'::regtype, 'jsonb'::regtype) then 'json' else 'scalar' end as returns,
    case when t.typtype = 'c' then
      (select coalesce(json_agg(json_build_object('name', a.attname, 'type',
      format_type(a.atttypid, a.atttypmod)) order by a.attnum), '[]')
        from pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped)
      else (select coalesce(json_agg(json_build_object('name', o.name, 'type', format_type(o.type, null))
      order by o.at), '[]')
        from all_args o where o.mode in ('o', 'b', 't')) end as columns,
    nullif(t.typrelid, 0)::int8 as row_relation,
    (select case when c.value ~ '^[0-9]+$' then c.value::int8
    else (extract(epoch from c.value::interval) * 1000)::int8 end
      from (select substr(entry, strpos(entry, '=') + 1) as value from unnest(p.proconfig) entry
        where entry like 'statement_timeout=%') c) as time_limit_ms
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_type t on t.oid = p.prorettype
    cross join lateral (select coalesce(p.proallargtypes, p.proargtypes::oid[]) as types) y
  where n.nspname = any($1) and p.prokind = 'f' and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    and exists (select from web w where has_function_privilege(w.role, p.oid, 'execute'))`

// The arguments of each function, listed once per function whatever their mode.
const ALL_ARGS = `(select u.at, u.type, p.proargnames[u.at] as name, coalesce(p.proargmodes[u.at], 'i') as mode
      from unnest(y.types) with ordinality u(type, at))`

const SETTINGS = `
  select r.rolname as role, split_part(c.entry, '=', 1) as name, substr(c.entry, strpos(c.entry, '=') + 1) as value
  from pg_db_role_setting s join pg_roles r on r.oid = s.setrole cross join unnest(s.setconfig) c(entry)
  where r.rolname = any($2) and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and split_part(c.entry, '=', 1) in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')
  order by s.setdatabase`

const DOCUMENT = `
  with web as (select r.rolname as role from pg_roles r where r.rolname = any($2)),
    relations as (${RELATIONS}),
    foreign_keys as (${FOREIGN_KEYS}),
    functions as (${FUNCTIONS.replaceAll('all_args', ALL_ARGS)}),
    settings as (${SETTINGS})
  select json_build_object(
    'relations', (select coalesce(json_agg(r), '[]') from relations r),
    'foreign_keys', (select coalesce(json_agg(f), '[]') from foreign_keys f),
    'functions', (select coalesce(json_agg(f), '[]') from functions f),
    'settings', (select coalesce(json_agg(s), '[]') from settings s))::text as document`

export interface Published {
  readonly schemas: readonly string[]
  /** The catalogue is read as the first of these. */
  readonly roles: readonly string[]
}

export async function readCatalogue(database: Database, { schemas, roles }: Published): Promise<Catalogue> {
  const context: Context = { role: roles[0] ?? '', settings: { search_path: 'pg_catalog' }, readOnly: true }
  const { rows } = await database.once<{ document: string }>(context, {
    text: DOCUMENT,
    values: [schemas, roles],
  })
  return new Catalogue(JSON.parse(rows[0]?.document ?? '') as CatalogueRows)
}
