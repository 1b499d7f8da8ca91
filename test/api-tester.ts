// Schemathesis (MIT, from PyPI) makes requests from an OpenAPI document and compares the answers with it. It has a
// folder below .cache, with the versions of test/openapi/requirements.txt. sepaxml (MIT) is there too: nothing of it is
// run, but its package has the schemas of ISO 20022.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../.cache/tools/schemathesis')
const PROGRAM = join(FOLDER, 'bin/schemathesis')
const WANTED = join(import.meta.dirname, 'openapi/requirements.txt')
/** What was installed, written last: a broken installation has none. */
const INSTALLED = join(FOLDER, 'installed.txt')

/** Its path; undefined if it has not been installed, or in other versions. */
export function findApiTester(): string | undefined {
  const isInstalled = existsSync(INSTALLED) && existsSync(PROGRAM)
  return isInstalled && readFileSync(INSTALLED, 'utf8') === readFileSync(WANTED, 'utf8') ? PROGRAM : undefined
}

/** Folder with the schemas of the files for banks (`pain.001.001.09.xsd` and others); undefined if not installed. */
export function findBankSchemas(): string | undefined {
  if (findApiTester() === undefined) return undefined
  const library = join(FOLDER, 'lib')
  const place = readdirSync(library).map((python) => join(library, python, 'site-packages/sepaxml/schemas'))
  return place.find((folder) => existsSync(folder))
}

/** Takes half a minute, once per clone; without Python or the package registry nothing is installed. */
export function installApiTester(): void {
  if (findApiTester() !== undefined) return
  rmSync(FOLDER, { recursive: true, force: true })
  const run = (program: string, args: readonly string[]): boolean =>
    spawnSync(program, args, { stdio: 'ignore', timeout: 5 * 60_000 }).status === 0
  const isMade =
    run('python3', ['-m', 'venv', FOLDER]) &&
    run(join(FOLDER, 'bin/pip'), ['install', '-q', '--no-deps', '--disable-pip-version-check', '-r', WANTED])
  if (isMade) writeFileSync(INSTALLED, readFileSync(WANTED))
}
