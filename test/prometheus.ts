// promtool and Prometheus for the tests of what they read, installed or unpacked from Debian's package: installed, it
// would start and listen.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

const UNPACKED = join(homedir(), '.cache', 'forstkontor', 'prometheus')

/** The folder of both programs; undefined if there is none. */
export const findPrometheus = (): string | undefined =>
  ['/', UNPACKED]
    .map((root) => join(root, 'usr/bin'))
    .find((folder) => ['promtool', 'prometheus'].every((name) => existsSync(join(folder, name))))

/** Fetches and unpacks it without installing anything; false where apt does not know it. */
export function unpackPrometheus(): boolean {
  if (findPrometheus() !== undefined) return true
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-prometheus-'))
  try {
    const options = { cwd: folder, stdio: 'ignore', timeout: 120_000 } as const
    if (spawnSync('apt-get', ['download', 'prometheus'], options).status !== 0) return false
    const root = join(folder, 'root')
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb')))
      execFileSync('dpkg', ['-x', join(folder, file), root])
    mkdirSync(join(UNPACKED, '..'), { recursive: true })
    cpSync(root, UNPACKED, { recursive: true, verbatimSymlinks: true })
    return findPrometheus() !== undefined
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
