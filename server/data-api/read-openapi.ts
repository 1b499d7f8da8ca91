// What the document at the root says beyond the catalogue: comments, rights of the caller's role, details of
// columns. Read as that role.
import type { Result, Statement } from '#server/database/database.ts'

export interface DescribedColumn {
  readonly name: string
  readonly comment: string | null
  readonly required: boolean
  readonly nullable: boolean
  readonly length: number | null
  readonly words: readonly string[] | null
  /** The role may read, insert or change it. */
  readonly open: boolean
}

export interface DescribedRelation {
  readonly name: string
  readonly comment: string | null
  readonly select: boolean
  readonly insert: boolean
  readonly update: boolean
  readonly delete: boolean
  readonly columns: readonly DescribedColumn[]
}

export interface DescribedArgument {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly variadic: boolean
}

export interface DescribedFunction {
  readonly name: string
  readonly comment: string | null
  readonly volatile: boolean
  /** It answers nothing. */
  readonly isVoid: boolean
  /** The role may call it. */
  readonly open: boolean
  readonly args: readonly DescribedArgument[]
}

export interface Description {
  readonly comment: string | null
  readonly relations: readonly DescribedRelation[]
  readonly functions: readonly DescribedFunction[]
}

const any = (right: string) =>
  `pg_catalog.has_table_privilege(c.oid, '${right}') or pg_catalog.has_any_column_privilege(c.oid, '${right}')`

const COLUMNS = `
  select pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', a.attname, 'comment', pg_catalog.col_description(c.oid, a.attnum),
      'required', a.attnotnull and a.attidentity = '' and d.adbin is null,
      'nullable', not a.attnotnull,
      'length', case when a.atttypid in ('varchar'::regtype, 'bpchar'::regtype) and a.atttypmod > 4
        then a.atttypmod - 4 end,
      'words', (select pg_catalog.json_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e
        where e.enumtypid = a.atttypid),
      'open', pg_catalog.has_column_privilege(c.oid, a.attnum, 'select, insert, update')
    ) order by a.attnum)
  from pg_catalog.pg_attribute a
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`

const RELATIONS = `
  select pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', c.relname, 'comment', pg_catalog.obj_description(c.oid, 'pg_class'),
      'select', ${any('select')}, 'insert', ${any('insert')}, 'update', ${any('update')},
      'delete', pg_catalog.has_table_privilege(c.oid, 'delete'),
      'columns', coalesce((${COLUMNS}), '[]')) order by c.relname)
  from pg_catalog.pg_class c
  where c.relnamespace = n.oid and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition`

const ARGUMENTS = `
  select pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', coalesce(x.name, ''), 'type', pg_catalog.format_type(x.type, null),
      'required', x.place <= p.pronargs - p.pronargdefaults, 'variadic', x.mode = 'v') order by x.place)
  from (select u.type, p.proargnames[u.at] as name, coalesce(p.proargmodes[u.at], 'i') as mode,
      pg_catalog.row_number() over (order by u.at) as place
    from pg_catalog.unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality u(type, at)
    where coalesce(p.proargmodes[u.at], 'i') in ('i', 'b', 'v')) x`

const FUNCTIONS = `
  select pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', p.proname, 'comment', pg_catalog.obj_description(p.oid, 'pg_proc'),
      'volatile', p.provolatile = 'v', 'isVoid', p.prorettype = 'void'::regtype and not p.proretset,
      'open', pg_catalog.has_function_privilege(p.oid, 'execute'),
      'args', coalesce((${ARGUMENTS}), '[]')) order by p.proname, p.oid)
  from pg_catalog.pg_proc p
  where p.pronamespace = n.oid and p.prokind = 'f'
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)`

const TEXT = `
  select pg_catalog.json_build_object(
    'comment', pg_catalog.obj_description(n.oid, 'pg_namespace'),
    'relations', coalesce((${RELATIONS}), '[]'),
    'functions', coalesce((${FUNCTIONS}), '[]'))::text as document
  from pg_catalog.pg_namespace n where n.nspname = $1`

type Run = (statement: Statement) => Promise<Result<Record<string, unknown>>>

export async function readDescription(run: Run, schema: string): Promise<Description> {
  const { rows } = await run({ text: TEXT, values: [schema] })
  return JSON.parse(String(rows[0]?.['document'])) as Description
}
