// Tools that the tests need beyond npm: PostgreSQL with PostGIS, Chromium, PgBouncer, GDAL, Python, poppler, Dovecot.
// Installed where permitted, otherwise reported.
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findChromium } from '../test/chromium.ts'
import { findPgbouncer, findPostgresBinaries } from '../test/postgres-binaries.ts'
import { findMailServer, unpackMailServer } from '../test/mail-server.ts'
import { findPrometheus, unpackPrometheus } from '../test/prometheus.ts'
import { findPatroni, unpackPatroni } from '../test/patroni.ts'
import { findProxy, unpackProxies } from '../test/proxies.ts'
import { findS3Server } from '../test/s3-server.ts'
import { findApiTester, installApiTester } from '../test/api-tester.ts'
import { withProgress } from './progress.mjs'

interface Tool {
  readonly name: string
  /** Debian and Ubuntu packages; the first set known to apt is installed. */
  readonly packages: readonly (readonly string[])[]
  find(): string | undefined
  /** Its tests fail without it; others are left out. */
  readonly isNeeded?: true
}

const TOOLS: readonly Tool[] = [
  { name: 'PostgreSQL 15+ mit PostGIS', packages: postgresPackages(), find: findPostgresBinaries },
  { name: 'Chromium', packages: [['chromium-headless-shell'], ['chromium']], find: findChromium },
  { name: 'PgBouncer', packages: [['pgbouncer']], find: findPgbouncer },
  // What reads and writes map data elsewhere: our readers are compared with it.
  {
    name: 'GDAL',
    packages: [['gdal-bin']],
    find: () => (existsSync('/usr/bin/ogr2ogr') ? '/usr/bin/ogr2ogr' : undefined),
  },
  // Calculates a year of bookkeeping in another language (`test/year/reckoning.py`).
  {
    name: 'Python 3',
    isNeeded: true,
    packages: [['python3']],
    find: () => ['/usr/bin/python3', '/usr/local/bin/python3'].find((place) => existsSync(place)),
  },
  // A third-party PDF reader.
  {
    name: 'pdftotext',
    packages: [['poppler-utils']],
    find: () => (spawnSync('pdftotext', ['-v']).error === undefined ? 'pdftotext' : undefined),
  },
]

/** Each takes 300 MB and a minute: only for `npm run test:doors`. */
const QGIS: Tool = {
  name: 'QGIS',
  packages: [['python3-qgis']],
  find: () => ['/usr/lib/python3/dist-packages/qgis'].find((place) => existsSync(place)),
}

const LIBREOFFICE: Tool = {
  name: 'LibreOffice',
  packages: [['libreoffice-calc-nogui'], ['libreoffice-calc']],
  find: () => ['/usr/bin/soffice'].find((place) => existsSync(place)),
}

/** A client of OData v4 by others, with what it needs, beside this project's own packages. */
const PYPI = { name: 'python-odata', version: '0.8.1', folder: 'build/test/pypi' }

/** Returns what is missing in one line. */
async function fetchFromPypi(): Promise<string[]> {
  const { name, version, folder } = PYPI
  if (existsSync(`${folder}/odata`)) return []
  const place = ['--quiet', '--disable-pip-version-check', '--target', folder]
  const { ok } = await quiet('python3', ['-m', 'pip', 'install', ...place, `${name}==${version}`])
  if (ok) return []
  return [
    `${name} fehlt: dessen Test wird übersprungen. Installieren: pip install --target ${folder} ${name}==${version}`,
  ]
}

function postgresPackages(): string[][] {
  return [18, 17, 16, 15].map((version) => [`postgresql-${version}`, `postgresql-${version}-postgis-3`])
}

interface Ended {
  readonly ok: boolean
  readonly stdout: string
  readonly stderr: string
}
const quiet = (command: string, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFile(command, args, { env }, (error, stdout, stderr) =>
      resolve({ ok: error === null, stdout, stderr }),
    )
  })

const aptKnows = async (name: string): Promise<boolean> =>
  /Candidate: (?!\(none\))/.test((await quiet('apt-cache', ['policy', name])).stdout)

/** The first set of which apt knows every package. */
async function knownSet({ packages }: Tool): Promise<readonly string[]> {
  for (const set of packages) {
    // oxlint-disable-next-line no-await-in-loop -- the newest version comes first
    const known = await Promise.all(set.map(aptKnows))
    if (known.every(Boolean)) return set
  }
  return []
}

/**
 * As root on Debian, installs what is missing; returns one line for each tool that is still missing.
 * @param withDoors programs of others too: QGIS, LibreOffice, a client of OData
 */
export async function ensureTestTools(withDoors = false): Promise<string[]> {
  const wanted = withDoors ? [...TOOLS, QGIS, LIBREOFFICE] : TOOLS
  const missing = wanted.filter((tool) => tool.find() === undefined)
  if (missing.length > 0 && process.getuid?.() === 0 && (await quiet('apt-get', ['--version'])).ok) {
    const title = `installiere für die Tests: ${missing.map(({ name }) => name).join(', ')}`
    await withProgress({ title, expected: 60 }, () => installPackages(missing))
  }
  // Unpacked only: installed, it would start and listen.
  unpackMailServer()
  unpackPrometheus()
  unpackProxies()
  unpackPatroni()
  const faults = wanted
    .filter((tool) => tool.find() === undefined)
    .map(
      (tool) =>
        `${tool.name} fehlt: deren Tests ${tool.isNeeded ? 'schlagen fehl' : 'werden übersprungen'}. Installieren: ` +
        `apt-get install ${(tool.packages.at(-1) ?? []).join(' ')}`,
    )
  if (withDoors) faults.push(...(await fetchFromPypi()))
  if (findMailServer() === undefined)
    faults.push(
      'Dovecot fehlt: dessen Tests werden übersprungen. Installieren: apt-get install dovecot-imapd',
    )
  if (findPrometheus() === undefined)
    faults.push(
      'Prometheus fehlt: dessen Tests werden übersprungen. Installieren: apt-get install prometheus',
    )
  if (findProxy('nginx') === undefined || findProxy('caddy') === undefined)
    faults.push(
      'nginx oder Caddy fehlt: deren Tests werden übersprungen. Installieren: apt-get install nginx caddy',
    )
  if (findPatroni() === undefined)
    faults.push('Patroni oder etcd fehlt: deren Test wird übersprungen. Ausgepackt mit: apt-get download')
  if (findApiTester() === undefined)
    await withProgress({ title: 'installiere für die Tests: schemathesis', expected: 30 }, async () =>
      installApiTester(),
    )
  if (findApiTester() === undefined)
    faults.push(
      'schemathesis fehlt: dessen Tests werden übersprungen. Es braucht Python 3 mit venv und PyPI.',
    )
  // Building it takes minutes; only people who work on that part need it.
  return findS3Server()
    ? faults
    : [
        ...faults,
        'S3-Speicher fehlt: dessen Tests werden übersprungen. Bauen und prüfen: npm run test:s3 (braucht Go)',
      ]
}

async function installPackages(tools: readonly Tool[]): Promise<void> {
  await quiet('apt-get', ['update', '-qq'])
  const packages = (await Promise.all(tools.map(knownSet))).flat()
  if (packages.length === 0) return
  const { ok, stderr } = await quiet('apt-get', [
    'install',
    '-y',
    '-qq',
    '--no-install-recommends',
    ...packages,
  ])
  if (!ok) console.log(`apt-get: ${stderr.trim().split('\n').at(-1) ?? 'fehlgeschlagen'}`)
}
