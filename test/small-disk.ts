// A file system that is soon full. Only root can mount one; elsewhere the tests count as skipped.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Its folder, gone after the file's last test; null without the right to mount. */
export function smallDisk(megabytes: number): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-full-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmdirSync(folder)
    return null
  }
  afterAll(() => {
    execFileSync('umount', [folder])
    rmdirSync(folder)
  })
  return folder
}
