// Builds what the server serves and starts from: the web build and the database template. `--if-needed` skips
// what is up to date with its sources.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { build as buildWithVite } from 'vite'
import { buildEngineBundle } from '../server/database/engine-bundle.ts'
import { silentLog } from '../server/log.ts'
import { buildTemplateArchive } from '../server/operations/template.ts'
import { LISTS_FILE, SCHEMA_FOLDER, TEMPLATES, TRIAL_FILES } from '../server/prepare.ts'
import { compressFolder } from './compress.ts'
import { withProgress } from './progress.mjs'
import { buildTrialArchive } from './trial-archive.ts'
import { buildTrialFiles } from './trial-files.ts'

const ROOT = join(import.meta.dirname, '..')
const BUILD = join(ROOT, 'build')
const STAMPS = join(BUILD, 'stamps.json')

const LISTS = relative(ROOT, LISTS_FILE)

const schema = { folder: SCHEMA_FOLDER, log: silentLog, now: () => new Date() }

interface Step {
  readonly name: string
  /** Shown to the operator while it runs. */
  readonly title: string
  /** Seconds of a first start on two cores, where some run at a time. */
  readonly expected: number
  /** Files and folders whose contents decide whether the step must run again. */
  readonly sources: readonly string[]
  readonly output: string
  make(): Promise<void>
}

const SHEETS = [
  'db/seeds',
  'domain',
  'contract/karte-files.ts',
  'server/karten',
  'server/habitat',
  'scripts/trial-files.ts',
  'package-lock.json',
]

const STEPS: readonly Step[] = [
  {
    name: 'web',
    title: 'baue die Oberfläche',
    expected: 10,
    sources: [
      'web/index.html',
      'web',
      'contract',
      'domain',
      'scripts/build.ts',
      'scripts/compress.ts',
      'package-lock.json',
    ],
    output: 'web/dist/index.html',
    make: buildWeb,
  },
  {
    name: 'lists',
    title: 'baue die Listen für Programme',
    expected: 4,
    sources: ['web', 'contract', 'domain', 'scripts/build.ts', 'package-lock.json'],
    output: LISTS,
    make: buildLists,
  },
  {
    name: 'engine',
    title: 'lege die eingebaute Datenbank zurecht',
    expected: 1,
    sources: ['server/database/engine-bundle.ts', 'package-lock.json'],
    output: 'build',
    make: async () => buildEngineBundle(),
  },
  {
    name: 'database',
    title: 'bereite die eingebaute Datenbank vor',
    expected: 25,
    sources: ['db/migrations', 'db/nouns', 'server/database', 'server/operations', 'package-lock.json'],
    output: 'build/datenbank.gz',
    make: () => buildTemplateArchive(TEMPLATES.empty, schema),
  },
  {
    name: 'sheets',
    title: 'zeichne Beispielpläne und -fotos',
    expected: 20,
    sources: SHEETS,
    output: 'build/probe-dateien/blaetter.json',
    make: () => buildTrialFiles(TRIAL_FILES, { now: new Date() }),
  },
  {
    name: 'sample',
    title: 'bereite die Beispieldaten vor',
    expected: 15,
    // Includes the rows for the sheets' files.
    sources: ['db', 'domain', 'server/database', 'server/operations', 'package-lock.json', ...SHEETS],
    output: 'build/probe.gz',
    make: () => buildTrialArchive(TEMPLATES.trial, { ...schema, empty: TEMPLATES.empty }),
  },
]

/**
 * Built in a temporary folder and then swapped in, so that neither a running server nor a failed build sees
 * half a folder.
 */
async function buildWeb(): Promise<void> {
  const fresh = join(BUILD, `web-${process.pid}`)
  const previous = join(BUILD, `web-previous-${process.pid}`)
  const target = join(ROOT, 'web/dist')
  // Test runs set NODE_ENV=test, and Vite would then build React's development version.
  const { NODE_ENV } = process.env
  process.env['NODE_ENV'] = 'production'
  await buildWithVite({
    root: join(ROOT, 'web'),
    logLevel: 'warn',
    mode: 'production',
    build: { outDir: fresh, emptyOutDir: true, manifest: 'manifest.json' },
  }).finally(() => {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = NODE_ENV
  })
  // For the byte budgets, not for the browser.
  renameSync(join(fresh, 'manifest.json'), join(BUILD, 'web-manifest.json'))
  await compressFolder(fresh)
  if (existsSync(target)) renameSync(target, previous)
  renameSync(fresh, target)
  rmSync(previous, { recursive: true, force: true })
}

/** The lists of the screens in one file for the server, which loads it with the first view that is asked for. */
async function buildLists(): Promise<void> {
  await buildWithVite({
    configFile: join(ROOT, 'web/lists.config.ts'),
    // Libraries of the screens have marks that mean nothing here, each of which is warned of.
    logLevel: 'error',
    mode: 'production',
    build: {
      outDir: dirname(LISTS_FILE),
      rolldownOptions: { output: { entryFileNames: basename(LISTS_FILE) } },
    },
  })
}

/** Uses names and contents, not times: in a fresh clone or a copied folder, times mean nothing. */
function fingerprint(sources: readonly string[]): string {
  const hash = createHash('sha256').update(process.version)
  const visit = (path: string): void => {
    const full = join(ROOT, path)
    if (!existsSync(full)) return
    if (!statSync(full).isDirectory()) {
      if (!/\.test\.tsx?$/.test(path)) hash.update(path).update('\0').update(readFileSync(full))
      return
    }
    for (const name of readdirSync(full).sort())
      if (name !== 'dist' && name !== 'node_modules') visit(`${path}/${name}`)
  }
  sources.forEach(visit)
  return hash.digest('hex')
}

const readStamps = (): Record<string, string> =>
  existsSync(STAMPS) ? (JSON.parse(readFileSync(STAMPS, 'utf8')) as Record<string, string>) : {}

const isThere = (path: string): boolean => existsSync(join(ROOT, path))

async function run(step: Step, ifNeeded: boolean): Promise<void> {
  if (!step.sources.every(isThere)) return
  const stamp = fingerprint(step.sources)
  if (ifNeeded && readStamps()[step.name] === stamp && isThere(step.output)) return
  await withProgress(step, () => step.make())
  writeFileSync(STAMPS, JSON.stringify({ ...readStamps(), [step.name]: stamp }, null, 2))
}

/** Independent steps run concurrently, since each mostly waits for one thread of its own. */
const ORDER = [[['web', 'lists'], ['engine', 'database'], ['sheets']], [['sample']]]

export async function build({
  ifNeeded,
  only = [],
}: {
  ifNeeded: boolean
  only?: readonly string[]
}): Promise<void> {
  mkdirSync(BUILD, { recursive: true })
  for (const beside of ORDER)
    await Promise.all(
      beside.map(async (names) => {
        for (const step of STEPS)
          if (names.includes(step.name) && (only.length === 0 || only.includes(step.name)))
            await run(step, ifNeeded)
      }),
    )
}

if (import.meta.main) {
  const words = process.argv.slice(2)
  await build({
    ifNeeded: words.includes('--if-needed'),
    only: words.filter((word) => !word.startsWith('--')),
  })
}
