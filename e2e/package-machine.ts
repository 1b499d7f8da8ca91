// `npm run test:package`: the Debian package in its own system (mmdebstrap, systemd-nspawn): the release
// before is installed and used, upgraded to this tree, removed, installed again and purged, and nothing that
// people entered is lost. The unit runs there as it runs anywhere. Needs Debian and root.
import { execFileSync, type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tokensAt } from './http-sign-in.ts'
import { packageOf, packageOfCommit, versionOf } from '../scripts/package.ts'

const ROOT = join(import.meta.dirname, '..')
const CACHE = join(ROOT, '.cache')
const SYSTEM = join(CACHE, 'package-system.tar')
const DATA = '/var/lib/forstkontor'
/** Of `systemd-analyze security`, from 0 (locked away) to 10. */
const MOST_EXPOSED = 2
const ADMIN = {
  vorname: 'Greta',
  nachname: 'Grün',
  email: 'greta.gruen@forst.example',
  password: 'Eichelhäher-7-Moosbeere',
}

const has = (command: string): boolean => spawnSync(command, ['--version']).error === undefined

function ensureTools(): void {
  if (process.getuid?.() !== 0 || !has('dpkg-deb')) throw new Error('needs Debian and root')
  if (has('mmdebstrap') && has('systemd-nspawn')) return
  execFileSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', 'mmdebstrap', 'systemd-container'],
    {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
    },
  )
}

/** A small Debian with systemd; kept, because fetching it takes minutes. */
function makeSystem(folder: string): void {
  if (!existsSync(SYSTEM)) {
    const packages = 'adduser,init-system-helpers,systemd,systemd-sysv,dbus,libstdc++6,ca-certificates'
    execFileSync(
      'mmdebstrap',
      ['--quiet', '--variant=minbase', `--include=${packages}`, 'bookworm', `${SYSTEM}.part`, '--format=tar'],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    execFileSync('mv', [`${SYSTEM}.part`, SYSTEM])
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xf', SYSTEM, '-C', folder, '--exclude=./dev/*'])
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

interface Ended {
  readonly code: number | null
  readonly output: string
}

class Machine {
  readonly folder: string
  readonly #child: ChildProcess
  #init = ''

  constructor(folder: string) {
    this.folder = folder
    this.#child = spawn(
      'systemd-nspawn',
      ['--quiet', `--directory=${folder}`, '--register=no', '--keep-unit', '--boot'],
      { stdio: 'ignore' },
    )
  }

  /** Until its systemd answers. */
  async ready(): Promise<void> {
    for (let round = 0; round < 600; round++) {
      this.#init = spawnSync('pgrep', ['-P', String(this.#child.pid)], { encoding: 'utf8' }).stdout.trim()
      if (this.#init !== '' && /running|degraded/.test(this.run('systemctl', 'is-system-running').output))
        return
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      await sleep(200)
    }
    throw new Error('the system did not start')
  }

  run(...command: readonly string[]): Ended {
    const { status, stdout, stderr } = spawnSync(
      'nsenter',
      [
        '--target',
        this.#init,
        '--mount',
        '--uts',
        '--ipc',
        '--pid',
        '--root',
        '--',
        'sh',
        '-c',
        'cd / && exec "$@"',
        'sh',
        ...command,
      ],
      {
        encoding: 'utf8',
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LANG: 'C.UTF-8' },
      },
    )
    return { code: status, output: `${stdout}${stderr}` }
  }

  install(file: string): Ended {
    copyFileSync(file, join(this.folder, 'root', basename(file)))
    return this.run('dpkg', '--force-confold', '-i', `/root/${basename(file)}`)
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 30_000)
    await gone
    clearTimeout(timer)
  }
}

const results: { readonly what: string; readonly ok: boolean }[] = []
function check(what: string, ok: boolean, said = ''): void {
  results.push({ what, ok })
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${what}${ok || said === '' ? '' : `\n${said}`}`)
}

async function isServing(origin: string): Promise<boolean> {
  for (let round = 0; round < 600; round++) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const answer = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    if (answer?.ok) return true
    // oxlint-disable-next-line no-await-in-loop -- as above
    await sleep(200)
  }
  return false
}

async function customers(origin: string, made?: object): Promise<Response> {
  const { access_token: token } = await tokensAt(origin, ADMIN.email, ADMIN.password)
  return fetch(`${origin}/rest/kunde${made === undefined ? '?select=name' : ''}`, {
    method: made === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(made && { body: JSON.stringify(made) }),
  })
}
const CUSTOMER = { name: 'Waldgut Grün', strasse: 'Am Forst 1', plz: '37073', ort: 'Göttingen' }
async function keepsData(origin: string, when: string): Promise<void> {
  const text = await customers(origin).then(
    (answer) => answer.text(),
    (error: unknown) => String(error),
  )
  check(`${when}: the same person signs in and finds the same customer`, text.includes(CUSTOMER.name), text)
}

/** Creates the first account with the link from the journal. */
async function followLink(machine: Machine): Promise<void> {
  const journal = machine.run('journalctl', '--no-pager', '-u', 'forstkontor').output
  const link = /http:\S+\/anmelden\/einrichten\/[\w-]+/.exec(journal)?.[0]
  check(
    'the first start says the link for the first administrator in the journal',
    link !== undefined,
    journal,
  )
  if (link === undefined) return
  const { password, ...person } = ADMIN
  const answer = await fetch(link, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: new URL(link).origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...person, neu: password, wiederholt: password }),
  })
  check('the link makes the account', answer.status < 400, await answer.text())
}

function checkUnit(machine: Machine): void {
  const unit = machine.run('systemctl', 'is-active', 'forstkontor').output.trim()
  check('the unit is active', unit === 'active', unit)
  const judged = machine.run('systemd-analyze', 'security', '--no-pager', 'forstkontor.service').output
  const exposed = Number(/exposure level for forstkontor\.service: ([\d.]+)/.exec(judged)?.[1])
  check(`systemd calls it exposed by ${exposed} of ${MOST_EXPOSED}`, exposed <= MOST_EXPOSED, judged)
  const verified = machine.run('systemd-analyze', 'verify', 'forstkontor.service')
  check(
    'systemd finds no fault in the unit',
    verified.code === 0 && verified.output.trim() === '',
    verified.output,
  )
  const mine = machine.run(
    'runuser',
    '-u',
    'forstkontor',
    '--',
    'find',
    '/usr/lib/forstkontor',
    '-writable',
    '-not',
    '-type',
    'l',
  )
  check(
    'the service can write none of its own programs',
    mine.output.trim() === '',
    mine.output.slice(0, 500),
  )
  const secrets = machine.run('stat', '-c', '%a %U', DATA, '/etc/forstkontor/env').output.trim()
  check(
    'data are for the service alone, settings for root and the service',
    secrets === '700 forstkontor\n640 root',
    secrets,
  )
}

async function tryPackage(machine: Machine, port: number, old: string, fresh: string): Promise<void> {
  const origin = `http://localhost:${port}`
  const settings = join(machine.folder, 'etc/forstkontor/env')
  await machine.ready()
  // Before the package: it must respect what is there.
  mkdirSync(join(machine.folder, 'etc/forstkontor'), { recursive: true })
  const own = `PORT=${port}\nSECOND_FACTOR=off\n`
  execFileSync('sh', ['-c', 'printf %s "$1" > "$2"', 'sh', own, settings])

  const installed = machine.install(old)
  check('the release before installs', installed.code === 0, installed.output)
  check('it serves', await isServing(origin))
  await followLink(machine)
  const made = await customers(origin, CUSTOMER)
  check('a customer is made with it', made.status === 201, await made.text())

  const upgraded = machine.install(fresh)
  check('the upgrade installs', upgraded.code === 0, upgraded.output)
  check(
    'the upgraded server serves',
    await isServing(origin),
    machine.run('journalctl', '-n50', '-u', 'forstkontor').output,
  )
  const { output: now } = machine.run('dpkg-query', '-W', '-f', '${Version}', 'forstkontor')
  check('it is the new version', fresh.includes(now), now)
  await keepsData(origin, 'after the upgrade')
  check('the settings are as they were', readFileSync(settings, 'utf8') === own)
  checkUnit(machine)

  machine.run('systemctl', 'stop', 'forstkontor')
  const dumped = machine.run('forstkontor', 'dump', `${DATA}/vor-dem-test.dump`)
  check(
    'forstkontor dump writes a dump',
    dumped.code === 0 && /Gesichert aus/.test(dumped.output),
    dumped.output,
  )
  machine.run('systemctl', 'start', 'forstkontor')
  check('it serves again', await isServing(origin))

  const removed = machine.run('dpkg', '-r', 'forstkontor')
  check('it can be removed', removed.code === 0, removed.output)
  check('the data stay', machine.run('test', '-d', `${DATA}/pgdata`).code === 0)
  const left = machine.run('find', '/proc', '-maxdepth', '1', '-user', 'forstkontor').output.trim()
  check('nothing is left running', left === '', left)
  const again = machine.install(fresh)
  check('it installs again', again.code === 0 && (await isServing(origin)), again.output)
  await keepsData(origin, 'after removal and a new installation')
  const purged = machine.run('dpkg', '-P', 'forstkontor')
  check('purging removes programs and settings', purged.code === 0 && !existsSync(settings), purged.output)
  check(
    'and says that the data stay',
    /are kept/.test(purged.output) && machine.run('test', '-d', `${DATA}/pgdata`).code === 0,
  )
}

async function main(): Promise<void> {
  ensureTools()
  const release = /^## \d[\s\S]*?^Commit (\w{8}) of/m.exec(
    readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
  )?.[1]
  if (release === undefined) throw new Error('CHANGELOG.md names no commit of a release')
  console.log(`package of the release before (${release}) and of this tree …`)
  const old = packageOfCommit(release)
  const fresh = packageOf(ROOT, versionOf('HEAD'))
  const folder = join(CACHE, 'package-machine')
  makeSystem(folder)
  const machine = new Machine(folder)
  try {
    await tryPackage(machine, await freePort(), old, fresh)
  } finally {
    await machine.end()
    rmSync(folder, { recursive: true, force: true })
  }
  const failed = results.filter(({ ok }) => !ok).length
  console.log(`${results.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

await main()
