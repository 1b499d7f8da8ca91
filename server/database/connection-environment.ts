// What PostgreSQL and Node read from the environment by themselves: no settings of the server, but processes that
// connect need them as well.

/**
 * For processes that connect: how PostgreSQL is reached, and which certificates are trusted; not the
 * settings.
 */
const OF_CONNECTION = [
  'HOME',
  'APPDATA',
  'USER',
  'USERNAME',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'OPENSSL_CONF',
  'PGHOST',
  'PGPORT',
  'PGUSER',
  'PGDATABASE',
  'PGPASSWORD',
  'PGPASSFILE',
  'PGOPTIONS',
  'PGCONNECT_TIMEOUT',
  'PGSSLMODE',
  'PGSSLNEGOTIATION',
  'PGSSLROOTCERT',
  'PGSSLCERT',
  'PGSSLKEY',
]
export const environmentOfConnection = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    OF_CONNECTION.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
export const certificateFlags = (): string[] =>
  [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)].filter((word) =>
    /^--use-(?:openssl|system|bundled)-ca$/.test(word),
  )
