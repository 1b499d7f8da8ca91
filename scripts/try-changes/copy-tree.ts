// The copy of the tree in which changes are tried.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/**
 * A copy of the tree in a new folder, which the caller removes. Below the root, because the compiler only names
 * types of packages that it finds above the file.
 */
export function copyTree(): string {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const to = mkdtempSync(join(ROOT, '.cache/try-'))
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  for (const file of tracked
    .trim()
    .split('\n')
    .filter((path) => existsSync(join(ROOT, path)))) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    cpSync(join(ROOT, file), join(to, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'))
  const types = join(ROOT, '.cache/types')
  if (existsSync(types)) cpSync(types, join(to, '.cache/types'), { recursive: true })
  return to
}
