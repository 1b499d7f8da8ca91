// Notes and files at records beyond the matrix: whom a note may name and who is notified, limits, history,
// and what a deletion of personal data leaves.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NOTE_LIMITS, type NotePage, type NotePerson } from '#contract/note.ts'
import { refusalOf } from './attempt.ts'
import { DRAFT_A, RECHNUNG_A } from './cells/buchhaltung.ts'
import { HIDDEN, SHOWN } from './cells/karte.ts'
import { asCaller, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'
import { claimsOf, type IdentityName, numberOf } from './world.ts'

const jsonOf = <T>(value: unknown): T => (typeof value === 'string' ? JSON.parse(value) : value) as T
const HASH = 'd'.repeat(64)

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`notes on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    beforeEach(() =>
      engine.owner.script(
        `begin; set local role forst_betrieb; delete from app.notiz; delete from app.meldung;
         delete from app.einstellung; delete from app.verlauf where tabelle = 'notiz'; commit`,
      ),
    )

    /** Commits. */
    const asked = async <T>(who: IdentityName, call: string, ...values: unknown[]): Promise<T> => {
      const { rows } = await engine.api.once<{ answer: string }>(
        asCaller(claimsOf(who)),
        sql(`select (${call})::text as answer`, ...values),
      )
      return jsonOf<T>(rows[0]?.answer || 'null')
    }
    const refused = (who: IdentityName, call: string, ...values: unknown[]) =>
      refusalOf(asked(who, call, ...values))
    const add = (
      who: IdentityName,
      art: string,
      id: number,
      more: { open?: boolean; names?: number[] } = {},
    ) =>
      asked<number>(
        who,
        'app.a_add_notiz($1, $2, $3, $4, $5)',
        art,
        id,
        'Bitte @Vor204 Nach204 ansehen',
        more.open ?? false,
        `{${more.names ?? ''}}`,
      )
    const read = (who: IdentityName, art: string, id: number) =>
      asked<NotePage>(who, 'app.a_get_notizen($1, $2)', art, id)
    const people = async (who: IdentityName, art: string, id: number, open = false, search = '') =>
      (
        await asked<NotePerson[] | null>(
          who,
          'select json_agg(p) from app.a_get_notiz_personen($1, $2, $3, $4) p',
          art,
          id,
          open,
          search,
        )
      )?.map(({ user_id }) => user_id) ?? []
    const told = async () =>
      (
        await engine.owner.query<{ user_id: number; ziel: string; params: unknown }>(
          `select user_id, ziel, params from app.meldung where art = 'notiz_erwaehnt' order by user_id`,
        )
      ).rows.map(({ user_id, ziel }) => [Number(user_id), ziel])
    const file = (
      who: IdentityName,
      art: string,
      id: number,
      note: number | null,
      more: { size?: number; upload?: string } = {},
    ) =>
      engine.api
        .once<{ notiz: number; datei: number }>(
          { ...asCaller(claimsOf(who)), role: 'forst_karte' },
          sql(
            `select * from notes.add_file($1, $2, $3, false, $4, 'Brief.pdf', 'application/pdf', $5, $6)`,
            art,
            id,
            note,
            more.upload ?? 'u-1',
            more.size ?? 100,
            HASH,
          ),
        )
        .then(({ rows }) => rows[0]!)

    test('limits are those of the contract', async () => {
      const { rows } = await engine.owner.query<Record<string, number>>('select * from notes.limits()')
      expect(Object.values(rows[0]!).map(Number)).toEqual([
        NOTE_LIMITS.notesADay,
        NOTE_LIMITS.files,
        NOTE_LIMITS.bytes,
        NOTE_LIMITS.mentions,
      ])
    })

    describe('mentions', () => {
      test('only people who read the record are offered, the writer is not', async () => {
        const offered = await people('apus_admin', 'rechnung', RECHNUNG_A)
        expect(offered).toContain(numberOf('admin'))
        for (const name of [
          'apus_admin',
          'apus_team',
          'ogf_admin',
          'ogf_team',
          'kundenadmin',
          'disabled',
        ] as const)
          expect(offered).not.toContain(numberOf(name))
      })
      test('the customer’s people are offered for a note that they read, those of others never', async () => {
        expect(await people('apus_team', 'karte', SHOWN)).not.toContain(numberOf('appuser'))
        const offered = await people('apus_team', 'karte', SHOWN, true)
        expect(offered).toEqual(expect.arrayContaining([numberOf('appuser'), w.COLLEAGUE]))
        expect(offered).not.toContain(w.STRANGER)
        expect(offered).not.toContain(numberOf('kundenadmin'))
        expect(await people('apus_team', 'karte', HIDDEN, true)).not.toContain(numberOf('appuser'))
        expect(await people('apus_admin', 'rechnung', DRAFT_A, true)).not.toContain(numberOf('kundenadmin'))
        expect(await people('ogf_admin', 'hq', w.A1, true)).toEqual(
          expect.arrayContaining([numberOf('kundenadmin'), numberOf('ogf_fb_admin')]),
        )
      })
      test('search is by any part of the name', async () => {
        expect(await people('apus_admin', 'kunde', w.A, false, 'nach204')).toEqual([w.ADVISER])
        expect(await people('apus_admin', 'kunde', w.A, false, '%')).toEqual([])
      })
      test('each is told once, with an address that they may open; the writer is not', async () => {
        const note = await add('apus_admin', 'kunde', w.A, {
          open: true,
          names: [w.ADVISER, numberOf('ogf_admin'), numberOf('kundenadmin'), numberOf('apus_admin')],
        })
        const expected = [
          [numberOf('kundenadmin'), `/kunde/index?kunde=${w.A}&ansicht=notizen&notiz=${note}`],
          [numberOf('ogf_admin'), `/kunden/${w.A}?ansicht=notizen&notiz=${note}`],
          [w.ADVISER, `/member-management/client/${w.A}?ansicht=notizen&notiz=${note}`],
        ]
        expect(await told()).toEqual(expected)
        const names = `{${w.ADVISER},${numberOf('ogf_admin')},${numberOf('kundenadmin')}}`
        await asked('apus_admin', `app.a_update_notiz($1, 1, 'Anders', true, $2)`, note, names)
        expect(await told()).toEqual(expected)
        await asked('apus_admin', `app.a_update_notiz($1, 2, 'Anders', true, '{}')`, note)
        await asked('apus_admin', `app.a_update_notiz($1, 3, 'Anders', true, $2)`, note, names)
        expect(await told()).toEqual(expected)
        const posts = await engine.owner.query(`select from notices.meldung_post`)
        expect(posts.rowCount).toBe(3)
      })
      test('whoever cannot read the note cannot be named in it, whatever is sent', async () => {
        const hint = '23514 erwaehnt notiz_erwaehnt'
        const attempts: [IdentityName, string, number, boolean, number][] = [
          ['apus_admin', 'rechnung', RECHNUNG_A, false, numberOf('kundenadmin')],
          ['apus_admin', 'rechnung', RECHNUNG_A, true, numberOf('apus_team')],
          ['apus_admin', 'rechnung', DRAFT_A, true, numberOf('kundenadmin')],
          ['apus_team', 'karte', HIDDEN, true, numberOf('appuser')],
          ['apus_team', 'karte', SHOWN, true, w.STRANGER],
          ['ogf_team', 'hq', w.A1, true, numberOf('apus_team')],
          ['ogf_team', 'kunde', w.A, true, numberOf('disabled')],
          ['ogf_team', 'kunde', w.A, true, 999_999],
        ]
        for (const [who, art, id, open, person] of attempts)
          expect(
            await refused(who, `app.a_add_notiz($1, $2, 'x', $3, $4)`, art, id, open, `{${person}}`),
            `${who} ${art} ${id} ${person}`,
          ).toBe(hint)
        expect(await told()).toEqual([])
        expect(await refused('apus_admin', `app.a_add_notiz('kunde', $1, 'x', true, '{null}')`, w.A)).toBe(
          hint,
        )
      })
      test('a notice goes with the note, and with the mark that let the customer read it', async () => {
        const note = await add('apus_team', 'karte', SHOWN, { open: true, names: [numberOf('appuser')] })
        expect(await told()).toEqual([
          [numberOf('appuser'), `/karten/${SHOWN}?ansicht=notizen&notiz=${note}`],
        ])
        expect(
          await refused(
            'apus_team',
            `app.a_update_notiz($1, 1, 'x', false, $2)`,
            note,
            `{${numberOf('appuser')}}`,
          ),
        ).toBe('23514 erwaehnt notiz_erwaehnt')
        await asked('apus_team', `app.a_update_notiz($1, 1, 'x', false, '{}')`, note)
        expect(await told()).toEqual([])
        const other = await add('apus_team', 'karte', SHOWN, { names: [numberOf('apus_admin')] })
        await asked('apus_team', 'app.a_delete_notiz($1)', other)
        expect(await told()).toEqual([])
      })
      test('a kind that is muted tells nobody', async () => {
        await engine.owner.script(
          `insert into app.einstellung (user_id, schluessel, wert) values
            (${w.ADVISER}, 'mutedNotices', '["notiz_erwaehnt", "notiz_erwaehnt.mail"]')`,
        )
        await add('apus_admin', 'kunde', w.A, { names: [w.ADVISER] })
        expect(await told()).toEqual([])
      })
    })

    describe('writing', () => {
      test('what the caller may do is in the answer; another’s note is not changed', async () => {
        const note = await add('apus_team', 'kunde', w.A, { open: true })
        expect(await read('apus_team', 'kunde', w.A)).toMatchObject({
          anzahl: 1,
          schreibt: true,
          zeilen: [{ id: note, eigene: true, fuer_kunde: true, version: 1, geaendert_am: null }],
        })
        expect(await read('appuser', 'kunde', w.A)).toMatchObject({
          anzahl: 1,
          schreibt: false,
          zeilen: [{ id: note, eigene: false }],
        })
        expect(await refused('apus_admin', `app.a_update_notiz($1, 1, 'x', false)`, note)).toContain('PT404')
        expect(await refused('appuser', 'app.a_delete_notiz($1)', note)).toContain('PT404')
      })
      test('a change is seen as one; a save based on an older version is refused', async () => {
        const note = await add('apus_team', 'kunde', w.A)
        await asked('apus_team', `app.a_update_notiz($1, 1, 'Neu', false)`, note)
        const [row] = (await read('apus_team', 'kunde', w.A)).zeilen
        expect(row).toMatchObject({ text: 'Neu', version: 2 })
        expect(row?.geaendert_am).not.toBeNull()
        expect(await refused('apus_team', `app.a_update_notiz($1, 1, 'x', false)`, note)).toBe(
          'PT409 - changed_meanwhile',
        )
      })
      test('what the former customer of a draft or plan could read becomes internal', async () => {
        for (const [art, table, id] of [
          ['rechnung', 'rechnung', DRAFT_A],
          ['karte', 'kartenblatt', SHOWN],
        ] as const) {
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          await add('apus_admin', art, id, { open: true })
          const move = (client: number) =>
            engine.owner.script(`update app.${table} set client_id = ${client} where id = ${id}`)
          const marks = async () =>
            (
              await engine.owner.query(
                'select client_id, fuer_kunde, version from app.notiz where art = $1 and datensatz = $2',
                [art, id],
              )
            ).rows
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          await move(w.B)
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          expect(await marks(), art).toEqual([{ client_id: w.B, fuer_kunde: false, version: 2 }])
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          await move(w.A)
        }
      })
      test('whoever loses the right to the record loses their own notes at it', async () => {
        const note = await add('apus_team', 'karte', SHOWN)
        const lowered = { ...claimsOf('apus_team'), groups: ['appuser_validated'] }
        const call = (text: string) =>
          refusalOf(engine.api.once(asCaller(lowered), sql(`select app.${text}`, note)))
        expect(await call('a_delete_notiz($1)')).toContain('PT403')
        expect(await call(`a_update_notiz($1, 1, 'x', false)`)).toContain('PT403')
        const { rowCount } = await engine.api.once(asCaller(lowered), sql('select from app.notiz'))
        expect(rowCount).toBe(0)
      })
      test('empty and too long texts are refused', async () => {
        const text = (value: string) => refused('apus_team', `app.a_add_notiz('kunde', $1, $2)`, w.A, value)
        expect(await text(' \r\n ')).toBe('23514 text fehlt')
        expect(await text('x'.repeat(4001))).toBe('23514 text text_4000')
        expect(await text('\u0007')).toBe('23514 text text_4000')
        expect(await text('x'.repeat(4000))).toBe('done')
      })
      test('no more than so many a day', async () => {
        await engine.owner.script(
          `begin; set local role forst_betrieb; insert into app.notiz (client_id, text)
            select ${w.A}, 'x' from generate_series(1, ${NOTE_LIMITS.notesADay}); commit`,
        )
        expect(await refused('apus_team', `app.a_add_notiz('kunde', $1, 'x')`, w.A)).toBe(
          'PT409 - notiz_viele',
        )
        await engine.owner.script(
          `begin; set local role forst_betrieb; update app.notiz set angelegt_am = now() - interval '25 hours'; commit`,
        )
        expect(await refused('apus_team', `app.a_add_notiz('kunde', $1, 'x')`, w.A)).toBe('done')
      })
      test('nothing is added to a blocked customer', async () => {
        expect(await refused('ogf_team', `app.a_add_notiz('kunde', 77, 'x')`)).toContain('PT404')
        expect(await refused('ogf_admin', `app.a_add_notiz('kunde', 77, 'x')`)).toBe('PT409 - kunde_gesperrt')
      })
    })

    describe('files', () => {
      test('come to an own note, or make one; told twice they are one', async () => {
        const note = await add('apus_team', 'karte', SHOWN)
        const first = await file('apus_team', 'karte', SHOWN, note)
        expect(Number(first.notiz)).toBe(note)
        expect(await file('apus_team', 'karte', SHOWN, note)).toEqual(first)
        const alone = await file('apus_team', 'karte', SHOWN, null, { upload: 'u-2' })
        expect(Number(alone.notiz)).not.toBe(note)
        const page = await read('apus_team', 'karte', SHOWN)
        expect(page).toMatchObject({ anzahl: 2, dateien: 2, bytes: 200 })
        await asked('apus_team', 'app.a_delete_notiz_datei($1)', alone.datei)
        expect((await read('apus_team', 'karte', SHOWN)).anzahl).toBe(1)
      })
      test('not to another’s note, not across records, not by customers', async () => {
        const note = await add('apus_admin', 'karte', SHOWN)
        const attempts: [IdentityName, string, number, number | null][] = [
          ['apus_team', 'karte', SHOWN, note],
          ['apus_admin', 'kunde', w.A, note],
          ['appuser_admin', 'karte', SHOWN, null],
          ['ogf_admin', 'karte', SHOWN, null],
          ['nobody', 'karte', SHOWN, null],
        ]
        for (const [who, art, id, at] of attempts)
          expect(await refusalOf(file(who, art, id, at)), `${who} ${art}`).toMatch(/^PT40[34]/)
      })
      test('no more bytes than fit', async () => {
        await file('apus_team', 'karte', SHOWN, null, { size: NOTE_LIMITS.bytes - 50 })
        expect(await refusalOf(file('apus_team', 'karte', SHOWN, null, { upload: 'u-3' }))).toBe(
          'PT409 - notiz_dateien_voll',
        )
      })
      test('a named file is kept until its row is gone', async () => {
        const named = async () =>
          (await engine.api.once({ role: 'forst_karte' }, sql('select maps.named_files($1)', `{${HASH}}`)))
            .rowCount
        const { datei } = await file('apus_team', 'karte', SHOWN, null)
        expect(await named()).toBe(1)
        await asked('apus_team', 'app.a_delete_notiz_datei($1)', datei)
        expect(await named()).toBe(0)
      })
    })

    describe('history and deletion of data', () => {
      const entries = async () =>
        (
          await engine.owner.query<{ schluessel: string; aktion: string; alt: unknown; neu: unknown }>(
            `select schluessel, aktion, alt, neu from app.verlauf where tabelle = 'notiz' order by id`,
          )
        ).rows.map(({ aktion, alt, neu, schluessel }) => ({
          schluessel,
          aktion,
          alt: jsonOf<Record<string, unknown> | null>(alt),
          neu: jsonOf<Record<string, unknown> | null>(neu),
        }))
      test('notes and files are in the history of the record, after they are gone too', async () => {
        const note = await add('apus_team', 'karte', SHOWN)
        await asked('apus_team', `app.a_update_notiz($1, 1, 'Neu', true)`, note)
        await file('apus_team', 'karte', SHOWN, note)
        await asked('apus_team', 'app.a_delete_notiz($1)', note)
        const all = await entries()
        expect(all.map(({ aktion }) => aktion)).toEqual([
          'neu',
          'geaendert',
          'geaendert',
          'geaendert',
          'geloescht',
        ])
        expect(new Set(all.map(({ schluessel }) => schluessel))).toEqual(new Set([`karte/${SHOWN}/${note}`]))
        expect(all[1]).toMatchObject({ neu: { text: 'Neu', fuer_kunde: true } })
        expect(all[2]).toMatchObject({ neu: { datei: 'Brief.pdf' } })
      })
      test('a person’s name goes from their notes and from those that name them, the notes stay', async () => {
        const mine = await add('ogf_admin', 'kunde', w.A, { names: [w.ADVISER] })
        await asked('admin', `app.a_delete_person_daten($1, $2)`, w.ADVISER, w.usernameOf(w.ADVISER))
        const [row] = (await read('admin', 'kunde', w.A)).zeilen
        const gone = `gelöschte Person ${w.ADVISER}`
        expect(row).toMatchObject({ id: mine, text: `Bitte @${gone} ansehen`, version: 1 })
        expect(row?.erwaehnt).toEqual([{ user_id: w.ADVISER, name: gone }])
        expect(JSON.stringify(await entries())).not.toContain('Nach204')
      })
      test('the writer’s name goes from notes, notices and history', async () => {
        await add('apus_team', 'kunde', w.A, { names: [numberOf('apus_admin')] })
        const person = numberOf('apus_team')
        await asked('admin', `app.a_delete_person_daten($1, $2)`, person, w.usernameOf(person))
        const [row] = (await read('admin', 'kunde', w.A)).zeilen
        expect(row).toMatchObject({ wer: `gelöschte Person ${person}`, eigene: false })
        const { rows } = await engine.owner.query('select params from app.meldung')
        expect(JSON.stringify([rows, await entries()])).not.toContain(`Nach${person}`)
      })
      test('a customer’s notes go with the customer, and what they said goes from the history', async () => {
        await asked('admin', `app.a_add_notiz('kunde', 78, 'Geheimes', false)`)
        await asked('admin', `app.a_delete_kunde_daten(78, 'Leer')`)
        const { rows } = await engine.owner.query('select from app.notiz where client_id = 78')
        expect(rows).toEqual([])
        expect(JSON.stringify(await entries())).not.toContain('Geheimes')
      })
    })
  })
