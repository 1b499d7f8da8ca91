// Prepares a bare clone: installs what the lock file requires, then lets scripts/build.ts build what is
// missing. Plain JavaScript for Node 18 or newer, because it runs before the pinned Node is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const PINNED_NODE = join(ROOT, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')

function stop(message) {
  console.error(`\nForstkontor: ${message}`)
  process.exit(1)
}

/**
 * Packages of the lock file that are not installed in the required version; optional ones (other platforms)
 * may be missing.
 */
function missingPackages({ withTools }) {
  const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {})
  const wanted = read(join(ROOT, 'package-lock.json'))
  const present = read(join(ROOT, 'node_modules/.package-lock.json'))
  return Object.entries(wanted)
    .filter(
      ([path, entry]) => path !== '' && !entry.optional && !entry.devOptional && (withTools || !entry.dev),
    )
    .filter(
      ([path, entry]) =>
        present[path]?.version !== entry.version || !existsSync(join(ROOT, path, 'package.json')),
    )
    .map(([path]) => path)
}

function install(missing) {
  console.log(`Forstkontor: installiere ${missing.length} Pakete (npm ci) …`)
  // Uses the Node that came with npm: the pinned one is in the folder that npm replaces.
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'))
  const { status, error } = spawnSync(
    'npm',
    ['ci', '--include=dev', '--no-fund', '--no-audit', '--loglevel=error'],
    {
      cwd: ROOT,
      env: { ...process.env, PATH: path.join(delimiter) },
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: process.platform === 'win32',
    },
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
}

/** Nothing can be built without tools, so a production-only installation must already contain its build. */
const built = ['web/dist/index.html', 'build/stamps.json'].every((file) => existsSync(join(ROOT, file)))
const forTests = process.argv.includes('--with-tools')
const production = process.env.NODE_ENV === 'production' && built && !forTests

if (Number(process.versions.node.split('.')[0]) < 18)
  stop(`Node ${process.versions.node} ist zu alt. Bitte Node 20 oder neuer installieren.`)
const missing = missingPackages({ withTools: !production })
if (missing.length > 0 || !existsSync(PINNED_NODE)) install(missing)
const { status } = spawnSync(PINNED_NODE, [join(ROOT, 'scripts/build.ts'), '--if-needed'], {
  cwd: ROOT,
  stdio: 'inherit',
})
if (status !== 0)
  stop('Der Bau der Oberfläche oder der Datenbank-Vorlage ist fehlgeschlagen; die Meldung steht darüber.')
