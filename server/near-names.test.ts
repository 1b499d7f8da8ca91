import { expect, test } from 'vitest'
import { misspelt } from './near-names.ts'
import { SETTINGS } from './settings.ts'

const KNOWN = Object.keys(SETTINGS)

const MEANT: readonly (readonly [name: string, meant: string])[] = [
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASEURL', 'DATABASE_URL'],
  ['DATABASE-URL', 'DATABASE_URL'],
  ['database_url', 'DATABASE_URL'],
  ['DATABASE_URL_FILE', 'DATABASE_URL'],
  ['FORST_DATABASE_URL', 'DATABASE_URL'],
  ['DB_URL', 'DATABASE_URL'],
  ['POSTGRES_URL', 'DATABASE_URL'],
  ['DATABASE_OWNERURL', 'DATABASE_OWNER_URL'],
  ['SMTP_ULR', 'SMTP_URL'],
  ['STMP_URL', 'SMTP_URL'],
  ['SMTP_HOST', 'SMTP_URL'],
  ['IMAP_HOST', 'EINGANG_IMAP_URL'],
  ['PORTT', 'PORT'],
  ['PROT', 'PORT'],
  ['HOSTS', 'HOST'],
  ['NODE_EVN', 'NODE_ENV'],
  ['NODEENV', 'NODE_ENV'],
  ['PUBLIC_ORIGINS', 'PUBLIC_ORIGIN'],
  ['PUBLIC_URL', 'PUBLIC_ORIGIN'],
  ['DATA_DRI', 'DATA_DIR'],
  ['DATADIR', 'DATA_DIR'],
  ['BACKUPS', 'BACKUP'],
  ['SECOND_FAKTOR', 'SECOND_FACTOR'],
  ['IDP_SECRETFILE', 'IDP_SECRET_FILE'],
  ['TRUSTPROXY', 'TRUST_PROXY'],
]

for (const [name, meant] of MEANT) {
  test(`${name} is told as ${meant}`, () =>
    expect(misspelt([name], KNOWN)).toEqual([
      `${name} ist keine bekannte Einstellung. Gemeint ist wohl ${meant}`,
    ]))
}

test('a name that begins like ours is told even when nothing is near', () =>
  expect(misspelt(['BACKUP_FREQUENCY', 'OIDC_CLIENT_SECRET_FILE'], KNOWN)).toEqual([
    'BACKUP_FREQUENCY ist keine bekannte Einstellung',
    expect.stringContaining('OIDC_CLIENT_SECRET_FILE ist keine bekannte Einstellung'),
  ]))

test('another word for a setting is left alone once that is set', () =>
  expect(misspelt(['POSTGRES_URL', 'DATABASE_URL', 'SMTP_HOST', 'SMTP_URL'], KNOWN)).toEqual([]))

test('no setting is told as another', () => expect(misspelt(KNOWN, KNOWN)).toEqual([]))

/**
 * Variables of shells, systemd, containers, Kubernetes with a service of our name, npm, build servers,
 * PostgreSQL's tools and runtimes.
 */
const FOREIGN =
  `HOME PATH PWD OLDPWD SHELL SHLVL TERM TERM_PROGRAM USER LOGNAME LANG LANGUAGE LC_ALL LC_CTYPE TZ MAIL
  EDITOR VISUAL PAGER LESS LS_COLORS HOSTNAME HOSTTYPE OSTYPE MACHTYPE DISPLAY XDG_RUNTIME_DIR
  XDG_DATA_DIRS XDG_SESSION_ID SSH_CLIENT SSH_CONNECTION SSH_TTY SSH_AUTH_SOCK DBUS_SESSION_BUS_ADDRESS
  INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID MAINPID SYSTEMD_EXEC_PID
  MEMORY_PRESSURE_WATCH STATE_DIRECTORY RUNTIME_DIRECTORY CREDENTIALS_DIRECTORY KUBERNETES_SERVICE_HOST
  KUBERNETES_SERVICE_PORT KUBERNETES_PORT KUBERNETES_PORT_443_TCP_ADDR FORSTKONTOR_SERVICE_HOST
  FORSTKONTOR_SERVICE_PORT FORSTKONTOR_PORT FORSTKONTOR_PORT_3000_TCP POSTGRES_PORT
  POSTGRES_SERVICE_HOST POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB PGHOST PGPORT PGUSER PGPASSWORD
  PGDATABASE PGDATA NODE_OPTIONS NODE_PATH NODE_VERSION NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE
  NODE_NO_WARNINGS NODE_V8_COVERAGE NPM_CONFIG_CACHE YARN_VERSION COREPACK_HOME npm_config_node_gyp
  npm_config_user_agent npm_lifecycle_event npm_package_json npm_package_version npm_node_execpath
  npm_config_local_prefix INIT_CWD COLOR CI GITHUB_ACTIONS GITHUB_SHA RUNNER_OS CI_COMMIT_SHA BUILD_ID
  JOB_NAME JOB_ID MAX_JOBS DEBUG FORCE_COLOR NO_COLOR HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy
  https_proxy no_proxy TMPDIR TEMP TMP JAVA_HOME GOPATH CARGO_HOME PYTHONPATH VIRTUAL_ENV CONDA_PREFIX
  PROJ_LIB PROJ_DATA GDAL_DATA LD_LIBRARY_PATH MALLOC_ARENA_MAX UV_THREADPOOL_SIZE VITEST VITEST_POOL_ID
  VITEST_WORKER_ID E2E_SAMPLE_URL container HOST_UID AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
  REDIS_URL SENTRY_DSN APP_HOME APP_NAME APP_DIR WINDOWID COLUMNS LINES PS1 IFS _ SUDO_USER SUDO_COMMAND
  HISTFILE MANPATH INFOPATH`.split(/\s+/)

test('variables of systems and other programs are left alone', () =>
  expect(misspelt(FOREIGN, KNOWN)).toEqual([]))
