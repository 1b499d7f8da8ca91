import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { type OdataServer, openOdata } from '../../db/test/odata-server.ts'
import { type Formula, formulaText } from '#server/data-api/formula.ts'
import { A, A1, B, type IdentityName, NAMES } from '../../db/test/world.ts'
import { describer } from './describe.ts'
import { apply, valueOf } from './filter.ts'
import { ENTITY_SETS, INTERNAL_COLUMNS } from './sets.ts'

const ORIGIN = 'https://forst.example'
const HOW_MANY = 250
const STAFF = 'Bearer token-apus_admin'

interface Rows {
  readonly '@odata.context'?: string
  readonly '@odata.count'?: number
  readonly '@odata.nextLink'?: string
  readonly value: readonly Record<string, unknown>[]
}

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`OData on ${engineName}`, () => {
    let engine: Engine
    let server: OdataServer
    let app: FastifyInstance

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.query('delete from app.prognose')
      await engine.owner.query(
        `insert into app.prognose (datum, betrag, art, kategorie, bemerkung)
          select date '2026-01-01' + i % 90, (i % 7) * 10.25 + 0.01,
            case when i % 2 = 0 then 'Einnahme' else 'Ausgabe' end,
            case when i % 5 = 0 then null else 'Gruppe ' || i % 5 end,
            case i when 1 then 'O''Brien & "Söhne"' when 2 then '100% Öl' else 'Größe ' || i end
          from generate_series(1, ${HOW_MANY}) i`,
      )
      server = await openOdata(engine, { origin: ORIGIN })
      app = server.app
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
    })

    const ask = (url: string, authorization: string | null = STAFF, headers: Record<string, string> = {}) =>
      app.inject({
        url: `/odata${url}`,
        headers: { ...(authorization !== null && { authorization }), ...headers },
      })
    const rows = async (url: string, authorization = STAFF): Promise<Rows> => {
      const answer = await ask(url, authorization)
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json<Rows>()
    }
    const refused = async (url: string, authorization: string | null = STAFF) => {
      const answer = await ask(url, authorization)
      const { error } = answer.json<{ error: { code: string; message: string } }>()
      return [answer.statusCode, error.code, error.message] as const
    }
    /** All pages. */
    async function all(url: string, authorization = STAFF): Promise<Record<string, unknown>[]> {
      const found: Record<string, unknown>[] = []
      for (let next: string | undefined = url; next !== undefined; ) {
        const page: Rows = await rows(next, authorization)
        found.push(...page.value)
        next = page['@odata.nextLink']?.replace(`${ORIGIN}/odata`, '')
      }
      return found
    }
    const q = (filter: string, more = '') => `?$filter=${encodeURIComponent(filter)}${more}`

    describe('documents', () => {
      test('the service lists its tables, and says which version it speaks', async () => {
        const answer = await ask('/')
        expect(answer.headers).toMatchObject({
          'odata-version': '4.0',
          'content-type': 'application/json;odata.metadata=minimal;charset=utf-8',
        })
        const { value, ...rest } = answer.json<{ value: { name: string; title: string; url: string }[] }>()
        expect(rest).toEqual({ '@odata.context': `${ORIGIN}/odata/$metadata` })
        expect(value).toContainEqual({
          name: 'rechnung',
          title: 'Rechnungen',
          kind: 'EntitySet',
          url: 'rechnung',
        })
        expect((await ask('')).json()).toEqual(answer.json())
      })

      test('metadata names types, keys, what may be missing, and each column in German', async () => {
        const answer = await ask('/$metadata')
        expect(answer.headers['content-type']).toBe('application/xml;charset=utf-8')
        const xml = answer.body
        expect(xml).toContain('<EntityType Name="kunde"><Key><PropertyRef Name="client_id"/></Key>')
        expect(xml).toContain('<Property Name="client_id" Type="Edm.Int64" Nullable="false">')
        expect(xml).toContain('<Property Name="brutto" Type="Edm.Decimal" Precision="14" Scale="2">')
        expect(xml).toContain('String="Straße und Hausnummer"')
        expect(xml).toContain('<EntitySet Name="kunde" EntityType="Forstkontor.kunde">')
        expect(xml).not.toMatch(/suchtext|sortname|Name="geom"|Name="beleg"/)
      })

      test('as JSON too, for those who ask for nothing else', async () => {
        for (const answer of [
          await ask('/$metadata?$format=json'),
          await ask('/$metadata', STAFF, { accept: 'application/json' }),
        ]) {
          const json = answer.json<Record<string, { kunde: object }>>()
          expect(json['Forstkontor']!.kunde).toMatchObject({
            $Key: ['client_id'],
            name: { $Type: 'Edm.String' },
          })
        }
        // As Power Query asks.
        const accept =
          'application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9,' +
          'application/atomsvc+xml;q=0.8,application/atom+xml;q=0.8,application/xml;q=0.7,text/plain;q=0.7'
        const power = await ask('/$metadata', STAFF, {
          accept,
          'odata-maxversion': '4.0',
          maxdataserviceversion: '3.0',
        })
        expect(power.headers['content-type']).toContain('application/xml')
        const table = await ask('/prognose?$top=1', STAFF, { accept })
        expect(table.headers['content-type']).toContain('application/json;odata.metadata=minimal')
      })

      test('every column of every table has a German name', async () => {
        const tables = await describer(engine.api)()
        const bare = [...tables.values()].flatMap(({ set, properties }) =>
          [...properties.values()]
            .filter(({ name, label }) => name === label)
            .map(({ name }) => `${set.name}.${name}`),
        )
        expect(bare).toEqual([])
      })

      test('its groups are those of the keys, and its keys tell rows apart', async () => {
        for (const { relation, group, key } of ENTITY_SETS) {
          const { rows: found } = await engine.owner.query<{ g: string; twice: number }>(
            `select rights.group_of($1) as g,
              (select count(*) - count(distinct t."${key}") from app."${relation}" t)::int as twice`,
            [relation],
          )
          expect([relation, found[0]]).toEqual([relation, { g: group, twice: 0 }])
        }
      })
    })

    describe('rows', () => {
      const CASES: readonly (readonly [filter: string, condition: string])[] = [
        ['betrag gt 20', 'betrag > 20'],
        ['betrag eq 10.26', 'betrag = 10.26'],
        ["art eq 'Einnahme' and betrag le 20.51", "art = 'Einnahme' and betrag <= 20.51"],
        ['kategorie eq null', 'kategorie is null'],
        ["kategorie ne 'Gruppe 1'", "kategorie is distinct from 'Gruppe 1'"],
        ["not (kategorie eq 'Gruppe 1')", "kategorie is distinct from 'Gruppe 1'"],
        ["kategorie in ('Gruppe 1','Gruppe 2')", "kategorie in ('Gruppe 1', 'Gruppe 2')"],
        ["kategorie in ('Gruppe 1',null)", "kategorie is null or kategorie = 'Gruppe 1'"],
        ['datum ge 2026-02-01 and datum lt 2026-03-01', "datum >= '2026-02-01' and datum < '2026-03-01'"],
        ['datum ge 2026-02-01T00:00:00Z', "datum >= '2026-02-01'"],
        ['year(datum) eq 2026 and month(datum) eq 3', 'extract(month from datum) = 3'],
        ['day(datum) eq 5', 'extract(day from datum) = 5'],
        ["contains(bemerkung,'ß')", "bemerkung like '%ß%'"],
        ["startswith(bemerkung,'Größe 1')", "bemerkung like 'Größe 1%'"],
        ["endswith(tolower(bemerkung),'99')", "bemerkung like '%99'"],
        ["bemerkung eq 'O''Brien & \"Söhne\"'", 'id = (select min(id) from app.prognose)'],
        ["contains(bemerkung,'%')", "bemerkung = '100% Öl'"],
        ["toupper(kategorie) eq 'GRUPPE 3'", "kategorie = 'Gruppe 3'"],
        ['length(bemerkung) eq 7', 'length(bemerkung) = 7'],
        ["substring(bemerkung,6) eq '17'", "bemerkung = 'Größe 17'"],
        ["substring(bemerkung,0,5) eq 'Größe'", "bemerkung like 'Größe%'"],
        ["indexof(bemerkung,'e') eq 4", "strpos(bemerkung, 'e') = 5"],
        ["concat(art,' neu') eq 'Ausgabe neu'", "art = 'Ausgabe'"],
        ['betrag mul 2 gt 41', 'betrag * 2 > 41'],
        ['betrag sub 0.01 eq 20.5', 'betrag = 20.51'],
        ['id mod 2 eq 0', 'id % 2 = 0'],
        ['round(betrag) eq 31 or floor(betrag) eq 10', 'round(betrag) = 31 or floor(betrag) = 10'],
        ['geaendert_am le now() and year(geaendert_am) gt 2000', 'true'],
        ['version eq 1 and (betrag lt 1 or betrag gt 60)', 'betrag < 1 or betrag > 60'],
      ]
      test.each(CASES)('%s', async (filter, condition) => {
        const { rows: wanted } = await engine.owner.query<{ id: number }>(
          `select id from app.prognose where ${condition} order by id`,
        )
        expect(wanted.length, 'the case finds something').toBeGreaterThan(0)
        const found = await all(`/prognose${q(filter, '&$select=id')}`)
        expect(found).toEqual(wanted)
      })

      test.each([
        ['2.5', '3'],
        ['-2.5', '-3'],
        ['0.49999999999999994', '0'],
        ['4503599627370497.5', '4.503599627370498e+15'],
        ['1e300', '1e+300'],
      ])('half of a double is rounded away from zero: round(%s) is %s', async (number, wanted) => {
        const values: unknown[] = []
        const formula = apply('roundDouble', valueOf(number, 'double precision')) as Formula<never>
        const text = formulaText(formula, String, (value) => `$${values.push(value)}`)
        const { rows } = await engine.owner.query<{ found: string }>(
          `select (${text})::text as found`,
          values,
        )
        expect(rows).toEqual([{ found: wanted }])
      })

      test('columns, order, page and count as asked', async () => {
        const page = await rows(
          '/prognose?$select=id,betrag&$orderby=betrag desc,id desc&$top=2&$skip=1&$count=true',
        )
        const { rows: wanted } = await engine.owner.query<{ id: number }>(
          'select id from app.prognose order by betrag desc, id desc limit 2 offset 1',
        )
        expect(page).toEqual({
          '@odata.context': `${ORIGIN}/odata/$metadata#prognose(id,betrag)`,
          '@odata.count': HOW_MANY,
          value: wanted.map(({ id }) => ({ id, betrag: 61.51 })),
        })
        // Columns to sort by need not be shown.
        expect(Object.keys((await rows('/prognose?$select=art&$orderby=betrag&$top=1')).value[0]!)).toEqual([
          'art',
        ])
      })

      test('no rows with $top=0, nor beyond the last, but their number', async () => {
        expect(await rows('/prognose?$top=0&$count=true')).toMatchObject({
          '@odata.count': HOW_MANY,
          value: [],
        })
        expect(await rows('/prognose?$skip=9000&$count=true')).toMatchObject({
          '@odata.count': HOW_MANY,
          value: [],
        })
        expect((await ask(`/prognose/$count${q('betrag gt 20')}`)).body).toMatch(/^\d+$/)
        expect((await ask('/prognose/$count')).body).toBe(String(HOW_MANY))
      })

      test('missing values come first, as the standard says', async () => {
        const [first] = (await rows('/prognose?$orderby=kategorie&$top=1&$select=kategorie')).value
        const [last] = (await rows('/prognose?$orderby=kategorie desc&$top=1&$select=kategorie')).value
        expect([first, last]).toEqual([{ kategorie: null }, { kategorie: 'Gruppe 4' }])
      })

      test('amounts keep their digits; as texts for who cannot read them otherwise', async () => {
        await engine.owner.query(
          "insert into app.prognose (datum, betrag, art) values ('2027-01-01', 123456789012.34, 'Einnahme')",
        )
        const [row] = (await rows(`/prognose${q('datum eq 2027-01-01', '&$select=betrag,datum')}`)).value
        expect(row).toEqual({ betrag: 123_456_789_012.34, datum: '2027-01-01' })
        const exact = await ask(`/prognose${q('datum eq 2027-01-01', '&$select=id,betrag')}`, STAFF, {
          accept: 'application/json;IEEE754Compatible=true',
        })
        expect(exact.headers['content-type']).toContain('IEEE754Compatible=true')
        expect(exact.json<Rows>().value[0]).toMatchObject({ betrag: '123456789012.34' })
        await engine.owner.query("delete from app.prognose where datum = '2027-01-01'")
      })

      test('without and with all metadata', async () => {
        const none = await rows('/prognose?$top=1&$select=id&$format=application/json;odata.metadata=none')
        expect(Object.keys(none)).toEqual(['value'])
        const full = await rows(
          '/prognose?$top=1&$select=betrag&$format=application/json;odata.metadata=full',
        )
        const [row] = full.value
        expect(row).toMatchObject({ '@odata.type': '#Forstkontor.prognose', 'betrag@odata.type': '#Decimal' })
        expect(row!['@odata.id']).toMatch(/^https:\/\/forst\.example\/odata\/prognose\(\d+\)$/)
      })

      test('one row, and one of its columns', async () => {
        const [{ id, bemerkung } = {}] = (await rows('/prognose?$top=1')).value
        for (const url of [
          `/prognose(${String(id)})`,
          `/prognose(id=${String(id)})`,
          `/prognose(${String(id)})?$select=id`,
        ])
          expect((await ask(url)).json()).toMatchObject({ id })
        expect((await ask(`/prognose(${String(id)})/bemerkung`)).json()).toMatchObject({ value: bemerkung })
        expect(await refused('/prognose(999999)')).toMatchObject([404, 'not_found', /Zeile/])
        expect(await refused("/prognose('1')")).toMatchObject([400, 'bad_value', /Nummer/])
        expect(await refused('/prognose(id=1 or 1 eq 1)')).toMatchObject([400, 'bad_value', /Nummer/])
      })

      test('the search is that of the list', async () => {
        const { rows: wanted } = await engine.owner.query<{ client_id: number; name: string }>(
          'select client_id, name from app.kunde order by client_id limit 1',
        )
        const word = wanted[0]!.name.split(' ')[0]!
        const found = await rows(`/kunde?$search=${encodeURIComponent(word)}&$select=client_id`)
        expect(found.value).toContainEqual({ client_id: wanted[0]!.client_id })
        expect((await rows('/kunde?$search=gibtesnicht')).value).toEqual([])
        expect(await refused('/prognose?$search=a')).toMatchObject([400, 'bad_value', /durchsuchen/])
        expect(await refused('/kunde?$search=a OR b')).toMatchObject([400, 'bad_value', /OR/])
      })
    })

    describe('pages', () => {
      const ORDERS = [
        '',
        '$orderby=betrag',
        '$orderby=kategorie',
        '$orderby=kategorie desc,datum',
        '$orderby=id desc',
      ]
      test.each(ORDERS)('without gaps: %s', async (order) => {
        const prefer = { prefer: 'odata.maxpagesize=37' }
        const first = await ask(`/prognose?$select=id&${order}`, STAFF, prefer)
        expect(first.headers['preference-applied']).toBe('odata.maxpagesize=37')
        const found: unknown[] = []
        let page = first.json<Rows>()
        for (;;) {
          found.push(...page.value.map(({ id }) => id))
          const next = page['@odata.nextLink']
          if (next === undefined) break
          // What is written meanwhile moves nothing.
          await engine.owner.query("update app.prognose set bemerkung = 'x' where id = $1", [found[0]])
          page = (await ask(next.replace(`${ORIGIN}/odata`, ''), STAFF, prefer)).json<Rows>()
        }
        expect(found).toHaveLength(HOW_MANY)
        expect(new Set(found).size).toBe(HOW_MANY)
        const whole = (await rows(`/prognose?$select=id&${order}`)).value.map(({ id }) => id)
        expect(found).toEqual(whole)
      })

      test('a question mark within a value is part of it, on every page', async () => {
        const some = `/prognose?$select=id&$filter=not contains(kategorie,'?') and id gt 0&$orderby=id`
        let page = (await ask(some, STAFF, { prefer: 'odata.maxpagesize=10' })).json<Rows>()
        const next = page['@odata.nextLink'] ?? ''
        expect(decodeURIComponent(next)).toContain("contains(kategorie,'?') and id gt 0")
        page = (
          await ask(next.replace(`${ORIGIN}/odata`, ''), STAFF, { prefer: 'odata.maxpagesize=10' })
        ).json<Rows>()
        expect(page.value).toHaveLength(10)
        expect((await ask(`/prognose?$filter=contains(kategorie,'?')`, STAFF)).json<Rows>().value).toEqual([])
      })

      test('$top and $skip count over pages', async () => {
        const prefer = { prefer: 'maxpagesize=10' }
        let page = (await ask('/prognose?$select=id&$top=25&$skip=5&$count=true', STAFF, prefer)).json<Rows>()
        expect(page['@odata.count']).toBe(HOW_MANY)
        const sizes = [page.value.length]
        const found = [...page.value]
        while (page['@odata.nextLink'] !== undefined) {
          page = (
            await ask(page['@odata.nextLink'].replace(`${ORIGIN}/odata`, ''), STAFF, prefer)
          ).json<Rows>()
          sizes.push(page.value.length)
          found.push(...page.value)
        }
        expect(sizes).toEqual([10, 10, 5])
        const { rows: wanted } = await engine.owner.query(
          'select id from app.prognose order by id limit 25 offset 5',
        )
        expect(found).toEqual(wanted)
      })

      test('an address as long as may be is followed to its end, whatever the last rows of its pages say', async () => {
        const prefer = { prefer: 'odata.maxpagesize=60' }
        const start = `/prognose?$orderby=bemerkung,kategorie&$select=id&$filter=(bemerkung%20ne%20%27`
        const of = (length: number) =>
          `${start}${','.repeat(length - '/odata'.length - start.length - 4)}%27)`
        let page = await ask(of(7_168), STAFF, prefer)
        const found: unknown[] = []
        for (let pages = 1; ; pages++) {
          expect(page.statusCode, page.body).toBe(200)
          const { value, ...more } = page.json<Rows>()
          found.push(...value)
          const next = more['@odata.nextLink']?.replace(ORIGIN, '')
          if (next === undefined) break
          expect(next.length).toBeLessThanOrEqual(8_192)
          expect(pages).toBeLessThan(9)
          page = await ask(next.replace('/odata', ''), STAFF, prefer)
        }
        const { rows: wanted } = await engine.owner.query(
          'select id from app.prognose order by bemerkung, kategorie nulls first, id',
        )
        expect(found).toEqual(wanted)
        expect(await refused(of(7_169))).toMatchObject([413, 'too_large', /7168/])
      })

      test('a token of another query, or one that was made up, is refused', async () => {
        for (const token of [
          'x',
          '!!',
          Buffer.from('[null,"1","2","3"]').toString('base64url'),
          Buffer.from('{}').toString('base64url'),
          ...[
            { rows: ['1 or true.aaaaaa'] },
            { rows: [] },
            { rows: Array.from({ length: 41 }, () => '1.aaaaaa') },
            { at: ['1', '2'] },
            { at: [7] },
            { at: ['\0'] },
            { at: [null], isCut: true },
            { isCut: 1 },
          ].map((odd) =>
            Buffer.from(
              JSON.stringify([null, { at: ['1'], isCut: false, rows: ['1.aaaaaa'], isWhole: true, ...odd }]),
            ).toString('base64url'),
          ),
        ])
          expect(await refused(`/prognose?$skiptoken=${token}`)).toMatchObject([
            400,
            'bad_value',
            /skiptoken/,
          ])
        const hostile = Buffer.from(JSON.stringify([null, "1'; drop table app.prognose; --"])).toString(
          'base64url',
        )
        expect(await refused(`/prognose?$skiptoken=${hostile}`)).toMatchObject([400, 'bad_filter', /./])
      })
    })

    describe('refusals', () => {
      const REFUSED: readonly (readonly [url: string, status: number, code: string, said: RegExp])[] = [
        ['/kunde?$expand=hq', 400, 'bad_value', /\$expand wird nicht unterstützt/],
        ['/kunde?$apply=aggregate($count as n)', 400, 'bad_value', /\$apply/],
        ['/kunde?$compute=1', 400, 'bad_value', /\$compute/],
        ['/kunde?filter=name', 400, 'bad_value', /Meinten Sie \$filter/],
        ['/kunde?$Filter=name', 400, 'bad_value', /Meinten Sie \$filter/],
        ['/kunde?$top=1&$top=2', 400, 'bad_value', /zweimal/],
        ['/kunde?$top=-1', 400, 'bad_value', /ganze Zahl/],
        ['/kunde?$count=1', 400, 'bad_value', /true oder false/],
        ['/kunde?$select=passwort', 400, 'bad_value', /„passwort“ gibt es hier nicht/],
        ['/kunde?$select=suchtext', 400, 'bad_value', /„suchtext“ gibt es hier nicht/],
        ['/kunde?$orderby=name up', 400, 'bad_value', /asc oder desc/],
        ['/kunde?$orderby=length(name)', 400, 'bad_value', /nennt nur Spalten/],
        ['/kunde?$format=atom', 406, 'bad_value', /JSON/],
        ['/$metadata?$format=atom', 406, 'bad_value', /JSON/],
        ['/benutzer', 404, 'not_found', /Tabelle/],
        ['/accounts.zugang', 404, 'not_found', /Tabelle/],
        ['/__proto__', 404, 'not_found', /Tabelle/],
        ['/kunde/$ref', 404, 'not_found', /\$count/],
        ['/$batch', 404, 'not_found', /./],
        [`/prognose${q('betrag div 0 eq 1')}`, 400, 'bad_filter', /durch 0/],
        [`/prognose${q('datum eq 2026-02-31')}`, 400, 'bad_filter', /Tag, den es nicht gibt/],
        [`/prognose${q("suchtext eq 'a'")}`, 400, 'bad_filter', /„suchtext“ gibt es hier nicht/],
        [`/prognose${q('id eq 99999999999999999999999')}`, 200, '', /./],
        [
          `/prognose${q(Array.from({ length: 51 }, (_, i) => `id eq ${i}`).join(' or '))}`,
          400,
          'bad_filter',
          /50 Vergleiche/,
        ],
        [
          `/prognose${q(`id in (${Array.from({ length: 1001 }, (_, i) => i % 9).join(',')})`)}`,
          400,
          'bad_filter',
          /1\.000 Werte/,
        ],
        [`/prognose?$filter=${'a'.repeat(9_000)}`, 413, 'too_large', /Zeichen/],
      ]
      test.each(REFUSED.map((one) => [one[0].slice(0, 60), ...one] as const))(
        '%s',
        async (_, url, status, code, said) => {
          const answer = await ask(url)
          expect(answer.statusCode, answer.body).toBe(status)
          if (status === 200) return
          const { error } = answer.json<{ error: { code: string; message: string } }>()
          expect([error.code, error.message]).toEqual([code, expect.stringMatching(said)])
          expect(answer.headers['odata-version']).toBe('4.0')
        },
      )

      test('text of the caller never becomes SQL', async () => {
        const hostile = [
          "'; drop table app.prognose; --",
          "a' or '1'='1",
          '"',
          '\\',
          '$1',
          '%',
          '*',
          "E'\\x41'",
        ]
        for (const text of hostile) {
          const literal = `'${text.replaceAll("'", "''")}'`
          expect((await rows(`/prognose${q(`bemerkung eq ${literal}`)}`)).value).toEqual([])
        }
        for (const name of ['id"', 'id;', "id'", '(select 1)', 'pg_sleep(5)'])
          expect((await ask(`/prognose?$orderby=${encodeURIComponent(name)}`)).statusCode).toBe(400)
        expect((await ask('/prognose/$count')).body).toBe(String(HOW_MANY))
      })

      test('without a sign-in a program is asked for a name and a password', async () => {
        for (const url of ['/', '/$metadata', '/kunde', '/kunde(1)', '/kunde/$count']) {
          const answer = await ask(url, null)
          expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([
            401,
            'Basic realm="Forstkontor", Bearer',
          ])
        }
      })

      test('HEAD answers as GET, OPTIONS says what there is, and nothing is written', async () => {
        const head = await app.inject({
          method: 'HEAD',
          url: '/odata/kunde',
          headers: { authorization: STAFF },
        })
        expect([head.statusCode, head.body, head.headers['odata-version']]).toEqual([200, '', '4.0'])
        const options = await app.inject({ method: 'OPTIONS', url: '/odata/kunde' })
        expect([options.statusCode, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS'])
        const headers = { authorization: STAFF }
        for (const [method, url, status] of [
          ['POST', '/odata/kunde', 405],
          ['PATCH', '/odata/kunde(1)', 405],
          ['DELETE', '/odata/kunde(1)', 405],
          ['POST', '/odata/$batch', 501],
        ] as const)
          for (const type of [
            'application/json',
            'multipart/mixed; boundary=b',
            'application/atom+xml',
            null,
          ]) {
            const sent = { ...headers, ...(type !== null && { 'content-type': type }) }
            const answer = await app.inject({ method, url, headers: sent, payload: '{' })
            expect([answer.statusCode, answer.headers.allow], `${url} ${type}`).toEqual([
              status,
              'GET, HEAD, OPTIONS',
            ])
          }
      })
    })

    describe('rights', () => {
      test('everybody reads the rows and columns that the data API gives them', async () => {
        const tables = await describer(engine.api)()
        for (const name of NAMES as readonly IdentityName[]) {
          const authorization = `Bearer token-${name}`
          for (const { name: table, relation, key } of ENTITY_SETS) {
            const answer = await ask(`/${table}?$select=${key}`, authorization)
            const same = await app.inject({
              url: `/rest/${relation}?select=${key}&order=${key}`,
              headers: { authorization },
            })
            expect([name, table, answer.statusCode]).toEqual([name, table, same.statusCode])
            if (same.statusCode === 200) expect(answer.json<Rows>().value).toEqual(same.json())
          }
        }
        const { properties } = tables.get('kunde')!
        expect([...properties.keys()].filter((name) => INTERNAL_COLUMNS.has(name))).toEqual([])
      })

      test('a person is shown the tables of their half', async () => {
        const shown = async (name: string) =>
          (await rows('/', `Bearer token-${name}`)).value.map((table) => table['name'])
        expect(await shown('ogf_standard')).not.toContain('schacht')
        expect(await shown('ogf_standard')).toContain('habitatbaum')
        expect(await shown('apus_team')).not.toContain('habitatbaum')
        expect(await shown('apus_team')).toContain('schacht')
      })

      test('a key of one customer sees its rows alone; of one group, its tables', async () => {
        const ofKunde = await server.newKey('apus_admin', { client_id: A, nur_lesen: true })
        expect((await rows('/kunde?$select=client_id', ofKunde)).value).toEqual([{ client_id: A }])
        expect((await ask(`/kunde(${B})`, ofKunde)).statusCode).toBe(404)
        expect((await rows(`/kunde${q(`client_id eq ${B} or true`)}`, ofKunde)).value).toHaveLength(1)
        expect((await ask('/kunde/$count', ofKunde)).body).toBe('1')
        const ofGroup = await server.newKey('apus_admin', { gruppen: ['vermessung'] })
        const shown = (await rows('/', ofGroup)).value.map((table) => table['name'])
        expect(shown).toEqual(['draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'])
        expect((await ask('/$metadata', ofGroup)).body).not.toContain('EntityType Name="kunde"')
        const answer = await ask('/kunde', ofGroup)
        expect([answer.statusCode, answer.json()]).toMatchObject([
          403,
          { error: { innererror: { hint: 'key_group' } } },
        ])
        expect((await ask('/schacht', ofGroup)).statusCode).toBe(200)
      })

      test('a key as the password of Basic; one that has ended is refused', async () => {
        const key = (await server.newKey('ogf_admin')).replace('Bearer ', '')
        const basic = `Basic ${Buffer.from(`excel:${key}`).toString('base64')}`
        expect((await rows(`/betrieb${q(`idHQ eq ${A1}`, '&$select=idHQ')}`, basic)).value).toEqual([
          { idHQ: A1 },
        ])
        expect(
          (await refused('/betrieb', `Basic ${Buffer.from(`excel:${key}x`).toString('base64')}`))[0],
        ).toBe(401)
      })
    })

    test('the limit of rows holds, whatever is asked for', async () => {
      const small = await openOdata(engine, { origin: ORIGIN, limits: { maxRows: 20 } })
      const answer = await small.app.inject({
        url: '/odata/prognose?$select=id',
        headers: { authorization: STAFF, prefer: 'odata.maxpagesize=100000' },
      })
      const page = answer.json<Rows>()
      expect([page.value.length, page['@odata.nextLink'] !== undefined]).toEqual([19, true])
      await small.app.close()
    })
  })
