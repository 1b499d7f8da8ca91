// Tools that the tests need beyond npm: PostgreSQL with PostGIS, Chromium, PgBouncer, poppler. Installed
// where permitted, otherwise reported.
import { spawnSync } from 'node:child_process'
import { findChromium } from '../test/chromium.ts'
import { findPgbouncer, findPostgresBinaries } from '../test/postgres-binaries.ts'
import { findS3Server } from '../test/s3-server.ts'

interface Tool {
  readonly name: string
  /** Debian and Ubuntu packages; the first set known to apt is installed. */
  readonly packages: readonly (readonly string[])[]
  find(): string | undefined
}

const TOOLS: readonly Tool[] = [
  { name: 'PostgreSQL 15+ mit PostGIS', packages: postgresPackages(), find: findPostgresBinaries },
  { name: 'Chromium', packages: [['chromium-headless-shell'], ['chromium']], find: findChromium },
  { name: 'PgBouncer', packages: [['pgbouncer']], find: findPgbouncer },
  // A third-party PDF reader.
  {
    name: 'pdftotext',
    packages: [['poppler-utils']],
    find: () => (spawnSync('pdftotext', ['-v']).error === undefined ? 'pdftotext' : undefined),
  },
]

function postgresPackages(): string[][] {
  return [18, 17, 16, 15].map((version) => [`postgresql-${version}`, `postgresql-${version}-postgis-3`])
}

const quiet = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })

const aptKnows = (name: string): boolean =>
  /Candidate: (?!\(none\))/.test(quiet('apt-cache', ['policy', name]).stdout ?? '')

/** As root on Debian, installs what is missing; returns one line for each tool that is still missing. */
export function ensureTestTools(): string[] {
  const missing = TOOLS.filter((tool) => tool.find() === undefined)
  if (missing.length > 0 && process.getuid?.() === 0 && quiet('apt-get', ['--version']).status === 0)
    installPackages(missing)
  const faults = TOOLS.filter((tool) => tool.find() === undefined).map(
    (tool) =>
      `${tool.name} fehlt: deren Tests werden übersprungen. Installieren: apt-get install ${(tool.packages.at(-1) ?? []).join(' ')}`,
  )
  // Building it takes minutes; only people who work on that part need it.
  return findS3Server()
    ? faults
    : [
        ...faults,
        'S3-Speicher fehlt: dessen Tests werden übersprungen. Bauen und prüfen: npm run test:s3 (braucht Go)',
      ]
}

function installPackages(tools: readonly Tool[]): void {
  console.log(`Installiere für die Tests: ${tools.map((tool) => tool.name).join(', ')} …`)
  quiet('apt-get', ['update', '-qq'])
  const packages = tools.flatMap((tool) => tool.packages.find((set) => set.every(aptKnows)) ?? [])
  if (packages.length === 0) return
  const { status, stderr } = quiet('apt-get', [
    'install',
    '-y',
    '-qq',
    '--no-install-recommends',
    ...packages,
  ])
  if (status !== 0) console.log(`apt-get: ${stderr.trim().split('\n').at(-1) ?? 'fehlgeschlagen'}`)
}
