// An S3 server for tests: versitygw, which is also used in production elsewhere. It verifies signatures and
// the SHA-256 of uploads. Go builds it from its published module.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './private-postgres.ts'

const MODULE = 'github.com/versity/versitygw/cmd/versitygw'
const VERSION = 'v1.8.0'
const FOLDER = join(homedir(), '.cache', 'forstkontor', `versitygw-${VERSION}`)
const PROGRAM = join(FOLDER, 'versitygw')

/** Its path; undefined if it has not been built. */
export const findS3Server = (): string | undefined => (existsSync(PROGRAM) ? PROGRAM : undefined)

/** Builds it if Go is installed; takes minutes, once per machine. */
export function buildS3Server(): boolean {
  if (findS3Server() !== undefined) return true
  const env = { ...process.env, GOBIN: FOLDER, GOFLAGS: '-buildvcs=false', GOTOOLCHAIN: 'local' }
  const { status } = spawnSync('go', ['install', '-ldflags=-s -w', `${MODULE}@${VERSION}`], {
    env,
    stdio: 'ignore',
    timeout: 15 * 60_000,
  })
  return status === 0 && findS3Server() !== undefined
}

export interface S3Server {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** The bucket's contents, as files in the server's layout. */
  readonly folder: string
  /** Suspends the server, as if the network were gone, until it is resumed. */
  halt(halted: boolean): void
  stop(): Promise<void>
}

export async function startS3Server(program: string): Promise<S3Server> {
  const root = mkdtempSync(join(tmpdir(), 'forstkontor-s3-'))
  const [bucket, region, accessKeyId, secretAccessKey] = [
    'dateien',
    'eu-test-1',
    'pruefung',
    'sehr-geheim-1234',
  ]
  mkdirSync(join(root, 'gw', bucket), { recursive: true })
  const port = await freePort()
  const args = [
    '--access',
    accessKeyId,
    '--secret',
    secretAccessKey,
    '--region',
    region,
    '--port',
    `127.0.0.1:${port}`,
    '--quiet',
  ]
  const server = spawn(program, [...args, 'posix', '--sidecar', mkSidecar(root), join(root, 'gw')], {
    stdio: 'ignore',
    env: { HOME: root },
  })
  const ended = once(server, 'exit')
  const endpoint = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries++) {
    if (
      await fetch(endpoint).then(
        () => true,
        () => false,
      )
    )
      break
    if (tries > 200 || server.exitCode !== null)
      throw new Error(`versitygw did not start (${server.exitCode})`)
    await sleep(50)
  }
  return {
    endpoint,
    bucket,
    region,
    accessKeyId,
    secretAccessKey,
    folder: join(root, 'gw', bucket),
    halt: (halted) => void server.kill(halted ? 'SIGSTOP' : 'SIGCONT'),
    async stop() {
      server.kill('SIGKILL')
      await ended
      rmSync(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Holds its metadata for each file, for file systems without extended attributes. */
function mkSidecar(root: string): string {
  const folder = join(root, 'notizen')
  mkdirSync(folder)
  return folder
}

if (import.meta.main) {
  console.log('Baue versitygw (S3-Speicher), einmal je Rechner …')
  if (!buildS3Server())
    throw new Error(
      'versitygw lässt sich nicht bauen; dafür werden Go und ein Zugang zu seinen Modulen gebraucht.',
    )
}
