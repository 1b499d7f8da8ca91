// Reads what is published from pg_catalog, which a login without rights may do: one statement, one JSON
// document.
import type { Context, Database } from '#server/database/database.ts'
import { Catalogue } from './catalogue.ts'
import type { CatalogueRows } from './catalogue-rows.ts'

// $1: exposed schemas, $2: web roles. Only pg_catalog is on the search path, so every printed type and
// expression is qualified.
const RELATIONS = `
  select c.oid::int8 as id, n.nspname as schema, c.relname as name, pg_relation_is_updatable(c.oid, true) as writable,
    c.relrowsecurity or c.relkind in ('v', 'f') as secured,
    c.relkind <> 'v' or pg_relation_is_updatable(c.oid, false) & 12 = 12 as replaces,
    (select coalesce(json_agg(json_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'default', case
          when a.attidentity <> ''
          then format('nextval(%L::regclass)', pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname),
          a.attname))
          when a.attgenerated = '' then coalesce(pg_get_expr(d.adbin, d.adrelid), pg_get_expr(t.typdefaultbin, 0)) end,
        -- The stored expression names the functions that it calls.
        'repeatable', a.attidentity = '' and a.attgenerated = '' and not exists (
          select from regexp_matches(coalesce(d.adbin, t.typdefaultbin)::text, ':(?:op)?funcid ([0-9]+)', 'g') as called
          join pg_proc p on p.oid = called[1]::oid where p.provolatile = 'v'),
        'readers', (select coalesce(json_agg(w.role), '[]') from web w
        where has_column_privilege(w.role, c.oid, a.attnum, 'select'))
      ) order by a.attnum), '[]')
      from pg_attribute a join pg_type t on t.oid = a.atttypid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
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

// Domains with the type below all of them.
const BASE_TYPES = `
  select c.domain, c.base
  from (with recursive chain as (
      select oid as domain, typbasetype as base from pg_type where typtype = 'd'
      union all
      select c.domain, t.typbasetype from chain c join pg_type t on t.oid = c.base and t.typtype = 'd')
    select * from chain) c join pg_type t on t.oid = c.base and t.typtype <> 'd'`

const FOREIGN_KEYS = `
  select k.conname as name, k.conrelid::int8 as from_id, k.confrelid::int8 as to_id,
    (select json_agg(a.attname order by u.position) from unnest(k.conkey) with ordinality u(number, position)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number) as from_columns,
    (select json_agg(a.attname order by u.position) from unnest(k.confkey) with ordinality u(number, position)
      join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number) as to_columns,
    exists (select from pg_constraint q where q.conrelid = k.conrelid and q.contype in ('p', 'u')
      and q.conkey @> k.conkey and q.conkey <@ k.conkey) as from_unique
  from pg_constraint k
  where k.contype = 'f' and k.conparentid = 0
    and k.conrelid in (select id from relations union select origin_id from view_columns)
    and k.confrelid in (select id from relations union select origin_id from view_columns)`

// Where the columns of views come from. PostgreSQL has no function for it, so their stored definitions are
// read: each entry of the outermost list of columns names the table and column it was made from. It is the
// text after an opening bracket, and is at the second level of brackets. Brackets in names are escaped.
const VIEW_COLUMNS = `
  with stored as (
    select c.oid as view_id, case when position(E'\\\\' in r.ev_action::text) = 0 then r.ev_action::text
      else regexp_replace(r.ev_action::text, E'\\\\\\\\.', '', 'g') end as text
    from pg_class c join pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
    where c.relkind in ('v', 'm')
      and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)),
  pieces as (
    select s.view_id, p.piece, p.at - 1 as opened, length(p.piece) - length(replace(p.piece, '}', '')) as closed
    from stored s cross join unnest(string_to_array(s.text, '{')) with ordinality p(piece, at)),
  leveled as (
    select view_id, piece, split_part(piece, ':resno ', 1) as head,
      opened + closed - sum(closed) over (partition by view_id order by opened) as level
    from pieces),
  origins as materialized (
    select view_id, split_part(split_part(piece, ':resno ', 2), ' ', 1)::int as number,
      split_part(split_part(piece, ':resorigtbl ', 2), ' ', 1)::oid as origin_id,
      split_part(split_part(piece, ':resorigcol ', 2), ' ', 1)::int as origin
    from leveled
    where piece like '%:resno %' and level - (length(head) - length(replace(head, '}', ''))) = 2)
  select o.view_id::int8 as view_id, v.attname as column, o.origin_id::int8 as origin_id, a.attname as origin
  from origins o join pg_attribute v on v.attrelid = o.view_id and v.attnum = o.number
    join pg_attribute a on a.attrelid = o.origin_id and a.attnum = o.origin`

const ORIGIN_KEYS = `
  select i.indrelid::int8 as table_id,
    (select json_agg(a.attname order by k.position)
      from unnest(i.indkey) with ordinality k(number, position)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number) as columns
  from pg_index i
  where i.indisprimary and i.indrelid in (select origin_id from view_columns)`

// Functions over the rows of a relation in the relation's own schema: computed columns and relations.
const COMPUTED = `
  select c.id as relation_id, n.nspname as schema, p.proname as name, format_type(p.prorettype, null) as type,
    r.id as target_id, not p.proretset or p.prorows = 1 as one
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    join pg_type a on a.oid = p.proargtypes[0] join relations c on c.id = a.typrelid and c.schema = n.nspname
    left join base_types b on b.domain = p.prorettype join pg_type t on t.oid = coalesce(b.base, p.prorettype)
    left join relations r on r.id = t.typrelid
  where p.pronargs = 1 and p.prokind = 'f' and (r.id is not null or not p.proretset)
    and p.prorettype not in ('void'::regtype, 'trigger'::regtype, 'record'::regtype)
    and exists (select from web w where has_function_privilege(w.role, p.oid, 'execute'))`

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
    format_type(t.oid, null) as result,
    case when b.domain is not null and d.typname like '%/%' then d.typname end as media,
    (select case when c.value ~ '^[0-9]+$' then c.value::int8
    else (extract(epoch from c.value::interval) * 1000)::int8 end
      from (select substr(entry, strpos(entry, '=') + 1) as value from unnest(p.proconfig) entry
        where entry like 'statement_timeout=%') c) as time_limit_ms
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_type d on d.oid = p.prorettype
    left join base_types b on b.domain = d.oid join pg_type t on t.oid = coalesce(b.base, d.oid)
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

// The first of its arguments is the row; the others have defaults.
const GEOJSON = `
  select format('%I.%I', n.nspname, p.proname) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where p.proname = 'st_asgeojson' and p.proargtypes[0] = 'record'::regtype limit 1`

const DOCUMENT = `
  with web as (select r.rolname as role from pg_roles r where r.rolname = any($2)),
    base_types as (${BASE_TYPES}),
    relations as (${RELATIONS}),
    view_columns as materialized (${VIEW_COLUMNS}),
    foreign_keys as (${FOREIGN_KEYS}),
    origin_keys as (${ORIGIN_KEYS}),
    computed as (${COMPUTED}),
    functions as (${FUNCTIONS.replaceAll('all_args', ALL_ARGS)}),
    settings as (${SETTINGS})
  select json_build_object(
    'relations', (select coalesce(json_agg(r), '[]') from relations r),
    'foreign_keys', (select coalesce(json_agg(f), '[]') from foreign_keys f),
    'view_columns', (select coalesce(json_agg(v), '[]') from view_columns v),
    'origin_keys', (select coalesce(json_agg(o order by o.table_id), '[]') from origin_keys o),
    'computed', (select coalesce(json_agg(c order by c.relation_id, c.name), '[]') from computed c),
    'functions', (select coalesce(json_agg(f), '[]') from functions f),
    'settings', (select coalesce(json_agg(s), '[]') from settings s),
    'geojson', (${GEOJSON}))::text as document`

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
