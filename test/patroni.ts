// PostgreSQL servers that Patroni looks after, with etcd: who is the primary is decided by them, as at an operator's.
// Everything is on loopback; a node can be killed or frozen as a whole machine would be.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unpackedFolder, unpackPackages } from './debian-packages.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { freePort, serviceUser } from './private-postgres.ts'

const UNPACKED = unpackedFolder('patroni')
const LIBRARIES = 'usr/lib/python3/dist-packages'
const PYTHON = '/usr/bin/python3'
/** What Patroni needs beside Python and libpq, which PostgreSQL brings. */
const PYTHON_PACKAGES = [
  'cdiff',
  'click',
  'dateutil',
  'dnspython',
  'etcd',
  'pkg-resources',
  'prettytable',
  'psutil',
]
  .concat('psycopg2', 'six', 'urllib3', 'wcwidth', 'yaml')
  .map((name) => `python3-${name}`)

/** The folder that has both, unpacked; undefined where something is missing. */
export const findPatroni = (): string | undefined =>
  existsSync(join(UNPACKED, LIBRARIES, 'patroni')) &&
  existsSync(join(UNPACKED, 'usr/bin/etcd')) &&
  existsSync(PYTHON) &&
  findPostgresBinaries() !== undefined
    ? UNPACKED
    : undefined

/** False where apt does not know it, or Python or PostgreSQL is missing. */
export const unpackPatroni = (): boolean =>
  findPatroni() !== undefined ||
  (unpackPackages(['patroni', 'etcd-server', ...PYTHON_PACKAGES], UNPACKED) && findPatroni() !== undefined)

/** As docs/operations.md recommends them; `ttl` is the shortest that Patroni accepts. */
const AGREED = {
  ttl: 20,
  loop_wait: 3,
  retry_timeout: 5,
  // A primary that crashes is not waited for: the other one has everything.
  primary_start_timeout: 0,
  synchronous_mode: true,
  postgresql: {
    use_pg_rewind: true,
    use_slots: true,
    parameters: {
      wal_log_hints: 'on',
      max_connections: 100,
      shared_buffers: '128MB',
      wal_keep_size: '256MB',
    },
  },
}

/** PostgreSQL's user may not read the home of who runs the tests. */
const librariesIn = (folder: string): string => join(folder, 'libraries')

interface Place {
  readonly folder: string
  readonly etcd: number
  readonly binaries: string
}

const exists = (pid: number): boolean => existsSync(`/proc/${pid}`)

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // It has just ended.
    }
}

export type State = 'primary' | 'replica' | 'sync'

/** A machine with PostgreSQL and the Patroni that looks after it. */
export class Node {
  readonly name: string
  readonly port: number
  readonly #rest: number
  readonly #data: string
  readonly #config: string
  readonly #folder: string
  #patroni: ChildProcess | undefined

  constructor(name: string, port: number, rest: number, { folder, etcd, binaries }: Place) {
    this.name = name
    this.port = port
    this.#rest = rest
    this.#folder = folder
    this.#data = join(folder, name)
    this.#config = join(folder, `${name}.json`)
    const address = `127.0.0.1:${port}`
    const trusted = ['local all all trust', 'host all all 127.0.0.1/32 trust']
    const config = {
      scope: 'forst',
      name,
      restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
      etcd3: { host: `127.0.0.1:${etcd}` },
      log: { dir: this.#folder, level: 'INFO' },
      bootstrap: {
        dcs: AGREED,
        initdb: [
          { encoding: 'UTF8' },
          { locale: 'C.UTF-8' },
          { 'auth-host': 'trust' },
          { 'auth-local': 'trust' },
        ],
      },
      postgresql: {
        listen: address,
        connect_address: address,
        data_dir: this.#data,
        bin_dir: binaries,
        pgpass: join(folder, `${name}.pgpass`),
        pg_hba: [...trusted, 'host replication all 127.0.0.1/32 trust'],
        authentication: {
          superuser: { username: 'postgres', password: 'postgres' },
          replication: { username: 'replicator', password: 'replicator' },
        },
        parameters: { unix_socket_directories: folder },
      },
    }
    // What is valid JSON is valid YAML.
    writeFileSync(this.#config, JSON.stringify(config), { mode: 0o644 })
  }

  start(): void {
    const env = { PATH: process.env['PATH'], PYTHONPATH: librariesIn(this.#folder), LANG: 'C.UTF-8' }
    const words = ['-m', 'patroni', this.#config]
    this.#patroni = spawn(PYTHON, words, { ...serviceUser(), cwd: this.#folder, env, stdio: 'ignore' })
  }

  /** PostgreSQL with all it has started; empty while it does not run. */
  #postgres(): number[] {
    try {
      const pid = Number(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n')[0])
      return exists(pid) ? [pid, ...childrenOf(pid)] : []
    } catch {
      return []
    }
  }

  #everything(): number[] {
    return [...(this.#patroni?.pid === undefined ? [] : [this.#patroni.pid]), ...this.#postgres()]
  }

  /** The whole machine at once, as without power. `start` boots it again. */
  async die(): Promise<void> {
    const gone = this.#patroni === undefined ? undefined : once(this.#patroni, 'exit')
    const pids = this.#everything()
    signal(pids, 'SIGCONT')
    signal(pids, 'SIGKILL')
    await gone
    while (pids.some(exists)) await sleep(20)
    this.#patroni = undefined
  }

  /** Of the whole cluster, as by `patronictl edit-config`. */
  async change(setting: Readonly<Record<string, unknown>>): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${this.#rest}/config`, {
      method: 'PATCH',
      body: JSON.stringify(setting),
    })
    await answer.body?.cancel()
  }

  /** PostgreSQL alone; Patroni sees it. */
  crash(): void {
    signal(this.#postgres(), 'SIGKILL')
  }

  /** The machine answers nothing and keeps its connections, until it goes on. */
  freeze(frozen: boolean): void {
    signal(this.#everything(), frozen ? 'SIGSTOP' : 'SIGCONT')
  }

  /** Whether Patroni says that it is this. */
  async is(state: State): Promise<boolean> {
    const answer = await fetch(`http://127.0.0.1:${this.#rest}/${state}`, {
      signal: AbortSignal.timeout(1_000),
    }).catch(() => null)
    await answer?.body?.cancel()
    return answer?.status === 200
  }
}

export interface Cluster {
  readonly nodes: readonly [Node, Node]
  /** Names all of its servers. */
  readonly url: string
  /** The primary and the other one, once the other one has all that is acknowledged. */
  settled(): Promise<readonly [primary: Node, standby: Node]>
  /** How often Patroni had to be informed for that, as docs/operations.md describes it. */
  readonly helped: number
  stop(): Promise<void>
}

const MOST_TO_SETTLE_MS = 120_000
/**
 * Patroni 3.0.2 may leave the former primary's name beside no standby in etcd, and then never makes the standby
 * synchronous again ("Synchronous replication key updated by someone else", each round).
 */
const STUCK_MS = 30_000

/** Two nodes and one etcd. */
export async function startCluster(): Promise<Cluster> {
  const binaries = findPostgresBinaries() ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-cluster-'))
  const { uid, gid } = serviceUser()
  const store = join(folder, 'etcd')
  mkdirSync(store, { mode: 0o700 })
  cpSync(join(UNPACKED, LIBRARIES), librariesIn(folder), { recursive: true })
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  const [etcd, peers] = [await freePort(), await freePort()]
  const [clients, own] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peers}`]
  const keeper = spawn(
    join(UNPACKED, 'usr/bin/etcd'),
    ['--name', 'e', '--data-dir', store, '--listen-client-urls', clients, '--advertise-client-urls', clients]
      .concat(
        '--listen-peer-urls',
        own,
        '--initial-advertise-peer-urls',
        own,
        '--initial-cluster',
        `e=${own}`,
      )
      .concat('--log-level', 'error', '--unsafe-no-fsync'),
    { stdio: 'ignore' },
  )
  const place = { folder, etcd, binaries }
  const nodes = [
    new Node('a', await freePort(), await freePort(), place),
    new Node('b', await freePort(), await freePort(), place),
  ] as const
  const stop = async () => {
    for (const node of nodes) await node.die()
    const gone = once(keeper, 'exit')
    if (keeper.kill('SIGKILL')) await gone
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  let helped = 0
  const settled = async () => {
    let stuckSince = performance.now()
    for (const from = stuckSince; performance.now() - from < MOST_TO_SETTLE_MS; await sleep(200))
      for (const [primary, standby] of [nodes, nodes.toReversed()] as [Node, Node][]) {
        if (!(await primary.is('primary'))) continue
        if (await standby.is('sync')) return [primary, standby] as const
        if (performance.now() - stuckSince < STUCK_MS || !(await standby.is('replica'))) continue
        await primary.change({ synchronous_mode: false })
        await sleep(3 * AGREED.loop_wait * 1_000)
        await primary.change({ synchronous_mode: true })
        helped += 1
        stuckSince = performance.now()
      }
    throw new Error(`the cluster did not settle: ${logOf(folder)}`)
  }
  try {
    for (const node of nodes) node.start()
    await settled()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    nodes,
    url: `postgres://postgres@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`,
    settled,
    get helped() {
      return helped
    },
    stop,
  }
}

/** Both write into it. */
const logOf = (folder: string): string => {
  const path = join(folder, 'patroni.log')
  return existsSync(path) ? readFileSync(path, 'utf8').slice(-3_000) : 'no log'
}
