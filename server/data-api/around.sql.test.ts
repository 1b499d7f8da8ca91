// What surrounds a request, on both engines: a catalogue that changes, pages of other origins, the document at
// the root, writes that are only tried, time zones, timing.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIALECT_ENGINES, type DialectHome } from '../../test/dialect-engines.ts'
import { type Call, openShop, type Response, type Shop } from './data-api.fixture.ts'
import type { DataApiOptions } from './data-api.ts'
import { DIALECT_OPTIONS } from './dialect.fixture.ts'
import { WORKSHOP_SQL } from './dialect-write.fixture.ts'
import type { KeptAnswers } from './write-once.ts'

const KEPT_SQL = `
  create table workshop.kept (key text primary key, digest text, status int, headers text, body text);
  grant select, insert, update on workshop.kept to trail_web;
  create table workshop.changing (id int primary key, a int, b int);
  create table workshop.renamed (id int primary key);
  insert into workshop.changing values (1, 2, 3);
  grant select, insert on workshop.changing, workshop.renamed to trail_web`

/** As the product keeps them, in a table of the tests. */
const keptAnswers: KeptAnswers = {
  take: (key, digest) => ({
    text: `with found as (select * from workshop.kept where key = $1),
      added as (insert into workshop.kept (key, digest) select $1, $2 where not exists (select from found) returning 1)
      select exists (select from found) as repeated, (select digest from found) = $2 as same,
        (select status from found) as status, (select headers from found) as headers, (select body from found) as body
      from (select count(*) from added) x`,
    values: [key, digest],
  }),
  keep: (key, { status, headers, body }) => ({
    text: 'update workshop.kept set status = $2, headers = $3, body = $4 where key = $1',
    values: [key, status, JSON.stringify(headers), body],
  }),
}

type Document = {
  readonly paths: Record<
    string,
    Record<string, { readonly summary?: string; readonly parameters?: unknown[] }>
  >
  readonly definitions: Record<
    string,
    { readonly properties: Record<string, unknown>; readonly required?: string[] }
  >
}

for (const { engine, open, skip } of DIALECT_ENGINES) {
  describe.skipIf(skip())(`around the data API on ${engine}`, () => {
    let home: DialectHome
    const opened: Shop[] = []
    beforeAll(async () => {
      home = await open({ schemas: ['workshop'] })
      await home.run(WORKSHOP_SQL)
      await home.run(KEPT_SQL)
    })
    afterAll(async () => {
      for (const shop of opened) await shop.close()
      await home?.close()
    })
    const call = (path: string, options?: Call) => home.shop.call(path, options)
    /** A server with other settings on the same database. */
    async function also(options: Partial<DataApiOptions>): Promise<Shop> {
      const shop = await openShop(home.database, { ...DIALECT_OPTIONS, schemas: ['workshop'], ...options })
      opened.push(shop)
      return shop
    }
    const code = (answer: Response) => [answer.status, (answer.json as { code?: string } | undefined)?.code]

    describe('a catalogue that changes', () => {
      const allowed = async () => (await call('/keyless', { method: 'OPTIONS' })).headers['allow'] ?? ''
      test('is read again when somebody says so, outside and in a function', async () => {
        expect(await allowed()).not.toContain('PUT')
        await home.run('alter table workshop.keyless add constraint found primary key (x)')
        expect(await allowed()).not.toContain('PUT')
        // Said again until it is heard: PostgreSQL is listened to a moment after the first answer.
        const saidAgain = async () => {
          await home.run(`notify pgrst, 'reload schema'`)
          return allowed()
        }
        await expect.poll(saidAgain).toContain('PUT')
        await home.run('alter table workshop.keyless drop constraint found')
        expect((await call('/rpc/reload', { method: 'POST' })).status).toBe(204)
        await expect.poll(allowed).not.toContain('PUT')
        // Nobody else's words.
        await home.run(`notify pgrst, 'reload config'`)
      })

      test('a request that finds it stale is planned again, and answered', async () => {
        expect((await call('/changing')).json).toEqual([{ id: 1, a: 2, b: 3 }])
        await home.run('alter table workshop.changing drop column b')
        await sleep(1100)
        expect((await call('/changing')).json).toEqual([{ id: 1, a: 2 }])
        expect((await call('/renamed')).json).toEqual([])
        await home.run('alter table workshop.renamed rename to other')
        await sleep(1100)
        expect(code(await call('/renamed'))).toEqual([404, 'PGRST205'])
        expect((await call('/other', { method: 'POST', body: { id: 1 } })).status).toBe(201)
      })
    })

    test('filters reach the tables behind a function, unless that could run it more than once', async () => {
      const shop = await also({ plans: true })
      const planOf = async (path: string, options: Call = {}) => {
        const headers = { Accept: 'application/vnd.pgrst.plan+text', ...options.headers }
        return (await shop.call(path, { ...options, headers })).text
      }
      for (const filtered of ['sku=eq.H1', 'order=sku&limit=1', 'select=sku,lent(day)&sku=eq.H1'])
        expect(await planOf(`/rpc/tools?${filtered}`), filtered).not.toMatch(/CTE|Function Scan/)
      const dated = { method: 'POST', body: { after: '2026-02-01' } }
      expect(await planOf('/rpc/lent_after?person=eq.Jon', dated)).not.toMatch(
        /CTE|Function Scan on lent_after/,
      )
      const once = [
        ['/rpc/tools?sku=eq.H1', { headers: { Prefer: 'count=exact' } }],
        ['/rpc/drop_tools?person=eq.Jon', { method: 'POST', body: { most: 0 } }],
        ['/rpc/lent_after?select=person,tool!inner(name)', dated],
        ['/rpc/lent_after?select=person,tool()&tool=not.is.null', dated],
      ] as const
      for (const [path, options] of once) expect(await planOf(path, options), path).toContain('CTE')
      expect((await shop.call('/rpc/lent_after?select=person&person=neq.Ida', dated)).json).toEqual([
        { person: 'Jon' },
      ])
    })

    test('pages of other origins: only those that were named', async () => {
      const shop = await also({ corsOrigins: ['https://app.example'] })
      const asked = (origin: string, method = 'OPTIONS') =>
        shop.call('/tool?limit=0', {
          method,
          as: method === 'OPTIONS' ? null : 'u1',
          headers: {
            Origin: origin,
            ...(method === 'OPTIONS' && {
              'Access-Control-Request-Method': 'PATCH',
              'Access-Control-Request-Headers': 'Prefer, X-Mine, bad name',
            }),
          },
        })
      const question = await asked('https://app.example')
      expect(question.status).toBe(200)
      expect(question.headers).toMatchObject({
        'access-control-allow-origin': 'https://app.example',
        'access-control-allow-methods': 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD',
        'access-control-allow-headers': 'authorization, prefer, x-mine',
        'access-control-max-age': '86400',
      })
      // A token is needed for everything but the browser's question.
      expect(code(await asked('https://evil.example'))).toEqual([401, 'PGRST302'])
      const read = await asked('https://app.example', 'GET')
      expect([read.status, read.headers['access-control-allow-origin'], read.headers['vary']]).toEqual([
        200,
        'https://app.example',
        'Accept, Prefer, Range, Authorization, Origin',
      ])
      expect(read.headers['access-control-expose-headers']).toContain('Content-Range')
      expect(
        (await asked('https://evil.example', 'GET')).headers['access-control-allow-origin'],
      ).toBeUndefined()
      expect(read.headers['access-control-allow-credentials']).toBeUndefined()
      const refused = await shop.call('/nowhere', { headers: { Origin: 'https://app.example' } })
      expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([
        404,
        'https://app.example',
      ])
      const everyone = await also({ corsOrigins: ['*'] })
      const any = await everyone.call('/tool?limit=0', { headers: { Origin: 'https://x.example' } })
      expect(any.headers['access-control-allow-origin']).toBe('https://x.example')
    })

    describe('the document at the root', () => {
      const documentOf = async (shop: Shop, as: string | null = 'u1') =>
        (await shop.call('/', { as })).json as Document

      test('describes tables, columns and functions with their comments', async () => {
        const document = await documentOf(home.shop)
        expect(document).toMatchObject({
          swagger: '2.0',
          info: { title: 'Workshop', description: 'Tools and who has them' },
          basePath: '/',
          security: [{ JWT: [] }],
        })
        expect(document.definitions['tool']).toMatchObject({
          description: 'A tool\nWhat hangs on the wall',
          required: ['sku', 'name'],
          properties: {
            sku: { type: 'string', format: 'text', description: 'Note:\nThis is a Primary Key.<pk/>' },
            price: { type: 'number', format: 'numeric', default: 1.5 },
            state: { type: 'string', enum: ['new', 'used', 'broken'], default: 'new' },
            weight: { type: 'integer', format: 'int32', description: 'in grams' },
            tags: { type: 'array', items: { type: 'string', format: 'text' } },
            meta: { format: 'jsonb' },
            code: { maxLength: 8 },
          },
        })
        expect(document.definitions['lent']?.properties['tool']).toMatchObject({
          description: expect.stringContaining("<fk table='tool' column='sku'/>"),
        })
        expect(
          ['what', 'on_day', 'person'].map((name) =>
            JSON.stringify(document.definitions['lent_list']?.properties[name] ?? {}).includes('<pk/>'),
          ),
        ).toEqual([true, true, false])
        expect(Object.keys(document.paths['/tool'] ?? {})).toEqual(['get', 'post', 'patch', 'delete'])
        expect(Object.keys(document.paths['/tally'] ?? {})).toEqual(['get'])
        expect(document.paths['/rpc/plus']).toMatchObject({
          get: { summary: 'Adds', description: 'Two numbers' },
          post: { parameters: [{ in: 'body', schema: { required: ['a'] } }, {}] },
        })
        expect(Object.keys(document.paths['/rpc/bump'] ?? {})).toEqual(['post'])
        expect(document.paths['/rpc/join_all']?.['get']?.parameters).toEqual([
          {
            name: 'v',
            required: true,
            in: 'query',
            type: 'array',
            collectionFormat: 'multi',
            items: { type: 'string', format: 'text' },
          },
        ])
        // What it refers to is there.
        const text = JSON.stringify(document)
        const named = [...text.matchAll(/"#\/(definitions|parameters)\/([^"]+)"/g)]
        expect(named.length).toBeGreaterThan(50)
        for (const [, place = '', name = ''] of named)
          expect(Object.keys((document as unknown as Record<string, object>)[place] ?? {})).toContain(
            decodeURIComponent(name),
          )
      })

      test('says only what the caller may see', async () => {
        const shop = await also({ anonymousRole: 'trail_guest' })
        const guest = await documentOf(shop, null)
        expect(Object.keys(guest.definitions)).toEqual(['shelf'])
        expect(JSON.stringify(guest)).not.toMatch(/narrow|rpc\/plus|hammer/i)
        const web = await documentOf(shop)
        expect(Object.keys(web.definitions['narrow']?.properties ?? {})).toEqual(['id', 'open', 'since'])
        const open = await also({ anonymousRole: 'trail_guest', openApi: { mode: 'ignore-privileges' } })
        expect(Object.keys((await documentOf(open, null)).definitions)).toContain('tool')
      })

      test('its address, and a server that says nothing', async () => {
        const shop = await also({
          base: '/rest',
          openApi: { origin: 'https://forst.example', securityActive: false },
        })
        expect((await shop.call('/', { as: 'u1' })).json).toMatchObject({
          host: 'forst.example',
          schemes: ['https'],
          basePath: '/rest',
        })
        const silent = await also({ openApi: { mode: 'disabled' } })
        expect(code(await silent.call('/'))).toEqual([404, 'PGRST126'])
        expect(code(await home.shop.call('/', { as: null }))).toEqual([401, 'PGRST302'])
      })

      test('whoever may not call may not read it either, also when it has been made', async () => {
        const preRequest = {
          name: 'closed',
          text:
            "select 1 / (case current_setting('request.jwt.claims')::json ->> 'sub' " +
            "when 'banned' then 0 else 1 end)",
        }
        const shop = await also({ preRequest })
        expect((await shop.call('/')).status).toBe(200)
        expect(code(await shop.call('/', { as: 'banned' }))).toEqual([400, '22012'])
      })
    })

    describe('writes that are only tried', () => {
      const trying = { Prefer: 'tx=rollback, return=representation' }
      const count = async () => (await call('/tool?select=count()')).json

      test('leave nothing behind, not even their key, and a key is kept for the real one', async () => {
        const shop = await also({ txEnd: 'commit-allow-override', keptAnswers })
        const body = { sku: `K-${engine}`, name: 'Key' }
        const key = { 'Idempotency-Key': 'key-of-this-very-write' }
        const send = (headers: Record<string, string>) =>
          shop.call('/tool?select=sku', { method: 'POST', body, headers: { ...key, ...headers } })
        const before = await count()
        const tried = await send(trying)
        expect([tried.status, tried.json, tried.headers['preference-applied']]).toEqual([
          201,
          [{ sku: body.sku }],
          'return=representation, tx=rollback',
        ])
        expect(await count()).toEqual(before)
        const real = await send({ Prefer: 'return=representation' })
        const again = await send({ Prefer: 'return=representation' })
        expect([real.status, real.headers['idempotency-replayed']]).toEqual([201, 'false'])
        expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
          201,
          real.text,
          'true',
        ])
        // To try is another request than to do.
        expect(code(await send(trying))).toEqual([422, 'HTTP422'])
        await home.run(`delete from workshop.tool where sku = '${body.sku}'`)
      })

      test('an upsert and PUT with a key are done once', async () => {
        const shop = await also({ keptAnswers })
        const ask = (method: string, key: string) =>
          shop.call(`/counter${method === 'PUT' ? '?id=eq.1' : ''}`, {
            method,
            body: { id: 1, n: 11 },
            headers: {
              Prefer: 'resolution=merge-duplicates',
              'Idempotency-Key': `${method}-0123456789abcdef` + key,
            },
          })
        for (const method of ['POST', 'PUT']) {
          const first = await ask(method, '')
          await home.run('update workshop.counter set n = 10 where id = 1')
          const second = await ask(method, '')
          expect([second.status, second.headers['idempotency-replayed']]).toEqual([first.status, 'true'])
          expect((await call('/counter?select=n')).json).toEqual([{ n: 10 }])
        }
      })

      test('bytes come the same the second time', async () => {
        const shop = await also({ keptAnswers })
        await home.run(`create or replace function workshop.make_bytes() returns bytea language sql volatile
          as $$ select '\\x00ff10'::bytea $$; grant execute on function workshop.make_bytes to trail_web`)
        const ask = () =>
          shop.call('/rpc/make_bytes', {
            method: 'POST',
            headers: { Accept: 'application/octet-stream', 'Idempotency-Key': 'bytes-0123456789abcdef' },
          })
        const first = await ask()
        const second = await ask()
        expect([first.headers['content-length'], first.headers['idempotency-replayed']]).toEqual([
          '3',
          'false',
        ])
        expect([
          second.text,
          second.headers['content-length'],
          second.headers['idempotency-replayed'],
        ]).toEqual([first.text, '3', 'true'])
        expect(Object.keys(second.headers)).not.toContain(':hex')
      })

      test('are refused unless the operator allows them; a refusal is noted all the same', async () => {
        const noted: string[] = []
        const noteRefusal: DataApiOptions['noteRefusal'] = ({ kind, name, code: why }) => {
          noted.push(`${kind} ${name} ${why}`)
          return null
        }
        const strict = await also({ noteRefusal })
        const ask = (shop: Shop) =>
          shop.call('/mine', { method: 'POST', body: { id: 9, owner: 'u2' }, headers: trying })
        expect(code(await ask(strict))).toEqual([400, 'PGRST127'])
        expect(code(await ask(await also({ txEnd: 'commit-allow-override', noteRefusal })))).toEqual([
          403,
          '42501',
        ])
        expect(noted).toEqual(['insert mine 42501'])
        const always = await also({ txEnd: 'rollback' })
        const before = await count()
        const body = { sku: 'R1', name: 'Rolled back' }
        expect((await always.call('/tool', { method: 'POST', body })).status).toBe(201)
        expect(await count()).toEqual(before)
        expect(
          code(await always.call('/tool', { method: 'POST', body, headers: { Prefer: 'tx=commit' } })),
        ).toEqual([400, 'PGRST127'])
      })

      test('so does a plan of a write, even one that is executed for it', async () => {
        const shop = await also({ plans: true })
        const headers = { Accept: 'application/vnd.pgrst.plan+text; options=analyze' }
        const answer = await shop.call('/counter?id=eq.1', { method: 'PATCH', body: { n: 99 }, headers })
        expect([answer.status, answer.text.includes('Update on counter')]).toEqual([200, true])
        expect((await call('/counter?select=n&id=eq.1')).json).toEqual([{ n: 10 }])
      })
    })

    test('a time zone of reads alone, so that no caller moves what counts as today', async () => {
      const shop = await also({ timezones: 'reads' })
      const headers = { Prefer: 'timezone=Pacific/Kiritimati' }
      expect((await shop.call('/rpc/zone', { headers })).json).toBe('Pacific/Kiritimati')
      for (const path of ['/rpc/zone_now', '/tool'])
        expect(code(await shop.call(path, { method: 'POST', body: {}, headers }))).toEqual([400, 'PGRST127'])
      expect((await shop.call('/rpc/zone_now', { method: 'POST', body: {} })).json).toBe('UTC')
      // The next transaction knows nothing of it.
      expect((await shop.call('/rpc/zone')).json).toBe('UTC')
    })

    test('how long the parts took, where the operator wants to know', async () => {
      const shop = await also({ serverTiming: true })
      expect((await shop.call('/tool?limit=0')).headers['server-timing']).toMatch(
        /^jwt;dur=[0-9.]+, parse;dur=[0-9.]+, plan;dur=[0-9.]+, transaction;dur=[0-9.]+$/,
      )
      expect((await call('/tool?limit=0')).headers['server-timing']).toBeUndefined()
    })
  })
}
