// Recurring invoices: periods, what is due, drafts made once, pauses, ends and reasons.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Desk } from '#contract/desk.ts'
import type { Serie, SerieRpc } from '#contract/serie.ts'
import type { Beleg } from '#domain/beleg.ts'
import { addDays } from '#domain/day.ts'
import cases from '#domain/serie.cases.json' with { type: 'json' }
import { serieChanges } from '#domain/serie.ts'
import { DatabaseFault } from '#server/database/database.ts'
import { bookkeeper } from './bookkeeper.ts'
import { enginesToday, type Engine, isMissing, openEngine } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'

const TODAY = officeDay(new Date())
const YEAR = Number(TODAY.slice(0, 4))
const LINES = [
  { bez: 'Monitoring {zeitraum}', erl: 'Vom {von} bis {bis}.', anzahl: '1', einheit: 'psch', ep: '100.00' },
  { bez: 'Rohr {DN 200}', anzahl: '2', einheit: 'm', ep: '5.5', ust_satz: '7' },
]
type Due = SerieRpc['a_get_serie_faellig']['answers']

for (const name of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(name))(`recurring invoices on ${name}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(name)
      await buildWorld(engine.owner)
      await engine.owner.script(
        `begin; set local role forst_betrieb; delete from app.serie_lauf; delete from app.serie; commit`,
      )
    })
    afterAll(() => engine?.close())
    const { run, value, json } = bookkeeper(() => engine)
    /** 'done', or rule and field. */
    const refused = async (work: Promise<unknown>): Promise<string> => {
      try {
        await work
        return 'done'
      } catch (error) {
        if (!(error instanceof DatabaseFault)) throw error
        const field = /column "([^"]+)"/.exec(error.message)?.[1]
        return [error.hint ?? error.message, field].filter(Boolean).join(' ')
      }
    }
    const invoice = async (lines: readonly object[] = LINES, more: object = {}): Promise<number> => {
      const id = Number(await value('app.a_add_invoice($1, $2, $2, 19)', w.A, TODAY))
      await value('app.a_save_positions($1::jsonb, $2)', JSON.stringify(lines), id)
      await value(`app.a_save_beleg('rechnung', $1, $2::jsonb)`, id, JSON.stringify(more))
      return id
    }
    const add = async (values: object, source?: number): Promise<number> =>
      Number(
        await value(
          'app.a_add_serie($1, $2::jsonb)',
          source ?? (await invoice()),
          JSON.stringify({ titel: 'Monitoring', monate: 1, beginn: `${YEAR - 1}-01-01`, ...values }),
        ),
      )
    const serie = (id: number) => json<Serie>('app.a_get_serie($1)', id)
    const save = (id: number, values: object, version?: number) =>
      value('app.a_save_serie($1, $2::jsonb, $3)', id, JSON.stringify(values), version ?? null)
    const due = async (id: number) =>
      (await json<Due>('app.a_get_serie_faellig()')).zeilen.filter(({ serie_id }) => serie_id === id)
    const make = (...chosen: readonly (readonly [id: number, nr: number, version: number])[]) =>
      json<number[]>(
        'to_jsonb(app.a_add_serie_rechnungen($1::jsonb))',
        JSON.stringify(chosen.map(([serie_id, nr, version]) => ({ serie_id, nr, version }))),
      )
    const skip = (id: number, nr: number, reason: string) =>
      value('app.a_skip_serie($1, $2, $3)', id, nr, reason)
    const belegOf = (id: number) => json<Beleg>(`app.a_get_beleg('rechnung', $1)`, id)
    const issue = async (id: number) =>
      (await run<{ nummer: string }>('select nummer from app.a_issue_invoice($1)', id))[0]!.nummer
    const stateOf = async (id: number) =>
      (await run<{ id: number; stand: string; faellige: number }>('select * from app.a_get_serien()')).find(
        (row) => Number(row.id) === id,
      )

    describe('the table of cases', () => {
      test.each(cases.zeitraeume)('$why', async ({ monate, beginn, ende, anzahl, bis, ergibt }) => {
        const { rows } = await engine.owner.query<{ found: string }>(
          `select von || ' ' || bis as found from books.serie_periods($1::integer, $2::date, $3::date,
             $4::integer, $5::date) order by nr`,
          [String(monate), beginn, ende, anzahl === null ? null : String(anzahl), bis],
        )
        expect(rows.map(({ found }) => found)).toEqual(ergibt)
      })
      test.each(cases.worte)('$von to $bis: $text', async ({ von, bis, text }) => {
        const { rows } = await engine.owner.query<{ found: string }>(
          'select books.period_text($1::date, $2::date) as found',
          [von, bis],
        )
        expect(rows[0]!.found).toBe(text)
      })
    })

    test('each missed period is listed with its own words and the document that it would be', async () => {
      const source = await invoice(LINES, {
        anschreiben: 'Monitoring im {zeitraum}.',
        rabatt_prozent: '10',
        rabatt_grund: 'Treue',
        bestellnummer: 'B-7',
        zahlungsziel: 30,
        vertrag_nr: 'V-1',
        leistungsort: 'grundstueck_inland',
      })
      const id = await add({ monate: 3, anzahl: 4 }, source)
      const rows = await due(id)
      expect(rows.map(({ zeitraum, nr }) => `${nr} ${zeitraum}`)).toEqual(
        [1, 2, 3, 4].map((q) => `${q} ${q}. Quartal ${YEAR - 1}`),
      )
      expect(rows[1]).toMatchObject({
        titel: 'Monitoring',
        kunde: 'Forst A',
        gesperrt: false,
        gekuerzt: false,
        faellig: `${YEAR - 1}-04-01`,
        vorher: null,
      })
      const { beleg } = rows[1]!
      expect(beleg).toMatchObject({
        art: 'rechnung',
        entwurf: true,
        datum: TODAY,
        le_date: `${YEAR - 1}-04-01`,
        le_date_bis: `${YEAR - 1}-06-30`,
        faellig: addDays(TODAY, 30),
        anschreiben: `Monitoring im 2. Quartal ${YEAR - 1}.`,
        leistungsort: 'grundstueck_inland',
        verweise: { vertrag_nr: 'V-1' },
        empfaenger: { bestellnummer: 'B-7' },
        summen: { positionen: '111.00', rabatt: '11.10', netto: '99.90', brutto: '117.69' },
      })
      expect(beleg.positionen.map(({ bez, erl, ust_satz }) => `${bez} ${erl} ${ust_satz}`)).toEqual([
        `Monitoring 2. Quartal ${YEAR - 1} Vom 01.04.${YEAR - 1} bis 30.06.${YEAR - 1}. 19.00`,
        'Rohr {DN 200}  7.00',
      ])
      expect(await stateOf(id)).toMatchObject({ stand: 'aktiv', faellige: 4 })
    })

    test('the draft is the document of the preview, and an ordinary one', async () => {
      const id = await add({ anzahl: 2 })
      const [first, second] = await due(id)
      const made = await make([id, 1, first!.version], [id, 2, second!.version])
      for (const [at, row] of [first!, second!].entries()) {
        const beleg = await belegOf(made[at]!)
        const shape = ({ positionen, stand: _stand, ...rest }: Beleg & { stand?: string }) => ({
          ...rest,
          id: '',
          positionen: positionen.map((line) => ({ ...line, id: '' })),
        })
        expect(shape(beleg)).toEqual(shape(row.beleg))
      }
      expect(await due(id)).toEqual([])
      expect(await stateOf(id)).toMatchObject({ stand: 'beendet', faellige: 0 })
      expect((await serie(id)).laeufe.map(({ nr, art, rechnung_id }) => [nr, art, rechnung_id])).toEqual([
        [2, 'entwurf', made[1]],
        [1, 'entwurf', made[0]],
      ])
      expect(
        await json(`(select jsonb_agg(inhalt) from app.a_get_protokoll('rechnung', $1))`, made[0]),
      ).toEqual([{ serie_id: id, zeitraum: `Januar ${YEAR - 1}` }])
      expect(await issue(made[0]!)).toMatch(/^RE-/)
    })

    test('no period twice: in one press, in a second one, and by hand', async () => {
      const id = await add({ anzahl: 3 })
      expect(await refused(make([id, 1, 1], [id, 1, 1]))).toBe('serie_vergeben')
      expect(await due(id)).toHaveLength(3)
      await make([id, 1, 1])
      expect(await refused(make([id, 2, 1], [id, 1, 1]))).toBe('serie_vergeben')
      expect(await due(id)).toHaveLength(2)
      expect(await refused(skip(id, 1, 'Ausfall'))).toBe('serie_vergeben')
      const twice = (nr: number, start: string) =>
        engine.owner.script(
          `begin; set local role forst_betrieb;
           insert into app.serie_lauf (client_id, serie_id, nr, von, bis, art)
           values (${w.A}, ${id}, ${nr}, '${start}', '2199-01-01', 'entwurf'); commit`,
        )
      await expect(twice(1, '2198-01-01')).rejects.toThrow('serie_lauf_serie_id_nr_key')
      await engine.owner.script('rollback').catch(() => undefined)
      await expect(twice(9, `${YEAR - 1}-01-01`)).rejects.toThrow('serie_lauf_serie_id_von_key')
      await engine.owner.script('rollback').catch(() => undefined)
    })

    test('two who press at once: one gets the draft, the other the reason', async () => {
      const id = await add({ anzahl: 1 })
      const outcomes = await Promise.all([refused(make([id, 1, 1])), refused(make([id, 1, 1]))])
      expect(outcomes.toSorted()).toEqual(['done', 'serie_vergeben'])
      expect((await serie(id)).laeufe).toHaveLength(1)
    })

    test('what is not due, not there or changed meanwhile is refused, and nothing is made', async () => {
      const id = await add({ monate: 12, beginn: `${YEAR}-01-01`, anzahl: 3 })
      expect(await refused(make([id, 2, 1]))).toBe('serie_nicht_faellig')
      expect(await refused(make([id, 4, 1]))).toBe('serie_nicht_faellig')
      expect(await refused(make([id, 0, 1]))).toBe('serie_nicht_faellig')
      expect(await refused(skip(id, 2, 'Ausfall'))).toBe('serie_nicht_faellig')
      expect(await refused(make([id, 1, 2]))).toBe('changed_meanwhile')
      expect(await refused(make())).toBe('serie_auswahl auswahl')
      expect(await refused(make(...Array.from({ length: 201 }, () => [id, 1, 1] as const)))).toBe(
        'serie_auswahl auswahl',
      )
      expect((await serie(id)).laeufe).toEqual([])
    })

    test('due on the last day of the period waits for that day', async () => {
      const tomorrow = addDays(TODAY, 1)
      const [atFirst, atLast] = [
        await add({ beginn: TODAY, anzahl: 1 }),
        await add({ beginn: TODAY, anzahl: 1, faellig_am: 'ende' }),
      ]
      expect(await due(atFirst)).toHaveLength(1)
      expect(await due(atLast)).toEqual([])
      const ending = await add({ beginn: TODAY, ende: TODAY, faellig_am: 'ende' })
      expect(await due(ending)).toMatchObject([{ gekuerzt: true, von: TODAY, bis: TODAY, faellig: TODAY }])
      expect(await due(await add({ beginn: tomorrow }))).toEqual([])
    })

    test('a deleted draft makes its period due again; a cancelled invoice does not', async () => {
      const id = await add({ anzahl: 1 })
      const [made] = await make([id, 1, 1])
      await value('app.a_delete_invoice($1)', made)
      expect(await due(id)).toHaveLength(1)
      const [issued] = await make([id, 1, 1])
      await issue(issued!)
      await run(`select id from app.a_cancel_invoice($1, grund => 'Irrtum')`, issued)
      expect(await due(id)).toEqual([])
    })

    test('left out with a reason, and taken back', async () => {
      const id = await add({ anzahl: 2 })
      expect(await refused(skip(id, 1, '  '))).toBe('fehlt grund')
      expect(await refused(skip(id, 1, 'x'.repeat(501)))).toBe('text_500 grund')
      await skip(id, 1, 'Winterpause')
      expect((await due(id)).map(({ nr }) => nr)).toEqual([2])
      expect((await serie(id)).laeufe).toMatchObject([{ nr: 1, art: 'ausgelassen', grund: 'Winterpause' }])
      await value('app.a_unskip_serie($1, 1)', id)
      expect((await due(id)).map(({ nr }) => nr)).toEqual([1, 2])
      await make([id, 1, 1])
      expect(await refused(value('app.a_unskip_serie($1, 1)', id))).toMatch(/not found|nicht/i)
    })

    test('a pause hides what is due, and lists it afterwards', async () => {
      const id = await add({ anzahl: 2 })
      await save(id, { zustand: 'pausiert' }, 1)
      expect(await due(id)).toEqual([])
      expect(await stateOf(id)).toMatchObject({ stand: 'pausiert', faellige: 0 })
      expect(await refused(make([id, 1, 2]))).toBe('serie_nicht_faellig')
      await save(id, { zustand: 'aktiv' }, 2)
      expect(await due(id)).toHaveLength(2)
    })

    test('what was billed keeps its days; the end is not before it', async () => {
      const id = await add({})
      await save(id, { beginn: `${YEAR - 1}-02-01`, monate: 3 })
      await save(id, { beginn: `${YEAR - 1}-01-01`, monate: 1 })
      await make([id, 2, 3])
      expect(await refused(save(id, { monate: 3 }))).toBe('serie_begonnen monate')
      expect(await refused(save(id, { beginn: `${YEAR - 1}-01-02` }))).toBe('serie_begonnen beginn')
      expect(await refused(save(id, { ende: `${YEAR - 1}-02-27` }))).toBe('serie_ende ende')
      expect(await refused(save(id, { anzahl: 1 }))).toBe('serie_anzahl_lauf anzahl')
      expect(await refused(value('app.a_delete_serie($1)', id))).toBe('serie_laeufe')
      await save(id, { ende: `${YEAR - 1}-02-28` })
      expect((await due(id)).map(({ nr }) => nr)).toEqual([1])
      const unused = await add({})
      await value('app.a_delete_serie($1, 1)', unused)
      expect(await stateOf(unused)).toBeUndefined()
    })

    test.each([
      [{ titel: ' ' }, 'fehlt titel'],
      [{ titel: 'x'.repeat(101) }, 'zeile_100 titel'],
      [{ monate: 2 }, 'serie_rhythmus monate'],
      [{ beginn: null }, 'fehlt beginn'],
      [{ beginn: '1999-12-31' }, 'serie_tag beginn'],
      [{ ende: '2200-01-01' }, 'serie_tag ende'],
      [{ ende: `${YEAR - 2}-12-31` }, 'serie_ende_beginn ende'],
      [{ anzahl: 0 }, 'serie_anzahl anzahl'],
      [{ anzahl: 1201 }, 'serie_anzahl anzahl'],
      [{ faellig_am: 'nie' }, 'felder faellig_am'],
      [{ zustand: 'beendet' }, 'felder zustand'],
      [{ client_id: 2 }, 'felder client_id'],
      [{ kopf: { bearbeiter: 'x' } }, 'felder bearbeiter'],
      [{ kopf: { anschreiben: 'Im {zeitraun}' } }, 'serie_platzhalter anschreiben'],
      [{ positionen: [{ bez: 'Vom {datum}' }] }, 'serie_platzhalter positionen'],
      [{ positionen: [{ bez: 'x', ep: '12345678901' }] }, 'position_wert positionen'],
    ])('%j is refused: %s', async (values, expected) => {
      expect(await refused(add(values))).toBe(expected)
    })

    test('only plain invoices are templates, of the same customer', async () => {
      const id = await add({})
      const of = (client: number, more = '') =>
        engine.owner
          .query<{ id: string }>(
            `select id::text as id from app.rechnung where client_id = ${client} ${more} order by id limit 1`,
          )
          .then(({ rows }) => Number(rows[0]!.id))
      expect(await refused(save(id, { rechnung_id: await of(w.B) }))).toBe('serie_kunde')
      const cancelled = await invoice()
      await issue(cancelled)
      const [storno] = await run<{ id: number }>(
        `select id from app.a_cancel_invoice($1, grund => 'Irrtum')`,
        cancelled,
      )
      expect(await refused(add({}, Number(storno!.id)))).toBe('serie_quelle')
    })

    test('a price edit is in the next preview, in the history and at the invoice that has another', async () => {
      const id = await add({ anzahl: 2 })
      const [made] = await make([id, 1, 1])
      const lines = (await serie(id)).positionen
      await save(
        id,
        { positionen: lines.map((line, at) => (at === 0 ? { ...line, ep: '110.00' } : line)) },
        1,
      )
      await value(
        'app.a_save_positions($1::jsonb, $2)',
        JSON.stringify([{ bez: 'Monitoring', anzahl: '1', ep: '250' }]),
        made,
      )
      const [row] = await due(id)
      expect(serieChanges(row!.vorher!.stand, row!.stand)).toEqual([
        { art: 'preis', bez: 'Monitoring {zeitraum}', from: '100.00', to: '110.00' },
      ])
      expect(row).toMatchObject({
        beleg: { summen: { netto: '121.00' } },
        vorher: { rechnung_id: made, netto: '250.00', stand: { netto: '111.00' } },
      })
      await save(id, { rechnung_id: made }, 2)
      expect(await serie(id)).toMatchObject({ netto: '250.00', positionen: [{ bez: 'Monitoring' }] })
      const history = await json<{ tabelle: string; aktion: string; neu: object }[]>(
        `(select jsonb_agg(to_jsonb(v) order by v.id) from app.verlauf v
          where v.tabelle in ('serie', 'serie_lauf') and v.schluessel = $1)`,
        String(id),
      )
      expect(
        history.map(({ tabelle, aktion, neu }) => `${tabelle} ${aktion} ${Object.keys(neu).length > 5}`),
      ).toEqual(['serie neu true', 'serie_lauf neu true', 'serie geaendert false', 'serie geaendert false'])
      expect(Object.keys(history[2]!.neu).toSorted()).toEqual(['brutto', 'netto', 'positionen'])
    })

    test('another place or kind of tax is named', async () => {
      const id = await add({ anzahl: 2 })
      await make([id, 1, 1])
      await value(
        'app.a_set_kunde_rechnung($1, $2::jsonb)',
        w.A,
        JSON.stringify({ leistungsort: 'kein_grundstueck' }),
      )
      const lines = (await serie(id)).positionen
      await save(id, { positionen: lines.map((line) => ({ ...line, kategorie: 'AE', ust_satz: null })) })
      const [row] = await due(id)
      expect(serieChanges(row!.vorher!.stand, row!.stand)).toEqual([
        { art: 'steuer', from: 'S 19.00, S 7.00', to: 'AE 0.00' },
        { art: 'ort', from: '', to: 'kein_grundstueck' },
      ])
    })

    test('the desk counts what is due, for those who may bill it', async () => {
      const count = async () =>
        (await json<Desk>('app.__o_get_desk()')).wartet.find(({ art }) => art === 'serien')?.anzahl ?? 0
      const before = await count()
      const id = await add({ anzahl: 3 })
      expect(await count()).toBe(before + 3)
      await make([id, 1, 1])
      await skip(id, 2, 'Ausfall')
      expect(await count()).toBe(before + 1)
    })

    test('at most 200 are listed, the oldest first, and all are counted', async () => {
      const before = await json<Due>('app.a_get_serie_faellig()')
      const id = await add({ beginn: '2000-01-31' })
      const { anzahl, zeilen } = await json<Due>('app.a_get_serie_faellig()')
      const own = (await stateOf(id))!.faellige
      expect(own).toBeGreaterThan(200)
      expect(anzahl).toBe(before.anzahl + own)
      expect(zeilen).toHaveLength(200)
      expect(zeilen[0]).toMatchObject({ serie_id: id, von: '2000-01-31', bis: '2000-02-28' })
      expect(zeilen[0]!.beleg).not.toBeNull()
      await value('app.a_delete_serie($1)', id)
    })

    test('the forecast expects what is to come, a draft at its own price, and nothing of what is paused', async () => {
      await engine.owner.script(
        `begin; set local role forst_betrieb; delete from app.serie_lauf; delete from app.serie; commit`,
      )
      type Row = { von: string; wiederkehrend: string; saldo: string }
      const forecast = async () => {
        const rows = await json<Row[]>(
          `app.a_get_cashflow($1, $2)`,
          TODAY,
          `${Number(TODAY.slice(0, 4)) + 2}-12-31`,
        )
        return rows.map(({ wiederkehrend }) => wiederkehrend).filter((amount) => amount !== '0.00')
      }
      expect(await forecast()).toEqual([])
      const source = await invoice([{ bez: 'Pflege', anzahl: '1', einheit: 'psch', ep: '100.00' }], {
        zahlungsziel: 10,
      })
      // Two of the three years have begun: they are late and expected today.
      const id = await add({ monate: 12, beginn: `${YEAR - 1}-01-01`, anzahl: 3 }, source)
      expect(await forecast()).toEqual(['238.00', '119.00'])
      const [first] = await due(id)
      const [draft = 0] = await make([id, first!.nr, first!.version])
      expect(await forecast()).toEqual(['238.00', '119.00'])
      // What the draft comes to counts, not what its template said.
      await value(
        'app.a_save_positions($1::jsonb, $2)',
        JSON.stringify([{ bez: 'Pflege', anzahl: '2', einheit: 'psch', ep: '100.00' }]),
        draft,
      )
      expect(await forecast()).toEqual(['357.00', '119.00'])
      // Issued, it is an invoice like any other.
      await issue(draft)
      expect(await forecast()).toEqual(['119.00', '119.00'])
      await skip(id, 2, 'Dieses Jahr nicht.')
      expect(await forecast()).toEqual(['119.00'])
      const { version } = await serie(id)
      await save(id, { zustand: 'pausiert' }, version)
      expect(await forecast()).toEqual([])
    })

    test('the day that each series keeps is the first one that is due, whatever happened to it', async () => {
      // Every rhythm, end and number of periods; some periods are left out, also later ones, and some taken back.
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into app.serie (client_id, titel, monate, beginn, ende, anzahl, faellig_am)
          select ${w.A}, 'Reihe ' || i, (array[1, 3, 6, 12])[1 + i % 4], date '${YEAR - 2}-01-31' + i * 11,
            case when i % 3 = 0 then date '${YEAR - 2}-01-31' + i * 29 end, case when i % 5 = 0 then 1 + i % 7 end,
            case when i % 2 = 0 then 'beginn' else 'ende' end
          from generate_series(1, 40) i;
        insert into app.serie_lauf (client_id, serie_id, nr, von, bis, art, grund)
          select s.client_id, s.id, nr, s.beginn + nr * 400, s.beginn + nr * 400, 'ausgelassen', 'Pause'
          from app.serie s, generate_series(1, 40) nr
          where s.titel like 'Reihe %' and (nr * 7 + s.id) % 5 <> 0;
        delete from app.serie_lauf l using app.serie s
          where s.id = l.serie_id and s.titel like 'Reihe %' and (l.nr + s.id) % 9 = 0;
        update app.serie set faellig_am = 'ende', beginn = beginn + 1 where titel like 'Reihe 1%';
        commit`)
      const wrong = await run(
        `select s.id, s.titel, s.naechste, n.faellig
          from app.serie s
            left join lateral (
              select case s.faellig_am when 'beginn' then p.von else p.bis end as faellig
              from books.serie_periods(s.monate, s.beginn, s.ende, s.anzahl, date '2199-12-31') p
              where not exists (select from app.serie_lauf l where l.serie_id = s.id and l.nr = p.nr)
              order by p.nr limit 1
            ) n on true
          where s.naechste is distinct from n.faellig`,
      )
      expect(wrong).toEqual([])
      const kept = await run<{ n: number; ended: number }>(
        `select count(distinct naechste)::integer as n,
          (count(*) filter (where naechste is null))::integer as ended
        from app.serie where titel like 'Reihe %'`,
      )
      expect(Number(kept[0]!.n)).toBeGreaterThan(10)
      expect(Number(kept[0]!.ended)).toBeGreaterThan(2)
      await engine.owner.script(`begin; set local role forst_betrieb;
        delete from app.serie_lauf l using app.serie s where s.id = l.serie_id and s.titel like 'Reihe %';
        delete from app.serie where titel like 'Reihe %'; commit`)
    })

    test('a draft does not make another version of its series', async () => {
      const id = await add({})
      const { version } = await serie(id)
      await skip(id, 1, 'Pause')
      expect((await serie(id)).version).toBe(version)
    })

    test('a blocked customer is named, and nothing more is made', async () => {
      const id = await add({ anzahl: 1 })
      const block = (until: string) =>
        engine.owner.script(
          `begin; set local role forst_betrieb;
           update app.kunde set gesperrt_bis = ${until} where client_id = ${w.A}; commit`,
        )
      await block(`'2199-12-31'`)
      try {
        expect(await due(id)).toMatchObject([{ gesperrt: true }])
        expect(await refused(make([id, 1, 1]))).toBe('kunde_gesperrt')
        expect(await refused(save(id, { zustand: 'pausiert' }))).toBe('done')
      } finally {
        await block('null')
      }
    })
  })
