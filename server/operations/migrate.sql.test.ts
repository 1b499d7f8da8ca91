import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OwnerConnection } from '#server/database/database.ts'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../test/postgres.ts'
import { apiAddresses, ensureApiLogin, scramVerifier } from './api-login.ts'
import { migrate } from './migrate.ts'

const PRODUCT = join(import.meta.dirname, '../../db')
const OPTIONS = { log: silentLog, now: () => new Date() }

describe.skipIf(postgresUrl() === null)('migrate on PostgreSQL', () => {
  let home: TestDatabase
  let owner: OwnerConnection
  let folder: string
  beforeEach(async () => {
    home = await createTestDatabase()
    owner = await createOwnerConnection(home.url)
    folder = mkdtempSync(join(tmpdir(), 'forstkontor-migrations-'))
    mkdirSync(join(folder, 'migrations'))
    mkdirSync(join(folder, 'nouns'))
    write(
      'migrations/0001_tree.sql',
      'create schema f; create table f.tree (id int primary key); insert into f.tree values (1);',
    )
    write('migrations/0002_leaf.sql', 'create table f.leaf (id int); insert into f.leaf values (1);')
    write('nouns/order.txt', 'tree.sql\n')
    write('nouns/tree.sql', 'create or replace view f.trees as select id from f.tree;')
  })
  afterEach(async () => {
    await owner.close()
    await home.drop()
    rmSync(folder, { recursive: true })
  })
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text)
  const run = () => migrate(owner, { ...OPTIONS, folder })
  const rows = async (text: string) => (await owner.query(text)).rows

  test('applies once; a second run changes nothing; a changed noun is applied again', async () => {
    expect(await run()).toEqual({ applied: ['0001_tree.sql', '0002_leaf.sql'], nounsApplied: true })
    expect(await run()).toEqual({ applied: [], nounsApplied: false })
    expect(await rows('select count(*) as n from f.tree')).toEqual([{ n: 1 }])
    write('nouns/tree.sql', 'create or replace view f.trees as select id + 1 as id from f.tree;')
    expect(await run()).toEqual({ applied: [], nounsApplied: true })
    expect(await rows('select id from f.trees')).toEqual([{ id: 2 }])
  })

  const generation = (number: number) =>
    write('generation.json', JSON.stringify({ generation: number, nouns: '' }))
  /** Records what a run sends, to check that a refused one only reads. */
  const watched = (sent: string[]): OwnerConnection => ({
    engine: owner.engine,
    query: (text, values) => {
      sent.push(text)
      return owner.query(text, values)
    },
    script: (text) => {
      sent.push(text)
      return owner.script(text)
    },
    close: () => owner.close(),
  })
  const looksOnly = (sent: readonly string[]) =>
    expect(sent.filter((text) => !/^\s*select\b/i.test(text))).toEqual([])

  test('an older program on newer rules is refused before anything is applied, and told what to do', async () => {
    generation(7)
    expect(await migrate(owner, { ...OPTIONS, folder, version: '0.3.0' })).toMatchObject({
      nounsApplied: true,
    })
    generation(6)
    write('nouns/tree.sql', 'create or replace view f.trees as select id + 5 as id from f.tree;')
    const sent: string[] = []
    await expect(migrate(watched(sent), { ...OPTIONS, folder, version: '0.2.9' })).rejects.toThrow(
      /Forstkontor 0\.3\.0 hat Regelstand 7 angewendet, dieses ist 0\.2\.9 mit Regelstand 6 .*npm run restore/,
    )
    looksOnly(sent)
    expect(await rows('select id from f.trees')).toEqual([{ id: 1 }])
    generation(8)
    expect(await run()).toMatchObject({ nounsApplied: true })
    expect(await rows('select id from f.trees')).toEqual([{ id: 6 }])
    expect(await rows('select stand from betrieb.nomen')).toEqual([{ stand: 8 }])
  })

  test('an older program with newer migrations below it is refused likewise', async () => {
    await run()
    rmSync(join(folder, 'migrations/0002_leaf.sql'))
    const sent: string[] = []
    await expect(migrate(watched(sent), { ...OPTIONS, folder })).rejects.toThrow(
      '0002_leaf.sql ist schon angewendet',
    )
    looksOnly(sent)
  })

  test('while a noun is worked on, its generation stays and it is applied each time; same rules, no loss', async () => {
    generation(3)
    await run()
    for (const id of [2, 3]) {
      write('nouns/tree.sql', `create or replace view f.trees as select id + ${id} as id from f.tree;`)
      expect(await run()).toMatchObject({ nounsApplied: true })
    }
    generation(2)
    expect(await run()).toMatchObject({ nounsApplied: false })
    expect(await rows('select stand from betrieb.nomen')).toEqual([{ stand: 3 }])
  })

  test('a database of a program that kept no record of itself is taken over', async () => {
    await run()
    await owner.script('alter table betrieb.nomen drop column programm, drop column stand')
    generation(1)
    expect(await run()).toEqual({ applied: [], nounsApplied: true })
    expect(await rows('select stand, programm is not null as programm from betrieb.nomen')).toEqual([
      { stand: 1, programm: true },
    ])
  })

  test('an applied migration that was edited, removed or preceded is refused, and nothing happens', async () => {
    await run()
    write('migrations/0003_more.sql', 'create table f.more ();')
    write(
      'migrations/0001_tree.sql',
      'create schema f; create table f.tree (id int primary key); insert into f.tree values (2);',
    )
    await expect(run()).rejects.toThrow('0001_tree.sql wurde nach der Anwendung geändert')
    rmSync(join(folder, 'migrations/0001_tree.sql'))
    await expect(run()).rejects.toThrow('Die Datenbank ist neuer als dieses Programm')
    expect(await rows(`select to_regclass('f.more') as more`)).toEqual([{ more: null }])
  })

  test('Windows line ends are no edit', async () => {
    write('migrations/0002_leaf.sql', 'create table f.leaf (id int);\ninsert into f.leaf values (1);\n')
    await run()
    write('migrations/0002_leaf.sql', 'create table f.leaf (id int);\r\ninsert into f.leaf values (1);\r\n')
    expect((await run()).applied).toEqual([])
  })

  test('a failing migration leaves nothing of itself and names its file', async () => {
    write('migrations/0002_leaf.sql', 'create table f.leaf (id int); select 1/0;')
    await expect(run()).rejects.toThrow(/^0002_leaf\.sql: /)
    expect(
      await rows(`select to_regclass('f.leaf') as leaf, (select count(*) from betrieb.migration) as n`),
    ).toEqual([{ leaf: null, n: 1 }])
    write('migrations/0002_leaf.sql', 'create table f.leaf (id int);')
    expect((await run()).applied).toEqual(['0002_leaf.sql'])
  })

  test('a migration that commits by itself is refused', async () => {
    write('migrations/0002_leaf.sql', 'create table f.leaf (id int); commit;')
    await expect(run()).rejects.toThrow('beendet die Transaktion selbst')
  })

  test('the list of nouns must match the folder', async () => {
    write('nouns/extra.sql', 'select 1;')
    await expect(run()).rejects.toThrow('extra.sql steht nicht darin')
    write('nouns/order.txt', 'tree.sql\nextra.sql\ngone.sql\n')
    await expect(run()).rejects.toThrow('gone.sql gibt es nicht')
  })

  test('two migrators at once: each step is applied by exactly one of them', async () => {
    write(
      'migrations/0001_tree.sql',
      'create schema f; create table f.tree (id int primary key); insert into f.tree values (1); select pg_sleep(0.3);',
    )
    const other = await createOwnerConnection(home.url)
    const both = await Promise.all([run(), migrate(other, { ...OPTIONS, folder })])
    await other.close()
    expect(both.flatMap(({ applied }) => applied).sort()).toEqual(['0001_tree.sql', '0002_leaf.sql'])
    expect(both.filter(({ nounsApplied }) => nounsApplied).length).toBe(1)
  })

  test('kill -9 in the middle of a migration, then again', async () => {
    write(
      'migrations/0002_leaf.sql',
      'create table f.leaf (id int); insert into f.leaf values (1); select pg_sleep(2);',
    )
    const child = spawn(process.execPath, [join(import.meta.dirname, 'migrate.child.ts'), home.url, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    for (
      let tries = 0;
      (
        await rows(
          `select from pg_stat_activity
            where query like '%insert into f.leaf%' and state = 'active' and pid <> pg_backend_pid()`,
        )
      ).length === 0;
      tries++
    ) {
      if (tries > 100) throw new Error('the migration did not begin')
      await sleep(50)
    }
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    // PostgreSQL notices the lost client at the end of the statement; the next run waits for its lock.
    expect(await run()).toEqual({ applied: ['0002_leaf.sql'], nounsApplied: true })
    expect(
      await rows(
        'select (select count(*) from f.leaf) as leaves, (select count(*) from betrieb.migration) as n',
      ),
    ).toEqual([{ leaves: 1, n: 2 }])
  })

  test('the product: an owner without superuser rights, roles with their memberships, nouns twice alike', async () => {
    const name = `owner_${home.url.split('/').at(-1)}`
    await owner.script(
      `create extension postgis;
        create role ${name} login createrole;
        alter database ${home.url.split('/').at(-1)} owner to ${name}`,
    )
    const url = new URL(home.url)
    url.username = name
    const plain = await createOwnerConnection(url.toString())
    expect((await migrate(plain, { ...OPTIONS, folder: PRODUCT })).applied[0]).toBe('0001_stammdaten.sql')
    const members = await plain.query(
      `select r.rolname as role
        from pg_auth_members m
        join pg_roles r on r.oid = m.roleid
        where m.member = 'forst_api'::regrole order by 1`,
    )
    expect(members.rows).toEqual([
      { role: 'forst_dokument' },
      { role: 'forst_idp' },
      { role: 'forst_karte' },
      { role: 'nutzer' },
      { role: 'programm' },
    ])
    const catalogue = `select string_agg(p.oid::regprocedure::text || pg_get_functiondef(p.oid), e'\\n'
      order by p.oid::regprocedure::text) as functions
      from pg_proc p
      where pronamespace::regnamespace::text = any (rights.schemas()) and prokind = 'f'`
    const before = (await plain.query(catalogue)).rows
    await plain.script('delete from betrieb.nomen')
    expect(await migrate(plain, { ...OPTIONS, folder: PRODUCT })).toEqual({ applied: [], nounsApplied: true })
    expect((await plain.query(catalogue)).rows).toEqual(before)
    await plain.close()
    await owner.script(`alter database ${home.url.split('/').at(-1)} owner to postgres`)
  })

  test('an owner who may not make PostGIS is told what to run', async () => {
    const database = home.url.split('/').at(-1)
    await owner.script(
      `create role plain_${database} login createrole; alter database ${database} owner to plain_${database}`,
    )
    const url = new URL(home.url)
    url.username = `plain_${database}`
    const plain = await createOwnerConnection(url.toString())
    await expect(migrate(plain, { ...OPTIONS, folder: PRODUCT })).rejects.toThrow('CREATE EXTENSION postgis;')
    await plain.close()
    await owner.script(`alter database ${database} owner to postgres`)
  })

  test('the password of forst_api follows from the secret', async () => {
    await run()
    await ensureApiLogin(owner, home.url, ['secret'])
    const url = new URL(apiAddresses(home.url, ['secret'])[0] ?? '')
    expect([url.username, url.password.length, url.pathname]).toEqual([
      'forst_api',
      43,
      new URL(home.url).pathname,
    ])
    expect(apiAddresses(home.url, ['other'])[0]).not.toBe(url.toString())
    await owner.script(`create role scram_probe password 'pw'`)
    const { rows } = await owner.query<{ verifier: string }>(
      `select rolpassword as verifier from pg_authid where rolname = 'scram_probe'`,
    )
    await owner.script('drop role scram_probe')
    const verifier = rows[0]?.verifier ?? ''
    const salt = Buffer.from(verifier.split(/[:$]/)[2] ?? '', 'base64')
    expect(scramVerifier('pw', salt)).toBe(verifier)
  })
})
