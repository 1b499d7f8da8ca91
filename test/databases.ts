// Creates and drops databases on one PostgreSQL, as a superuser.
import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The URL of another database of the same server. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}

/** The same URL with another user. */
export function asUser(url: string, user: string): string {
  const changed = new URL(url)
  changed.username = user
  return changed.toString()
}

/** Returns the URL of the copy. The template must have no open connections. */
export async function copyDatabase(
  template: string,
  name = `t_${randomBytes(6).toString('hex')}`,
): Promise<string> {
  await onServer(template, `create database ${name} template ${databaseOf(template)}`)
  return withDatabase(template, name)
}

/**
 * Prepares it like a careful operator: the owner is not a superuser, and what only a superuser can do is done
 * beforehand. docs/operations.md has the same statements.
 */
export async function giveOwner(url: string): Promise<string> {
  const name = databaseOf(url)
  const script = `create role ${name} login createrole;
    alter database ${name} owner to ${name};
    create extension postgis;
    revoke execute on function pg_catalog.set_config(text, text, boolean) from public;
    grant execute on function pg_catalog.set_config(text, text, boolean) to ${name} with grant option`
  await run(url, script)
  return asUser(url, name)
}

export const dropDatabase = (url: string): Promise<void> =>
  onServer(url, `drop database if exists ${databaseOf(url)} with (force)`)

const databaseOf = (url: string): string => new URL(url).pathname.slice(1)

const onServer = (url: string, sql: string): Promise<void> => run(withDatabase(url, 'postgres'), sql)

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
