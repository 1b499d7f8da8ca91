// Files and SQL functions that the docs name exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { declaredInSql } from '../test/declared-names.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const ROOMS = 'bench|contract|db|docs|domain|e2e|keycloak|scripts|server|test|web'
const PATH = new RegExp(`\`((?:${ROOMS})/[\\w./-]+)\``, 'g')
/** Without a folder, as in tables about one room. */
const BARE = /`([\w.-]+\.(?:sql|tsx?|mjs))`/g
const SCHEMAS =
  'rights|checks|history|accounts|search|abo|books|dispatch|forest|maps|notices|privacy|imports|notes|app'
const CALL = new RegExp(`\`((?:${SCHEMAS})\\.\\w+)\\(?`, 'g')

const functions = new Set(
  readdirSync(join(ROOT, 'db/nouns'))
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) => declaredInSql(read(`db/nouns/${name}`)).map((one) => one.name)),
)
/** Tables, views and what migrations and generated statements make. */
const sql = [
  ...readdirSync(join(ROOT, 'db/migrations')).map((name) => `db/migrations/${name}`),
  ...readdirSync(join(ROOT, 'db/nouns')).map((name) => `db/nouns/${name}`),
]
  .map(read)
  .join('\n')

/** Functions that are made for each of several tables, by their name in the text they are made from. */
const made = [...sql.matchAll(/function ([a-z]+\.[a-z_]*)%1\$s([a-z_]*)\(/g)].map(
  ([, before, after]) => new RegExp(`^${before}[a-z_]+${after}$`),
)

const names = new Set(
  [...ROOMS.split('|'), ''].flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: room !== '', encoding: 'utf8' }).map((path) => basename(path)),
  ),
)

describe.each(pages)('%s', (page) => {
  const text = read(page)

  test('names files that exist', () => {
    const missing = [...text.matchAll(PATH)]
      .map(([, path = '']) => path.replace(/\.$/, ''))
      // Placeholders of recipes, and what benches write.
      .filter((path) => !/NOUN|NAME|FILE|ROOM|^bench\/out/.test(path) && !existsSync(join(ROOT, path)))
    expect(missing).toEqual([])
  })
  test('names files without their folder that exist', () => {
    const missing = [...text.matchAll(BARE)]
      .map(([, name = '']) => name)
      .filter((name) => !/NOUN|NAME|FILE|ROOM/.test(name) && !names.has(name))
    expect(missing).toEqual([])
  })
  test('names functions and tables of the database that exist', () => {
    const missing = [...text.matchAll(CALL)]
      .map(([, name = '']) => name)
      // Fastify's methods look alike.
      .filter((name) => name !== 'app.get' && !functions.has(name) && !sql.includes(name))
      .filter((name) => !made.some((pattern) => pattern.test(name)))
    expect(missing).toEqual([])
  })
})
