// No request of the screens reads a table of customers from end to end: with 50,000 customers loaded, PostgreSQL
// tells what each request has read, functions included. What still does is listed, with the reason.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, openEngine } from '../../db/test/engines.ts'
import { postgresUrl } from '../../test/postgres.ts'
import { largeTables, readingOf, refusalOf, type Tables } from './measure.ts'
import { allRequests, type Request } from './requests.ts'
import { type CallerName, load } from './scene.ts'

const CUSTOMERS = 50_000
/** Smaller ones are read whole for good reasons. */
const LARGE = 9_000

/** docs/scale.md says what each of them costs and what would help. */
const KNOWN: readonly (readonly [why: string, which: RegExp])[] = [
  ['everything is added up', /: (?:sums|groups by \w+)$/],
  ['an offset reads what it leaves out', /: page 2000$/],
  ['people are counted for each customer', /^mitglieder-kunden: (?:by|filter) (?:team|nutzer)/],
  ['customers are counted for each person', /^mitglieder-nutzer: by kunden/],
  ['ordered by what another table has', /^(?:rechnungen|karten|karten-eigene): by (?:kunde|offen)/],
  ['no index answers the comparison under row security', /^kunden: filter plz, count$/],
  ['very many match, and are counted', /^(?:karten(?:-eigene)?|umsaetze): search "(?:er|kassel 12)", count$/],
  [
    'the whole period is asked for',
    /^call a_get_(?:bank_rechnungen|buchhaltung|buch_kunden|cashflow|datev_zahlungen|lastschriften)$/,
  ],
  ['what belongs to other periods is looked for', /^call a_get_datev(?:_abweichung)?$/],
  ['a page shows all of them', /^call a_get_serien$/],
  ['trees and objects are counted for each place', /^call __o_get_places (?:habitat|kataster)$/],
  ['what is not sent is what has no delivery', /^rechnungen: filter versand/],
]

/** What the scene has nothing of, so that the database refuses; everything else is carried out. */
const REFUSED_TO_STAFF = ['call __o_get_angebot', 'call a_get_grenzvorschlag']

describe.skipIf(postgresUrl() === null)('plans', () => {
  let engine: Engine
  let requests: readonly Request[]
  let tables: Tables
  beforeAll(async () => {
    engine = await openEngine('postgres')
    await load(engine.owner, CUSTOMERS)
    requests = await allRequests(engine.api, engine.owner)
    tables = new Map([...(await largeTables(engine.owner))].filter(([, rows]) => rows >= LARGE))
  })
  afterAll(() => engine?.close())

  test('the tables are there, and every list of the screens', () => {
    expect([...tables.keys()]).toEqual(
      expect.arrayContaining(['kunde', 'habitatbaeume', 'draenage', 'position']),
    )
    const lists = new Set(requests.map(({ what }) => what.split(':')[0]))
    for (const name of ['kunden', 'karten', 'rechnungen', 'angebote', 'habitatbaeume', 'nutzer', 'protokoll'])
      expect(lists).toContain(name)
  })

  test('a table read from end to end is noticed', async () => {
    const whole: Request = {
      what: 'all',
      kind: 'read',
      statement: { text: 'select sum(length(name)) from app.kunde', values: [] },
    }
    expect((await readingOf(engine.api, 'staff', whole, tables)).scans).toEqual(['kunde'])
  })

  test.each(['staff', 'customer'] as const)(
    'requests of %s',
    { timeout: 400_000 },
    async (caller: CallerName) => {
      const found: string[] = []
      const refused: string[] = []
      const known = new Set<string>()
      for (const request of requests) {
        const what = request.what.replace(/, downwards$/, '')
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const reading = await readingOf(engine.api, caller, request, tables).catch(refusalOf)
        if (reading === null) refused.push(request.what)
        if (reading === null || reading.scans.length === 0) continue
        const why = KNOWN.find(([, which]) => which.test(what))?.[0]
        // For a customer's people there are no exceptions.
        if (why === undefined || caller === 'customer')
          found.push(`${request.what}: ${reading.scans.join(', ')}`)
        else known.add(why)
      }
      expect(found).toEqual([])
      if (caller === 'staff') expect(refused).toEqual(REFUSED_TO_STAFF)
      // What is fixed leaves the list.
      if (caller === 'staff') expect(KNOWN.map(([why]) => why).filter((why) => !known.has(why))).toEqual([])
    },
  )
})
