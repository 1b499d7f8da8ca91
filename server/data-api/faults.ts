// Every refusal the data API can give, in the wording of the dialect: status, code, message, details, hint.

export interface FaultFields {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: unknown
  readonly hint?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** A name was not in the catalogue: worth reading the database again before refusing. */
  readonly missedName?: boolean
}

export class ApiFault extends Error {
  override readonly name = 'ApiFault'
  readonly status: number
  readonly code: string
  readonly details: unknown
  readonly hint: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly missedName: boolean
  constructor(fields: FaultFields) {
    super(fields.message)
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details ?? null
    this.hint = fields.hint ?? null
    this.headers = fields.headers ?? {}
    this.missedName = fields.missedName ?? false
  }
}

const bad = (code: string, message: string, details: unknown = null, hint: string | null = null) =>
  new ApiFault({ status: 400, code, message, details, hint })

const missed = (
  status: number,
  code: string,
  message: string,
  details: unknown = null,
  hint: string | null = null,
) => new ApiFault({ status, code, message, details, hint, missedName: true })

// Unreadable input.
export const unreadableQuery = (what: string, details: string) =>
  bad('PGRST100', `failed to parse ${what}`, details)
export const overLimit = (cap: string, details: string) =>
  bad('PGRST100', `The request exceeds a limit of this server: ${cap}`, details)
export const notImplemented = (details: string) => bad('PGRST127', 'Feature not implemented', details)
export const badBody = (message: string, details: string | null = null) => bad('PGRST102', message, details)
export const notSatisfiable = (details: string) =>
  new ApiFault({ status: 416, code: 'PGRST103', message: 'Requested range not satisfiable', details })
export const strictPreferences = (unknown: readonly string[]) =>
  bad(
    'PGRST122',
    'Invalid preferences given with handling=strict',
    `Invalid preferences: ${unknown.join(', ')}`,
  )
export const noMediaType = (accept: string) =>
  new ApiFault({
    status: 406,
    code: 'PGRST107',
    message: `None of these media types are available: ${accept}`,
  })
export const nulCharacter = () => bad('22021', 'invalid byte sequence for encoding "UTF8": 0x00')

// Addresses and methods.
export const badPath = () =>
  new ApiFault({ status: 404, code: 'PGRST125', message: 'Invalid path specified in request URL' })
export const rootDisabled = () =>
  new ApiFault({ status: 404, code: 'PGRST126', message: 'Root endpoint metadata is disabled' })
export const badMethod = (method: string, allow: string) =>
  new ApiFault({
    status: 405,
    code: 'PGRST117',
    message: `Unsupported HTTP method: ${method}`,
    headers: { Allow: allow },
  })
export const unwritable = (relation: string, method: string, allow: string) =>
  new ApiFault({
    status: 405,
    code: 'PGRST117',
    message: `Unsupported HTTP method: ${method}`,
    details: `'${relation}' is a view that can only be read`,
    headers: { Allow: allow },
  })
export const badCallMethod = (method: string, allow: string) =>
  new ApiFault({
    status: 405,
    code: 'PGRST101',
    message: `Cannot use the ${method} method on RPC`,
    headers: { Allow: allow },
  })
/** A read-only transaction refused to change anything. */
export const READ_ONLY_ALLOW = 'OPTIONS, POST'
export const filtersOfPut = () =>
  new ApiFault({
    status: 405,
    code: 'PGRST105',
    message: "Filters must include all and only primary key columns with 'eq' operators",
    headers: { Allow: 'OPTIONS, GET, HEAD, POST, PATCH, DELETE' },
  })
export const pageOfPut = () => bad('PGRST114', 'limit/offset querystring parameters are not allowed for PUT')
export const otherKeyInPut = () => bad('PGRST115', 'Payload values do not match URL in primary key column(s)')
export const unknownSchema = (name: string, exposed: readonly string[]) =>
  new ApiFault({
    status: 406,
    code: 'PGRST106',
    message: `Invalid schema: ${name}`,
    hint: `Only the following schemas are exposed: ${exposed.join(', ')}`,
  })

// Names that are not in the catalogue.
export const unknownRelation = (schema: string, name: string) =>
  missed(404, 'PGRST205', `Could not find the table '${schema}.${name}' in the schema cache`)
export const unknownColumn = (relation: string, column: string) =>
  missed(400, '42703', `column ${relation}.${column} does not exist`)
export const unknownBodyColumn = (relation: string, column: string) =>
  missed(400, 'PGRST204', `Could not find the '${column}' column of '${relation}' in the schema cache`)
/** @param whole type of the only argument without a name that was searched for as well */
export function unknownFunction(
  schema: string,
  name: string,
  given: readonly string[],
  whole: string | null = null,
): ApiFault {
  const list = given.toSorted().join(', ')
  const named = list === '' && given.length === 0 ? ' without parameters' : `(${list})`
  const single = whole === null ? '' : `with a single unnamed ${whole} parameter`
  const alone = whole !== null && whole !== 'json/jsonb'
  const searched =
    given.length === 0 ? 'without parameters' : `with parameter${given.length > 1 ? 's' : ''} ${list}`
  const all = alone ? single : `${searched}${single === '' ? '' : ` or ${single}`}`
  return missed(
    404,
    'PGRST202',
    `Could not find the function ${schema}.${name}${alone ? '' : named} in the schema cache`,
    `Searched for the function ${schema}.${name} ${all}, but no matches were found in the schema cache.`,
  )
}
/** Fewer arguments first. */
const inOrder = (signatures: readonly string[]): readonly string[] =>
  signatures
    .map((signature) => signature.replace(/\)$/, ''))
    .toSorted()
    .map((signature) => `${signature})`)
export const ambiguousFunction = (signatures: readonly string[]) =>
  new ApiFault({
    status: 300,
    code: 'PGRST203',
    message: `Could not choose the best candidate function between: ${inOrder(signatures).join(', ')}`,
    hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
  })

// Embedding.
export const noRelationship = (from: string, to: string, schema: string, hint: string | null) =>
  missed(
    400,
    'PGRST200',
    `Could not find a relationship between '${from}' and '${to}' in the schema cache`,
    `Searched for a foreign key relationship between '${from}' and ` +
      `'${to}'${hint === null ? '' : ` using the hint '${hint}'`} in the schema '${schema}', ` +
      'but no matches were found.',
  )
export const ambiguousRelationship = (
  from: string,
  to: string,
  choices: readonly { target: string; hint: string; cardinality: string; relationship: string }[],
) =>
  new ApiFault({
    status: 300,
    code: 'PGRST201',
    message: `Could not embed because more than one relationship was found for '${from}' and '${to}'`,
    details: choices.map(({ target, cardinality, relationship }) => ({
      cardinality,
      relationship,
      embedding: `${from} with ${target}`,
    })),
    hint:
      `Try changing '${to}' to one of the following: ` +
      `${choices.map(({ target, hint }) => `'${target}!${hint}'`).join(', ')}. ` +
      `Find the desired relationship in the 'details' key.`,
  })
export const notEmbedded = (name: string) =>
  bad(
    'PGRST108',
    `'${name}' is not an embedded resource in this request`,
    null,
    `Verify that '${name}' is included in the 'select' query parameter.`,
  )

export const relatedOrder = (from: string, to: string) =>
  bad(
    'PGRST118',
    `A related order on '${to}' is not possible`,
    `'${from}' and '${to}' do not form a many-to-one or one-to-one relationship`,
  )
export const badEmbedFilter = (name: string) =>
  bad(
    'PGRST120',
    `Bad operator on the '${name}' embedded resource`,
    'Only is null or not is null filters are allowed on embedded resources',
  )
export const aggregatesOff = () => bad('PGRST123', 'Use of aggregate functions is not allowed')
/** A type that select= does not cast to. */
export const unknownType = (name: string) => bad('42704', `type "${name}" does not exist`)

// The number of rows.
export const notOneRow = (rows: number) =>
  new ApiFault({
    status: 406,
    code: 'PGRST116',
    message: 'Cannot coerce the result to a single JSON object',
    details: `The result contains ${rows} rows`,
  })
export const tooManyAffected = (rows: number) =>
  bad('PGRST124', 'Query result exceeds max-affected preference constraint', `The query affects ${rows} rows`)
export const maxAffectedOnCall = () =>
  bad(
    'PGRST128',
    'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    null,
    'Only set-returning functions can be limited',
  )
export const noFilter = (verb: 'UPDATE' | 'DELETE') => bad('21000', `${verb} requires a WHERE clause`)

// Keys of writes.
export const badWriteKey = () => bad('HTTP400', 'Idempotency-Key has to be 16 to 64 letters, digits, - or _')
export const otherWrite = () =>
  new ApiFault({
    status: 422,
    code: 'HTTP422',
    message: 'This Idempotency-Key belongs to another request',
    hint: 'key_reused',
  })
export const answerNotKept = () =>
  new ApiFault({
    status: 409,
    code: 'HTTP409',
    message: 'The request was done before; its answer was not kept',
    hint: 'already_done',
  })

// What functions set for the answer.
export const badResponseHeaders = () =>
  new ApiFault({
    status: 500,
    code: 'PGRST111',
    message:
      'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  })
export const badResponseStatus = () =>
  new ApiFault({ status: 500, code: 'PGRST112', message: 'response.status guc must be a valid status code' })

// The server itself.
const retry = { 'Retry-After': '1' }
export const noConnection = () =>
  new ApiFault({
    status: 503,
    code: 'PGRST001',
    message: 'Database client error. Retrying the connection.',
    headers: retry,
  })
/** So many wait that it would not be served in time. */
export const tooCrowded = (seconds: number) =>
  new ApiFault({
    status: 503,
    code: '53000',
    message: 'Too many requests are waiting for the database. Retry later.',
    headers: { 'Retry-After': String(seconds) },
  })
export const noCatalogue = () =>
  new ApiFault({
    status: 503,
    code: 'PGRST002',
    message: 'Could not query the database for the schema cache. Retrying.',
    headers: retry,
  })
export const poolTimeout = () =>
  new ApiFault({
    status: 504,
    code: 'PGRST003',
    message: 'Timed out acquiring connection from connection pool.',
    headers: retry,
  })
export const tooManyRequests = () =>
  new ApiFault({
    status: 429,
    code: '53300',
    message: 'Too many of your requests are waiting already. Retry later.',
    headers: retry,
  })
export const answerTooLarge = ({
  code,
  message,
  hint,
}: {
  code: string
  message: string
  hint: string | null
}) => new ApiFault({ status: 413, code, message, hint })
export const keysUnavailable = () =>
  new ApiFault({
    status: 503,
    code: 'PGRST301',
    message: 'The keys that verify tokens cannot be reached. Retry later.',
    headers: retry,
  })
export const noSecret = () =>
  new ApiFault({ status: 500, code: 'PGRST300', message: 'Server lacks JWT secret' })
export const bodyTooLarge = (bytes: number) =>
  new ApiFault({
    status: 413,
    code: 'HTTP413',
    message: `The body is larger than ${bytes} bytes`,
    headers: { Connection: 'close' },
  })
export const urlTooLong = (bytes: number) =>
  new ApiFault({ status: 414, code: 'HTTP414', message: `The address is longer than ${bytes} bytes` })
export const bodyTooSlow = () =>
  new ApiFault({
    status: 408,
    code: 'HTTP408',
    message: 'The body did not arrive in time',
    headers: { Connection: 'close' },
  })
export const answerTooSlow = () =>
  new ApiFault({ status: 504, code: 'HTTP504', message: 'The request could not be answered in time' })
export const internal = () =>
  new ApiFault({ status: 500, code: 'PGRSTX00', message: 'Internal error of the data API' })
