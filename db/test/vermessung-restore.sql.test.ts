// Deleted survey objects: why, who may see and put them back, with their photos and under their number; until when.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SurveySyncAnswer } from '#contract/vermessung.ts'
import { C, uuidOf } from './cells/vermessung.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, type IdentityName, ROLE_NAMES } from './world.ts'

const STAFF: readonly IdentityName[] = ['apus_team', 'apus_admin', 'admin']
const SHA = (nr: number): string => String(nr).padStart(64, '0')

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`deleted survey objects on ${engineName}`, () => {
    let engine: Engine
    let nr = 700
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const run = async (who: IdentityName, text: string, ...values: unknown[]) =>
      (await engine.api.once<Record<string, unknown>>(asCaller(claimsOf(who)), sql(text, ...values))).rows
    const one = async (who: IdentityName, text: string, ...values: unknown[]) =>
      JSON.parse(String((await run(who, `select (${text})::text as a`, ...values))[0]!['a'])) as unknown
    const sync = async (...captures: object[]) =>
      (await one(
        'apus_team',
        'app.a_sync_vermessung($1::jsonb)',
        JSON.stringify(captures),
      )) as SurveySyncAnswer[]
    const refused = (work: Promise<unknown>) =>
      work.then(
        () => null,
        (error: { code?: string; hint?: string }) => error.hint ?? error.code,
      )
    const files = async (...names: string[]) =>
      (
        await engine.api.once<{ n: string }>(
          { role: 'forst_karte' },
          sql('select maps.named_files($1::text[]) as n', `{${names.join(',')}}`),
        )
      ).rows.map(({ n }) => n)
    async function made(table: 'schacht' | 'draenage' = 'schacht', more: object = {}) {
      const identifier = uuidOf(++nr)
      const place = table === 'draenage' ? '12.9 53.5,12.901 53.501' : '12.9 53.5'
      const [answer] = await sync({
        kennung: identifier,
        version: null,
        tabelle: table,
        client_id: C,
        lage: place,
        dn: 300,
        ...more,
      })
      expect(answer).toMatchObject({ ergebnis: 'angelegt' })
      return answer!.objekt!
    }
    const photo = async (table: string, objectId: string, sha256: string) => {
      const identifier = uuidOf(++nr)
      await engine.api.once(
        { ...asCaller(claimsOf('apus_team')), role: 'forst_karte' },
        sql(
          `select * from maps.add_vermessung_picture($1, $2, $3, 'Deckel.jpg', 'image/jpeg', 1000, 800, 600, $4, null,
             null, 12.9, 53.5001, 'Deckel')`,
          table,
          objectId,
          identifier,
          sha256,
        ),
      )
      return identifier
    }
    const remove = ({ kennung, tabelle, version }: { kennung: string; tabelle: string; version: number }) =>
      sync({ kennung, tabelle, version, geloescht: true, loeschgrund: 'zurückgebaut' })
    const list = async (who: IdentityName = 'apus_team') =>
      (await one(who, `app.a_get_geloeschte_vermessung(${C})`)) as Record<string, unknown>[]
    const restore = (who: IdentityName, identifier: string) =>
      one(who, 'app.a_restore_vermessung($1)', identifier)
    const row = async (table: string, identifier: string) =>
      (
        await run(
          'apus_team',
          `select to_jsonb(t)::text as r from app.${table} t where kennung = $1`,
          identifier,
        )
      ).map(({ r }) => JSON.parse(String(r)) as Record<string, unknown>)[0]

    test('a deletion needs a reason, and the history keeps it', async () => {
      const object = await made()
      const gone = { kennung: object.kennung, tabelle: 'schacht', version: 1, geloescht: true }
      for (const deletionReason of [undefined, null, '', '   ', 'a\nb', 'x'.repeat(201)])
        expect((await sync({ ...gone, loeschgrund: deletionReason }))[0]).toMatchObject({
          ergebnis: 'abgelehnt',
          regel: 'vermessung_loeschgrund',
          feld: 'loeschgrund',
        })
      expect(await row('schacht', object.kennung)).toBeDefined()
      const other = await made()
      const answers = await sync(
        { ...gone, loeschgrund: 'doppelt erfasst' },
        { ...gone, kennung: other.kennung, loeschgrund: 'gibt es nicht' },
      )
      expect(answers).toMatchObject([{ ergebnis: 'entfernt' }, { ergebnis: 'entfernt' }])
      const lines = await run(
        'apus_team',
        `select neu ->> 'grund' as grund from app.verlauf where tabelle = 'schacht' and aktion = 'geloescht'
           and schluessel in ($1, $2) order by id`,
        String(object.id),
        String(other.id),
      )
      expect(lines.map(({ grund }) => grund)).toEqual(['doppelt erfasst', 'gibt es nicht'])
    })

    test.each(['schacht', 'draenage'] as const)(
      'a %s comes back as it was, with its photos',
      async (table) => {
        const object = await made(table, { bemerkung: 'Deckel lose' })
        const kept = [SHA(++nr), SHA(++nr)]
        for (const sha of kept) await photo(table, object.kennung, sha)
        const alone = SHA(++nr)
        const single = await photo(table, object.kennung, alone)
        await run('apus_team', 'delete from app.vermessungsbilder where kennung = $1', single)
        const before = await row(table, object.kennung)
        const pictures = () =>
          run(
            'appuser',
            `select id, kennung, sha256, dateiname, bemerkung, exif_abweichung_m::text as m, created_by,
             public.st_astext(exif_lage) as ort from app.vermessungsbilder where objekt = $1 order by id`,
            object.kennung,
          )
        const seen = await pictures()
        expect(seen).toHaveLength(2)
        await remove(object)
        expect(await pictures()).toEqual([])
        expect((await files(...kept, alone)).toSorted(), 'only what can come back is kept').toEqual(kept)
        const [found] = (await list()).filter(({ kennung }) => kennung === object.kennung)
        expect(found).toMatchObject({
          tabelle: table,
          grund: 'zurückgebaut',
          bilder: 2,
          schluessel: object.schluessel,
        })
        expect(String(found!['wer'])).toMatch(/^Vor/)

        expect(await restore('apus_team', object.kennung)).toEqual({
          kennung: object.kennung,
          tabelle: table,
          id: object.id,
          bilder: 2,
        })
        const after = await row(table, object.kennung)
        expect({ ...after, version: 1, geaendert_am: null }).toEqual({
          ...before,
          version: 1,
          geaendert_am: null,
        })
        expect(after!['version']).toBe(2)
        expect(await pictures()).toEqual(seen)
        expect((await list()).some(({ kennung }) => kennung === object.kennung)).toBe(false)
        expect(await refused(restore('apus_team', object.kennung)), 'once').toBe('PT404')
        const [line] = await run(
          'appuser',
          `select aktion, wer, neu ->> 'bemerkung' as b from app.verlauf where tabelle = $1 and schluessel = $2
         order by id desc limit 1`,
          table,
          String(object.id),
        )
        expect(line).toMatchObject({ aktion: 'neu', b: 'Deckel lose' })
        // It lives on like all others: changed, deleted and put back once more.
        const change = { kennung: object.kennung, tabelle: table, version: 2 }
        expect((await sync({ ...change, dn: 400 }))[0]).toMatchObject({ ergebnis: 'geaendert' })
        await remove({ ...object, version: 3 })
        expect(await restore('apus_admin', object.kennung)).toMatchObject({ id: object.id, bilder: 2 })
      },
    )

    test('staff of the survey see and put back, nobody else', async () => {
      const object = await made()
      await remove(object)
      for (const who of [...ROLE_NAMES, 'unknown', 'nobody', 'disabled'] as IdentityName[]) {
        if (STAFF.includes(who)) {
          expect((await list(who)).map(({ kennung }) => kennung)).toContain(object.kennung)
          continue
        }
        expect(await refused(list(who)), who).not.toBeNull()
        expect(await refused(restore(who, object.kennung)), who).not.toBeNull()
      }
      expect(await refused(restore('apus_team', uuidOf(9_999)))).toBe('PT404')
      expect(await restore('admin', object.kennung)).toMatchObject({ id: object.id })
    })

    test('a key that is taken meanwhile and a blocked customer refuse it, and nothing is lost', async () => {
      const object = await made('schacht', { schluessel: 'S 900' })
      await photo('schacht', object.kennung, SHA(++nr))
      await remove(object)
      const other = await made('schacht', { schluessel: 'S 900' })
      expect(await refused(restore('apus_team', object.kennung))).toBe('vermessung_schluessel_vergeben')
      await remove(other)
      const block = (until: string) =>
        engine.owner.script(
          `begin; set local role forst_betrieb;
           update app.kunde set gesperrt_bis = ${until} where client_id = ${C}; commit`,
        )
      await block(`'2199-12-31'`)
      expect(await refused(restore('apus_team', object.kennung))).toBe('kunde_gesperrt')
      await block('null')
      expect(await restore('apus_team', object.kennung)).toMatchObject({ bilder: 1 })
    })

    test('after 90 days it is forgotten with its files', async () => {
      const object = await made()
      const sha = SHA(++nr)
      await photo('schacht', object.kennung, sha)
      await remove(object)
      await engine.owner.script(
        `begin; set local role forst_betrieb; update maps.vermessung_geloescht
           set geloescht_am = now() - interval '91 days' where client_id = ${C} and inhalt is not null; commit`,
      )
      expect((await list()).some(({ kennung }) => kennung === object.kennung)).toBe(false)
      expect(await refused(restore('apus_team', object.kennung))).toBe('PT404')
      await engine.api.once({ role: 'forst_karte' }, sql('select maps.forget_deleted_vermessung()'))
      expect(await files(sha)).toEqual([])
      const { rows } = await engine.owner.query<{ n: number }>(
        `select count(*)::int as n from maps.vermessung_geloescht where kennung = $1 and inhalt is null`,
        [object.kennung],
      )
      expect(rows[0]!.n, 'no device brings it back').toBe(1)
    })

    test('what goes with a customer is not kept', async () => {
      const object = await made()
      await photo('schacht', object.kennung, SHA(++nr))
      await remove(object)
      await engine.owner.script(`begin; select maps.remove_vermessung(${C}); commit`)
      const { rows } = await engine.owner.query<{ n: number }>(
        `select count(*)::int as n from maps.vermessung_geloescht where client_id = $1`,
        [C],
      )
      expect(rows[0]!.n).toBe(0)
    })
  })
