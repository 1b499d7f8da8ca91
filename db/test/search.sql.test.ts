// How the jump-to search parses input and orders its results; cells/search.ts covers who may find what.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attempt, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, type IdentityName, NAMES } from './world.ts'

const KUNDEN = [
  'Müller',
  'Müller Forst GbR',
  'Forstbetrieb Müller',
  'Mueller Holz',
  'Muller Säge',
  'Obermüllerau',
  'Weiß & Söhne',
  'C. 50%_ Rabatt (GmbH)',
  'Schloss-Forst Ää',
]

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`search on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      const values = KUNDEN.map(
        (name, nr) => `(${500 + nr}, '${name}', 'Gasse ${nr}', '9900${nr}', 'Weimar')`,
      )
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into app.kunde (client_id, name, strasse, plz, ort) values ${values.join(', ')};
        insert into app.benutzer (user_id, email, username, first_name, last_name)
          values (700, 'jürgen.käßler@wald.example', 'jk', 'Jürgen', 'Käßler'),
          (701, 'ohne@wald.example', 'ohne.namen', null, null);
        commit`)
    })
    afterAll(() => engine?.close())

    async function search(
      text: string,
      kinds: string[] | null = null,
      limit = 20,
      who: IdentityName = 'ogf_admin',
    ) {
      const outcome = await attempt(
        engine.api,
        claimsOf(who),
        sql('select * from app.a_suche($1, $2::text[], $3)', text, kinds, limit),
      )
      if ('code' in outcome) throw new Error(`${outcome.code} ${outcome.message}`)
      return outcome.rows
    }
    const titles = async (text: string) => (await search(text, ['kunde'])).map((row) => row['titel'])

    test('whole title, beginning of the title, word of the title, inside', async () => {
      expect(await titles('müller')).toEqual([
        'Müller',
        'Mueller Holz',
        'Müller Forst GbR',
        'Muller Säge',
        'Forstbetrieb Müller',
        'Obermüllerau',
      ])
    })
    for (const text of ['mueller', 'muller', 'MÜLLER', '  Müller '])
      test(`${text} is müller`, async () => expect(await titles(text)).toEqual(await titles('müller')))
    test('every word must be there, in any order', async () =>
      expect(await titles('müll forst')).toEqual(['Forstbetrieb Müller', 'Müller Forst GbR']))
    test('ß is ss, a lone & is no word', async () => {
      expect(await titles('weiss & soehne')).toEqual(['Weiß & Söhne'])
      expect(await titles('Weiß')).toEqual(['Weiß & Söhne'])
    })
    test('the other text of a record: postcode, place, street', async () => {
      expect(await titles('99003')).toEqual(['Mueller Holz'])
      expect(await titles('weimar gasse')).toHaveLength(KUNDEN.length)
    })
    test('a number comes first', async () => expect((await titles('503'))[0]).toBe('Mueller Holz'))
    test('with a # it is nothing but the number', async () =>
      expect(await titles('#503')).toEqual(['Mueller Holz']))
    test('two letters find beginnings of words only', async () => {
      expect(await titles('fo')).toEqual(expect.arrayContaining(['Forstbetrieb Müller', 'Müller Forst GbR']))
      expect(await titles('ll')).toEqual([])
      expect(await titles('mü')).toContain('Muller Säge')
    })
    test('one letter alone, and nothing, find nothing', async () => {
      for (const text of ['m', '', '   ', '&', '%', '_', '*']) expect(await search(text), text).toEqual([])
    })
    test('signs of patterns are what they look like', async () => {
      expect(await titles('50%_')).toEqual(['C. 50%_ Rabatt (GmbH)'])
      expect(await titles('(gmbh)')).toEqual(['C. 50%_ Rabatt (GmbH)'])
      for (const text of [
        'm.*',
        '.+',
        'müller|forst',
        '[a-z]ller',
        'mü\\w+',
        '***:x',
        'a{1,99999}',
        '(',
        '%rst%',
        "'; drop table app.kunde; --",
        '😀',
        '\u202emüller',
      ])
        expect(await titles(text), text).toEqual([])
    })
    test('ten thousand letters are cut and not refused', async () =>
      expect(await search('müller '.repeat(2000), ['kunde'])).not.toEqual([]))
    test('a number beyond all numbers', async () => expect(await search('9'.repeat(60))).toEqual([]))
    test('people by name, address and the letters of both', async () => {
      for (const text of ['jürgen', 'kässler', 'Käßler jue', 'jürgen.käßler@wald', 'kassler'])
        expect(await search(text, ['benutzer']), text).toMatchObject([
          { art: 'benutzer', id: 700, titel: 'Jürgen Käßler', zusatz: 'jürgen.käßler@wald.example' },
        ])
      expect(await search('ohne.namen', ['benutzer'])).toMatchObject([{ titel: 'ohne.namen' }])
    })
    test('a person comes with the customer that the caller sees them at', async () => {
      expect(await search('nach201', ['benutzer'])).toMatchObject([{ id: 201, client_id: 1 }])
      expect(await search('nach201', ['benutzer'], 5, 'kundenadmin')).toMatchObject([
        { id: 201, client_id: 1 },
      ])
      expect(await search('nach202', ['benutzer'])).toMatchObject([{ id: 202, client_id: null }])
    })
    test('kinds that were not asked for are left out, unknown ones are nothing', async () => {
      expect(new Set((await search('a')).map((row) => row['art']))).toEqual(new Set())
      expect(new Set((await search('vor', ['benutzer'])).map((row) => row['art']))).toEqual(
        new Set(['benutzer']),
      )
      expect(await search('vor', ['unbekannt'])).toEqual([])
    })
    test('so many of each kind and no more', async () => {
      expect(await search('gasse', ['kunde'], 3)).toHaveLength(3)
      expect(await search('gasse', ['kunde'], -5)).toHaveLength(1)
      expect((await search('nach', ['benutzer'], 1_000_000)).length).toBeLessThanOrEqual(50)
    })

    describe('documents', () => {
      const ids = async (text: string, art: string, who: IdentityName = 'apus_admin') =>
        (await search(text, [art], 20, who)).map((row) => row['id'])

      test.each([
        ['the number', 'RE-2026-0001', [2]],
        ['the customer, newest first', 'forst a', [51, 2, 1]],
        ['the state of a draft', 'entwurf', [1]],
      ])('an invoice by %s', async (_, text, found) => expect(await ids(text, 'rechnung')).toEqual(found))

      test('the end of a number before other matches', async () =>
        expect((await ids('0001', 'rechnung'))[0]).toBe(2))

      test('by their amount, however it is written', async () => {
        await engine.owner.script(`begin; set local role forst_betrieb;
          insert into app.rechnung (id, client_id, le_date, rn_datum, ust_satz, netto, steuer, brutto, zahlbetrag)
            values (77, 1, '2026-01-05', '2026-01-05', 19, 1037.39, 197.11, 1234.5, 1234.5); commit`)
        for (const text of ['1234,50', '1.234,50', '1234.5', '1.234,50 €', ' 1234,5 EUR'])
          expect(await ids(text, 'rechnung'), text).toEqual([77])
        expect(await ids('1234,51', 'rechnung')).toEqual([])
        expect((await search('1234,50', ['rechnung'], 5, 'apus_admin'))[0]).toMatchObject({
          titel: 'Rechnungsentwurf',
          zusatz: 'Forst A · 1.234,50 € · 05.01.2026',
        })
      })

      test('an offer by its number; customers find what was issued to them, never a draft', async () => {
        expect(await ids('AN-2026-0001', 'angebot')).toEqual([2])
        expect(await ids('AN-2026-0001', 'angebot', 'kundenadmin')).toEqual([2])
        expect(await ids('forst a', 'rechnung', 'kundenadmin')).toEqual([51, 2])
        expect(await ids('1234,50', 'rechnung', 'kundenadmin')).toEqual([])
        expect(await ids('RE-2026-0002', 'rechnung', 'kundenadmin')).not.toContain(3)
        expect(await ids('RE-2026-0002b', 'rechnung', 'kundenadmin')).toEqual([])
        expect(await ids('RE-2026-0001', 'rechnung', 'ogf_admin')).toEqual([])
      })
    })

    describe('an auditor', () => {
      const ids = async (text: string, art: string) =>
        (await search(text, [art], 20, 'pruefer')).map((row) => row['id'])

      test('finds what is issued by number and by the customer’s name, as it is named to them', async () => {
        expect(await search('RE-2026-0001', ['rechnung'], 20, 'pruefer')).toMatchObject([
          { id: 2, zusatz: expect.stringContaining('Forst A') as unknown },
        ])
        expect(await ids('forst a', 'rechnung')).toEqual([51, 2])
        expect(await ids('AN-2026-0001', 'angebot')).toEqual([2])
      })
      test('finds no draft, and no invoice by what only the customer’s record says', async () => {
        expect(await ids('entwurf', 'rechnung')).toEqual([])
        expect(await ids('1234,50', 'rechnung')).toEqual([])
        expect(await ids('leipzig', 'rechnung')).toEqual([])
        expect(await search('leipzig', ['rechnung'], 20, 'apus_admin')).not.toEqual([])
      })
    })

    test('received invoices by number, sender and amount; recurring ones by title and customer', async () => {
      const ids = async (text: string, art: string, who: IdentityName = 'apus_admin') =>
        (await search(text, [art], 20, who)).map((row) => row['id'])
      for (const who of ['apus_admin', 'pruefer'] as const) {
        expect(await ids('e-1', 'eingang', who)).toEqual([71])
        expect(await ids('harvester', 'eingang', who)).toEqual([71])
        expect(await ids('119,00', 'eingang', who)).toEqual([74, 73, 72, 71])
      }
      expect(await search('e-1', ['eingang'], 20, 'apus_admin')).toMatchObject([
        { titel: 'E-1', zusatz: 'Harvester GmbH · 119,00 € · 01.02.2026', client_id: null },
      ])
      expect((await ids('monitoring a', 'serie'))[0]).toBe(1)
      expect(await ids('monitoring zz', 'serie')).toEqual([])
      expect(await ids('forst b', 'serie')).toContain(2)
      for (const who of ['pruefer', 'kundenadmin', 'ogf_admin'] as const)
        expect(await ids('monitoring', 'serie', who), who).toEqual([])
      for (const who of ['kundenadmin', 'ogf_admin', 'apus_team'] as const)
        expect(await ids('harvester', 'eingang', who), who).toEqual([])
    })

    test('a tree by its number, and by number and holding', async () => {
      expect(await search('h1', ['habitatbaum'])).toMatchObject([{ id: 1, titel: 'H1' }])
      expect(await search('h1 eins', ['habitatbaum'])).toMatchObject([{ id: 1 }])
      expect(await search('h1 zwei', ['habitatbaum'])).toEqual([])
      expect(await search('h3', ['habitatbaum'], 5, 'kundenadmin')).toEqual([])
    })

    test('many foreign records push no own one out, and none of them shows', async () => {
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into app.kunde (client_id, name, strasse, plz, ort)
          select 2000 + i, 'Forst A ' || i, 'Weg', '04103', 'Leipzig' from generate_series(1, 600) i;
        commit`)
      expect(await search('forst a', ['kunde'], 50, 'kundenadmin')).toEqual([
        { art: 'kunde', id: 1, titel: 'Forst A', zusatz: '04103 Leipzig', client_id: 1, rang: 0 },
      ])
      expect((await search('forst a', ['kunde'], 1)).map((row) => row['id'])).toEqual([1])
    })

    test('nobody finds what the tables would not show', async () => {
      for (const name of NAMES) {
        const readable = new Map<string, Set<unknown>>()
        for (const [art, table, key] of [
          ['kunde', 'kunde', 'client_id'],
          ['hq', 'hq', '"idHQ"'],
          ['benutzer', 'benutzer', 'user_id'],
          ['karte', 'karte', 'id'],
          ['habitatbaum', 'habitatbaeume', 'id'],
          ['eingang', 'eingang', 'id'],
          ['serie', 'serie', 'id'],
        ] as const) {
          const outcome = await attempt(
            engine.api,
            claimsOf(name),
            sql(`select ${key} as id from app.${table}`),
          )
          readable.set(art, new Set('code' in outcome ? [] : outcome.rows.map((row) => row['id'])))
        }
        for (const art of ['rechnung', 'angebot']) {
          const own = await attempt(
            engine.api,
            claimsOf(name),
            sql(`select id from app.${art} union select id from app.__o_get_dokumente() where art = $1`, art),
          )
          const ids = 'code' in own ? [] : own.rows.map((row) => row['id'])
          readable.set(art, new Set(ids))
        }
        const texts =
          'forst eins zwei plan nach test weg 1 21 203 re-2026 2026 0,00 h1 h3 harvester monitoring'.split(
            ' ',
          )
        for (const text of texts)
          for (const { art, id } of await search(text, null, 50, name))
            expect(readable.get(String(art))?.has(id), `${name}: ${text}: ${String(art)} ${String(id)}`).toBe(
              true,
            )
      }
    })
  })
