// Received invoices by the official rules: the product's own way from the file to the page's data, with Java.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Eingang, type EingangFormat, eingangPaths } from '#contract/eingang.ts'
import { ciiXml } from '#domain/e-rechnung/xrechnung-3-0.ts'
import { ublXml } from '#domain/e-rechnung/ubl.ts'
import { officialOf, type OfficialResult } from '#domain/eingang/official.ts'
import { createRules } from '#server/eingang/official-rules.ts'
import { createEingangRoom } from '#server/eingang/routes.ts'
import { createUploadFolder } from '#server/eingang/upload-folder.ts'
import { silentLog } from '#server/log.ts'
import { READER_LIMITS } from '#server/reader/confined.ts'
import { createWorkQueue } from '#server/work-queue.ts'
import { asCaller, type Engine, openEngine, sql } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { refusingServer } from '../../db/test/refusing-server.ts'
import { claimsOf } from '../../db/test/world.ts'
import { threeRates } from '../../server/documents/beleg.fixture.ts'
import { makePdf } from '../../server/eingang/pdf.fixture.ts'
import { fetchValidator } from './fetch-validator.ts'
import { makeRulesFolder, withoutEngine } from './rules-folder.ts'

const fetched = fetchValidator()
if ('missing' in fetched) console.log(`Received invoices by the official rules: skipped, ${fetched.missing}`)

const RIGHT = threeRates()
const INVOICE = { ...RIGHT, empfaenger: { ...RIGHT.empfaenger, leitweg_id: '04011000-1234512345-06' } }
const NEVER = new AbortController().signal

describe.skipIf('missing' in fetched)('the official rules on received invoices', () => {
  const folder = mkdtempSync(join(tmpdir(), 'received-'))
  let rules: string
  beforeAll(() => {
    if ('classpath' in fetched) rules = makeRulesFolder(fetched.classpath)
  })
  afterAll(() => {
    for (const one of [folder, rules]) if (one !== undefined) rmSync(one, { recursive: true, force: true })
  })

  function check(
    bytes: string | Buffer,
    format: EingangFormat,
    from = rules,
  ): Promise<OfficialResult | null> {
    const path = join(folder, 'rechnung')
    writeFileSync(path, bytes)
    const work = createWorkQueue()
    const uploads = createUploadFolder(join(folder, 'uploads'))
    const ground = { work, uploads, readers: READER_LIMITS, log: silentLog }
    return createRules({ folder: from, java: 'java' }, ground)({ path, format, signal: NEVER })
  }
  const rulesIn = (result: OfficialResult | null): string[] =>
    result !== null && 'findings' in result
      ? result.findings
          .filter(({ level }) => level !== 'information')
          .map(({ level, rule }) => `${level} ${rule}`)
      : [JSON.stringify(result)]

  test('of right invoices in each form, nothing', async () => {
    const hybrid = makePdf({ attachments: [['factur-x.xml', Buffer.from(ciiXml(INVOICE, 'en16931'))]] })
    expect(rulesIn(await check(ciiXml(INVOICE, 'xrechnung'), 'cii'))).toEqual([])
    expect(rulesIn(await check(ublXml(INVOICE), 'ubl'))).toEqual([])
    const found = await check(hybrid, 'zugferd')
    expect(rulesIn(found)).toEqual([])
    expect(found).toMatchObject({ version: 'XRechnung 3.0.2, 2026-01-31' })
  })
  test('the level of a rule is that of the scenario', async () => {
    const odd = ciiXml(INVOICE, 'xrechnung').replaceAll(/unitCode="[^"]*"/g, 'unitCode="HAR"')
    expect(new Set(rulesIn(await check(odd, 'cii')))).toEqual(new Set(['warning BR-CL-23']))
  })
  test('what is not built as the schema says', async () =>
    expect(
      new Set(
        rulesIn(await check(ublXml(INVOICE).replace(/<cbc:IssueDate>[^<]*<\/cbc:IssueDate>/, ''), 'ubl')),
      ),
    ).toEqual(new Set(['error XSD'])))
  test('a profile that the configuration does not know', async () =>
    expect(
      await check(ciiXml(INVOICE, 'en16931').replace('urn:cen.eu:en16931:2017', 'urn:example:other'), 'cii'),
    ).toEqual({ reason: 'profil' }))
  test('rules without what runs them say so', async () => {
    const bare = withoutEngine(rules)
    expect(await check(ublXml(INVOICE), 'ubl', bare)).toEqual({ reason: 'abbruch' })
    rmSync(bare, { recursive: true })
  })

  describe('from the upload to the record', () => {
    let engine: Engine
    let app: FastifyInstance
    let origin: string
    beforeAll(async () => {
      engine = await openEngine('embedded')
      await buildWorld(engine.owner)
      app = refusingServer(1000)
      const room = createEingangRoom({
        database: engine.api,
        folder: join(folder, 'eingang'),
        now: () => new Date(),
        work: createWorkQueue(),
        rules: { folder: rules, java: 'java' },
      })
      await app.register(room.routes!, { prefix: '/prod-api' })
      await app.listen({ port: 0, host: '127.0.0.1' })
      origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
    })
    test('errors are kept with rule number, German words and the wording', async () => {
      const wrong = ublXml(INVOICE).replace(/<cbc:BuyerReference>[^<]*<\/cbc:BuyerReference>/, '')
      const sent = await fetch(`${origin}/prod-api/${eingangPaths.upload('Rechnung.xml')}`, {
        method: 'POST',
        headers: { authorization: 'Bearer token-apus_admin', 'content-type': 'application/octet-stream' },
        body: wrong,
      })
      const { data } = (await sent.json()) as { data: { id: number } }
      const { rows } = await engine.api.once<{ e: string }>(
        asCaller(claimsOf('apus_admin')),
        sql('select app.a_get_eingang($1)::text as e', data.id),
      )
      const { geprueft, befunde } = JSON.parse(rows[0]!.e) as Eingang
      expect(officialOf(geprueft)).toEqual({ version: 'XRechnung 3.0.2, 2026-01-31' })
      expect(befunde).toContainEqual({
        rule: 'BR-DE-15',
        term: 'BT-10',
        place: '',
        weight: 'fault',
        text: 'Das Element "Buyer reference" (BT-10) muss übermittelt werden.',
        by: 'amtlich',
        wording: expect.stringContaining('[BR-DE-15]') as string,
      })
    })
  })
})
