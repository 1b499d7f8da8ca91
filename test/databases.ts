// Databases beside each other on one PostgreSQL, for a superuser.
import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** The address of another database of the same server. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}

/** The same address under another name. */
export function asUser(url: string, user: string): string {
  const changed = new URL(url)
  changed.username = user
  return changed.toString()
}

/** Answers the address of the new one. Nobody may be connected to the template. */
export async function copyDatabase(
  template: string,
  name = `t_${randomBytes(6).toString('hex')}`,
): Promise<string> {
  await onServer(template, `create database ${name} template ${databaseOf(template)}`)
  return withDatabase(template, name)
}

/**
 * As a careful operator prepares it: its owner is no superuser; what only a superuser can do is done
 * beforehand. The same lines stand in docs/operations.md.
 */
export async function giveOwner(url: string): Promise<string> {
  const name = databaseOf(url)
  const script = `create role ${name} login createrole; alter database ${name} owner to ${name}; create extension postgis;
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
