// The data API on its own, in front of any PostgreSQL database:
// npm run data-api -- --database-url … --schema a,b --anon-role …
import { once } from 'node:events'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { createPostgresDatabase } from '#server/database/postgres.ts'
import { shareConnections } from '#server/connections.ts'
import { answerEvery } from '#server/http-faults.ts'
import { createLog } from '#server/log.ts'
import { setWatchdog } from '#server/watchdog.ts'
import { createDataApi } from './data-api.ts'
import { createTokenCheck } from './standalone-token.ts'

/**
 * Time for requests in progress at the end; within a second after that the process is gone, whatever it does.
 */
const GRACE_MS = 5_000

const USAGE = `Usage: npm run data-api -- --database-url <postgres://…> --schema <a,b> \
(--anon-role <role> | --role <a,b> --jwt-…) [options]

  --database-url     login that may do nothing but switch to the web roles
  --schema           exposed schemas, separated by commas; the first is the default
  --anon-role        role of requests without a token, or with one that names none; without it they are refused
  --role             roles that a token may ask for, separated by commas
  --jwt-jwks         address or file of the key set that verifies tokens
  --jwt-secret-file  file with a shared secret of at least 32 bytes, instead
  --role-claim       where the role is in the claims (default: role)
  --audience         required audience of tokens
  --base             path in front of everything (default: none)
  --host, --port     where to listen (default: 127.0.0.1 and 3001)
  --max-rows         rows of one answer at most (default: 10000)
  --read-timeout     seconds that a read may run (default: 5)
  --pool-size        connections at most (default: 8); one more listens for "notify pgrst"
  --tx-end           commit, commit-allow-override, rollback or rollback-allow-override: how transactions end,
                     and whether a request may choose with Prefer: tx= (default: commit)
  --plans            shows execution plans, planned and estimated counts
  --no-aggregates    refuses count(), sum() and their like
  --openapi-mode     follow-privileges, ignore-privileges or disabled (default: follow-privileges)
  --openapi-origin   address in that document, as people type it
  --cors-origins     origins whose pages may call, separated by commas; * for all (default: none)
  --server-timing    says in each answer how long its parts took`

const OPTIONS = {
  'database-url': { type: 'string' },
  schema: { type: 'string' },
  'anon-role': { type: 'string' },
  role: { type: 'string' },
  'jwt-jwks': { type: 'string' },
  'jwt-secret-file': { type: 'string' },
  'role-claim': { type: 'string', default: 'role' },
  audience: { type: 'string' },
  base: { type: 'string', default: '' },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '3001' },
  'max-rows': { type: 'string', default: '10000' },
  'read-timeout': { type: 'string', default: '5' },
  'pool-size': { type: 'string', default: '8' },
  'tx-end': { type: 'string', default: 'commit' },
  plans: { type: 'boolean', default: false },
  'no-aggregates': { type: 'boolean', default: false },
  'openapi-mode': { type: 'string', default: 'follow-privileges' },
  'openapi-origin': { type: 'string' },
  'cors-origins': { type: 'string' },
  'server-timing': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const TX_ENDS = ['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'] as const
const OPENAPI_MODES = ['follow-privileges', 'ignore-privileges', 'disabled'] as const

const names = (list: string | undefined) => (list ?? '').split(',').filter((name) => name !== '')

/** Reports all faults at once, so that a start can be corrected in one go. */
function readSettings() {
  const { values } = parseArgs({ options: OPTIONS })
  if (values.help) return { faults: [], values: null }
  const faults: string[] = []
  const whole = (name: 'port' | 'max-rows' | 'read-timeout' | 'pool-size') => {
    if (!/^[0-9]{1,9}$/.test(values[name])) faults.push(`--${name} must be a whole number`)
    return Number(values[name])
  }
  const roles = names(values.role)
  const keys = values['jwt-jwks'] ?? values['jwt-secret-file']
  if (values['database-url'] === undefined) faults.push('--database-url is missing')
  if (names(values.schema).length === 0) faults.push('--schema is missing')
  if (roles.length === 0 && values['anon-role'] === undefined) faults.push('--anon-role or --role is missing')
  if (roles.length > 0 && keys === undefined) faults.push('--role needs --jwt-jwks or --jwt-secret-file')
  if (values['jwt-jwks'] !== undefined && values['jwt-secret-file'] !== undefined)
    faults.push('--jwt-jwks and --jwt-secret-file exclude each other')
  if (values.base !== '' && !/^(\/[A-Za-z0-9._~-]+)+$/.test(values.base))
    faults.push('--base must look like /rest/v1')
  const word = <T extends string>(name: 'tx-end' | 'openapi-mode', words: readonly T[]): T => {
    const found = words.find((one) => one === values[name])
    if (found === undefined) faults.push(`--${name} must be ${words.join(' or ')}`)
    return found ?? (words[0] as T)
  }
  const origin = values['openapi-origin']
  if (origin !== undefined && !/^https?:\/\/[^/]+$/.test(origin))
    faults.push('--openapi-origin must look like https://api.example.org')
  const words = { txEnd: word('tx-end', TX_ENDS), openApiMode: word('openapi-mode', OPENAPI_MODES) }
  const numbers = {
    port: whole('port'),
    maxRows: whole('max-rows'),
    readMs: whole('read-timeout') * 1000,
    poolSize: whole('pool-size'),
  }
  return { faults, values: { ...values, roles, ...numbers, ...words } }
}

async function start(): Promise<void> {
  const { faults, values } = readSettings()
  if (values === null || faults.length > 0) {
    console.error([...faults, ...(faults.length > 0 ? [''] : []), USAGE].join('\n'))
    process.exitCode = faults.length > 0 ? 2 : 0
    return
  }
  const log = createLog(
    (line) => console.log(line),
    () => new Date(),
  )
  const anonymousRole = values['anon-role']
  const [role = anonymousRole ?? '', ...otherRoles] = values.roles
  const database = createPostgresDatabase({
    url: values['database-url'] ?? '',
    poolSize: values.poolSize,
    log,
  })
  const tokens = {
    jwks: values['jwt-jwks'],
    secretFile: values['jwt-secret-file'],
    roleClaim: values['role-claim'],
    anonymousRole,
    audience: values.audience,
  }
  const api = createDataApi({
    database,
    schemas: names(values.schema),
    base: values.base,
    role,
    otherRoles,
    ...(anonymousRole === undefined ? {} : { anonymousRole }),
    authenticate: createTokenCheck(tokens),
    limits: {
      maxRows: values.maxRows,
      readMs: values.readMs,
      ...(values['no-aggregates'] ? { aggregates: 0 } : {}),
    },
    txEnd: values.txEnd,
    plans: values.plans,
    openApi: {
      mode: values.openApiMode,
      origin: values['openapi-origin'] ?? null,
      securityActive: anonymousRole === undefined,
    },
    corsOrigins: names(values['cors-origins']),
    serverTiming: values['server-timing'],
    requestHeaders: true,
    log,
  })
  if (!(await api.ready())) log.warn('the database does not answer yet; requests get 503 until it does')
  const server = createServer((request, response) => void api.handle(request, response))
  answerEvery(server)
  shareConnections(server)
  server.listen(values.port, values.host)
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : values.port
  log.info('data API is listening', { address: `http://${values.host}:${port}${values.base}` })
  const stop = () => {
    setWatchdog(GRACE_MS + 900)
    // Connections become idle once their request has been answered.
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref()
    setTimeout(() => process.exit(1), GRACE_MS + 600).unref()
    server.close(() => {
      clearInterval(sweep)
      void database.close()
    })
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

await start()
