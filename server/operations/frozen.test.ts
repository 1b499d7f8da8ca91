// Released things stay as they are: migrations byte by byte, the generation of the rules, and
// a line in the change log.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { programVersion, readGeneration, readMigrations, readNouns } from './migration-files.ts'

const ROOT = join(import.meta.dirname, '../..')
const DB = join(ROOT, 'db')
const FROZEN = JSON.parse(readFileSync(join(DB, 'frozen.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>
/** Of no version yet. */
const UNRELEASED = 'unreleased'
const frozen = Object.entries(FROZEN).flatMap(([version, migrations]) =>
  Object.entries(migrations).map(([name, sha256]) => ({ version, name, sha256 })),
)

/** Names of the migrations that changed. */
const broken = (present: readonly { readonly name: string; readonly sha256: string }[]): string[] =>
  frozen
    .filter(({ name, sha256 }) => !present.some((one) => one.name === name && one.sha256 === sha256))
    .map(({ name }) => name)

test('no migration was changed, removed or renumbered', () => {
  expect(frozen.length).toBeGreaterThanOrEqual(28)
  expect(broken(readMigrations(DB))).toEqual([])
})

test('this test notices a changed, a removed and a renumbered one', () => {
  const [first, ...others] = readMigrations(DB)
  if (first === undefined) throw new Error('no migration')
  expect(broken([{ ...first, sha256: 'other' }, ...others])).toEqual([first.name])
  expect(broken(others)).toEqual([first.name])
  expect(broken([{ ...first, name: first.name.replace('0001', '0101') }, ...others])).toEqual([first.name])
})

test('every migration is frozen with its commit: after a new one run `npm run freeze`', () => {
  const names = new Set(frozen.map(({ name }) => name))
  expect(readMigrations(DB).filter(({ name }) => !names.has(name))).toEqual([])
})

test('a released migration comes before those that are in no version yet', () => {
  const numbers = (of: boolean) =>
    frozen
      .filter(({ version }) => (version === UNRELEASED) === of)
      .map(({ name }) => Number(name.slice(0, 4)))
  expect(Math.max(...numbers(false))).toBeLessThan(Math.min(Infinity, ...numbers(true)))
})

test('the rules are counted: after a change of db/nouns run `npm run freeze`', () => {
  const { generation, nouns } = readGeneration(DB)
  expect(nouns).toBe(readNouns(DB).sha256)
  expect(generation).toBeGreaterThan(0)
})

test('the change log has this version and every one with frozen migrations', () => {
  const log = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  const told = [...log.matchAll(/^## \[?(\d+\.\d+\.\d+)\]?/gm)].map(([, version]) => version)
  expect(told[0]).toBe(programVersion())
  expect(told).toEqual(expect.arrayContaining(Object.keys(FROZEN).filter((name) => name !== UNRELEASED)))
})
