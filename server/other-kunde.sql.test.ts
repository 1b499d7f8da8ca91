// A key for one customer, on every route that is open to programs: it learns nothing of another customer. The
// routes are those that the composed server declares, so that a new one is asked as well.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import type { OwnerConnection } from '#server/database/database.ts'
import { insertKey } from '../db/test/cells/zugang.ts'
import { buildWorld } from '../db/test/nouns.ts'
import { A, B, B1, IDENTITIES, numberOf } from '../db/test/world.ts'
import { asUser, copyDatabase, dropDatabase } from '../test/databases.ts'
import { postgresUrl } from '../test/postgres.ts'
import { freePort } from '../test/private-postgres.ts'
import { readConfig } from './config.ts'
import { silentLog } from './log.ts'
import { PROGRAM_LISTS } from '#contract/program-lists.ts'
import { COLLECTIONS } from './ogc/collections.ts'
import { ENTITY_SETS } from './odata/sets.ts'
import { digestOf, makeKey } from './program-keys/key-format.ts'
import { type RunningServer, startServer } from './start.ts'

interface Route {
  readonly method: string
  readonly url: string
}
/** @property ofB that nothing may be found there by customer A */
interface Address {
  readonly path: string
  readonly ofB: boolean
}
const NOBODY = 999_999
const OF_B = new RegExp(`GEHEIM-B|"(?:client_id|idKunde)": ?${B}\\b|"idHQ": ?${B1}\\b`)
const EXPORTS: Readonly<Record<string, string>> = {
  vermessung: 'kataster.geojson',
  habitat: 'habitatbaeume.geojson',
  bestand: 'waldbestand.gpkg',
}
/** No server has the files of the test's rows, so nobody gets them, or the map has nothing there. */
const EMPTY = new RegExp(
  [
    /\/(?:karte|kachel|notizen|habitatbilder|vermessungsbilder|import)\/|\/tiles\/|wmts|projekt\.qgz/,
    // A list of what there may be, and a call, which no narrowed key makes.
    /\/collections$|get_hqs_from_user/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

describe.skipIf(postgresUrl() === null)('a key for one customer and the rows of another', () => {
  let url: string
  let folder: string
  let owner: OwnerConnection
  let server: RunningServer
  let origin: string
  let routes: Route[] = []
  const keys: Record<'a' | 'b', string> = { a: makeKey(), b: makeKey() }
  /** One row of customer B of each table that a route names by its number. */
  const rows: Record<string, string> = {}

  beforeAll(async () => {
    url = await copyDatabase(inject('schemaUrl'))
    owner = await createOwnerConnection(url)
    await buildWorld(owner)
    const { groups } = IDENTITIES.admin
    const keyRow = (id: number, client_id: number, key: string) =>
      `${insertKey({ user_id: numberOf('admin'), id, groups, client_id })}
       update accounts.zugang set digest = decode('${digestOf(key)}', 'hex') where id = ${id};`
    await owner.script(`begin; set local role forst_betrieb; ${keyRow(70_001, A, keys.a)}
      ${keyRow(70_002, B, keys.b)} update app.kunde set name = 'GEHEIM-B' where client_id = ${B};
      update app.kunde set kataster_status = true; commit`)
    for (const { name, relation, key } of ENTITY_SETS) rows[`set ${name}`] = await numberOfB(relation, key)
    for (const list of Object.keys(PROGRAM_LISTS))
      rows[`view ${list}`] = (
        await owner.query<{ id: string }>(
          `insert into app.ansicht (user_id, liste, name) values ($1, $2, 'Alle') returning id::text`,
          [numberOf('admin'), list],
        )
      ).rows[0]!.id
    for (const { relation } of COLLECTIONS) await note(`collection ${relation}`, relation)
    for (const table of ['kartenblatt', 'karte_datei', 'notiz_datei', 'habitatbilder', 'vermessungsbilder'])
      await note(table, table)
    folder = mkdtempSync(join(tmpdir(), 'forstkontor-kunde-'))
    await open()
  })
  afterAll(async () => {
    await server?.stop()
    await owner?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    if (url !== undefined) await dropDatabase(url)
  })

  async function note(name: string, table: string): Promise<void> {
    const found = await owner.query<{ column: string }>(
      `select a.attname as column from pg_index i join pg_attribute a on a.attrelid = i.indrelid
        and a.attnum = i.indkey[0] where i.indisprimary and i.indrelid = to_regclass('app.${table}')`,
    )
    const column = found.rows[0]?.column
    if (column !== undefined) rows[name] = await numberOfB(table, column)
  }

  /** Of some row of theirs in a table or view of `app`. */
  async function numberOfB(relation: string, key: string): Promise<string> {
    const asked = `select "${key}"::text as id from app.${relation}`
    const { rows: some } = await owner
      .query<{ id: string }>(`${asked} where client_id = ${B} limit 1`)
      .catch(() => owner.query<{ id: string }>(`${asked} limit 1`))
    return some[0]?.id ?? '1'
  }

  async function open(): Promise<void> {
    const registered: RouteOptions[] = []
    const listen = (message: unknown) =>
      (message as { fastify: FastifyInstance }).fastify.addHook(
        'onRoute',
        (route) => void registered.push(route),
      )
    subscribe('fastify.initialization', listen)
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    const config = readConfig({
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_ORIGIN: origin,
      DATA_DIR: folder,
      DATABASE_URL: asUser(url, 'forst_api'),
      DATABASE_OWNER_URL: url,
      BACKUP: 'off',
      AUTH_MODE: 'embedded',
    })
    server = await startServer({ config, log: silentLog, now: () => new Date() })
    unsubscribe('fastify.initialization', listen)
    routes = registered
      .filter(({ config: said }) => said?.programs !== undefined)
      .flatMap(({ method, url: path }) => [method].flat().map((one) => ({ method: one, url: path })))
      .filter(({ method }) => method !== 'HEAD')
  }

  /**
   * The addresses of a route, those that name what belongs to customer B among them.
   * @param kunde, hq theirs, or those that do not exist
   */
  function addressesOf({ url: path }: Route, kunde = B, hq = B1): Address[] {
    const values: Record<string, string> = {
      kunde: String(kunde),
      hq: String(hq),
      betrieb: String(hq),
      karte: rows['kartenblatt']!,
      z: '0',
      x: '0',
      y: '0',
      row: '0',
      col: '0',
      style: 'karte',
      plan: rows['kartenblatt']!,
      nr: '1',
      groesse: 'klein',
      was: 'vermessung',
      user_id: String(numberOf('admin')),
    }
    const kind = path.split('/')[2] ?? ''
    const fill = (more: Record<string, string>): string =>
      path.replaceAll(/:(\w+)(?:\([^)]*\))?/g, (_, name: string) => {
        const value = more[name] ?? values[name]
        if (value === undefined)
          throw new Error(`${path}: which ${name} is customer B's? (other-kunde.sql.test.ts)`)
        return value
      })
    if (path.startsWith('/odata/'))
      return ENTITY_SETS.flatMap(({ name, key }) => {
        const row = `${name}(${rows[`set ${name}`]})`
        return path.includes(':part')
          ? [
              { path: fill({ resource: name, part: '$count' }), ofB: false },
              { path: fill({ resource: row, part: key }), ofB: true },
            ]
          : [
              { path: fill({ resource: name }), ofB: false },
              { path: fill({ resource: row }), ofB: true },
            ]
      })
    if (path.startsWith('/tabelle/'))
      return path.includes(':list')
        ? Object.keys(PROGRAM_LISTS).map((list) => ({
            path: fill({ list, file: `${rows[`view ${list}`]}.json` }),
            ofB: false,
          }))
        : ENTITY_SETS.map(({ name }) => ({ path: fill({ file: `${name}.json` }), ofB: false }))
    const ofB = /:(?:kunde|hq|betrieb|karte|id|datei|bild|plan)\b/.test(path)
    if (path.includes(':collection'))
      return COLLECTIONS.map(({ id, relation }) => ({
        path: fill({ collection: id, id: rows[`collection ${relation}`] ?? '1', file: '0.mvt' }),
        ofB,
      }))
    const exported = EXPORTS[kind] ?? rows[kind === 'karte' ? 'karte_datei' : 'notiz_datei'] ?? '1'
    const id = rows[kind] ?? '1'
    return [{ path: fill({ datei: exported, id, bild: id, file: '0.mvt' }), ofB }]
  }

  async function ask({ method }: Route, address: string, key: string) {
    const settings = address.includes('/import/') ? `?kunde=${B}&modus=ersetzen&probe=1` : ''
    const answer = await fetch(`${origin}${address}${settings}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(method !== 'GET' && { 'content-type': 'application/geo+json', 'if-match': '"1"' }),
      },
      ...(method !== 'GET' && {
        body: '{"type":"Feature","geometry":{"type":"Point","coordinates":[9.5,51.3]},"properties":{}}',
      }),
    })
    return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString('latin1') }
  }
  const isNothing = ({ status, text }: { status: number; text: string }): boolean =>
    status >= 400 ||
    text === '' ||
    (text.startsWith('{') && /"features": ?\[\]|"collections"|"data": ?\[\]/.test(text))

  /** It describes what there may be, for a customer that does not exist as well. */
  async function isSameAsOfNobody(route: Route, at: number, text: string): Promise<boolean> {
    const { path: address } = addressesOf(route, NOBODY, NOBODY)[at]!
    const plain = (some: string) =>
      some.replaceAll(new RegExp(`/(kunde|betrieb)/(?:${B}|${B1}|${NOBODY})\\b`, 'g'), '/$1/')
    return route.method === 'GET' && plain((await ask(route, address, keys.a)).text) === plain(text)
  }

  test('there are all kinds of them', () => {
    expect(routes.length).toBeGreaterThan(40)
    for (const part of ['/ogc/', '/styles/', '/export/', '/import/', '/karte/', '/notizen/'])
      expect(
        routes.some(({ url: path }) => path.includes(part)),
        part,
      ).toBe(true)
  })
  test("no route tells it of the other's rows, and those that have any tell them to the other's key", async () => {
    const told: unknown[] = []
    const silent = new Set<string>()
    const answered = new Set<string>()
    const numbered = new Set<string>()
    for (const route of routes)
      for (const [at, { path: address, ofB }] of addressesOf(route).entries()) {
        const mine = await ask(route, address, keys.a)
        const changes = route.method !== 'GET'
        if (OF_B.test(mine.text) || mine.status >= 500) told.push([route, address, mine.status])
        if (ofB && !isNothing(mine) && !(await isSameAsOfNobody(route, at, mine.text)))
          told.push([route, address, mine.status, mine.text.slice(0, 200)])
        if (changes) continue
        const theirs = await ask(route, address, keys.b)
        if (OF_B.test(theirs.text)) numbered.add(route.url)
        if (!isNothing(theirs)) answered.add(route.url)
        else if (!EMPTY.test(route.url)) silent.add(route.url)
      }
    expect(told).toEqual([])
    // Otherwise nothing would have been shown.
    expect([...silent].filter((path) => !answered.has(path))).toEqual([])
    expect(answered.size).toBeGreaterThan(8)
    const tables = ['/odata/:resource', '/tabelle/:file', '/tabelle/:list/:file']
    expect([...numbered]).toEqual(expect.arrayContaining(tables))
  }, 300_000)
})
