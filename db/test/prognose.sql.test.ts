// Forecasts, templates and text blocks: their answers, every refusal with its rule and field, versions,
// history.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseFault, type Statement } from '#server/database/database.ts'
import platzhalter from '#domain/placeholders.cases.json' with { type: 'json' }
import { asCaller, attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf } from './world.ts'

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`forecasts and templates on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const as = (...statements: Statement[]) => attempt(engine.api, claimsOf('apus_admin'), ...statements)
    /** Field and rule of a refusal, as the client reads them. */
    const refusal = async (statement: Statement): Promise<string> => {
      try {
        await engine.api.transaction(
          asCaller(claimsOf('apus_admin')),
          async (tx) => void (await tx.query(statement)),
        )
      } catch (error) {
        if (error instanceof DatabaseFault) return `${error.code} ${error.column ?? '-'} ${error.hint ?? '-'}`
        throw error
      }
      return 'done'
    }

    describe('a forecast', () => {
      const add = (
        datum: unknown,
        amount: unknown,
        art: unknown,
        category: string | null = null,
        remark: string | null = null,
      ) => sql('select app.a_insert_prognose($1, $2, $3, $4, $5) as id', datum, amount, art, category, remark)
      test('is answered by day, its amount as text', async () =>
        expect(
          await as(
            add('2026-12-14', '0.10', 'Ausgabe', ' Reisekosten ', ''),
            sql('select datum, betrag, art, kategorie, bemerkung, version from app.a_get_prognose()'),
          ),
        ).toMatchObject({
          rows: [
            { betrag: '1200.50', art: 'Einnahme', kategorie: 'Vermessung', version: 1 },
            { betrag: '0.10', art: 'Ausgabe', kategorie: 'Reisekosten', bemerkung: null },
            { betrag: '800.00', art: 'Ausgabe', kategorie: null },
          ],
        }))
      test.each([
        ['no day', add(null, '1', 'Ausgabe'), '23514 datum fehlt'],
        ['a day long ago', add('1999-12-31', '1', 'Ausgabe'), '23514 datum datum_bereich'],
        ['a day in a far future', add('2101-01-01', '1', 'Ausgabe'), '23514 datum datum_bereich'],
        ['no amount', add('2026-12-01', null, 'Ausgabe'), '23514 betrag fehlt'],
        ['nothing', add('2026-12-01', '0', 'Ausgabe'), '23514 betrag betrag_positiv'],
        ['less than nothing', add('2026-12-01', '-5', 'Ausgabe'), '23514 betrag betrag_positiv'],
        ['a third of a cent', add('2026-12-01', '1.005', 'Ausgabe'), '23514 betrag betrag_stellen'],
        ['too much', add('2026-12-01', '1000000000000', 'Ausgabe'), '23514 betrag betrag_gross'],
        ['not a number', add('2026-12-01', 'NaN', 'Ausgabe'), '23514 betrag betrag_gross'],
        ['another kind', add('2026-12-01', '1', 'einnahme'), '23514 art prognose_art'],
        ['no kind', add('2026-12-01', '1', null), '23514 art prognose_art'],
        ['a long category', add('2026-12-01', '1', 'Ausgabe', 'x'.repeat(61)), '23514 kategorie zeile_60'],
        [
          'a remark of two lines',
          add('2026-12-01', '1', 'Ausgabe', null, 'a\nb'),
          '23514 bemerkung zeile_500',
        ],
      ])('%s is refused at its field', async (_what, statement, expected) =>
        expect(await refusal(statement)).toBe(expected),
      )
      test('a change keeps what is not sent, empties what is sent empty, and raises the version', async () => {
        expect(
          await as(
            sql(`select app.a_update_prognose(1, '2026-12-02', 99.9, 'Einnahme')`),
            sql(
              `select app.a_update_prognose(1, '2026-12-02', '77', 'Ausgabe', bemerkung => 'Storno',
               kategorie => null, version => 2)`,
            ),
            sql('select betrag, art, kategorie, bemerkung, version from app.a_get_prognose() where id = 1'),
          ),
        ).toMatchObject({
          rows: [
            { betrag: '77.00', art: 'Ausgabe', kategorie: 'Vermessung', bemerkung: 'Storno', version: 3 },
          ],
        })
        expect(
          await as(
            sql(`select app.a_update_prognose(1, '2026-12-02', 1, 'Einnahme', '')`),
            sql('select kategorie from app.a_get_prognose() where id = 1'),
          ),
        ).toMatchObject({ rows: [{ kategorie: null }] })
      })
      test('a change that is based on an older version is refused', async () =>
        expect(
          await refusal(sql(`select app.a_update_prognose(1, '2026-12-02', 1, 'Einnahme', version => 9)`)),
        ).toBe('PT409 - changed_meanwhile'))
      test('a change is checked like a new one', async () =>
        expect(await refusal(sql(`select app.a_update_prognose(1, '2026-12-02', 0, 'Einnahme')`))).toBe(
          '23514 betrag betrag_positiv',
        ))
      test('past the procedures the table holds the same bounds', async () => {
        for (const values of [
          `'2026-01-01', 0, 'Ausgabe'`,
          `'2026-01-01', 'NaN', 'Ausgabe'`,
          `'2026-01-01', 1, 'x'`,
          `'1999-01-01', 1, 'Ausgabe'`,
        ])
          expect(
            await as(sql(`insert into app.prognose (datum, betrag, art) values (${values})`)),
          ).toMatchObject({ code: '23514' })
      })
      test('its deletion stays in the history', async () =>
        expect(
          await as(
            sql('select app.a_delete_prognose(2)'),
            sql(
              `select alt ->> 'betrag' as betrag from app.verlauf
               where tabelle = 'prognose' and schluessel = '2' and aktion = 'geloescht'`,
            ),
          ),
        ).toMatchObject({ rows: [{ betrag: '800.00' }] }))
    })

    describe('a template of a position', () => {
      const save = (more: Record<string, unknown>) => {
        const row = { bez: 'Pflock setzen', einheit: 'Stk', ep: '12.5', ...more }
        const names = Object.keys(row)
        return sql(
          `select app.a_save_position_tmpl(${names.map((name, at) => `${name} => $${at + 1}`).join(', ')}) as id`,
          ...Object.values(row),
        )
      }
      test('is answered with text amounts, by group and name, without the archived ones', async () => {
        const { rows } = (await as(
          save({ gruppe: 'Äußeres', ep: '-3.1415', ust_satz: '7' }),
          save({ bez: 'alt', archiviert: true }),
          sql('select bez, ep, ust_satz from app.a_get_position_tmpl()'),
        )) as { rows: object[] }
        expect(rows).toEqual([
          { bez: 'Pflock setzen', ep: '-3.1415', ust_satz: '7.00' },
          { bez: 'Dränage einmessen', ep: '0.8500', ust_satz: null },
        ])
        expect(
          await as(
            save({ bez: 'alt', archiviert: true }),
            sql('select * from app.a_get_position_tmpl(true)'),
          ),
        ).toMatchObject({
          count: 2,
        })
      })
      test.each([
        ['no name', save({ bez: ' ' }), '23514 bez fehlt'],
        ['a long name', save({ bez: 'x'.repeat(201) }), '23514 bez zeile_200'],
        ['no unit', save({ einheit: null }), '23514 einheit fehlt'],
        ['a long unit', save({ einheit: 'x'.repeat(21) }), '23514 einheit zeile_20'],
        ['no price', save({ ep: null }), '23514 ep fehlt'],
        ['five places', save({ ep: '0.00001' }), '23514 ep preis_stellen'],
        ['not a number', save({ ep: 'NaN' }), '23514 ep betrag_gross'],
        ['a rate of a hundred', save({ ust_satz: '100' }), '23514 ust_satz ust_satz'],
        ['a long group', save({ gruppe: 'x'.repeat(61) }), '23514 gruppe zeile_60'],
        ['a title of two lines', save({ erl_titel: 'a\nb' }), '23514 erl_titel zeile_200'],
        ['a novel', save({ erl: 'x'.repeat(4001) }), '23514 erl text_4000'],
        [
          'a name that is there',
          save({ bez: 'DRÄNAGE einmessen', gruppe: 'vermessung' }),
          'PT409 bez vorlage_vorhanden',
        ],
        ['an older version', save({ id: 1, version: 7 }), 'PT409 - changed_meanwhile'],
      ])('%s is refused at its field', async (_what, statement, expected) =>
        expect(await refusal(statement)).toBe(expected),
      )
      test('its own name may stay, also in another case', async () =>
        expect(
          await as(
            save({ id: 1, bez: 'dränage einmessen', gruppe: 'Vermessung', version: 1 }),
            sql('select version from app.a_get_position_tmpl() where id = 1'),
          ),
        ).toMatchObject({ rows: [{ version: 2 }] }))
    })

    describe('a text block', () => {
      const save = (
        art: unknown,
        title: unknown,
        text: unknown,
        id: number | null = null,
        version: number | null = null,
      ) => sql('select app.a_save_freitext($1, $2, $3, $4, false, $5) as id', art, title, text, id, version)
      test.each([
        ['another kind', save('brief', 'x', 'y'), '23514 art freitext_art'],
        ['no title', save('mail', '', 'y'), '23514 titel fehlt'],
        ['a long title', save('mail', 'x'.repeat(101), 'y'), '23514 titel zeile_100'],
        ['no text', save('mail', 'x', ' '), '23514 text fehlt'],
        ['a novel', save('mail', 'x', 'y'.repeat(6001)), '23514 text text_6000'],
        ['a title that is there', save('anrede', 'FÖRMLICH', 'x'), 'PT409 titel freitext_vorhanden'],
        ['an older version', save('anrede', 'Förmlich', 'x', 1, 3), 'PT409 - changed_meanwhile'],
      ])('%s is refused at its field', async (_what, statement, expected) =>
        expect(await refusal(statement)).toBe(expected),
      )
      test.each(platzhalter)('placeholders: $why', async ({ text, ok }) => {
        expect(await as(sql('select books.are_placeholders_known($1) as ok', text))).toMatchObject({
          rows: [{ ok }],
        })
        if (!ok) expect(await refusal(save('mail', 'x', text))).toBe('23514 text platzhalter')
      })
      test('keeps its line breaks and raises its version', async () =>
        expect(
          await as(
            save('anrede', 'Förmlich', 'Guten Tag,\n\n{name}', 1, 1),
            sql('select text, version from app.a_get_all_freitexte()'),
          ),
        ).toMatchObject({ rows: [{ text: 'Guten Tag,\n\n{name}', version: 2 }] }))
    })
  })
