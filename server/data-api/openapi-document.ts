// The document at the root, as the dialect writes it: Swagger 2.0 with a path for each relation and function.
import type { Catalogue, Column, Relation } from './catalogue.ts'
import type {
  DescribedArgument,
  DescribedColumn,
  DescribedFunction,
  DescribedRelation,
  Description,
} from './read-openapi.ts'

/** A relation of the catalogue with what is said of it, and what the role may do with it. */
interface Shown {
  readonly relation: Relation
  readonly said: DescribedRelation
  readonly columns: readonly (readonly [Column, DescribedColumn])[]
  /** Whether the role may know of a column of another relation. */
  readonly knows: (relation: string, column: string) => boolean
}

export interface DocumentOptions {
  readonly catalogue: Catalogue
  readonly schema: string
  readonly description: Description
  /** Only what the role may see. */
  readonly byRights: boolean
  readonly base: string
  /** Address of the server as people type it; without it the one that sent the document. */
  readonly origin: string | null
  readonly securityActive: boolean
}

type Json = Readonly<Record<string, unknown>>

export function buildDocument(options: DocumentOptions): Json {
  const { description, origin, base, securityActive } = options
  const [title, text] = splitComment(description.comment)
  const relations = shownRelations(options)
  const functions = shownFunctions(options)
  const address = origin === null ? null : new URL(origin)
  return {
    swagger: '2.0',
    info: {
      title: title ?? 'Data API',
      description: text ?? 'Tables, views and functions in the dialect of PostgREST',
      version: '14',
    },
    ...(address === null ? {} : { host: address.host, schemes: [address.protocol.slice(0, -1)] }),
    basePath: base === '' ? '/' : base,
    consumes: BODIES,
    paths: {
      '/': ROOT,
      ...Object.fromEntries(relations.map((shown) => [`/${shown.relation.name}`, relationPath(shown)])),
      ...Object.fromEntries(functions.map((one) => [`/rpc/${one.name}`, functionPath(one)])),
    },
    definitions: Object.fromEntries(relations.map((shown) => [shown.relation.name, definition(shown)])),
    parameters: Object.assign({}, PARAMETERS, ...relations.map(parametersOf)) as Json,
    responses: { refused: REFUSED },
    externalDocs: { description: 'PostgREST Documentation', url: 'https://docs.postgrest.org/en/v14/' },
    ...(securityActive ? SECURITY : {}),
  }
}

const BODIES = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
  'text/csv',
]
const ROWS = [...BODIES, 'application/geo+json']
const CALL_ANSWERS = BODIES.slice(0, 3)
const ROOT: Json = {
  get: {
    tags: ['Introspection'],
    summary: 'OpenAPI description (this document)',
    produces: ['application/openapi+json', 'application/json'],
    responses: { 200: { description: 'OK' }, default: { $ref: '#/responses/refused' } },
  },
}
/** Whatever is refused, also by what is in front of the API. */
const REFUSED: Json = {
  description: 'Refused: the code says why',
  schema: {
    type: 'object',
    required: ['code', 'message', 'details', 'hint'],
    properties: {
      code: { type: 'string' },
      message: { type: 'string' },
      // Several embeds that are possible are a list.
      details: {},
      hint: { type: 'string', 'x-nullable': true },
    },
  },
}
const orRefused = (responses: Json): Json => ({ ...responses, default: { $ref: '#/responses/refused' } })
const SECURITY: Json = {
  securityDefinitions: {
    JWT: {
      type: 'apiKey',
      name: 'Authorization',
      in: 'header',
      description: 'Add the token prepending "Bearer " (without quotes) to it',
    },
  },
  security: [{ JWT: [] }],
}

/** The first line of a comment, and what follows it. */
function splitComment(comment: string | null): [string | null, string | null] {
  if (comment === null) return [null, null]
  const end = comment.indexOf('\n')
  if (end === -1) return [comment, null]
  return [comment.slice(0, end), comment.slice(end).replace(/^\n+/, '') || null]
}

function shownRelations({ catalogue, schema, description, byRights }: DocumentOptions): Shown[] {
  const open = new Set(
    description.relations.flatMap(({ name, columns }) =>
      columns.flatMap((one) => (one.open ? [`${name}.${one.name}`] : [])),
    ),
  )
  const knows = (relation: string, column: string) => !byRights || open.has(`${relation}.${column}`)
  return description.relations.flatMap((said) => {
    const relation = catalogue.relation(schema, said.name)
    const visible = said.select || said.insert || said.update || said.delete
    if (relation === undefined || (byRights && !visible)) return []
    const columns = said.columns.flatMap((one): [Column, DescribedColumn][] => {
      const column = relation.columns.get(one.name)
      return column === undefined || (byRights && !one.open) ? [] : [[column, one]]
    })
    return [{ relation, said, columns, knows }]
  })
}

/** One path for functions of the same name, which are distinguished by their arguments. */
function shownFunctions({ catalogue, schema, description, byRights }: DocumentOptions): DescribedFunction[] {
  const shown = description.functions.filter(
    ({ name, open }) => catalogue.routines(schema, name).length > 0 && (open || !byRights),
  )
  return [...new Map(shown.toReversed().map((one) => [one.name, one])).values()].toReversed()
}

const NUMBERS: Readonly<Record<string, readonly [type: string, format: string]>> = {
  smallint: ['integer', 'int32'],
  integer: ['integer', 'int32'],
  bigint: ['integer', 'int64'],
  numeric: ['number', 'numeric'],
  real: ['number', 'real'],
  'double precision': ['number', 'double precision'],
  boolean: ['boolean', 'boolean'],
}
/** Without what is in brackets: numeric(8,2), character varying(20). */
const bare = (type: string) => type.replace(/\(.*?\)/, '')

/**
 * Type and format. What may be anything has no type: json, and types that are not PostgreSQL's own, such as geometries
 * (GeoJSON in answers) and composite types.
 */
function typed(type: string): Json {
  if (type === 'json' || type === 'jsonb') return { format: type }
  if (type.includes('.') && !type.endsWith('[]')) return { format: type }
  if (type.endsWith('[]'))
    return { type: 'array', format: type, items: { ...typed(type.slice(0, -2)), 'x-nullable': true } }
  const [kind, format] = NUMBERS[bare(type)] ?? ['string', bare(type)]
  return { type: kind, format }
}

function definition({ relation, said, columns, knows }: Shown): Json {
  const required = columns.filter(([, { required: needed }]) => needed).map(([{ name }]) => name)
  return {
    type: 'object',
    ...(said.comment === null ? {} : { description: said.comment }),
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      columns.map((pair) => [pair[0].name, property({ relation, knows }, pair)]),
    ),
  }
}

type Known = Pick<Shown, 'relation' | 'knows'>
function property(known: Known, [column, said]: Shown['columns'][number]): Json {
  const description = columnText(known, column, said.comment)
  const fallback = defaultOf(column)
  return {
    ...typed(column.type),
    // As generators of clients know it; Swagger 2 itself has no word for it.
    ...(said.nullable ? { 'x-nullable': true } : {}),
    ...(description === null ? {} : { description }),
    ...(said.length === null ? {} : { maxLength: said.length }),
    ...(said.words === null ? {} : { type: 'string', enum: said.words }),
    ...(fallback === undefined ? {} : { default: fallback }),
  }
}

/** Generators of clients read the marks <pk/> and <fk/>. */
function columnText({ relation, knows }: Known, column: Column, comment: string | null): string | null {
  const notes: string[] = []
  if (relation.primaryKey.includes(column)) notes.push('This is a Primary Key.<pk/>')
  const path = relation.paths.find(
    ({ cardinality, on, target }) =>
      (cardinality === 'many-to-one' || cardinality === 'one-to-one') &&
      on.length === 1 &&
      on[0]?.[0] === column &&
      knows(target.name, on[0][1].name),
  )
  const [table, key] = [path?.target.name, path?.on[0]?.[1].name]
  if (table !== undefined && key !== undefined)
    notes.push(`This is a Foreign Key to \`${table}.${key}\`.<fk table='${table}' column='${key}'/>`)
  if (notes.length === 0) return comment
  return `${comment === null ? '' : `${comment}\n\n`}Note:\n${notes.join('\n')}`
}

/** A default that is a constant; what is computed cannot be said. */
function defaultOf({ defaultSql, type }: Column): unknown {
  if (defaultSql === null) return undefined
  const kind = NUMBERS[bare(type)]?.[0]
  if (kind === 'boolean') return defaultSql === 'true' ? true : defaultSql === 'false' ? false : undefined
  if (kind !== undefined) return /^-?[0-9.]+$/.test(defaultSql) ? Number(defaultSql) : undefined
  const text = /^'((?:[^']|'')*)'::/.exec(defaultSql)?.[1]
  // Words of an enumeration, whose type is not PostgreSQL's own.
  const isText = typed(type)['type'] === 'string' || (type.includes('.') && !type.endsWith('[]'))
  return isText ? text?.replaceAll("''", "'") : undefined
}

const inQuery = (name: string, description: string): Json => ({
  name,
  description,
  required: false,
  in: 'query',
  type: 'string',
})
const inHeader = (name: string, description: string, more: Json = {}): Json => ({
  name,
  description,
  required: false,
  in: 'header',
  type: 'string',
  ...more,
})
const prefer = (words: readonly string[]) =>
  inHeader('Prefer', 'Preference', words.length === 0 ? {} : { enum: words })
const RETURN = ['return=representation', 'return=minimal', 'return=headers-only']

const PARAMETERS: Json = {
  preferParams: prefer([]),
  preferReturn: prefer(RETURN),
  preferCount: prefer(['count=none', 'count=exact', 'count=planned', 'count=estimated']),
  preferPost: prefer([...RETURN, 'resolution=ignore-duplicates', 'resolution=merge-duplicates']),
  select: inQuery('select', 'Filtering Columns'),
  on_conflict: inQuery('on_conflict', 'On Conflict'),
  order: inQuery('order', 'Ordering'),
  range: inHeader('Range', 'Limiting and Pagination'),
  rangeUnit: inHeader('Range-Unit', 'Limiting and Pagination', { default: 'items' }),
  offset: inQuery('offset', 'Limiting and Pagination'),
  limit: inQuery('limit', 'Limiting and Pagination'),
}

function parametersOf({ relation: { name }, columns }: Shown): Json {
  const body = {
    name,
    description: name,
    required: false,
    in: 'body',
    schema: { $ref: pointer('definitions', name) },
  }
  return {
    [`body.${name}`]: body,
    ...Object.fromEntries(
      columns.map(([column, said]) => [
        `rowFilter.${name}.${column.name}`,
        { name: column.name, required: false, in: 'query', type: 'string', ...described(said.comment) },
      ]),
    ),
  }
}

const described = (text: string | null): Json => (text === null ? {} : { description: text })
const pointer = (place: string, name: string) =>
  `#/${place}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`
const parameters = (names: readonly string[]) => names.map((name) => ({ $ref: pointer('parameters', name) }))

function relationPath({ relation, said, columns }: Shown): Json {
  const { name, writes } = relation
  const [summary, text] = splitComment(said.comment)
  const filters = columns.map(([column]) => `rowFilter.${name}.${column.name}`)
  const operation = (what: string, names: readonly string[], responses: Json): Json => ({
    tags: [name],
    // Writes answer with rows only if they are asked to; Swagger 2 has no words for one answer without a type, so
    // that none is promised, and nothing for the whole document.
    ...(what === 'Read' && { produces: ROWS }),
    summary: summary ?? `${what} ${name}`,
    ...described(text),
    parameters: parameters(names),
    responses: orRefused(responses),
  })
  const rows = { description: 'OK', schema: { type: 'array', items: { $ref: pointer('definitions', name) } } }
  const paging = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount']
  return {
    get: operation('Read', [...filters, ...paging], { 200: rows, 206: { description: 'Partial Content' } }),
    ...(writes.has('insert') && {
      post: operation('Insert into', [`body.${name}`, 'select', 'on_conflict', 'preferPost'], {
        200: { description: 'All rows existed and were merged' },
        201: { description: 'Created' },
      }),
    }),
    ...(writes.has('update') && {
      patch: operation('Change', [...filters, `body.${name}`, 'preferReturn'], CHANGED),
    }),
    ...(writes.has('delete') && {
      delete: operation('Delete from', [...filters, 'preferReturn'], CHANGED),
    }),
  }
}

/** With `return=representation` the rows. */
const CHANGED: Json = { 200: { description: 'OK' }, 204: { description: 'No Content' } }

function functionPath({ name, comment, volatile, isVoid, args }: DescribedFunction): Json {
  const [summary, text] = splitComment(comment)
  const common = {
    tags: [`(rpc) ${name}`],
    summary: summary ?? `Call ${name}`,
    ...described(text),
    ...(isVoid ? {} : { produces: CALL_ANSWERS }),
    responses: orRefused(
      isVoid
        ? { 204: { description: 'No Content' } }
        : { 200: { description: 'OK' }, 206: { description: 'Partial Content' } },
    ),
  }
  const required = args.filter((one) => one.required && one.name !== '').map((one) => one.name)
  const schema = {
    type: 'object',
    ...described(comment),
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      args.filter((one) => one.name !== '').map((one) => [one.name, typed(one.type)]),
    ),
  }
  const body = [{ name: 'args', required: true, in: 'body', schema }, ...parameters(['preferParams'])]
  return {
    ...(!volatile && { get: { ...common, parameters: args.filter((one) => one.name !== '').map(argument) } }),
    post: { ...common, parameters: body },
  }
}

function argument({ name, type, required, variadic }: DescribedArgument): Json {
  const base = { name, required, in: 'query' }
  const { type: kind = 'string', format } = typed(type)
  if (!variadic) return { ...base, type: kind === 'array' ? 'string' : kind, format }
  const { type: item = 'string', format: itemFormat } = typed(type.replace(/\[\]$/, ''))
  return { ...base, type: 'array', collectionFormat: 'multi', items: { type: item, format: itemFormat } }
}
