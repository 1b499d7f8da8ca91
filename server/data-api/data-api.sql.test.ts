// The manual of the data API, on both engines: requests and their answers.
import { rmSync } from 'node:fs'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/database/database.ts'
import { openTestDatabase } from '#server/database/embedded.fixture.ts'
import { createPostgresDatabase } from '#server/database/postgres.ts'
import { silentLog } from '#server/log.ts'
import { createTestDatabase, postgresUrl } from '../../test/postgres.ts'
import { type Call, FIXTURE_SQL, openShop, type Response, type Shop } from './data-api.fixture.ts'
import { HOSTILE, hostileBody, hostileQuery } from '../../test/hostile-input.ts'

interface Home {
  readonly database: Database
  run(sql: string): Promise<void>
  close(): Promise<void>
}

async function onPostgres(): Promise<Home> {
  const test = await createTestDatabase()
  const admin = new pg.Client({ connectionString: test.url })
  await admin.connect()
  await admin.query(FIXTURE_SQL)
  const url = new URL(test.url)
  url.username = 'shop_login'
  const database = createPostgresDatabase({ url: url.toString(), poolSize: 4, log: silentLog })
  return {
    database,
    run: async (sql) => void (await admin.query(sql)),
    close: async () => {
      await database.close()
      await admin.end()
      await test.drop()
    },
  }
}

async function onEmbedded(): Promise<Home> {
  const database = await openTestDatabase({ loginRole: 'shop_login' })
  const run = (sql: string) => database.asOwner((owner) => owner.script(sql))
  await run(FIXTURE_SQL)
  return {
    database,
    run,
    close: async () => {
      await database.close()
      rmSync(database.folder, { recursive: true })
    },
  }
}

const ENGINES = [
  { engine: 'PostgreSQL', open: onPostgres, skip: postgresUrl() === null },
  { engine: 'embedded', open: onEmbedded, skip: false },
]

for (const { engine, open, skip } of ENGINES) {
  describe.skipIf(skip)(`the data API on ${engine}`, () => {
    let home: Home
    let shop: Shop
    beforeAll(async () => {
      home = await open()
      shop = await openShop(home.database)
    })
    afterAll(async () => {
      await shop?.close()
      await home?.close()
    })
    const call = (path: string, options?: Call) => shop.call(path, options)
    const get = async (path: string, headers: Record<string, string> = {}) =>
      (await call(path, { headers })).json
    const refusal = (answer: Response) => [
      answer.status,
      (answer.json as { code?: string } | undefined)?.code,
    ]
    const prefer = (value: string) => ({ Prefer: value })
    const OBJECT = { Accept: 'application/vnd.pgrst.object+json' }

    describe('reads', () => {
      test('a table as an array, columns in their order, values as JSON', async () => {
        const answer = await call('/album?id=eq.1')
        expect(answer.status).toBe(200)
        expect(answer.json).toEqual([
          {
            id: 1,
            idArtist: 1,
            title: 'Alpha',
            dtRelease: '2001-02-03',
            format: 'vinyl',
            price: 9.5,
            tags: ['old', 'so, so'],
            meta: { n: 1 },
            stock: 5,
            label: 'Alpha (album)',
          },
        ])
        expect(answer.headers).toMatchObject({
          'content-type': 'application/json; charset=utf-8',
          'content-range': '0-0/*',
          'content-location': '/rest/album?id=eq.1',
          'cache-control': 'no-store',
          vary: 'Accept, Prefer, Range, Authorization',
          'x-content-type-options': 'nosniff',
        })
      })

      test('numbers keep every digit: the body is not read on its way', async () => {
        expect((await call('/album?id=eq.2&select=price')).text).toContain('12.00')
      })

      test('nothing found is an empty array', async () => {
        const answer = await call('/album?id=eq.99')
        expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([200, '[]', '*/*'])
      })

      test('columns, aliases and mixed-case names exactly as they are', async () => {
        expect(await get('/album?select=nr:id,"idArtist",when:dtRelease&id=eq.1')).toEqual([
          { nr: 1, idArtist: 1, when: '2001-02-03' },
        ])
        expect(refusal(await call('/album?select=idartist'))).toEqual([400, '42703'])
        expect(
          await get('/Odd%20%22Name%22%20%C3%A4?"Col.with,signs"=eq.1&select="select","Col.with,signs"'),
        ).toEqual([{ select: 'x', 'Col.with,signs': 1 }])
      })

      test.each([
        ['id=eq.2', [2]],
        ['id=neq.2', [1, 3, 4]],
        ['id=gt.2', [3, 4]],
        ['id=gte.2&id=lt.4', [2, 3]],
        ['id=lte.2', [1, 2]],
        ['title=like.*a', [1]],
        ['title=like.%25a%25', [1, 2, 3]],
        ['title=ilike.ALPHA', [1]],
        ['title=eq.', [4]],
        ['title=eq.Beta, "quoted"', [2]],
        ['id=in.(1,3)', [1, 3]],
        ['id=in.()', []],
        ['title=in.("Beta, \\"quoted\\"",Alpha,"")', [1, 2, 4]],
        ['format=in.(tape,vinyl)', [1, 2]],
        ['id=not.in.(1,3)', [2, 4]],
        ['dtRelease=is.null', [2]],
        ['dtRelease=not.is.null', [1, 3, 4]],
        ['dtRelease=is.not_null', [1, 3, 4]],
        ['id=not.eq.1', [2, 3, 4]],
        ['or=(id.eq.1,and(stock.gte.3,format.eq.disc))', [1, 3, 4]],
        ['not.or=(id.eq.1,id.eq.2)', [3, 4]],
        ['and=(id.gt.1,id.not.in.(3,4))', [2]],
        ['or=(title.eq."Beta, \\"quoted\\"",id.eq.4)', [2, 4]],
        ['or=(not.and(id.gt.1,id.lt.4),id.is.null)', [1, 4]],
        ['tags=eq.{new}', [3]],
        ['price=lt.10', [1, 3]],
        ['title=eq.G%C3%A4mma+100%25', [3]],
      ])('filter %s', async (filter, ids) => {
        const rows = (await get(`/album?select=id&order=id&${encodeURI(filter).replaceAll('%25', '%')}`)) as {
          id: number
        }[]
        expect(rows.map(({ id }) => id)).toEqual(ids)
      })

      test('aggregates over what the filters let through, told apart by the columns beside them', async () => {
        expect(await get('/album?select=count()')).toEqual([{ count: 4 }])
        expect(
          await get('/album?select=format,n:count(),price.sum(),least:price.min()&order=format&id=gt.1'),
        ).toEqual([
          { format: 'tape', n: 1, sum: 12, least: 12 },
          { format: 'disc', n: 2, sum: 27.25, least: 7.25 },
        ])
        expect(await get('/album?select=dtRelease.count(),stock.avg(),title.max()&id=lte.2')).toEqual([
          { count: 1, avg: 2.5, max: 'Beta, "quoted"' },
        ])
        expect(await get('/album?select=count(),price.max()&id=eq.99')).toEqual([{ count: 0, max: null }])
        expect(await get('/album?select=format,count()&id=eq.99')).toEqual([])
        expect(await get('/album?select=format,count()&order=format.desc&limit=1&offset=1')).toEqual([
          { format: 'tape', count: 1 },
        ])
        expect(
          (await call('/song?select=album_id,count()&order=album_id', { headers: { Accept: 'text/csv' } }))
            .text,
        ).toBe('album_id,count\n1,3\n3,1')
        expect(await get('/rpc/albums_of?artist=1&select=format,count()&order=format')).toEqual([
          { format: 'vinyl', count: 1 },
          { format: 'tape', count: 1 },
        ])
      })
      test('aggregates see the rows that row security shows', async () => {
        expect(await get('/note?select=count()')).toEqual([{ count: 2 }])
        expect((await call('/note?select=owner,count()', { as: 'u2' })).json).toEqual([
          { owner: 'u2', count: 1 },
        ])
        const counted = await call('/note?select=owner,count()', { headers: prefer('count=exact') })
        expect(counted.headers['content-range']).toBe('0-0/1')
        expect(
          refusal(
            await call('/note?select=count()', {
              method: 'POST',
              body: { owner: 'u1', text: 'x' },
              headers: prefer('return=representation'),
            }),
          ),
        ).toEqual([400, 'PGRST127'])
      })

      test('order, by several columns, nulls where asked', async () => {
        const ids = async (order: string) =>
          ((await get(`/album?select=id&order=${order}`)) as { id: number }[]).map(({ id }) => id)
        expect(await ids('format.desc,price.asc')).toEqual([3, 4, 2, 1])
        expect(await ids('dtRelease.desc.nullslast')).toEqual([4, 3, 1, 2])
        expect(await ids('dtRelease.nullsfirst')).toEqual([2, 1, 3, 4])
      })

      test('limit and offset, and a Range header narrows them', async () => {
        const page = async (query: string, headers = {}) => {
          const { status, json, headers: got } = await call(`/album?select=id&order=id${query}`, { headers })
          return [status, (json as { id: number }[]).map(({ id }) => id).join(), got['content-range']]
        }
        expect(await page('&limit=2&offset=1')).toEqual([200, '2,3', '1-2/*'])
        expect(await page('', { Range: '2-9' })).toEqual([200, '3,4', '2-3/*'])
        expect(await page('&limit=3&offset=1', { Range: '2-2' })).toEqual([200, '3', '2-2/*'])
        expect(await page('', { Range: '1-' })).toEqual([200, '2,3,4', '1-3/*'])
        expect(await page('&limit=0')).toEqual([200, '', '*/*'])
        expect(await page('&limit=abc')).toEqual([200, '1,2,3,4', '0-3/*'])
        expect(await page('&offset=50')).toEqual([200, '', '*/*'])
      })

      test('206 when the count shows that there is more, 200 when it does not', async () => {
        const part = await call('/album?select=id&limit=2', { headers: prefer('count=exact') })
        expect([part.status, part.headers['content-range'], part.headers['preference-applied']]).toEqual([
          206,
          '0-1/4',
          'count=exact',
        ])
        const whole = await call('/album?select=id', { headers: prefer('count=exact') })
        expect([whole.status, whole.headers['content-range']]).toEqual([200, '0-3/4'])
        const none = await call('/album?id=eq.99', { headers: prefer('count=exact') })
        expect([none.status, none.headers['content-range']]).toEqual([200, '*/0'])
      })

      test('416 beyond the counted end, for a negative limit and for a turned range', async () => {
        const beyond = await call('/album?offset=9', { headers: prefer('count=exact') })
        expect(refusal(beyond)).toEqual([416, 'PGRST103'])
        expect(beyond.headers['content-range']).toBe('*/4')
        expect(beyond.json).toMatchObject({
          details: 'An offset of 9 was requested, but there are only 4 rows.',
        })
        expect(refusal(await call('/album?limit=-1'))).toEqual([416, 'PGRST103'])
        expect(refusal(await call('/album', { headers: { Range: '5-2' } }))).toEqual([416, 'PGRST103'])
      })

      test('HEAD answers the headers alone', async () => {
        const answer = await call('/album?limit=1', { method: 'HEAD', headers: prefer('count=exact') })
        expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([206, '', '0-0/4'])
      })

      test('one object when asked for, 406 PGRST116 when it is not exactly one', async () => {
        const one = await call('/album?id=eq.1&select=id', { headers: OBJECT })
        expect([one.json, one.headers['content-type']]).toEqual([
          { id: 1 },
          'application/vnd.pgrst.object+json; charset=utf-8',
        ])
        const many = await call('/album', { headers: OBJECT })
        expect(refusal(many)).toEqual([406, 'PGRST116'])
        expect(many.json).toEqual({
          code: 'PGRST116',
          message: 'Cannot coerce the result to a single JSON object',
          details: 'The result contains 4 rows',
          hint: null,
        })
        expect(many.headers['proxy-status']).toBe('data-api; error=PGRST116')
        expect(refusal(await call('/album?id=eq.99', { headers: OBJECT }))).toEqual([406, 'PGRST116'])
      })

      test('nulls can be left out', async () => {
        const accept = { Accept: 'application/vnd.pgrst.object+json;nulls=stripped' }
        expect(await get('/album?id=eq.2&select=id,dtRelease', accept)).toEqual({ id: 2 })
      })

      test('CSV with a header line, quoted where needed', async () => {
        const answer = await call('/album?select=id,name:title,dtRelease&order=id', {
          headers: { Accept: 'text/csv' },
        })
        expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
        expect(answer.text).toBe(
          'id,name,dtRelease\n1,Alpha,2001-02-03\n2,"Beta, ""quoted""",\n3,Gämma 100%,2020-12-31\n4,"",2022-01-01',
        )
        expect((await call('/album?id=eq.99&select=id', { headers: { Accept: 'text/csv' } })).text).toBe(
          'id\n',
        )
      })

      test('the most wanted media type that there is; 406 PGRST107 when there is none', async () => {
        expect(
          (await call('/genre', { headers: { Accept: 'text/html, text/csv;q=0.5, application/json;q=0.4' } }))
            .headers['content-type'],
        ).toMatch('text/csv')
        for (const accept of ['application/geo+json', 'application/octet-stream', 'constructor']) {
          expect(refusal(await call('/genre', { headers: { Accept: accept } }))).toEqual([406, 'PGRST107'])
        }
      })

      test('views, and other exposed schemas by Accept-Profile', async () => {
        expect(await get('/cheap?select=id&order=id')).toEqual([{ id: 1 }, { id: 3 }])
        const answer = await call('/receipt', { headers: { 'Accept-Profile': 'archive' } })
        expect([answer.json, answer.headers['content-profile']]).toEqual([
          [{ id: 1, total: 10.5 }],
          'archive',
        ])
        const wrong = await call('/vault', { headers: { 'Accept-Profile': 'hidden' } })
        expect(refusal(wrong)).toEqual([406, 'PGRST106'])
        expect(wrong.json).toMatchObject({ hint: 'Only the following schemas are exposed: shop, archive' })
      })

      test('row security sees the claims of each caller', async () => {
        expect(await get('/note?select=text&order=id')).toEqual([{ text: 'mine' }, { text: 'also mine' }])
        expect((await call('/note?select=text', { as: 'u2' })).json).toEqual([{ text: 'theirs' }])
        expect((await call('/note?select=text', { as: 'u9' })).json).toEqual([])
      })

      test('* shows what the role may read; a column that it may only write is refused by PostgreSQL', async () => {
        expect(Object.keys(((await get('/album?id=eq.1')) as object[])[0] ?? {})).not.toContain('secret')
        expect(refusal(await call('/album?select=secret'))).toEqual([403, '42501'])
        expect(refusal(await call('/album?secret=eq.hush'))).toEqual([403, '42501'])
      })

      test('max-rows caps what a client may have, also inside an embed', async () => {
        const small = await openShop(home.database, { limits: { maxRows: 2 } })
        expect((await small.call('/album?select=id&limit=100')).json).toHaveLength(2)
        expect((await small.call('/album?id=eq.1&select=id,song(nr)')).json).toMatchObject([
          { song: [{}, {}] },
        ])
        expect((await small.call('/rpc/titles', { method: 'POST' })).json).toHaveLength(2)
        await small.close()
      })
    })

    describe('embeds', () => {
      test('to one, to many, one to one, many to many', async () => {
        expect(
          await get(
            '/album?id=eq.1&select=id,artist(name),song(nr),cover(colour),genre(name)&song.order=nr&genre.order=id',
          ),
        ).toEqual([
          {
            id: 1,
            artist: { name: 'Ada' },
            song: [{ nr: 1 }, { nr: 2 }, { nr: 3 }],
            cover: { colour: 'red' },
            genre: [{ name: 'folk' }, { name: 'rock' }],
          },
        ])
        expect(await get('/album?id=eq.2&select=cover(*),song(*)')).toEqual([{ cover: null, song: [] }])
      })

      test('alias, order, limit, offset and filters of their own', async () => {
        const path =
          '/album?id=eq.1&select=tracks:song(nr)&tracks.order=nr.desc&tracks.limit=2&tracks.offset=1' +
          '&tracks.seconds=not.is.null'
        expect(await get(path)).toEqual([{ tracks: [{ nr: 1 }] }])
        expect(await get('/album?id=eq.1&select=song(nr)&song.or=(nr.eq.1,nr.eq.3)&song.order=nr')).toEqual([
          { song: [{ nr: 1 }, { nr: 3 }] },
        ])
      })

      test('!inner leaves out rows without embedded rows, and the count knows it', async () => {
        const answer = await call('/album?select=id,song!inner(nr)&song.seconds=gt.150&order=id', {
          headers: prefer('count=exact'),
        })
        expect(answer.json).toEqual([
          { id: 1, song: [{ nr: 2 }] },
          { id: 3, song: [{ nr: 1 }] },
        ])
        expect(answer.headers['content-range']).toBe('0-1/2')
        expect(await get('/album?select=id,cover!inner()&order=id')).toEqual([{ id: 1 }, { id: 3 }])
      })

      test('a hint chooses among several ways: constraint, column or junction', async () => {
        const several = await call('/song?select=artist(name)')
        expect(refusal(several)).toEqual([300, 'PGRST201'])
        expect(several.json).toMatchObject({ hint: expect.stringContaining('artist!song_featured_id_fkey') })
        const path =
          '/song?album_id=eq.1&nr=eq.1&select=guest:artist!featured_id(name),writer:artist!song_writer_id_fkey(name)'
        expect(await get(path)).toEqual([{ guest: { name: 'Ben' }, writer: { name: 'Ada' } }])
      })

      test('a table that points to itself: by column to the one, by constraint to the many', async () => {
        const path =
          '/artist?select=name,mentor:mentor_id(name),' +
          'pupils:artist!artist_mentor_id_fkey(name)&pupils.order=id&id=lte.2&order=id'
        expect(await get(path)).toEqual([
          { name: 'Ada', mentor: null, pupils: [{ name: 'Ben' }, { name: 'Cy' }] },
          { name: 'Ben', mentor: { name: 'Ada' }, pupils: [] },
        ])
      })

      test('what cannot be embedded is refused', async () => {
        expect(refusal(await call('/album?select=note(*)'))).toEqual([400, 'PGRST200'])
        expect(refusal(await call('/album?select=unpublished(*)'))).toEqual([400, 'PGRST200'])
        expect(refusal(await call('/album?song.nr=eq.1'))).toEqual([400, 'PGRST108'])
        expect(refusal(await call('/album?select=song(artist(name))'))).toEqual([300, 'PGRST201'])
      })
    })

    describe('inserts', () => {
      test('201 without a body; the row is there', async () => {
        const answer = await call('/artist', { method: 'POST', body: { id: 10, name: 'Dee' } })
        expect([
          answer.status,
          answer.text,
          answer.headers['content-range'],
          answer.headers['location'],
        ]).toEqual([201, '', '*/*', undefined])
        expect(await get('/artist?id=eq.10&select=name')).toEqual([{ name: 'Dee' }])
      })

      test('the representation, with select, embeds and defaults', async () => {
        const answer = await call('/album?select=title,price,label,artist(name)', {
          method: 'POST',
          headers: prefer('return=representation, count=exact'),
          body: { idArtist: '1', title: 'New' },
        })
        expect(answer.status).toBe(201)
        expect(answer.json).toEqual([
          { title: 'New', price: 9.9, label: 'New (album)', artist: { name: 'Ada' } },
        ])
        expect([answer.headers['preference-applied'], answer.headers['content-range']]).toEqual([
          'return=representation, count=exact',
          '*/1',
        ])
      })

      test('headers-only names the place of the row', async () => {
        const song = await call('/song', {
          method: 'POST',
          headers: prefer('return=headers-only'),
          body: { album_id: 2, nr: 7, title: 'Seven' },
        })
        expect([song.status, song.text, song.headers['location']]).toEqual([
          201,
          '',
          '/rest/song?album_id=eq.2&nr=eq.7',
        ])
      })

      test('many at once; keys must be the same unless columns= says which', async () => {
        const rows = [
          { id: 20, name: 'a' },
          { name: 'b', id: 21 },
        ]
        expect((await call('/artist', { method: 'POST', body: rows })).status).toBe(201)
        const uneven = [{ id: 22, name: 'c' }, { id: 23 }]
        expect(refusal(await call('/genre', { method: 'POST', body: uneven }))).toEqual([400, 'PGRST102'])
        const answer = await call('/genre?columns="id","name"&select=id,name', {
          method: 'POST',
          headers: prefer('return=representation'),
          body: [
            { id: 22, name: 'c' },
            { id: 23, other: 1 },
          ],
        })
        expect(answer.json).toEqual([
          { id: 22, name: 'c' },
          { id: 23, name: null },
        ])
      })

      test('missing=default gives absent keys their default, null stays null', async () => {
        const answer = await call(
          '/album?columns=idArtist,title,price,format,secret,id&select=title,price,format,id',
          {
            method: 'POST',
            headers: prefer('missing=default, return=representation'),
            body: [
              { idArtist: 1, title: 'X', id: 900 },
              { idArtist: 1, title: 'Y', price: 1, format: 'tape', id: 901 },
            ],
          },
        )
        expect(answer.json).toEqual([
          { title: 'X', price: 9.9, format: 'vinyl', id: 900 },
          { title: 'Y', price: 1, format: 'tape', id: 901 },
        ])
        expect(answer.headers['preference-applied']).toBe('missing=default, return=representation')
        const nulls = await call('/album?columns=idArtist,title,price', {
          method: 'POST',
          body: { idArtist: 1, title: 'Z' },
        })
        expect(refusal(nulls)).toEqual([400, '23502'])
      })

      test('an empty object takes all defaults, an empty array inserts nothing', async () => {
        expect(refusal(await call('/genre', { method: 'POST', body: {} }))).toEqual([400, '23502'])
        const none = await call('/genre', {
          method: 'POST',
          headers: prefer('return=representation'),
          body: [],
        })
        expect([none.status, none.json]).toEqual([201, []])
      })

      test('what the table forbids keeps its code', async () => {
        const insert = async (table: string, body: unknown) =>
          refusal(await call(table, { method: 'POST', body }))
        expect(await insert('/artist', { id: 1, name: 'again' })).toEqual([409, '23505'])
        expect(await insert('/album', { idArtist: 77, title: 'x' })).toEqual([409, '23503'])
        expect(await insert('/album', { idArtist: 1, title: 'x', price: -1 })).toEqual([400, '23514'])
        expect(await insert('/album', { idArtist: 'x', title: 'x' })).toEqual([400, '22P02'])
        expect(await insert('/album', { idArtist: 1, title: 'x', label: 'x' })).toEqual([400, '428C9'])
        expect(await insert('/note', { id: 1, owner: 'u1', text: 'x' })).toEqual([400, '428C9'])
        expect(await insert('/note', { owner: 'u2', text: 'x' })).toEqual([403, '42501'])
        expect(await insert('/artist', { id: 1, naem: 'x' })).toEqual([400, 'PGRST204'])
        expect(await insert('/artist?id=eq.5', { id: 5, name: 'x' })).toEqual([400, 'PGRST100'])
      })

      test('numbers of any length arrive unchanged', async () => {
        const body = '{"id": 77, "name": "digits", "mentor_id": null}'
        expect((await call('/artist', { method: 'POST', body })).status).toBe(201)
        const album = '{"idArtist": 77, "title": "d", "meta": {"n": 12345678901234567890.123456789}}'
        const answer = await call('/album?select=meta', {
          method: 'POST',
          body: album,
          headers: prefer('return=representation'),
        })
        expect(answer.text).toContain('12345678901234567890.123456789')
      })
    })

    describe('updates and deletes', () => {
      test('204 and how many; 200 and the rows when asked', async () => {
        const quiet = await call('/album?id=in.(1,2)', { method: 'PATCH', body: { stock: 8 } })
        expect([quiet.status, quiet.text, quiet.headers['content-range']]).toEqual([204, '', '0-1/*'])
        const none = await call('/album?id=eq.999', { method: 'PATCH', body: { stock: 8 } })
        expect([none.status, none.headers['content-range']]).toEqual([204, '*/*'])
        const loud = await call('/album?id=in.(2,1)&select=id,stock,artist(name)&order=id.desc', {
          method: 'PATCH',
          body: { stock: 9 },
          headers: prefer('return=representation,count=exact'),
        })
        expect([loud.status, loud.headers['content-range']]).toEqual([200, '0-1/2'])
        expect(loud.json).toEqual([
          { id: 2, stock: 9, artist: { name: 'Ada' } },
          { id: 1, stock: 9, artist: { name: 'Ada' } },
        ])
        const zero = await call('/album?id=eq.999', {
          method: 'PATCH',
          body: { stock: 8 },
          headers: prefer('return=representation'),
        })
        expect([zero.status, zero.json]).toEqual([200, []])
      })

      test('an empty object changes nothing', async () => {
        const answer = await call('/album?id=eq.1', {
          method: 'PATCH',
          body: {},
          headers: prefer('return=representation'),
        })
        expect([answer.status, answer.json]).toEqual([200, []])
      })

      test('without a filter nothing is touched', async () => {
        for (const [method, path] of [
          ['PATCH', '/album'],
          ['DELETE', '/album'],
          ['DELETE', '/album?select=id'],
          ['PATCH', '/album?order=id'],
          ['DELETE', '/album?select=id,song(nr)&song.nr=eq.1'],
        ] as const) {
          const answer = await call(path, { method, ...(method === 'PATCH' ? { body: { stock: 1 } } : {}) })
          expect(refusal(answer)).toEqual([400, '21000'])
          expect(answer.json).toMatchObject({
            message: `${method === 'PATCH' ? 'UPDATE' : 'DELETE'} requires a WHERE clause`,
          })
        }
        expect(refusal(await call('/album?id=eq.1&limit=1', { method: 'DELETE' }))).toEqual([400, 'PGRST127'])
        expect(await get('/album?id=eq.3&select=stock')).toEqual([{ stock: 3 }])
      })

      test('!inner would hide changed rows from the answer and from max-affected', async () => {
        const answer = await call('/album?id=in.(1,2)&select=id,song!inner(nr)', {
          method: 'PATCH',
          body: { stock: 1 },
          headers: prefer('return=representation'),
        })
        expect(refusal(answer)).toEqual([400, 'PGRST127'])
      })

      test('columns without the right to be written, and foreign rows', async () => {
        expect(refusal(await call('/album?id=eq.1', { method: 'PATCH', body: { idArtist: 2 } }))).toEqual([
          403,
          '42501',
        ])
        const foreign = await call('/note?owner=eq.u2', {
          method: 'PATCH',
          body: { text: 'taken' },
          headers: prefer('return=representation'),
        })
        expect([foreign.status, foreign.json]).toEqual([200, []])
        expect((await call('/note?select=text', { as: 'u2' })).json).toEqual([{ text: 'theirs' }])
      })

      test('one object asked for and several changed: refused and undone', async () => {
        const headers = { ...OBJECT, ...prefer('return=representation') }
        expect(
          refusal(await call('/album?id=in.(1,2)', { method: 'PATCH', body: { stock: 55 }, headers })),
        ).toEqual([406, 'PGRST116'])
        expect(await get('/album?stock=eq.55')).toEqual([])
        const one = await call('/album?id=eq.1&select=stock', {
          method: 'PATCH',
          body: { stock: 56 },
          headers,
        })
        expect(one.json).toEqual({ stock: 56 })
        expect(await get('/album?id=eq.1&select=stock')).toEqual([{ stock: 56 }])
      })

      test('max-affected under handling=strict: refused and undone', async () => {
        const headers = prefer('handling=strict, max-affected=1')
        const answer = await call('/album?id=in.(1,2)', { method: 'PATCH', body: { stock: 66 }, headers })
        expect(refusal(answer)).toEqual([400, 'PGRST124'])
        expect(answer.json).toMatchObject({ details: 'The query affects 2 rows' })
        expect(await get('/album?stock=eq.66')).toEqual([])
        const one = await call('/album?id=eq.2', { method: 'PATCH', body: { stock: 67 }, headers })
        expect([one.status, one.headers['preference-applied']]).toEqual([
          204,
          'handling=strict, max-affected=1',
        ])
        const lenient = await call('/album?id=in.(1,2)', {
          method: 'PATCH',
          body: { stock: 68 },
          headers: prefer('max-affected=1'),
        })
        expect([lenient.status, lenient.headers['preference-applied']]).toEqual([204, undefined])
      })

      test('delete answers 204, or the deleted rows', async () => {
        await call('/genre', { method: 'POST', body: [31, 32, 33].map((id) => ({ id, name: `g${id}` })) })
        const quiet = await call('/genre?id=eq.31', { method: 'DELETE', headers: prefer('count=exact') })
        expect([quiet.status, quiet.headers['content-range']]).toEqual([204, '*/1'])
        const loud = await call('/genre?id=gt.31&select=id&order=id&name=like.g3*', {
          method: 'DELETE',
          headers: prefer('return=representation'),
        })
        expect([loud.status, loud.json]).toEqual([200, [{ id: 32 }, { id: 33 }]])
        expect(refusal(await call('/genre?id=eq.1', { method: 'DELETE' }))).toEqual([409, '23503'])
      })
    })

    describe('calls', () => {
      const post = (name: string, body?: unknown, headers = {}) =>
        call(`/rpc/${name}`, { method: 'POST', body, headers })

      test('by names, with defaults; text becomes what the argument is', async () => {
        expect((await post('add', { a: 1, b: 2 })).json).toBe(3)
        expect((await post('add', { a: '1' })).json).toBe(11)
        expect((await call('/rpc/add?a=5&b=6')).json).toBe(11)
        expect(refusal(await post('add', { a: 'x' }))).toEqual([400, '22P02'])
      })

      test('scalar, null, json, void, set, row and table each as they are', async () => {
        expect((await post('nothing')).text).toBe('null')
        expect((await post('same', { value: { deep: [1, null] } })).json).toEqual({ deep: [1, null] })
        const nothing = await post('touch')
        expect([nothing.status, nothing.text]).toEqual([204, ''])
        expect((await post('titles')).json).toEqual(expect.arrayContaining(['Alpha', '']))
        expect((await post('first_album')).json).toMatchObject({ id: 1 })
        expect((await post('stats')).json).toMatchObject({ n: expect.any(Number), dearest: 20 })
        expect((await post('pairs', { n: 2 })).json).toEqual([
          { Key: 1, val: 'v1' },
          { Key: 2, val: 'v2' },
        ])
        expect((await post('join_all', { words: ['a', 'b'] })).json).toBe('a+b')
        expect((await call('/rpc/join_all?words=a&words=b')).json).toBe('a+b')
      })

      test('sets can be selected from, filtered, ordered, cut, counted and embedded into', async () => {
        expect((await call('/rpc/pairs?n=9&select=k:Key&Key=gt.3&order=Key.desc&limit=2')).json).toEqual([
          { k: 9 },
          { k: 8 },
        ])
        const counted = await call('/rpc/pairs?n=9&limit=2', { headers: prefer('count=exact') })
        expect([counted.status, counted.headers['content-range']]).toEqual([206, '0-1/9'])
        const filtered = await call('/rpc/albums_of?select=id,artist(name)&id=eq.3', {
          method: 'POST',
          body: { artist: 2 },
        })
        expect(filtered.json).toEqual([{ id: 3, artist: { name: 'Ben' } }])
        expect((await call('/rpc/pairs?n=1', { headers: OBJECT })).json).toEqual({ Key: 1, val: 'v1' })
        expect(refusal(await call('/rpc/pairs?n=2', { headers: OBJECT }))).toEqual([406, 'PGRST116'])
        expect((await call('/rpc/pairs?n=2', { headers: { Accept: 'text/csv' } })).text).toBe(
          'Key,val\n1,v1\n2,v2',
        )
      })

      test('GET and HEAD in a read-only transaction: what would change something is refused', async () => {
        expect((await call('/rpc/touch')).status).toBe(204)
        const get = await call('/rpc/restock?by=1')
        expect([...refusal(get), get.headers['allow']]).toEqual([405, '25006', 'OPTIONS, POST'])
        expect(refusal(await call('/rpc/restock?by=1', { method: 'HEAD' }))[0]).toBe(405)
        expect((await call('/rpc/who')).json).toMatchObject({ read_only: 'on', method: 'GET' })
        expect((await post('who')).json).toMatchObject({ read_only: 'on', method: 'POST' })
      })

      test('settings of the transaction: role, claims, method, path, search path, time limit of the role', async () => {
        expect((await post('who')).json).toEqual({
          role: 'shop_web',
          sub: 'u1',
          method: 'POST',
          path: '/rpc/who',
          search_path: '"shop", "public"',
          read_only: 'on',
          statement_timeout: '3210ms',
        })
      })

      test('a call that changed too much, or not one row, is undone', async () => {
        const before = await get('/album?select=id,stock&order=id')
        expect(refusal(await post('restock', { by: 1 }, prefer('handling=strict, max-affected=1')))).toEqual([
          400,
          'PGRST124',
        ])
        expect(refusal(await post('restock', { by: 1 }, OBJECT))).toEqual([406, 'PGRST116'])
        expect(await get('/album?select=id,stock&order=id')).toEqual(before)
        expect(refusal(await post('touch', {}, prefer('handling=strict, max-affected=1')))).toEqual([
          400,
          'PGRST128',
        ])
      })

      test('no such function with these names: 404 PGRST202; two of one name: 300 PGRST203', async () => {
        const unknown = await post('add', { a: 1, c: 2 })
        expect(refusal(unknown)).toEqual([404, 'PGRST202'])
        expect(unknown.json).toMatchObject({
          message: 'Could not find the function shop.add(a, c) in the schema cache',
        })
        for (const answer of [await post('add'), await post('nowhere'), await post('private')])
          expect(refusal(answer)).toEqual([404, 'PGRST202'])
        expect(refusal(await post('twice', { a: 1 }))).toEqual([300, 'PGRST203'])
      })

      test.each([
        ['PT402', 402, 'PT402'],
        ['P0001', 400, 'P0001'],
        ['P0002', 500, 'P0002'],
        ['23505', 409, '23505'],
        ['42501', 403, '42501'],
        ['28000', 403, '28000'],
        ['40001', 500, '40001'],
        ['22012', 400, '22012'],
        ['55000', 500, '55000'],
        ['XX000', 500, 'XX000'],
        ['SHOP1', 400, 'SHOP1'],
      ])('SQLSTATE %s becomes %i', async (code, status) => {
        const answer = await post('fail', { code, hint: 'a hint' })
        expect(refusal(answer)).toEqual([status, code])
        // Internal details stay internal.
        expect(answer.json).toMatchObject(
          status < 500
            ? { message: 'told', details: 'the detail', hint: 'a hint' }
            : { details: null, hint: null },
        )
      })

      test('SQLSTATE PGRST chooses everything', async () => {
        const answer = await post('raise_json')
        expect([answer.status, answer.headers['x-tea']]).toEqual([418, 'green'])
        expect(answer.json).toEqual({ code: '77', message: 'own words', details: null, hint: 'try tea' })
      })

      test('the check before each request can refuse it', async () => {
        const answer = await call('/album', { as: 'banned' })
        expect(answer.status).toBe(401)
        expect(answer.json).toMatchObject({ code: 'PT401', message: 'this account is closed' })
        expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
      })
    })

    describe('refusals', () => {
      test('what is not granted does not exist', async () => {
        for (const path of [
          '/unpublished',
          '/vault',
          '/nowhere',
          '/constructor',
          '/pg_class',
          '/shop.album',
        ]) {
          const answer = await call(path)
          expect(refusal(answer)).toEqual([404, 'PGRST205'])
          expect(answer.json).toMatchObject({
            message: `Could not find the table 'shop.${path.slice(1)}' in the schema cache`,
            details: null,
            hint: null,
          })
        }
      })

      test('a new table is found without a restart', async () => {
        const name = `fresh_${engine.toLowerCase()}`
        expect(refusal(await call(`/${name}`))).toEqual([404, 'PGRST205'])
        await home.run(
          `create table shop.${name} (id int); grant select on shop.${name} to shop_web; notify pgrst`,
        )
        await expect.poll(async () => (await call(`/${name}`)).json, { timeout: 30_000 }).toEqual([])
      })

      test.each([
        ['GET', '/a/b', 404, 'PGRST125'],
        ['GET', '/rpc/a/b', 404, 'PGRST125'],
        ['GET', '/%ff', 404, 'PGRST125'],
        ['PUT', '/album?id=eq.1', 400, 'PGRST102'],
        ['OPTIONS', '/nowhere', 404, 'PGRST205'],
        ['TRACE', '/album', 405, 'PGRST117'],
        ['DELETE', '/rpc/add', 405, 'PGRST101'],
        ['GET', '/album?nope=eq.1', 400, '42703'],
        ['GET', '/album?order=nope', 400, '42703'],
        ['GET', '/album?id=1', 400, 'PGRST100'],
        ['GET', '/album?id=foo.1', 400, 'PGRST100'],
        ['GET', '/album?id=in.(1', 400, 'PGRST100'],
        ['GET', '/album?or=()', 400, 'PGRST100'],
        ['GET', '/album?dtRelease=is.maybe', 400, 'PGRST100'],
        ['GET', '/album?order=id.up', 400, 'PGRST100'],
        ['GET', '/album?select=id,', 400, 'PGRST100'],
        ['GET', '/album?title=eq.%ff', 400, 'PGRST100'],
        ['GET', '/album?title=eq.%00', 400, '22021'],
        ['GET', '/album?id=eq.x', 400, '22P02'],
        ['GET', '/album?meta=like.x', 404, '42883'],
        ['GET', '/album?select=count()&order=id', 400, '42803'],
        ['GET', '/album?select=price.median()', 400, 'PGRST100'],
        ['GET', '/album?select=price.sum', 400, 'PGRST100'],
        ['GET', '/album?select=secret.max()', 403, '42501'],
        ['GET', '/album?select=none.max()', 400, '42703'],
        ['GET', '/album?id=fts.x', 404, '42883'],
        ['GET', '/album?order=artist(name)', 400, 'PGRST108'],
        ['GET', '/album?columns=id', 400, 'PGRST100'],
        ['GET', '/album?select=id&select=title', 400, 'PGRST100'],
        ['GET', `/album?or=(${'and('.repeat(5)}id.eq.1${')'.repeat(5)})`, 400, 'PGRST100'],
        ['GET', `/album?id=in.(${Array.from({ length: 1001 }, (_, i) => i).join()})`, 400, 'PGRST100'],
        ['GET', `/album?${'id=gt.0&'.repeat(51)}`, 400, 'PGRST100'],
        ['GET', `/album?title=eq.${'x'.repeat(8200)}`, 414, 'HTTP414'],
      ])('%s %.60s', async (method, path, status, code) => {
        const answer = await call(path, { method })
        expect(refusal(answer)).toEqual([status, code])
        expect(Object.keys(answer.json as object).sort()).toEqual(['code', 'details', 'hint', 'message'])
        expect(answer.headers['proxy-status']).toBe(`data-api; error=${code}`)
      })

      test.each([
        ['no JSON', '{"id":', 400],
        ['a number', '5', 400],
        ['an array of numbers', '[5]', 400],
        ['nothing', '', 400],
        ['deep', `${'['.repeat(33)}${']'.repeat(33)}`, 400],
        ['very deep', `{"id":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
        ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
      ])('a body that is %s: PGRST102', async (_what, body, status) => {
        expect(refusal(await call('/genre', { method: 'POST', body }))).toEqual([status, 'PGRST102'])
      })

      test('a body of another type, a compressed one, one too large', async () => {
        const send = async (body: string, headers: Record<string, string>) =>
          refusal(await call('/genre', { method: 'POST', body, headers }))
        expect(await send('id=1', { 'Content-Type': 'text/html' })).toEqual([400, 'PGRST102'])
        expect(await send('{}', { 'Content-Encoding': 'gzip' })).toEqual([400, 'PGRST102'])
        expect(await send(`{"id":1,"name":"${'x'.repeat(1024 * 1024)}"}`, {})).toEqual([413, 'HTTP413'])
        expect(await send(JSON.stringify({ id: 500, name: '\u0000' }), {})).toEqual([400, '22P05'])
      })

      test('a body at the limit of depth arrives', async () => {
        const deep = `${'['.repeat(31)}${']'.repeat(31)}`
        const answer = await call('/rpc/same', { method: 'POST', body: `{"value":${deep}}` })
        expect(JSON.stringify(answer.json)).toBe(deep)
      })

      test('preferences that cannot be honoured', async () => {
        expect(refusal(await call('/album', { headers: prefer('tx=rollback') }))).toEqual([400, 'PGRST127'])
        // What PostgreSQL expects tells something about rows that the caller may not see: the count is exact
        // instead, or goes up to 10,000 and no further.
        for (const [kind, applied] of [
          ['planned', 'exact'],
          ['estimated', 'estimated'],
        ]) {
          const counted = await call('/note', { headers: prefer(`count=${kind}`) })
          expect([counted.headers['content-range'], counted.headers['preference-applied']]).toEqual([
            '0-1/2',
            `count=${applied}`,
          ])
        }
        const plan = { Accept: 'application/vnd.pgrst.plan+json' }
        expect(refusal(await call('/album', { headers: plan }))).toEqual([406, 'PGRST107'])
        const strict = await call('/album', { headers: prefer('handling=strict, colour=red') })
        expect(refusal(strict)).toEqual([400, 'PGRST122'])
        expect(strict.json).toMatchObject({ details: 'Invalid preferences: colour=red' })
        const lenient = await call('/genre', { headers: prefer('handling=lenient, colour=red') })
        expect([lenient.status, lenient.headers['preference-applied']]).toEqual([200, 'handling=lenient'])
      })

      test.each([
        [null, 401, 'PGRST302', 'Anonymous access is disabled', 'Bearer'],
        [
          'expired',
          401,
          'PGRST303',
          'JWT expired',
          'Bearer error="invalid_token", error_description="JWT expired"',
        ],
        [
          'bad_signature',
          401,
          'PGRST301',
          'the token "x" is bad',
          'Bearer error="invalid_token", error_description="the token x is bad"',
        ],
        [
          'wrong_audience',
          401,
          'PGRST303',
          'JWT not in audience',
          'Bearer error="invalid_token", error_description="JWT not in audience"',
        ],
        [
          'keys_unavailable',
          503,
          'PGRST301',
          'The keys that verify tokens cannot be reached. Retry later.',
          undefined,
        ],
        ['role:postgres', 403, '42501', 'permission denied to set role "postgres"', undefined],
        // The login may switch to this role, but it is not on this server's list.
        ['role:shop_guest', 403, '42501', 'permission denied to set role "shop_guest"', undefined],
      ])('caller %s', async (as, status, code, message, challenge) => {
        const answer = await call('/album', { as })
        expect([
          ...refusal(answer),
          (answer.json as { message: string }).message,
          answer.headers['www-authenticate'],
        ]).toEqual([status, code, message, challenge])
        expect(answer.headers['retry-after']).toBe(status === 503 ? '1' : undefined)
      })

      test('guests come as their own role; what they may not do asks them to sign in', async () => {
        const open = await openShop(home.database, { anonymousRole: 'shop_guest' })
        expect((await open.call('/genre?select=id&id=eq.1', { as: null })).json).toEqual([{ id: 1 }])
        const answer = await open.call('/note', { as: null })
        expect([...refusal(answer), answer.headers['www-authenticate']]).toEqual([401, '42501', 'Bearer'])
        await open.close()
      })

      // PostgreSQL enforces a role's own limit; the embedded engine knows only the server's
      // (server/database/embedded.test.ts).
      test.skipIf(engine !== 'PostgreSQL')('a statement over its time limit ends: 500 57014', async () => {
        const patient = await openShop(home.database)
        expect(refusal(await patient.call('/rpc/sleep', { method: 'POST', body: { seconds: 9 } }))).toEqual([
          500,
          '57014',
        ])
        await patient.close()
      })

      test('a function that asks for more time gets it, before both limits', async () => {
        const hasty = await openShop(home.database, { limits: { deadlineMs: 300 } })
        await hasty.call('/genre')
        expect((await hasty.call('/rpc/doze', { method: 'POST', body: { seconds: 3.6 } })).status).toBe(204)
        await hasty.close()
      })

      test('a read has its own time limit, which binds neither writes nor functions with one of theirs', async () => {
        const hasty = await openShop(home.database, { limits: { readMs: 500 } })
        await hasty.call('/genre')
        for (const path of ['/endless', '/rpc/sleep?seconds=3'])
          expect(refusal(await hasty.call(path)), path).toEqual([500, '57014'])
        const calls = [
          hasty.call('/rpc/doze?seconds=1'),
          hasty.call('/rpc/work', { method: 'POST', body: { seconds: 1 } }),
        ]
        expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([204, 204])
        expect((await hasty.call('/rpc/who')).json).toMatchObject({ statement_timeout: '500ms' })
        await hasty.close()
      })

      test('the deadline of a request: 504', async () => {
        const hasty = await openShop(home.database, { limits: { deadlineMs: 300 } })
        await hasty.call('/genre')
        expect(refusal(await hasty.call('/rpc/sleep', { method: 'POST', body: { seconds: 1 } }))).toEqual([
          504,
          'HTTP504',
        ])
        await hasty.close()
      })
    })

    test('thousands of hostile requests: never a fault of ours, and every row is still there', async () => {
      const before = await rowsOf()
      let answered = 0
      const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE')
      const property = fc.asyncProperty(
        methods,
        fc.constantFrom('/album', '/cover', '/rpc/albums_of'),
        hostileQuery,
        hostileBody,
        async (method, path, query, body) => {
          const target = `${path}?${method === 'PATCH' || method === 'DELETE' ? 'stock=eq.-1&' : ''}${query}`
          const answer = await call(target, {
            method,
            ...(method === 'POST' || method === 'PATCH' ? { body } : {}),
          })
          if (answer.status < 300) answered++
          if (answer.status >= 500)
            throw new Error(`${answer.status} ${answer.text} to ${method} ${target} ${body}`)
          if (answer.status >= 400 && method !== 'HEAD')
            expect(Object.keys(answer.json as object)).toEqual(['code', 'details', 'hint', 'message'])
        },
      )
      await fc.assert(property, { numRuns: engine === 'PostgreSQL' ? 4000 : 1500 })
      expect(await rowsOf()).toEqual(before)
      // It would prove nothing if all of them were refused.
      expect(answered).toBeGreaterThan(30)
    }, 120_000)

    const rowsOf = async () => [
      await get('/album?id=in.(1,2,3,4)&select=id,title,price&order=id'),
      await get('/song?order=album_id,nr'),
      await get('/cover?album_id=in.(1,3)&order=album_id'),
    ]

    test.each([
      [
        'a filter value',
        (text: string) => ({ path: `/album?select=id&title=eq.${encodeURIComponent(text)}` }),
        [],
      ],
      [
        'a list',
        (text: string) => ({
          path: `/album?select=id&title=in.(${encodeURIComponent(JSON.stringify(text))})`,
        }),
        [],
      ],
      [
        'an argument',
        (text: string) => ({ path: '/rpc/same', call: { method: 'POST', body: { value: text } } }),
        null,
      ],
    ])(
      'hostile text as %s is only text',
      async (_where, send: (text: string) => { path: string; call?: Call }, expected) => {
        for (const text of HOSTILE) {
          const { path, call: options } = send(text)
          const answer = await call(path, options)
          expect([answer.status, answer.json]).toEqual([200, expected ?? text])
        }
      },
    )

    test('hostile text is stored and read as it was', async () => {
      const rows = HOSTILE.map((name, i) => ({ id: 5000 + i, name }))
      expect((await call('/artist', { method: 'POST', body: rows })).status).toBe(201)
      expect(await get('/artist?id=gte.5000&order=id&select=id,name')).toEqual(rows)
      for (const { id, name } of rows) {
        expect(
          await get(`/artist?select=id&id=gte.5000&or=(name.eq.${encodeURIComponent(JSON.stringify(name))})`),
        ).toEqual([{ id }])
      }
    })
  })
}
