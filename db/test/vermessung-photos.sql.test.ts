// Photos of survey objects in the database: who adds and deletes them, what becomes of them with their object, and
// what a replacing import keeps.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { C, RUNNING, UUID_B, UUID_C, uuidOf } from './cells/vermessung.ts'
import { asCaller, attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, type IdentityName } from './world.ts'
import * as w from './world.ts'

const hex = (x: number, y: number): string => {
  const bytes = Buffer.alloc(21)
  bytes.writeUInt8(1, 0)
  bytes.writeUInt32LE(1, 1)
  bytes.writeDoubleLE(x, 5)
  bytes.writeDoubleLE(y, 13)
  return bytes.toString('hex')
}
const SHA = (nr: number): string => String(nr).padStart(64, '0')

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`photos of survey objects on ${engineName}`, () => {
    let engine: Engine
    let nr = 500
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const run = async (who: IdentityName, text: string, ...values: unknown[]) =>
      (await engine.api.once<Record<string, unknown>>(asCaller(claimsOf(who)), sql(text, ...values))).rows
    /** As the server does: in the caller's name, with its own rights. */
    const add = async (
      who: IdentityName,
      objectId: string,
      more: { kennung?: string; sha256?: string } = {},
    ) => {
      const { kennung = uuidOf(++nr), sha256 = SHA(nr) } = more
      const { rows } = await engine.api.once<{ id: number; neu: boolean }>(
        { ...asCaller(claimsOf(who)), role: 'forst_karte' },
        sql(
          `select id, neu from maps.add_vermessung_picture('schacht', $1, $2, 'Schacht.jpg', 'image/jpeg', 1000,
             400, 300, $3, '2026-11-22T08:00:00Z', 90, 12.9, 53.5, null)`,
          objectId,
          kennung,
          sha256,
        ),
      )
      return { kennung, sha256, ...rows[0]! }
    }
    const refused = (work: Promise<unknown>) =>
      work.then(
        () => null,
        (error: { code?: string; hint?: string }) => error.hint ?? error.code,
      )
    const photosOf = (who: IdentityName, objectId: string) =>
      run(who, 'select id, created_by from app.vermessungsbilder where objekt = $1 order by id', objectId)
    const sync = async (capture: object) => {
      const [row] = await run(
        'apus_team',
        'select app.a_sync_vermessung($1::jsonb)::text as a',
        JSON.stringify([capture]),
      )
      return (JSON.parse(String(row!['a'])) as { ergebnis: string; objekt: Record<string, unknown> }[])[0]!
    }
    /** Of customer C, without a key, as an import left it. */
    async function unnamed(x: number): Promise<{ id: number; kennung: string }> {
      const made = uuidOf(++nr)
      await engine.owner.script(
        `begin; set local role forst_betrieb;
         insert into app.schacht (client_id, import_id, kennung, geom) select ${C}, id, '${made}',
           st_setsrid(st_makepoint(${x}, 5690500), 25833) from app.vermessung_import
           where client_id = ${C} and stand = 'fertig' limit 1; commit`,
      )
      const [row] = await run('apus_team', 'select id, kennung from app.schacht where kennung = $1', made)
      return row as { id: number; kennung: string }
    }
    const store = async (...rows: object[]) => {
      const [answer] = await run(
        'apus_team',
        `select neu, geaendert, behalten from maps.store_vermessung_rows(${RUNNING}, 'schacht', 25833, $1::jsonb)`,
        JSON.stringify(rows),
      )
      return answer
    }

    test('staff add one to any object, whoever may see the object sees it, nobody else does', async () => {
      const made = await add('apus_team', UUID_C)
      expect(made.neu).toBe(true)
      for (const who of ['apus_admin', 'apus_team', 'appuser', 'appuser_admin', 'admin'] as const)
        expect(
          (await photosOf(who, UUID_C)).map(({ id }) => id),
          who,
        ).toContain(made.id)
      for (const who of ['ogf_admin', 'ogf_team', 'kundenadmin', 'pruefer'] as const)
        expect(await photosOf(who, UUID_C), who).toEqual([])
      expect(await photosOf('appuser', UUID_B)).toEqual([])
      for (const who of ['appuser_admin', 'appuser', 'ogf_admin', 'kundenadmin'] as const)
        expect(await refused(add(who, UUID_C)), who).toBe('PT404')
      expect(await refused(add('apus_team', uuidOf(9999)))).toBe('PT404')
    })

    test('sent twice it is there once; other bytes, another object and a deleted one are refused', async () => {
      const first = await add('apus_team', UUID_C)
      expect(await add('apus_admin', UUID_C, first)).toMatchObject({ id: first.id, neu: false })
      expect(await refused(add('apus_team', UUID_C, { ...first, sha256: SHA(1) }))).toBe(
        'vermessung_kennung_vergeben',
      )
      expect(await refused(add('apus_team', UUID_B, first))).toBe('vermessung_kennung_vergeben')
      await run('apus_admin', 'delete from app.vermessungsbilder where id = $1', first.id)
      expect(await refused(add('apus_team', UUID_C, first))).toBe('vermessung_geloescht')
    })

    test('an object has at most 50, and a blocked customer gets none', async () => {
      const { kennung } = await unnamed(380_700)
      for (let n = 0; n < 50; n++) await add('apus_team', kennung)
      expect(await refused(add('apus_team', kennung))).toBe('vermessung_bilder_viele')
      const block = (until: string) =>
        engine.owner.script(
          `begin; set local role forst_betrieb;
           update app.kunde set gesperrt_bis = ${until} where client_id = ${w.B}; commit`,
        )
      await block(`'2199-12-31'`)
      expect(await refused(add('apus_team', UUID_B))).toBe('kunde_gesperrt')
      await block('null')
    })

    test('they go with their object, and the history of the object tells of both', async () => {
      const { id, kennung } = await unnamed(380_710)
      await add('apus_team', kennung)
      await run(
        'apus_team',
        `update app.vermessungsbilder set bemerkung = 'Deckel' where objekt = $1`,
        kennung,
      )
      await run('apus_admin', 'delete from app.schacht where id = $1', id)
      expect(await photosOf('apus_admin', kennung)).toEqual([])
      const lines = await run(
        'apus_team',
        `select tabelle, aktion, wer from app.verlauf where (tabelle = 'schacht' and schluessel = $1)
           or (tabelle = 'vermessungsbilder' and schluessel = $2) order by id`,
        String(id),
        kennung,
      )
      expect(lines.map(({ tabelle, aktion }) => `${tabelle} ${aktion}`).toSorted()).toEqual([
        'schacht geloescht',
        'vermessungsbilder geaendert',
        'vermessungsbilder geloescht',
        'vermessungsbilder neu',
      ])
      expect(lines.every(({ wer }) => String(wer).startsWith('Vor'))).toBe(true)
    })

    test('the history is read by those who read the survey; the forest half’s admin does not', async () => {
      const count = async (who: IdentityName, table: string) =>
        (await run(who, 'select 1 from app.verlauf where tabelle = $1 and client_id = $2', table, C)).length
      for (const table of ['schacht', 'vermessungsbilder']) {
        for (const who of ['apus_admin', 'apus_team', 'appuser', 'admin'] as const)
          expect(await count(who, table), `${who} ${table}`).toBeGreaterThan(0)
        for (const who of ['ogf_admin', 'ogf_team', 'kundenadmin', 'ogf_standard', 'pruefer'] as const)
          expect(await count(who, table), `${who} ${table}`).toBe(0)
      }
    })

    test('the distance of a photo’s own place follows the object', async () => {
      const { id, kennung } = await unnamed(380_720)
      const { id: photo } = await add('apus_team', kennung)
      const far = async () =>
        Number(
          (
            await run(
              'apus_team',
              'select exif_abweichung_m as m from app.vermessungsbilder where id = $1',
              photo,
            )
          )[0]!['m'],
        )
      expect(await far()).toBeGreaterThan(1000)
      await run(
        'apus_team',
        `update app.schacht set geom = public.st_transform(public.st_setsrid(public.st_makepoint(12.9, 53.5),
           4326), 25833) where id = $1`,
        id,
      )
      expect(await far()).toBeLessThan(0.1)
    })

    test('what was changed by hand and had no key is not doubled by a replacing import', async () => {
      const [moved, named, twin] = [await unnamed(381_000), await unnamed(381_010), await unnamed(381_020)]
      const other = await unnamed(381_020)
      const change = (identifier: string, more: object) =>
        sync({ kennung: identifier, tabelle: 'schacht', version: 1, ...more })
      expect(await change(moved.kennung, { lage: '12.95 53.5', dn: 100 })).toMatchObject({
        ergebnis: 'geaendert',
      })
      await change(named.kennung, { schluessel: 'S eigen', dn: 200 })
      await change(twin.kennung, { dn: 300 })
      // The same file again: the three stay as they are, the twin that nobody touched comes from the file.
      const at = (x: number, number: number, dn = 50) => ({ nr: number, g: hex(x, 5_690_500), dn })
      expect(
        await store(at(381_000, 1), at(381_010.004, 2), at(381_020, 3), at(381_020, 4), at(381_030, 5)),
      ).toEqual({ neu: 2, geaendert: 0, behalten: 3 })
      await run('apus_team', `select maps.remove_missing_vermessung(${RUNNING}, 'schacht')`)
      const rows = await run(
        'apus_team',
        `select kennung, dn from app.schacht where kennung = any ($1::uuid[]) order by dn`,
        [moved, named, twin, other].map(({ kennung }) => kennung),
      )
      expect(rows.map(({ dn }) => dn)).toEqual([100, 200, 300])
      expect(
        (await run('apus_team', `select 1 from app.schacht where client_id = ${C} and dn = 50`)).length,
      ).toBe(2)
    })

    test('nor is what was changed before the customer came into another zone', async () => {
      const [moved, named] = [await unnamed(382_000), await unnamed(382_010)]
      await sync({ kennung: moved.kennung, tabelle: 'schacht', version: 1, lage: '12.95 53.5' })
      await sync({ kennung: named.kennung, tabelle: 'schacht', version: 1, schluessel: 'S alt' })
      const places = await run(
        'apus_team',
        `select encode(st_asbinary(st_transform(st_setsrid(st_makepoint(x, 5690500), 25833), 25832)), 'hex') as g
         from unnest('{382000,382010,382030}'::float8[]) x order by x`,
      )
      const rows = places.map(({ g }, at) => ({ nr: at + 1, g }))
      const [answer] = await run(
        'apus_team',
        `select neu, geaendert, behalten from maps.store_vermessung_rows(${RUNNING}, 'schacht', 25832, $1::jsonb)`,
        JSON.stringify(rows),
      )
      expect(answer).toEqual({ neu: 1, geaendert: 0, behalten: 2 })
    })

    test('what has photos is neither removed nor doubled by a replacing import', async () => {
      const { kennung } = await unnamed(381_100)
      await add('apus_team', kennung)
      expect(await store({ nr: 1, g: hex(381_100, 5_690_500) })).toMatchObject({ neu: 0, behalten: 1 })
      // With a key and no longer in the file.
      await add('apus_team', UUID_C)
      await run('apus_team', `select maps.remove_missing_vermessung(${RUNNING}, 'schacht')`)
      expect((await photosOf('apus_team', kennung)).length).toBe(1)
      expect((await photosOf('apus_team', UUID_C)).length).toBeGreaterThan(0)
    })

    // The embedded engine has one session.
    test.skipIf(engineName === 'embedded')(
      'a photo that arrives while a replacing import removes keeps its object',
      async () => {
        const { kennung } = await unnamed(314900)
        await engine.owner.script(
          `begin; set local role forst_betrieb;
           update app.schacht set schluessel = 'S-race', import_id =
             (select min(id) from app.vermessung_import where client_id = ${C} and id <> ${RUNNING})
           where kennung = '${kennung}'; commit`,
        )
        const adding = Promise.withResolvers<void>()
        const removing = Promise.withResolvers<void>()
        const added = engine.api.transaction(
          { ...asCaller(claimsOf('apus_team')), role: 'forst_karte' },
          async (tx) => {
            await tx.query(
              sql(
                `select maps.add_vermessung_picture('schacht', $1, $2, 'S.jpg', 'image/jpeg', 1, 1, 1, $3, null, null,
                   null, null, null)`,
                kennung,
                uuidOf(++nr),
                SHA(nr),
              ),
            )
            adding.resolve()
            await removing.promise
          },
        )
        await adding.promise
        const removed = run('apus_team', `select maps.remove_missing_vermessung(${RUNNING}, 'schacht')`)
        await new Promise((resolve) => setTimeout(resolve, 300))
        removing.resolve()
        await Promise.all([added, removed])
        expect(await photosOf('apus_team', kennung)).toHaveLength(1)
        expect(await run('apus_team', 'select from app.schacht where kennung = $1', kennung)).toHaveLength(1)
      },
    )

    test('set by hand, a place loses what a receiver said of the one before', async () => {
      const said = { lage_fix: 'rtk_fixed', genauigkeit_geschaetzt: false, genauigkeit_cm: 1.4 }
      const identifier = uuidOf(++nr)
      await sync({
        kennung: identifier,
        version: null,
        tabelle: 'schacht',
        client_id: C,
        lage: '12.9 53.5',
        ...said,
      })
      const place = (x: number) => `public.st_setsrid(public.st_makepoint(${x}, 5930000), 25833)`
      const row = async () =>
        (
          await run(
            'apus_team',
            `select lage_fix, genauigkeit_geschaetzt, genauigkeit_cm::float8 as genauigkeit_cm from app.schacht
             where kennung = $1`,
            identifier,
          )
        )[0]
      const patch = (set: string) =>
        run('apus_team', `update app.schacht set ${set} where kennung = $1`, identifier)
      await patch('dn = 100')
      expect(await row()).toEqual({ ...said, genauigkeit_cm: '1.4' })
      await patch(`geom = ${place(380_000)}, lage_fix = 'rtk_fixed', genauigkeit_geschaetzt = false`)
      expect(await row(), 'measured again, with the same result').toEqual({
        ...said,
        genauigkeit_cm: '1.4',
      })
      await patch(`geom = ${place(380_001)}`)
      expect(await row()).toEqual({ lage_fix: null, genauigkeit_geschaetzt: null, genauigkeit_cm: null })
      expect(
        await attempt(
          engine.api,
          claimsOf('apus_team'),
          sql('update app.schacht set version = 7 where kennung = $1', identifier),
        ),
      ).toMatchObject({ code: '42501' })
    })

    test('removed with their customer, they leave nothing in the history', async () => {
      await engine.owner.script(`begin; select maps.remove_vermessung(${C}); commit`)
      const { rows } = await engine.owner.query<{ n: number }>(
        `select ((select count(*) from app.vermessungsbilder where client_id = ${C})
          + (select count(*) from app.verlauf where tabelle = 'vermessungsbilder' and client_id = ${C}
             and (alt is not null or neu is not null)))::int as n`,
      )
      expect(rows[0]!.n).toBe(0)
    })
  })
