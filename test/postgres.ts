// A fresh database of the private PostgreSQL for one test file.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** Address of the private server, or null where none is installed (then the suite is skipped and counted). */
export const postgresUrl = (): string | null => inject('postgresUrl')

export interface TestDatabase {
  /** Superuser address of a database of its own. */
  readonly url: string
  drop(): Promise<void>
}

/** Creates an empty database; `template` copies an existing one. */
export async function createTestDatabase(template = 'template1'): Promise<TestDatabase> {
  const server = postgresUrl()
  if (server === null) throw new Error('no PostgreSQL with PostGIS is installed')
  const name = `t_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name} template ${template}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.toString(), drop: () => onServer(server, `drop database if exists ${name} with (force)`) }
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
