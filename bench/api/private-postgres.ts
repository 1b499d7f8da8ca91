// A PostgreSQL of its own for a measurement: default durability, own folder, own port, gone afterwards.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findPostgresBinaries } from '../../test/postgres-binaries.ts'

export interface PrivatePostgres {
  /** Superuser address. */
  readonly url: string
  /** Seconds of processor time of the server and all its processes so far. */
  cpuSeconds(): number
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root. */
function serviceUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

export async function startPrivatePostgres(): Promise<PrivatePostgres> {
  const binaries = findPostgresBinaries()
  if (binaries === undefined) throw new Error('no PostgreSQL 15 or newer with PostGIS is installed: apt install postgresql-15-postgis-3')
  const user = serviceUser()
  const folder = mkdtempSync(join(tmpdir(), 'bench-pg-'))
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust'], {
    ...user,
    stdio: 'ignore',
  })
  const port = await freePort()
  const args = ['-D', data, '-c', `port=${port}`, '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`]
  const server = spawn(join(binaries, 'postgres'), args, { ...user, stdio: 'ignore' })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  for (let tries = 0; !(await answers(url)); tries++) {
    if (tries > 100) throw new Error('the private PostgreSQL did not start')
    await sleep(100)
  }
  return {
    url,
    cpuSeconds: () => cpuSecondsOf(server.pid ?? 0),
    stop: async () => {
      const gone = once(server, 'exit')
      server.kill('SIGQUIT')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Linux only; elsewhere the column stays empty. The kernel counts in hundredths of a second. */
function cpuSecondsOf(parent: number): number {
  let ticks = 0
  try {
    for (const entry of readdirSync('/proc')) {
      if (!/^[0-9]+$/.test(entry)) continue
      try {
        const fields = readFileSync(`/proc/${entry}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')
        if (entry === String(parent) || fields[1] === String(parent)) ticks += Number(fields[11]) + Number(fields[12])
      } catch {
        // the process has gone meanwhile
      }
    }
  } catch {
    return Number.NaN
  }
  return ticks / 100
}
