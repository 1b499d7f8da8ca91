// Pages go on although the rows at which they ended are deleted or changed meanwhile, where the address has no room for
// the values of the last row: nothing is left out and nothing comes twice.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EITHER_ENGINE, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { type OdataServer, openOdata } from '../../db/test/odata-server.ts'
import { LONGEST_FIRST, LONGEST_URL } from './page.ts'

const ORIGIN = 'https://forst.example'
const STAFF = 'Bearer token-apus_admin'
const HOW_MANY = 130
const PAGE = 60
/** Longer than what a mark has room for, and the same in all rows of a group. */
const LONG = 480

interface Rows {
  readonly '@odata.nextLink'?: string
  readonly value: readonly { readonly id: number }[]
}

/** With a filter that every row passes, as long as an address may be. */
function address(order: string): string {
  const start = `/prognose?$orderby=${order}&$select=id&$filter=(art%20ne%20%27`
  return `${start}${','.repeat(LONGEST_FIRST - '/odata'.length - start.length - 4)}%27)`
}

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`marks of rows that are gone on ${engineName}`, () => {
    let engine: Engine
    let server: OdataServer

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      server = await openOdata(engine, { origin: ORIGIN })
    })
    beforeEach(async () => {
      await engine.owner.script(
        `delete from app.prognose;
         insert into app.prognose (datum, betrag, art, kategorie, bemerkung)
         select date '2026-01-01' + i % 90, i, 'Einnahme',
           case when i % 5 = 0 then null else 'Gruppe ' || i % 5 end,
           repeat(chr(97 + i % 9) || 'ö"', ${LONG / 3}) || ' ' || (i * 37) % 101
         from generate_series(1, ${HOW_MANY}) i`,
      )
    })
    afterAll(async () => {
      await server?.app.close()
      await engine?.close()
    })

    const idsIn = async (order: string) =>
      (
        await engine.owner.query<{ id: number }>(`select id::integer from app.prognose order by ${order}`)
      ).rows.map(({ id }) => id)
    const listOf = (ids: readonly number[]) => `id in (${ids.join(',')})`
    async function ask(url: string, size: number): Promise<{ status: number; ids: number[]; next?: string }> {
      const headers = { authorization: STAFF, prefer: `odata.maxpagesize=${size}` }
      const answer = await server.app.inject({ url: `/odata${url}`, headers })
      if (answer.statusCode !== 200) return { status: answer.statusCode, ids: [] }
      const { value, '@odata.nextLink': link } = answer.json<Rows>()
      const next = link?.replace(`${ORIGIN}/odata`, '')
      if (next !== undefined) expect(next.length + '/odata'.length).toBeLessThanOrEqual(LONGEST_URL)
      return { status: 200, ids: value.map(({ id }) => id), ...(next !== undefined && { next }) }
    }
    /** All that comes after the first page. */
    async function follow(link: string | undefined, size: number): Promise<number[]> {
      const found: number[] = []
      for (let next = link; next !== undefined; ) {
        const page = await ask(next, size)
        expect(page.status).toBe(200)
        found.push(...page.ids)
        next = page.next
      }
      return found
    }

    const ORDERS = [
      ['bemerkung', 'bemerkung, id'],
      ['bemerkung desc', 'bemerkung desc, id'],
      ['kategorie,bemerkung', 'kategorie nulls first, bemerkung, id'],
      ['kategorie desc,bemerkung desc,id desc', 'kategorie desc nulls last, bemerkung desc, id desc'],
    ] as const
    const deletes = (ids: readonly number[]) => `delete from app.prognose where ${listOf(ids)}`
    const MEANWHILE: readonly (readonly [what: string, sql: (page: readonly number[]) => string])[] = [
      ['nothing happens', () => 'select 1'],
      ['the last row is deleted', (page) => deletes(page.slice(-1))],
      ['the last three rows are deleted', (page) => deletes(page.slice(-3))],
      ['every row of the page is deleted', deletes],
      [
        'the last row moves to the end',
        (page) => `update app.prognose set bemerkung = 'zzzz' where ${listOf(page.slice(-1))}`,
      ],
      [
        'the last row moves to the beginning',
        (page) => `update app.prognose set bemerkung = 'aaa' where ${listOf(page.slice(-1))}`,
      ],
      [
        'the last row changes a little',
        (page) => `update app.prognose set bemerkung = bemerkung || '!' where ${listOf(page.slice(-1))}`,
      ],
      ['every row but the first ten of the page is deleted', (page) => deletes(page.slice(10))],
    ]
    for (const [order, sql] of ORDERS)
      test.each(MEANWHILE)(`${order}: %s`, async (what, change) => {
        const whole = await idsIn(sql)
        const first = await ask(address(encodeURIComponent(order)), PAGE)
        expect(first.ids).toEqual(whole.slice(0, PAGE))
        await engine.owner.script(change(first.ids))
        const rest = await follow(first.next, PAGE)
        // A row that has moved may come again at its new place, as with every mark.
        expect(rest.filter((id) => !first.ids.includes(id))).toEqual(whole.slice(PAGE))
        expect(rest.length).toBeLessThanOrEqual(whole.length - PAGE + (what.includes('moves') ? 1 : 0))
      })

    test('row by row, each deleted as soon as it has come', async () => {
      const whole = await idsIn('bemerkung, id')
      const found: number[] = []
      for (let next: string | undefined = address('bemerkung'); next !== undefined; ) {
        const page = await ask(next, 1)
        expect(page.status).toBe(200)
        found.push(...page.ids)
        await engine.owner.script(deletes(page.ids))
        next = page.next
      }
      expect(found).toEqual(whole)
    })

    test('rows that nothing tells apart any more are refused rather than left out or repeated', async () => {
      await engine.owner.script(`update app.prognose set bemerkung = repeat('ö', ${LONG}) || id`)
      const first = await ask(address('bemerkung'), 120)
      await engine.owner.script(deletes(first.ids.slice(20)))
      expect(await ask(first.next!, 120)).toEqual({ status: 409, ids: [] })
    })

    test.each(['betrag', 'datum'])('a forged mark within %s is no fault of ours', async (column) => {
      const forged = [null, { at: ['5'], isCut: true, rows: ['1.aaaaaa'], isWhole: true }]
      const mark = Buffer.from(JSON.stringify(forged)).toString('base64url')
      expect(await ask(`/prognose?$orderby=${column}&$skiptoken=${mark}`, PAGE)).toMatchObject({
        status: 409,
      })
    })
  })
