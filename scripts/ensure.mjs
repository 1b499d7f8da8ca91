// Prepares a bare clone: installs what the lock file requires, then lets scripts/build.ts build what is
// missing. Plain JavaScript for Node 18 or newer, because it runs before the pinned Node is installed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withProgress } from './progress.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const PINNED_NODE = join(ROOT, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')

function stop(message) {
  console.error(`\nForstkontor: ${message}`)
  process.exit(1)
}

const packagesIn = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {})
const INSTALLED = join(ROOT, 'node_modules/.package-lock.json')

/**
 * Whether packages of the lock file are not installed in the required version; optional ones (other platforms)
 * may be missing.
 */
function isIncomplete({ withTools }) {
  const present = packagesIn(INSTALLED)
  return Object.entries(packagesIn(join(ROOT, 'package-lock.json')))
    .filter(
      ([path, entry]) => path !== '' && !entry.optional && !entry.devOptional && (withTools || !entry.dev),
    )
    .some(
      ([path, entry]) =>
        present[path]?.version !== entry.version || !existsSync(join(ROOT, path, 'package.json')),
    )
}

/** What npm prints on success is left out: it counts in its own way. */
function runNpmCi() {
  // Uses the Node that came with npm: the pinned one is in the folder that npm replaces.
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'))
  const child = spawn('npm', ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: ROOT,
    env: { ...process.env, PATH: path.join(delimiter) },
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }))
    child.once('close', (status) => resolve({ status }))
  })
}

async function install() {
  const { status, error } = await withProgress(
    { title: 'installiere die Pakete (npm ci)', expected: 30 },
    runNpmCi,
  )
  if (error)
    stop(
      `npm lässt sich nicht starten (${error.message}). Bitte Node.js mit npm installieren: https://nodejs.org`,
    )
  if (status !== 0)
    stop(
      'Die Installation der Pakete ist fehlgeschlagen. Bitte Netzverbindung prüfen und den Befehl noch einmal aufrufen.',
    )
  if (!existsSync(PINNED_NODE)) {
    stop(
      'Die Node-Version des Projekts fehlt. Bitte „npm rebuild node“ aufrufen; Installationsskripte müssen für dieses eine Paket erlaubt sein.',
    )
  }
  console.log(`Forstkontor: ${Object.keys(packagesIn(INSTALLED)).length} Pakete sind installiert.`)
}

/** Nothing can be built without tools, so a production-only installation must already contain its build. */
const built = ['web/dist/index.html', 'build/stamps.json'].every((file) => existsSync(join(ROOT, file)))
const forTests = process.argv.includes('--with-tools')
const production = process.env.NODE_ENV === 'production' && built && !forTests
/** For what needs no screens, no database of its own and no tools. */
const packagesOnly = process.argv.includes('--packages-only')

if (Number(process.versions.node.split('.')[0]) < 18)
  stop(`Node ${process.versions.node} ist zu alt. Bitte Node 20 oder neuer installieren.`)
if (isIncomplete({ withTools: !production && !packagesOnly }) || !existsSync(PINNED_NODE)) await install()
// Says by itself how far it is.
const { status } = packagesOnly
  ? { status: 0 }
  : spawnSync(PINNED_NODE, [join(ROOT, 'scripts/build.ts'), '--if-needed'], {
      cwd: ROOT,
      stdio: 'inherit',
    })
if (status !== 0)
  stop('Der Bau der Oberfläche oder der Datenbank-Vorlage ist fehlgeschlagen; die Meldung steht darüber.')
