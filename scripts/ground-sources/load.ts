// Loads the packages from which the background of maps and the search for places are made.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Installs the sources beside the product, so that nobody else has to fetch 250 MB. */
export function withSources(draw: (load: (name: string) => unknown) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'ground-'))
  try {
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(join(import.meta.dirname, file), join(folder, file))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
    const require = createRequire(join(folder, 'package.json'))
    draw((name) =>
      name.endsWith('.json')
        ? JSON.parse(readFileSync(join(folder, 'node_modules', name), 'utf8'))
        : (require(name) as unknown),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
