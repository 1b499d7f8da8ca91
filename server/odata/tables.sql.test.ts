import type { FastifyInstance } from 'fastify'
import Papa from 'papaparse'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { type OdataServer, openOdata } from '../../db/test/odata-server.ts'
import { A, type IdentityName, numberOf } from '../../db/test/world.ts'
import { PROGRAM_LISTS } from '#contract/program-lists.ts'

const HOW_MANY = 95
const STAFF = 'Bearer token-apus_admin'
const HOSTILE = `=cmd|'/C calc'!A1;"b"`

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`tables under an address on ${engineName}`, () => {
    let engine: Engine
    let server: OdataServer
    let app: FastifyInstance

    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.query('delete from app.prognose')
      await engine.owner.query(
        `insert into app.prognose (datum, betrag, art, kategorie, bemerkung)
          select date '2026-01-01' + i, i + 0.5, 'Einnahme', case when i % 2 = 0 then 'Öl & Holz' end,
            case i when 1 then $1 else 'Größe ' || i end
          from generate_series(1, ${HOW_MANY}) i`,
        [HOSTILE],
      )
      // Pages of twenty, so that a file has several.
      server = await openOdata(engine, {
        origin: 'https://forst.example',
        limits: { maxRows: 20 },
        mostRows: 100,
      })
      app = server.app
    })
    afterAll(async () => {
      await app?.close()
      await engine?.close()
    })
    const ask = (url: string, authorization: string | null = STAFF) =>
      app.inject({ url: `/tabelle/${url}`, headers: authorization === null ? {} : { authorization } })
    const parsed = (text: string, delimiter: string): string[][] =>
      Papa.parse<string[]>(text.replace(/^\ufeff/, ''), { delimiter, skipEmptyLines: true }).data

    test('every row once over all pages, in German for Excel', async () => {
      const answer = await ask('prognose.csv?$select=id,datum,betrag,kategorie,geaendert_am')
      expect(answer.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="prognose.csv"; filename*=UTF-8''prognose.csv`,
        'cache-control': 'private, no-store',
      })
      expect(answer.body.startsWith('\ufeff')).toBe(true)
      const [head, ...lines] = parsed(answer.body, ';')
      expect(head).toEqual(['Nummer (intern)', 'Datum', 'Betrag (€)', 'Kategorie', 'Geändert am'])
      expect(lines).toHaveLength(HOW_MANY)
      expect(new Set(lines.map(([id]) => id)).size).toBe(HOW_MANY)
      expect(lines[0]!.slice(1, 4)).toEqual(['02.01.2026', '1,50', ''])
      expect(lines[0]![4]).toMatch(/^\d\d\.\d\d\.\d{4} \d\d:\d\d$/)
      expect(lines[1]![3]).toBe('Öl & Holz')
    })

    test('no text becomes a formula; plain for programs if asked', async () => {
      const filter = `$filter=${encodeURIComponent("startswith(bemerkung,'=')")}&$select=bemerkung,betrag`
      expect(parsed((await ask(`prognose.csv?${filter}`)).body, ';')[1]).toEqual([`'${HOSTILE}`, '1,50'])
      const plain = await ask(`prognose.csv?${filter}&form=rfc4180`)
      expect(parsed(plain.body, ',')).toEqual([
        ['bemerkung', 'betrag'],
        [HOSTILE, '1.50'],
      ])
    })

    test('as JSON, with the options of OData', async () => {
      const answer = await ask(`prognose.json?$orderby=betrag desc&$top=45&$skip=1&$select=betrag,bemerkung`)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      const rows = answer.json<{ betrag: number }[]>()
      expect(rows).toHaveLength(45)
      expect(rows.map(({ betrag }) => betrag)).toEqual(
        Array.from({ length: 45 }, (_, i) => HOW_MANY - 0.5 - i),
      )
      expect((await ask(`prognose.json?$filter=${encodeURIComponent('id lt 0')}`)).json()).toEqual([])
      expect((await ask('prognose.json?$top=0')).json()).toEqual([])
    })

    test('what is read is what the caller may read', async () => {
      const key = await server.newKey('apus_admin', { client_id: A })
      expect((await ask('kunde.json?$select=client_id', key)).json()).toEqual([{ client_id: A }])
      const narrow = await server.newKey('apus_admin', { gruppen: ['vermessung'] })
      const answer = await ask('kunde.json', narrow)
      expect([answer.statusCode, answer.json()]).toMatchObject([403, { hint: 'key_group' }])
      expect((await ask('prognose.json', 'Bearer token-appuser')).json()).toEqual([])
    })

    const REFUSED: readonly (readonly [url: string, status: number, code: string])[] = [
      ['kunde', 404, 'not_found'],
      ['kunde.xlsx', 404, 'not_found'],
      ['benutzer.csv', 404, 'not_found'],
      ['kunde.csv?form=html', 400, 'bad_value'],
      ['kunde.csv?$count=true', 400, 'bad_value'],
      ['kunde.csv?filter=x', 400, 'bad_value'],
      ['kunde.csv?$select=suchtext', 400, 'bad_value'],
      ['kunde.csv?$filter=x', 400, 'bad_filter'],
    ]
    test.each(REFUSED)('refuses %s', async (url, status, code) => {
      const answer = await ask(url)
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([status, code])
    })

    test('without a sign-in it asks for a name and a password', async () => {
      const answer = await ask('kunde.csv', null)
      expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([
        401,
        'Basic realm="Forstkontor", Bearer',
      ])
    })

    test('more rows than a file has are refused before anything is sent, unless fewer are asked for', async () => {
      const small = await openOdata(engine, {
        origin: 'https://forst.example',
        limits: { maxRows: 20 },
        mostRows: 50,
      })
      const get = (url: string) =>
        small.app.inject({ url: `/tabelle/${url}`, headers: { authorization: STAFF } })
      const answer = await get('prognose.csv')
      expect([answer.statusCode, answer.json()]).toMatchObject([413, { code: 'too_large' }])
      expect(parsed((await get('prognose.csv?$top=45')).body, ';')).toHaveLength(46)
      expect((await get('prognose.csv?$skip=50')).statusCode).toBe(200)
      await small.app.close()
    })

    describe('saved views', () => {
      let next = 40_000
      /** A view of somebody's, and its address without ending. */
      const save = async (
        name: IdentityName,
        listName: string,
        suche: string,
        columns: string[] | null = null,
      ) => {
        const id = ++next
        await engine.owner.query(
          `insert into app.ansicht (id, user_id, liste, name, suche, spalten) overriding system value
            values ($1, $2, $3, $4, $5, $6)`,
          [
            id,
            numberOf(name),
            listName,
            `Ansicht ${id}`,
            suche,
            columns === null ? null : `{${columns.join(',')}}`,
          ],
        )
        return `${listName}/${id}`
      }
      beforeAll(() =>
        engine.owner
          .query("update app.kunde set ort = 'Öhringen' where client_id = $1", [A])
          .then(() => undefined),
      )

      test('columns, filters, order and words are those of the list', async () => {
        const view = await save('apus_admin', 'kunden', 'sort=-nr', ['ort', 'name', 'kataster', 'nr'])
        const answer = await ask(`${view}.csv`)
        expect(answer.headers['content-disposition']).toBe(
          `attachment; filename="Kunden.csv"; filename*=UTF-8''Kunden.csv`,
        )
        const [head, ...lines] = parsed(answer.body, ';')
        expect(head).toEqual(['Name', 'Namenszusatz', 'Ort', 'Kataster', 'Nr.'])
        const { rows } = await engine.owner.query<{ client_id: number }>(
          'select client_id from app.kunde order by client_id desc',
        )
        expect(lines.map((line) => Number(line.at(-1)))).toEqual(rows.map(({ client_id }) => client_id))
        const found = (
          await ask(`${await save('apus_admin', 'kunden', 'suche=ohringen', ['ort'])}.json`)
        ).json<object[]>()
        expect(found.length).toBeLessThanOrEqual(rows.length)
      })

      test('all rows over several pages, and in English if asked', async () => {
        await engine.owner.query(
          `insert into app.kontoumsatz (schluessel, konto, datum, betrag, name, iban, zweck, datei, quelle)
            select encode(sha256(i::text::bytea), 'hex'), 'DE89370400440532013000', date '2026-01-01' + i % 3,
              case when i % 9 = 0 then -1 else 1 end * (i + 0.25), 'Wahlgruppe ' || i, '', '=1+1',
              'a.xml', 'camt' from generate_series(1, 75) i`,
        )
        const view = await save('apus_admin', 'umsaetze', 'suche=wahlgruppe&sort=datum', [
          'datum',
          'name',
          'betrag',
          'zweck',
        ])
        const [head, ...lines] = parsed((await ask(`${view}.csv`)).body, ';')
        expect(head).toEqual(['Datum', 'Name', 'Betrag', 'Verwendungszweck'])
        expect(lines).toHaveLength(75)
        expect(new Set(lines.map(([, name]) => name)).size).toBe(75)
        expect(lines.map(([day]) => day)).toEqual(lines.map(([shown]) => shown!).toSorted())
        expect(new Set(lines.map((line) => line.at(-1)))).toEqual(new Set(["'=1+1"]))
        const english = parsed((await ask(`${view}.csv?sprache=en&form=rfc4180`)).body, ',')
        expect(english[0]![0]).toBe('Date')
        expect(english[1]).toEqual([
          expect.stringMatching(/^2026-/),
          expect.any(String),
          expect.any(String),
          '=1+1',
        ])
        // The German words are still German.
        expect(parsed((await ask(`${view}.csv`)).body, ';')[0]).toEqual(head)
        const rows = (await ask(`${view}.json`)).json<object[]>()
        expect([rows.length, Object.keys(rows[0]!)]).toEqual([75, head])
      })

      test('the address follows the view', async () => {
        const view = await save('apus_admin', 'kunden', '', ['name'])
        expect(parsed((await ask(`${view}.csv`)).body, ';')[0]).toEqual(['Name', 'Namenszusatz'])
        await engine.owner.query(
          "update app.ansicht set spalten = '{ort}', suche = 'sort=ort' where id = $1",
          [view.split('/')[1]],
        )
        expect(parsed((await ask(`${view}.csv`)).body, ';')[0]).toEqual(['Name', 'Namenszusatz', 'Ort'])
        await engine.owner.query('delete from app.ansicht where id = $1', [view.split('/')[1]])
        expect((await ask(`${view}.csv`)).statusCode).toBe(404)
      })

      test('somebody else’s does not exist, nor one of another list, or of a list without an address', async () => {
        const view = await save('apus_admin', 'kunden', '')
        expect((await ask(`${view}.csv`, 'Bearer token-apus_team')).statusCode).toBe(404)
        expect((await ask(`${view}.csv`, 'Bearer token-appuser')).statusCode).toBe(404)
        expect((await ask(`${view.replace('kunden', 'rechnungen')}.csv`)).statusCode).toBe(404)
        for (const url of [
          'kunden/1.xlsx',
          'kunden/x.csv',
          'kunden/999999.csv',
          '__proto__/1.csv',
          'serien/1.csv',
        ])
          expect([url, (await ask(url)).statusCode]).toEqual([url, 404])
        expect((await ask(`${view}.csv?$filter=x`)).statusCode).toBe(400)
      })

      test('a narrow key reads its owner’s view, and of it what the key opens', async () => {
        const view = await save('apus_admin', 'kunden', '', ['nr'])
        const ofKunde = await server.newKey('apus_admin', {
          client_id: A,
          gruppen: ['kunden'],
          nur_lesen: true,
        })
        expect((await ask(`${view}.json`, ofKunde)).json()).toMatchObject([{ 'Nr.': A }])
        const other = await server.newKey('apus_admin', { gruppen: ['vermessung'] })
        expect((await ask(`${view}.json`, other)).statusCode).toBe(403)
        const stranger = await server.newKey('apus_team', {})
        expect((await ask(`${view}.json`, stranger)).statusCode).toBe(404)
      })

      test('what a view says never becomes more than filters', async () => {
        for (const suche of [
          "suche=x')&select=*",
          'sort=passwort',
          'kunde=1;drop',
          'suche=%00%0a*%25',
          'seite=99999',
        ]) {
          const answer = await ask(`${await save('apus_admin', 'kunden', suche)}.json`)
          expect([suche, answer.statusCode]).toEqual([suche, 200])
        }
      })

      test('people of a customer read their plans, in the words that they see', async () => {
        await engine.owner.query(
          `update app.kartenblatt set show_client = client_id = $1, client_status = 'offen'`,
          [A],
        )
        const { rows } = await engine.owner.query<{ map_name: string }>(
          'select map_name from app.kartenblatt where client_id = $1',
          [A],
        )
        const read = async (name: IdentityName) => {
          const view = await save(name, 'karten-eigene', '', ['name', 'tun'])
          const [head, ...lines] = parsed((await ask(`${view}.csv`, `Bearer token-${name}`)).body, ';')
          expect(head).toEqual(['Name', 'Was zu tun ist', 'Ihre Antwort'])
          expect(lines.map(([plan]) => String(plan)).toSorted()).toEqual(
            rows.map((row) => row.map_name).toSorted(),
          )
          return lines.map(([, todo]) => todo)
        }
        expect(new Set(await read('appuser'))).toEqual(
          new Set(['Die Verwaltung Ihres Betriebs wird um Antwort gebeten']),
        )
        expect(new Set(await read('appuser_admin'))).toEqual(new Set(['Bitte ansehen und antworten']))
      })

      test('every list with an address can be read, as the screens declare it', async () => {
        for (const list of Object.keys(PROGRAM_LISTS)) {
          const name = list === 'abos' ? 'ogf_admin' : 'apus_admin'
          const answer = await ask(`${await save(name, list, '')}.csv`, `Bearer token-${name}`)
          expect([list, answer.statusCode, answer.body.length > 10]).toEqual([list, 200, true])
        }
      })
    })
  })
