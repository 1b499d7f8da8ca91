// Before a release: increments the generation of the rules if they changed, and freezes new migrations.
// Frozen ones are never written again.
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

function freezeMigrations(): void {
  const frozen = (existsSync(FROZEN) ? JSON.parse(readFileSync(FROZEN, 'utf8')) : {}) as Record<
    string,
    Record<string, string>
  >
  const known = new Map(Object.values(frozen).flatMap((migrations) => Object.entries(migrations)))
  const present = readMigrations(DB)
  const changed = [...known].filter(
    ([name, sha256]) => present.find((one) => one.name === name)?.sha256 !== sha256,
  )
  if (changed.length > 0)
    throw new Error(
      `frozen and changed: ${changed.map(([name]) => name).join(', ')}. Write a new migration instead.`,
    )
  const version = programVersion()
  const added = present.filter(({ name }) => !known.has(name))
  if (added.length > 0)
    write(FROZEN, {
      ...frozen,
      [version]: {
        ...frozen[version],
        ...Object.fromEntries(added.map(({ name, sha256 }) => [name, sha256])),
      },
    })
  console.log(`migrations: ${added.length} frozen for ${version}, ${known.size} before`)
}

countRules()
// During development migrations may still change; the release freezes them.
if (process.argv.includes('--release')) freezeMigrations()
