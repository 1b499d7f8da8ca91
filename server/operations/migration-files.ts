// The content of db/: numbered migrations and the nouns in order, with hashes that reveal changes.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorFault } from './operator-fault.ts'

export interface Migration {
  readonly number: number
  /** File name. */
  readonly name: string
  readonly sql: string
  readonly sha256: string
}

export interface Nouns {
  readonly sql: readonly { readonly name: string; readonly sql: string }[]
  readonly sha256: string
}

/** Which generation of the rules a program brings. Migrating to the state of a dump does not use it. */
export interface Generation {
  /** Increases with every change to a noun: of two programs, the one with the higher number is newer. */
  readonly generation: number
  /** Hash of the nouns, which reveals that they changed while the number did not. */
  readonly nouns: string
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Line endings differ between checkouts and are ignored. */
const readSql = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')

export function readMigrations(folder: string): Migration[] {
  const migrations = readdirSync(join(folder, 'migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
        throw new OperatorFault(`Die Migration ${name} heißt nicht NNNN_name.sql. Bitte umbenennen.`)
      const sql = readSql(join(folder, 'migrations', name))
      return { number: Number(name.slice(0, 4)), name, sql, sha256: sha256(sql) }
    })
  const twice = migrations.find((one, i) => migrations[i + 1]?.number === one.number)
  if (twice !== undefined)
    throw new OperatorFault(
      `Zwei Migrationen tragen die Nummer ${twice.number}. Bitte eine davon neu nummerieren.`,
    )
  return migrations
}

/** nouns/order.txt names every file once, in the order in which they are applied. */
export function readNouns(folder: string): Nouns {
  const present = readdirSync(join(folder, 'nouns')).filter((name) => name.endsWith('.sql'))
  const order = readFileSync(join(folder, 'nouns/order.txt'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const unlisted = present.filter((name) => !order.includes(name))
  const missing = order.filter((name, i) => !present.includes(name) || order.indexOf(name) !== i)
  if (unlisted.length + missing.length > 0) {
    const faults = [
      ...unlisted.map((name) => `${name} steht nicht darin`),
      ...missing.map((name) => `${name} gibt es nicht oder steht doppelt`),
    ]
    throw new OperatorFault(
      `nouns/order.txt passt nicht zu den Dateien: ${faults.join(', ')}. Bitte ergänzen.`,
    )
  }
  const sql = order.map((name) => ({ name, sql: readSql(join(folder, 'nouns', name)) }))
  return { sql, sha256: sha256(JSON.stringify(sql)) }
}

/** db/generation.json, written by `npm run freeze`; 0 if there is none. */
export function readGeneration(folder: string): Generation {
  const file = join(folder, 'generation.json')
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Generation)
    : { generation: 0, nouns: '' }
}

/** The version of this program, from package.json. */
export function programVersion(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string
  }
  return version
}
