// The archive for an auditor: who gets it, what it contains, byte for byte, and that
// each download is recorded.
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { NAMES } from '../../db/test/world.ts'
import { unpackZip } from '../../web/src/data/unpack-zip.ts'
import { parseXml } from '../../web/src/features/buchhaltung/zahlung/parse-xml.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import { createAuditRoom } from './routes.ts'
import { csv, TABLES } from './tables.ts'

const YEAR = '2026-01-01_2026-12-31.zip'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`the audit's archive on ${engineName}`, () => {
    let engine: Engine
    let app: FastifyInstance
    const asked: string[] = []
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      app = refusingServer()
      const make = (art: string, id: string) => {
        asked.push(`${art} ${id}`)
        return Promise.resolve(true)
      }
      await app.register(createAuditRoom({ database: engine.api, log: silentLog, make }).routes, {
        prefix: '/prod-api',
      })
      await app.ready()
    }, 240_000)
    afterAll(async () => {
      await app?.close()
      await engine?.close()
    })
    const get = (name: string, file = YEAR) =>
      app.inject({ url: `/prod-api/pruefung/${file}`, headers: { authorization: `Bearer token-${name}` } })
    const recorded = async () =>
      (await engine.owner.query(`select inhalt from app.protokoll where gegenstand = 'pruefung'`)).rowCount

    test('is refused to everybody but those of the books, and nothing is written down', async () => {
      const before = await recorded()
      const allowed = new Set<string>(['apus_admin', 'admin', 'pruefer'])
      for (const name of NAMES.filter((one) => !allowed.has(one))) {
        const answer = await get(name)
        expect([name, answer.statusCode >= 400 && answer.statusCode < 500]).toEqual([name, true])
        expect(answer.payload, name).not.toMatch(/Kunde|RE-2026/)
      }
      expect((await app.inject({ url: `/prod-api/pruefung/${YEAR}` })).statusCode).toBe(401)
      expect(await recorded()).toBe(before)
    })
    test('an auditor gets it as the bookkeepers do', async () => {
      const texts = await Promise.all(
        (['apus_admin', 'pruefer'] as const).map(async (name) =>
          (await unpackZip(new Uint8Array((await get(name)).rawPayload), () => true))
            .filter(({ name: file }) => file !== 'protokoll.csv')
            .map(({ name: file, data }) => [file, Buffer.from(data).toString('utf8')]),
        ),
      )
      expect(texts[1]).toEqual(texts[0])
    })
    test.each([
      '2026-12-31_2026-01-01.zip',
      '2026-02-30_2026-03-01.zip',
      '2026-01-01.zip',
      `..%2f${YEAR}`,
      '2026-01-01_2026-12-31.zip.exe',
    ])('%s is no period', async (file) => expect((await get('apus_admin', file)).statusCode).toBe(404))
    test('holds the tables, their description and the stored documents; missing ones are made first', async () => {
      const answer = await get('apus_admin')
      expect([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]).toEqual([
        200,
        'application/zip',
        'no-store',
      ])
      const files = new Map(
        (await unpackZip(new Uint8Array(answer.rawPayload), () => true)).map(({ name, data }) => [
          name,
          Buffer.from(data),
        ]),
      )
      expect([...files.keys()].filter((name) => !name.startsWith('dokumente/')).toSorted()).toEqual(
        ['LIESMICH.txt', 'index.xml', 'dateien.csv', ...TABLES.map(({ datei }) => datei)].toSorted(),
      )
      const lines = (name: string) => files.get(name)!.toString('utf8').split('\r\n').slice(1, -1)
      const rechnung = lines('rechnungen.csv').find((line) => line.startsWith('"RE-2026-0002a"'))
      expect(rechnung).toMatch(
        /^"RE-2026-0002a";"rechnung";05\.01\.2026;05\.01\.2026;;19\.01\.2026;\d+;"Kunde A";/,
      )
      expect(rechnung).toContain(';"Kunde A";100,00;19,00;119,00;0,00;119,00;"";')
      expect(lines('zahlungen.csv')[0]).toContain(';"RE-2026-0002a";')
      const stored = (
        await engine.owner.query<{ id: number; sha256: string }>(
          `select id, sha256 from app.dokument where rechnung_id is not null order by id`,
        )
      ).rows
      expect(stored.length).toBeGreaterThan(0)
      for (const { id, sha256 } of stored) {
        const [name, bytes] = [...files].find(([path]) => path.startsWith(`dokumente/${id}_`))!
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
        const line = lines('dateien.csv').find((one) => one.includes(`"${name}"`))!
        expect(line).toContain(sha256)
        expect(line.endsWith('"ja"')).toBe(true)
      }
      expect(asked.length).toBeGreaterThan(0)
      const description = parseXml(
        files
          .get('index.xml')!
          .toString('utf8')
          .replace(/<!DOCTYPE[^>]*>/, ''),
      )
      const tables = description.children
        .find(({ name }) => name === 'Media')!
        .children.filter(({ name }) => name === 'Table')
      for (const table of tables) {
        const url = table.children.find(({ name }) => name === 'URL')!.text
        const columns = table.children
          .find(({ name }) => name === 'VariableLength')!
          .children.filter(({ name }) => name === 'VariableColumn')
        const head = files.get(url)!.toString('utf8').split('\r\n')[0]!.split(';')
        expect(
          columns.map(({ children }) => `"${children[0]!.text}"`),
          url,
        ).toEqual(head)
      }
    })
    test('each handing out is written down, and the chain stays sound', async () => {
      const before = (await recorded()) ?? 0
      await get('apus_admin')
      expect(await recorded()).toBe(before + 1)
    })
    test('a period without anything is an archive of empty tables', async () => {
      const answer = await get('apus_admin', '2001-01-01_2001-12-31.zip')
      const files = await unpackZip(new Uint8Array(answer.rawPayload), () => true)
      expect(files.filter(({ name }) => name.startsWith('dokumente/'))).toEqual([])
      expect(
        Buffer.from(files.find(({ name }) => name === 'rechnungen.csv')!.data)
          .toString('utf8')
          .split('\r\n'),
      ).toHaveLength(2)
    })
  })

test('a table keeps hostile text in its cell and as it is, and numbers plain', () => {
  const table = csv(
    {
      spalten: [
        ['Text', 'text'],
        ['Zahl', 'zahl', 2],
      ],
    },
    [
      ['=cmd|x', '-1,50'],
      ['a";"b\r\nc', null],
      [' +1', '2,00'],
      [null, '3,00'],
    ],
  )
  expect(table.toString('utf8')).toBe(
    `"Text";"Zahl"\r\n"=cmd|x";-1,50\r\n"a"";""b\r\nc";\r\n" +1";2,00\r\n"";3,00\r\n`,
  )
})
