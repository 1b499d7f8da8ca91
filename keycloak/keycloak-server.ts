// A private Keycloak for one test run: in memory, on a free port of this machine, with the realm file
// imported.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const REALM = 'forstkontor'
const REALM_FILE = join(import.meta.dirname, 'forstkontor-realm.json')
const LONGEST_START_MS = 180_000

export interface NewUser {
  readonly email: string
  readonly password: string
  readonly firstName: string
  readonly lastName: string
  readonly emailVerified?: boolean
  /** Replaces the realm's default group. */
  readonly group?: string
}

export interface NewClient {
  readonly clientId: string
  /** Acts for itself with this secret; without one it is public and connected by the device flow. */
  readonly secret?: string
  readonly audience?: string
}

export interface Keycloak {
  readonly issuer: string
  readonly startMs: number
  /** Resident memory of all its processes in MB. */
  memoryMb(): number
  addUser(user: NewUser): Promise<string>
  /** With the audience ogf-api, unless `audience` names another. */
  addClient(client: NewClient): Promise<void>
  setEnabled(userId: string, enabled: boolean): Promise<void>
  endSessions(userId: string): Promise<void>
  stop(): Promise<void>
}

export async function startKeycloak(options: {
  home: string
  port: number
  appOrigin: string
}): Promise<Keycloak> {
  const { home, port, appOrigin } = options
  const admin = { name: 'pruefung', password: randomBytes(16).toString('hex') }
  const started = performance.now()
  prepare(home)
  const child = spawnServer(home, port, {
    ...process.env,
    FORSTKONTOR_ORIGIN: appOrigin,
    KC_BOOTSTRAP_ADMIN_USERNAME: admin.name,
    KC_BOOTSTRAP_ADMIN_PASSWORD: admin.password,
  })
  const base = `http://localhost:${port}`
  await untilReady(child, `${base}/realms/${REALM}/.well-known/openid-configuration`)
  const api = adminApi(base, admin)
  return {
    issuer: `${base}/realms/${REALM}`,
    startMs: performance.now() - started,
    memoryMb: () => memoryOf(child.process.pid ?? 0),
    addUser: (user) => addUser(api, user),
    addClient: (client) => addClient(api, client),
    setEnabled: async (userId, enabled) => void (await api('PUT', `/users/${userId}`, { enabled })),
    endSessions: async (userId) => void (await api('POST', `/users/${userId}/logout`)),
    stop: () => child.stop(),
  }
}

/**
 * An existing realm would not be imported again. The database is in memory; this removes the rest of the data
 * folder.
 */
function prepare(home: string): void {
  rmSync(join(home, 'data'), { recursive: true, force: true })
  mkdirSync(join(home, 'data/import'), { recursive: true })
  copyFileSync(REALM_FILE, join(home, `data/import/${REALM}-realm.json`))
}

interface Child {
  readonly process: ChildProcess
  output(): string
  stop(): Promise<void>
}

function spawnServer(home: string, port: number, env: NodeJS.ProcessEnv): Child {
  const args = [
    'start-dev',
    `--http-port=${port}`,
    '--http-host=127.0.0.1',
    '--hostname=localhost',
    '--db=dev-mem',
    '--cache=local',
    '--import-realm',
  ]
  // Its own process group, so that the script and the Java process end together.
  const server = spawn('sh', [join(home, 'bin/kc.sh'), ...args], {
    env: { ...env, JAVA_OPTS_KC_HEAP: '-Xms128m -Xmx640m' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let written = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk: Buffer) => (written = (written + chunk.toString()).slice(-20_000)))
  const gone = once(server, 'exit')
  return {
    process: server,
    output: () => written,
    stop: async () => {
      if (server.pid === undefined || server.exitCode !== null) return
      process.kill(-server.pid, 'SIGKILL')
      await gone
    },
  }
}

async function untilReady(child: Child, address: string): Promise<void> {
  const start = performance.now()
  while (performance.now() - start < LONGEST_START_MS) {
    if (child.process.exitCode !== null) throw new Error(`Keycloak ended:\n${child.output()}`)
    const answer = await fetch(address).catch(() => null)
    if (answer?.ok === true) return
    await sleep(250)
  }
  await child.stop()
  throw new Error(`Keycloak did not become ready:\n${child.output()}`)
}

type Api = (method: string, path: string, body?: unknown) => Promise<Response>

/**
 * The realm's admin API, as the bootstrap admin of the master realm. A token is valid for a minute, so each
 * call requests a new one.
 */
function adminApi(base: string, admin: { name: string; password: string }): Api {
  return async (method, path, body) => {
    const form = new URLSearchParams({
      grant_type: 'password',
      client_id: 'admin-cli',
      username: admin.name,
      password: admin.password,
    })
    const signedIn = await fetch(`${base}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: form,
    })
    const { access_token } = (await signedIn.json()) as { access_token: string }
    const answer = await fetch(`${base}/admin/realms/${REALM}${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
}

async function addUser(
  api: Api,
  { email, password, firstName, lastName, emailVerified = true, group }: NewUser,
): Promise<string> {
  const credentials = [{ type: 'password', value: password, temporary: false }]
  const made = await api('POST', '/users', {
    username: email,
    email,
    emailVerified,
    firstName,
    lastName,
    enabled: true,
    credentials,
  })
  const userId = made.headers.get('location')?.split('/').at(-1) ?? ''
  if (group !== undefined) {
    const groups = (await (await api('GET', '/groups')).json()) as { id: string; name: string }[]
    const idOf = (name: string) => groups.find((one) => one.name === name)?.id ?? ''
    await api('DELETE', `/users/${userId}/groups/${idOf('appuser_new')}`)
    await api('PUT', `/users/${userId}/groups/${idOf(group)}`)
  }
  return userId
}

async function addClient(api: Api, { clientId, secret, audience = 'ogf-api' }: NewClient): Promise<void> {
  await api('POST', '/clients', {
    clientId,
    enabled: true,
    protocol: 'openid-connect',
    publicClient: secret === undefined,
    ...(secret !== undefined && { secret }),
    serviceAccountsEnabled: secret !== undefined,
    standardFlowEnabled: false,
    directAccessGrantsEnabled: false,
    fullScopeAllowed: false,
    attributes: { 'oauth2.device.authorization.grant.enabled': String(secret === undefined) },
    protocolMappers: [
      {
        name: `audience ${audience}`,
        protocol: 'openid-connect',
        protocolMapper: 'oidc-audience-mapper',
        config: {
          'included.custom.audience': audience,
          'access.token.claim': 'true',
          'id.token.claim': 'false',
        },
      },
    ],
  })
}

function memoryOf(group: number): number {
  const pages = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => pagesOf(pid, group))
  return Math.round((pages.reduce((sum, one) => sum + one, 0) * 4096) / 1_048_576)
}

function pagesOf(pid: string, group: number): number {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return Number(afterName[2]) === group
      ? Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
      : 0
  } catch {
    // It has ended meanwhile.
    return 0
  }
}
