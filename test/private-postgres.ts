// A private PostgreSQL for a test run or a measurement: its own folder, its own port on loopback, removed
// afterwards.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface PrivatePostgres {
  /** Superuser URL of its database postgres. */
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** PostgreSQL and PgBouncer refuse to run as root, so root uses the package's service user. */
export function serviceUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** `settings` override PostgreSQL's own defaults, which are durable. */
export async function startPrivatePostgres(
  binaries: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<PrivatePostgres> {
  const user = serviceUser()
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-pg-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust', '--no-sync'],
    {
      ...user,
      stdio: 'ignore',
    },
  )
  return serve(binaries, folder, data, port, settings)
}

/** A standby of another server: it follows, answers reads and accepts no changes. */
export async function startStandby(binaries: string, primary: string): Promise<PrivatePostgres> {
  const user = serviceUser()
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-standby-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  execFileSync(
    join(binaries, 'pg_basebackup'),
    ['-d', primary, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
    {
      ...user,
      stdio: 'ignore',
    },
  )
  return serve(binaries, folder, data, await freePort(), {})
}

/** A server on a base backup, which replays archived changes with these settings; the backup is moved. */
export async function startFromBackup(
  binaries: string,
  backup: string,
  settings: Readonly<Record<string, string>>,
): Promise<PrivatePostgres> {
  writeFileSync(join(backup, 'recovery.signal'), '')
  return serve(binaries, backup, backup, await freePort(), settings)
}

async function serve(
  binaries: string,
  folder: string,
  data: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<PrivatePostgres> {
  const all = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    ...settings,
  }
  const args = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const server = spawn(join(binaries, 'postgres'), ['-D', data, ...args], {
    ...serviceUser(),
    stdio: 'ignore',
  })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  for (let tries = 0; !(await answers(url)); tries++) {
    if (tries > 100) throw new Error('the private PostgreSQL did not start')
    await sleep(100)
  }
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      const gone = once(server, 'exit')
      server.kill('SIGQUIT')
      await gone
    }
    rmSync(folder, { recursive: true, force: true })
  }
  return { url, pid: server.pid ?? 0, stop }
}
