// Increments the generation of the rules if they changed, and freezes new migrations; frozen ones are never written
// again. `--release` gives them to the version.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  programVersion,
  readGeneration,
  readMigrations,
  readNouns,
} from '../server/operations/migration-files.ts'

const DB = join(import.meta.dirname, '../db')
const [FROZEN, GENERATION] = [join(DB, 'frozen.json'), join(DB, 'generation.json')]

const write = (file: string, content: object): void =>
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)

function countRules(): void {
  const { generation, nouns } = readGeneration(DB)
  const { sha256 } = readNouns(DB)
  if (nouns === sha256) return console.log(`rules: generation ${generation}, unchanged`)
  write(GENERATION, { generation: generation + 1, nouns: sha256 })
  console.log(`rules: generation ${generation + 1}`)
}

type Frozen = Record<string, Readonly<Record<string, string>>>
/** Written, and in databases of those who follow main, but in no version yet. */
const UNRELEASED = 'unreleased'

/** From the moment it is there a migration may have been applied somewhere, so it is frozen with its commit. */
function freezeMigrations(): Frozen {
  const frozen = (existsSync(FROZEN) ? JSON.parse(readFileSync(FROZEN, 'utf8')) : {}) as Frozen
  const known = new Map(Object.values(frozen).flatMap((migrations) => Object.entries(migrations)))
  const present = readMigrations(DB)
  const changed = [...known].filter(
    ([name, sha256]) => present.find((one) => one.name === name)?.sha256 !== sha256,
  )
  if (changed.length > 0)
    throw new Error(
      `frozen and changed: ${changed.map(([name]) => name).join(', ')}. Write a new migration instead.`,
    )
  const added = present.filter(({ name }) => !known.has(name))
  console.log(`migrations: ${added.length} frozen, ${known.size} before`)
  if (added.length === 0) return frozen
  const all = {
    ...frozen,
    [UNRELEASED]: {
      ...frozen[UNRELEASED],
      ...Object.fromEntries(added.map(({ name, sha256 }) => [name, sha256])),
    },
  }
  write(FROZEN, all)
  return all
}

function release({ [UNRELEASED]: next = {}, ...released }: Frozen): void {
  const version = programVersion()
  if (released[version] !== undefined)
    throw new Error(`${version} is released. Please raise the version in package.json first.`)
  write(FROZEN, { ...released, [version]: next })
  console.log(`migrations: ${Object.keys(next).length} released with ${version}`)
}

countRules()
const frozen = freezeMigrations()
if (process.argv.includes('--release')) release(frozen)
