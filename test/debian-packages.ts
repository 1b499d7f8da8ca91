// Debian's packages unpacked into their own folder: installed, their services would start and listen.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Where packages of this name are unpacked; it is kept from run to run. */
export const unpackedFolder = (name: string): string => join(homedir(), '.cache', 'forstkontor', name)

const LONGEST_MS = 120_000

/**
 * Fetches packages and unpacks them without installing anything; false where apt does not know one of them.
 * @param finish changes what was unpacked before it is put in its place
 */
export function unpackPackages(
  packages: readonly string[],
  target: string,
  finish: (root: string) => void = () => undefined,
): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-unpack-'))
  try {
    const options = { cwd: folder, stdio: 'ignore', timeout: LONGEST_MS } as const
    if (spawnSync('apt-get', ['download', ...packages], options).status !== 0) return false
    const root = join(folder, 'root')
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb')))
      execFileSync('dpkg', ['-x', join(folder, file), root])
    finish(root)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(root, target, { recursive: true, verbatimSymlinks: true })
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
