// `npm run test:image`: the image of `npm run image` is made and run as deploy/compose.yaml runs it: as its own user,
// with nothing writable but its data and caches. Without a container engine, which this needs neither for making it nor
// for running it: mount and chroot do. Needs Debian, mmdebstrap, buildah and root.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../test/private-postgres.ts'
import { imageOf, USER, whatIsMissing } from '../scripts/image.ts'
import { packageOf, versionOf } from '../scripts/package.ts'

const ROOT = join(import.meta.dirname, '..')

/** As the image has them. */
type Settings = Readonly<Record<'User' | 'WorkingDir', string>> &
  Readonly<Record<'Env' | 'Entrypoint' | 'Cmd', readonly string[]>>

const results: boolean[] = []
function check(what: string, ok: boolean, said = ''): void {
  results.push(ok)
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${what}${ok || said === '' ? '' : `\n${said}`}`)
}

/** Commands in one mount namespace, in which the image's root is read-only. */
class Machine {
  readonly #namespace: ChildProcess
  readonly #root: string
  readonly #settings: Settings
  readonly #port: number

  constructor(root: string, data: string, settings: Settings, port: number) {
    this.#root = root
    this.#settings = settings
    this.#port = port
    const own = `uid=${USER},gid=${USER},mode=0700`
    const mounts = [
      `mount --bind ${root} ${root}`,
      `mount -o remount,bind,ro ${root}`,
      `mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp`,
      `mount -t tmpfs -o ${own} tmpfs ${root}/var/cache/forstkontor`,
      `mount --bind ${data} ${root}/var/lib/forstkontor`,
      `mount -t proc proc ${root}/proc`,
      `mount --bind /dev ${root}/dev`,
      'exec sleep infinity',
    ]
    this.#namespace = spawn('unshare', [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-c',
      mounts.join(' && '),
    ])
  }

  words(...command: readonly string[]): string[] {
    const { User, Env, WorkingDir } = this.#settings
    const init = spawnSync('pgrep', ['-P', String(this.#namespace.pid)], { encoding: 'utf8' }).stdout.trim()
    const env = [
      ...Env,
      'HOST=127.0.0.1',
      `PORT=${this.#port}`,
      `PUBLIC_ORIGIN=http://127.0.0.1:${this.#port}`,
    ]
    const inside = [
      'chroot',
      `--userspec=${User}`,
      this.#root,
      'env',
      '-i',
      '-C',
      WorkingDir,
      ...env,
      ...command,
    ]
    return ['--target', init, '--mount', '--pid', '--', ...inside]
  }

  run(...command: readonly string[]): { readonly code: number | null; readonly output: string } {
    const { status, stdout, stderr } = spawnSync('nsenter', this.words(...command), { encoding: 'utf8' })
    return { code: status, output: stdout + stderr }
  }

  async end(): Promise<void> {
    const gone = once(this.#namespace, 'exit')
    this.#namespace.kill('SIGKILL')
    await gone
  }
}

const PAGE = `fetch('http://127.0.0.1:' + process.env.PORT, { headers: { accept: 'text/html' } })
  .then(async (answer) => console.log(await answer.text()))`

async function tryImage(machine: Machine, settings: Settings): Promise<void> {
  const user = machine.run('id', '-u')
  check('it runs as its own user', user.output.trim() === String(USER), user.output)
  const outside = machine.run('sh', '-c', 'touch /usr/x /etc/x /usr/lib/forstkontor/x')
  const refused = outside.output.match(/Read-only file system/g)?.length
  check('its root cannot be written to', refused === 3, outside.output)
  const idle = machine.run('forstkontor', 'healthy')
  check('it is not healthy before it runs', idle.code === 1, idle.output)
  const server = spawn('nsenter', machine.words(...settings.Entrypoint, ...settings.Cmd))
  let said = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (said += String(text)))
  const ended = once(server, 'exit')
  for (let round = 0; round < 120 && machine.run('forstkontor', 'healthy').code !== 0; round++)
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    await sleep(1_000)
  check('it becomes healthy', machine.run('forstkontor', 'healthy').code === 0, said)
  await sleep(500)
  check('it says so in lines of JSON', said.includes('"message":"ready"'), said)
  const page = machine.run('node', '-e', PAGE)
  check('it serves the screens', page.output.includes('<script type="module"'), page.output)
  const search = 'find / -xdev -writable -not -type l -not -path "/proc/*" -not -path "/dev/*" 2>/dev/null'
  const writable = machine.run('sh', '-c', search)
  const elsewhere = writable.output
    .split('\n')
    .filter(
      (path) =>
        path !== '' && !/^\/(?:tmp|proc|dev|var\/cache\/forstkontor|var\/lib\/forstkontor)/.test(path),
    )
  check('nothing else is writable', elsewhere.length === 0, elsewhere.slice(0, 5).join('\n'))
  const first = spawnSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' }).stdout.trim()
  process.kill(Number(first), 'SIGTERM')
  const [code] = (await Promise.race([ended, sleep(20_000).then(() => [null])])) as [number | null]
  check('it ends by itself when it is asked to', code === 0, said.slice(-500))
}

async function main(): Promise<void> {
  const missing = process.getuid?.() === 0 ? whatIsMissing() : 'no root'
  if (missing !== null) throw new Error(`the image cannot be tried here: ${missing}`)
  const version = versionOf('HEAD')
  const image = imageOf(packageOf(ROOT, version), version)
  const folder = mkdtempSync(join(ROOT, '.cache/image-machine-'))
  const builder = (...args: readonly string[]): string =>
    execFileSync(
      'buildah',
      ['--root', join(folder, 's'), '--runroot', join(folder, 'r'), '--storage-driver', 'vfs', ...args],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    ).trim()
  try {
    const container = builder('from', `oci-archive:${image}`)
    const { OCIv1 } = JSON.parse(builder('inspect', '--type', 'container', container)) as {
      OCIv1: { config: Settings }
    }
    const data = join(folder, 'data')
    mkdirSync(data, { mode: 0o700 })
    chownSync(data, USER, USER)
    const machine = new Machine(builder('mount', container), data, OCIv1.config, await freePort())
    await sleep(1_000)
    try {
      await tryImage(machine, OCIv1.config)
      check('its data are in the volume', readdirSync(data).includes('pgdata'))
    } finally {
      await machine.end()
    }
    builder('umount', '--all')
  } finally {
    execFileSync('rm', ['-rf', folder])
  }
  const failed = results.filter((ok) => !ok).length
  console.log(`${results.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

await main()
