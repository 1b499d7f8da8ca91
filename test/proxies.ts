// nginx and Caddy for the tests of their configurations, installed or unpacked from Debian's packages: installed, they
// would start and listen.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unpackedFolder, unpackPackages } from './debian-packages.ts'
import { freePort } from './private-postgres.ts'

export type ProxyName = 'nginx' | 'caddy'
const PLACES: Readonly<Record<ProxyName, string>> = { nginx: 'usr/sbin/nginx', caddy: 'usr/bin/caddy' }
const UNPACKED = unpackedFolder('proxies')
const DEPLOY = join(import.meta.dirname, '../deploy')

export const findProxy = (name: ProxyName): string | undefined =>
  ['/', UNPACKED].map((root) => join(root, PLACES[name])).find((place) => existsSync(place))

/** False where apt does not know them. */
export const unpackProxies = (): boolean =>
  (findProxy('nginx') !== undefined && findProxy('caddy') !== undefined) ||
  unpackPackages(['nginx', 'caddy'], UNPACKED)

export interface RunningProxy {
  readonly port: number
  /** Of nginx without TLS. */
  readonly plain: number
  /** Of its certificate. */
  readonly ca: string
  /** Of its access log. */
  log(): string
  /** Everything else that it writes: on standard error, and into nginx' own logs. */
  said(): string
  stop(): Promise<void>
}

/** Replaces what an operator replaces; a text that is not there is a fault of the test. */
function filledIn(text: string, changes: Readonly<Record<string, string>>): string {
  let filled = text
  for (const [from, to] of Object.entries(changes)) {
    if (!filled.includes(from)) throw new Error(`the configuration does not have ${from}`)
    filled = filled.replaceAll(from, to)
  }
  return filled
}

interface ProxyPlace {
  readonly folder: string
  readonly port: number
  readonly plain: number
  /** Ports. */
  readonly servers: readonly number[]
}

function makeCertificate(folder: string): string {
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const words = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  execFileSync('openssl', [...words, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  return readFileSync(certificate, 'utf8')
}

/** `changes`: texts of the configuration and what is in their place. */
export interface CachingProxy {
  readonly changes: Readonly<Record<string, string>>
}

function nginxFiles(
  { folder, port, plain, servers }: ProxyPlace,
  caching: CachingProxy | undefined,
): string[] {
  const file = caching === undefined ? 'forstkontor.conf' : 'forstkontor-cache.conf'
  const site = filledIn(readFileSync(join(DEPLOY, 'nginx', file), 'utf8'), {
    ...(caching && { '/var/cache/nginx/': `${folder}/`, ...caching.changes }),
    'server 127.0.0.1:3000;': servers.map((one) => `server 127.0.0.1:${one};`).join('\n  '),
    '  listen 80;\n  listen [::]:80;\n': `  listen 127.0.0.1:${plain};\n`,
    '  listen 443 ssl http2;\n  listen [::]:443 ssl http2;\n': `  listen 127.0.0.1:${port} ssl http2;\n`,
    'forst.example': 'localhost',
    '/etc/ssl/forstkontor/': `${folder}/`,
    '/var/log/nginx/': `${folder}/`,
  })
  writeFileSync(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  writeFileSync(
    join(folder, 'nginx.conf'),
    [
      `daemon off; user root; pid ${folder}/pid; error_log stderr; events {}`,
      `http { access_log ${folder}/access.log;`,
      ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
      `include ${folder}/site.conf; }`,
    ].join('\n'),
  )
  return ['-p', folder, '-c', join(folder, 'nginx.conf')]
}

function caddyFiles({ folder, port, servers }: ProxyPlace): string[] {
  const site = filledIn(readFileSync(join(DEPLOY, 'caddy/Caddyfile'), 'utf8'), {
    '127.0.0.1:3000': servers.map((one) => `127.0.0.1:${one}`).join(' '),
    'forst.example {': `https://localhost:${port} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
    '# Without the query: one call': `output file ${folder}/forstkontor.log\n\t\t# One call`,
    '\n{\n': '\n{\n\tadmin off\n\tauto_https disable_redirects\n',
  })
  writeFileSync(join(folder, 'Caddyfile'), site)
  return ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')]
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
    socket.unref().end()
  })

/**
 * @param upstream port of the server, or of several
 * @param caching nginx with the configuration that keeps files
 */
export async function startProxy(
  name: ProxyName,
  upstream: number | readonly number[],
  caching?: CachingProxy,
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), `forstkontor-${name}-`))
  const ca = makeCertificate(folder)
  const [port, plain] = [await freePort(), await freePort()]
  const place = { folder, port, plain, servers: [upstream].flat() }
  const words = name === 'nginx' ? nginxFiles(place, caching) : caddyFiles(place)
  const child: ChildProcess = spawn(findProxy(name)!, words, {
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  for (let tries = 0; !(await listens(port)); tries++) {
    if (tries > 100 || child.exitCode !== null) throw new Error(`${name} did not start:\n${said}`)
    await sleep(100)
  }
  return {
    port,
    plain,
    ca,
    log: () => readFileSync(join(folder, 'forstkontor.log'), 'utf8'),
    said: () =>
      said +
      ['access.log', 'forstkontor-error.log']
        .map((file) => join(folder, file))
        .map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''))
        .join(''),
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
