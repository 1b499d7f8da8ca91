// npm installs exactly what the lock files say, byte by byte: an entry without a hash would accept whatever
// the registry sends.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const LEFT_OUT = new Set(['node_modules', '.git', '.cache', 'data', 'dist', 'build'])

interface Entry {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
}

const lockFilesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : lockFilesBelow(join(folder, entry.name))
    return entry.name === 'package-lock.json' || entry.name === 'npm-shrinkwrap.json'
      ? [join(folder, entry.name)]
      : []
  })

const entriesOf = (file: string): [string, Entry][] =>
  Object.entries(
    (JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> }).packages,
  ).filter(([path]) => path !== '')

const LOCK_FILES = lockFilesBelow(ROOT)

test('the lock files are found', () =>
  expect(LOCK_FILES.map((file) => relative(ROOT, file))).toEqual(
    expect.arrayContaining(['package-lock.json', 'bench/peer/package-lock.json']),
  ))

for (const file of LOCK_FILES) {
  test(`every entry of ${relative(ROOT, file)} has a hash that npm compares`, () => {
    const entries = entriesOf(file)
    expect(entries.length).toBeGreaterThan(10)
    expect(
      entries
        .filter(([, { integrity = '' }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))
        .map(([path]) => path),
    ).toEqual([])
  })
}

test('the version of the program is the same in both files', () => {
  const [program, lock] = ['package.json', 'package-lock.json'].map(
    (name) =>
      JSON.parse(readFileSync(join(ROOT, name), 'utf8')) as {
        version: string
        packages?: Record<string, Entry>
      },
  )
  expect(lock?.version).toBe(program?.version)
  expect(lock?.packages?.['']?.version).toBe(program?.version)
})
