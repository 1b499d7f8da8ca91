import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { faultOfFolder } from './usable-folder.ts'

const base = mkdtempSync(join(tmpdir(), 'forstkontor-ordner-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))
const root = process.getuid?.() === 0

test('a folder that is missing is made, with what is above it, and nothing is left in it', () => {
  const path = join(base, 'a/b/c')
  expect(faultOfFolder(path)).toBeNull()
  expect(readdirSync(path)).toEqual([])
})
test('a file is no folder, and neither is what would be in it', () => {
  const file = join(base, 'datei')
  writeFileSync(file, '')
  for (const path of [file, join(file, 'daten'), join(file, 'daten/tiefer')])
    expect(faultOfFolder(path), path).toBe(`ist kein Ordner: ${file} ist eine Datei`)
})
test('a circle of links', () => {
  symlinkSync(join(base, 'eins'), join(base, 'zwei'))
  symlinkSync(join(base, 'zwei'), join(base, 'eins'))
  expect(faultOfFolder(join(base, 'eins'))).toMatch(/im Kreis|kein Ordner|nicht anlegen/)
})
test.skipIf(process.platform !== 'linux')('where nobody may make a folder', () =>
  expect(faultOfFolder('/proc/forstkontor')).toMatch(
    /^(?:lässt sich dort nicht anlegen|darf von diesem Benutzer nicht beschrieben werden)$/,
  ),
)
test.skipIf(root)('a folder of somebody else', () => {
  const path = join(base, 'fremd')
  mkdirSync(path)
  chmodSync(path, 0o500)
  expect(faultOfFolder(path)).toBe('darf von diesem Benutzer nicht beschrieben werden')
})

function withDisk(options: string, work: (disk: string) => void): void {
  const disk = mkdtempSync(join(base, 'disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk], { stdio: 'ignore' })
  try {
    work(disk)
  } finally {
    execFileSync('umount', [disk])
  }
}
test.skipIf(!root || process.platform !== 'linux')('a disk that is full', () =>
  withDisk('size=256k', (disk) => {
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(join(disk, 'voll'), Buffer.alloc(bavail * bsize - 8192))
    expect(faultOfFolder(disk)).toBe('ist auf einem Datenträger ohne freien Platz')
    expect(readdirSync(disk)).toEqual(['voll'])
  }),
)
test.skipIf(!root || process.platform !== 'linux')('a disk that can only be read', () =>
  withDisk('ro', (disk) => {
    expect(faultOfFolder(disk)).toBe('ist auf einem Datenträger, der nur gelesen werden kann')
    expect(faultOfFolder(join(disk, 'daten'))).toBe('ist auf einem Datenträger, der nur gelesen werden kann')
    expect(existsSync(join(disk, 'daten'))).toBe(false)
  }),
)
