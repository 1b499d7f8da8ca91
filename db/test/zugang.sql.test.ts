// Keys for programs in the database: a key sees what its owner sees, narrowed it sees less, and nothing of
// what it may not do depends on the server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEY_GROUPS } from '#domain/zugang.ts'
import type { Context } from '#server/database/database.ts'
import { CHECK_REQUEST } from '#server/nutzer.ts'
import { refusalOf } from './attempt.ts'
import { insertKey, keyOf } from './cells/zugang.ts'
import { asCaller, EITHER_ENGINE, enginesToday, type Engine, isMissing, sql } from './engines.ts'
import { openEngine } from './engines.ts'
import { buildWorld } from './nouns.ts'
import {
  A,
  A1,
  B,
  B1,
  claimsOf,
  COLLEAGUE,
  IDENTITIES,
  type IdentityName,
  ISS,
  numberOf,
  ROLE_NAMES,
  STRANGER,
} from './world.ts'

/** Tables without a customer that belong to the customer of the row they hang on. */
const HANGS_ON: Readonly<Record<string, string>> = {
  angebot_offen: '(select a.client_id::text from app.angebot a where a.id = t.angebot_id)',
  rechnung_offen: '(select r.client_id::text from app.rechnung r where r.id = t.rechnung_id)',
}

/** Read only by keys that are not narrowed to groups. */
const WITHOUT_GROUP = [
  'abkuerzung',
  'ansicht',
  'datenschutz_vorgang',
  'eingang_mail',
  'eingang_postfach',
  'einstellung',
  'ereignis',
  'import_lauf',
  'import_zeile',
  'import_zuordnung',
  'meldung',
  'siegel',
  'siegel_form',
  'verlauf',
]

/** Each of its rows belongs to the group of the record it tells of (ereignis.sql.test.ts). */
const GROUP_BY_ROW = 'ereignis'

type Narrowing = Omit<Parameters<typeof insertKey>[0], 'user_id' | 'id' | 'groups'>
const LIMITS: Readonly<Record<string, Narrowing>> = {
  'the forest half': { haelfte: 'forst' },
  'the drainage half': { haelfte: 'draenage' },
  reading: { nur_lesen: true },
  'one customer': { client_id: A },
  'a group of one customer': { gruppen: ['betriebe'], client_id: A },
  ...Object.fromEntries(KEY_GROUPS.map((group) => [group, { gruppen: [group] }])),
}

const keyClaims = (name: IdentityName, id: number) => ({
  iss: ISS,
  sub: name,
  iat: 0,
  groups: [],
  key: String(id),
})
const asKey = (name: IdentityName, id: number, path?: string): Context => ({
  role: 'programm',
  settings: {
    'request.jwt.claims': JSON.stringify(keyClaims(name, id)),
    ...(path !== undefined && { 'request.path': path }),
  },
  ...(path !== undefined && { preRequest: CHECK_REQUEST }),
})

interface Relation {
  readonly name: string
  readonly columns: string
  readonly has_kunde: boolean
  /** Of a view, which adds up and hides what its caller does not see: the columns that name a row. */
  readonly named: string | null
  readonly key_group: string | null
}

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`keys for programs on ${engineName}`, () => {
    let engine: Engine
    let relations: Relation[] = []
    let nextKey = 9_000
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      relations = (
        await engine.owner.query<Relation>(
          `select c.relname as name, rights.group_of(c.relname) as key_group,
            string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns,
            bool_or(a.attname = 'client_id') as has_kunde,
            case when c.relkind = 'v' then coalesce(
              string_agg(quote_ident(a.attname), ', ')
                filter (where a.attname in ('id', 'idHQ', 'user_id', 'client_id')), '1') end as named
           from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
           where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'v')
             and has_column_privilege('nutzer', c.oid, a.attnum, 'select')
           group by c.relname, c.relkind order by c.relname`,
        )
      ).rows
    })
    afterAll(() => engine?.close())

    const newKey = async (name: IdentityName, narrowing: Narrowing = {}): Promise<number> => {
      const id = ++nextKey
      const { groups } = IDENTITIES[name as keyof typeof IDENTITIES]
      await engine.owner.script(
        `begin; set local role forst_betrieb;
         ${insertKey({ user_id: numberOf(name), id, groups, ...narrowing })} commit`,
      )
      return id
    }

    /** Every visible row of every relation, as a digest, with its customer. */
    async function everything(context: Context): Promise<Map<string, Map<string, string | null>>> {
      const parts = relations.map(
        ({ name, columns, has_kunde, named }) =>
          `select '${name}' as relation, ${named === null ? 'md5(t::text)' : `concat_ws('/', ${named})`} as row,
             ${has_kunde ? 't.client_id::text' : (HANGS_ON[name] ?? 'null')} as kunde
           from (select ${columns} from app.${name}) t`,
      )
      const { rows } = await engine.api.once<{ relation: string; row: string; kunde: string | null }>(
        { ...context, timeoutMs: 60_000 },
        sql(parts.join(' union all ')),
      )
      const found = new Map<string, Map<string, string | null>>()
      for (const { relation, row, kunde } of rows)
        found.set(relation, (found.get(relation) ?? new Map<string, string | null>()).set(row, kunde))
      return found
    }
    const flat = (found: Map<string, Map<string, string | null>>): string[] =>
      [...found].flatMap(([relation, rows]) => [...rows.keys()].map((row) => `${relation} ${row}`)).sort()

    const step = EITHER_ENGINE.includes(engineName) ? 1 : 7
    for (const name of ROLE_NAMES.filter((_, at) => at % step === 0))
      test(`a key of ${name} sees what they see, and less with each narrowing`, {
        timeout: 120_000,
      }, async () => {
        const owner = await everything(asCaller(claimsOf(name)))
        expect(flat(await everything(asKey(name, keyOf(numberOf(name)))))).toEqual(flat(owner))
        const whole = new Set(flat(owner))
        for (const [what, narrowing] of Object.entries(LIMITS)) {
          const seen = await everything(asKey(name, await newKey(name, narrowing)))
          expect(
            flat(seen).filter((row) => !whole.has(row)),
            `${what}: nothing that ${name} does not see`,
          ).toEqual([])
          if (what === 'reading') expect(flat(seen)).toEqual(flat(owner))
          if (narrowing.gruppen != null)
            expect(
              [...seen.keys()].filter(
                (relation) =>
                  relation !== GROUP_BY_ROW &&
                  !narrowing.gruppen?.includes(
                    relations.find((one) => one.name === relation)?.key_group ?? '',
                  ),
              ),
              `${what}: other groups`,
            ).toEqual([])
          if (narrowing.client_id != null)
            expect(
              [...seen]
                // A view without the column adds up what is left.
                .filter(([relation]) =>
                  relations.some((one) => one.name === relation && (one.has_kunde || one.named === null)),
                )
                .filter(([, rows]) => [...rows.values()].some((kunde) => kunde !== String(A))),
              `${what}: other customers`,
            ).toEqual([])
        }
      })

    test('for one customer no function reads more of another, however it reads', async () => {
      const { rows: read } = await engine.owner.query<{ name: string }>(
        `select distinct p.oid::regproc::text as name from pg_proc p
         where p.prosecdef and p.provolatile <> 'v' and p.prorettype <> 'trigger'::regtype
           -- Of an identifier that only its device knows.
           and p.proname <> 'was_habitat_deleted' and p.pronamespace <> 'app'::regnamespace
           and p.pronamespace::regnamespace::text = any (rights.schemas())
           and has_function_privilege('programm', p.oid, 'execute')
           and p.proargnames && '{kunde,client_id,hqid,hq_id,idHQ,words}' order by 1`,
      )
      const box = '-2e7, -2e7, 2e7, 2e7'
      const foreign: Readonly<Record<string, readonly string[]>> = {
        'forest.bestand_scope': [`select from forest.bestand_scope(${B1}) s where s is not null`],
        'forest.bestand_sums': [`select from forest.bestand_sums(${B1}) s where s::text <> '[]'`],
        'forest.import_target': [`select from forest.import_target(${B1}, 'habitat')`],
        'forest.kawm_on': [`select forest.kawm_on(${B1}, current_date - 1)`],
        'forest.kawm_places': [`select from forest.kawm_places(${B1})`],
        'forest.kunde_of': [`select where forest.kunde_of(${B1}) is not null`],
        'forest.may_habitat': [`select where forest.may_habitat(${B1})`],
        'forest.report_head': [`select from forest.report_head(${B1}) r where r is not null`],
        'maps.export_zone': [`select where maps.export_zone(${B}) is not null`],
        'maps.forest_box': [`select where maps.forest_box(${B}) is not null`],
        'maps.import_target': [`select from maps.import_target(${B})`],
        'maps.kataster_cells': [`select from maps.kataster_cells(${B}, 0, 0, 0, '{}')`],
        'maps.kataster_clusters_near': [`select from maps.kataster_clusters_near(${B}, ${box}, '{}', 4)`],
        'maps.kataster_objects': [`select from maps.kataster_objects(${B}, ${box}, '{}', 9)`],
        'maps.plan_numbered': [`select where maps.plan_numbered(${B}, 'x') is not null`],
        'maps.survey_zone': [`select where maps.survey_zone(${B}) is not null`],
        'search.candidates': [`select from unnest(search.candidates('kunde', '{${B}}', 8, 20))`],
        'search.papers': [`select from search.papers('rechnung', '{Kunde}', null, 20)`],
        'search.received': [`select from search.received('{harvester}', null, 20)`],
        'search.recurring': [`select from search.recurring('{monitoring}', 20)`],
      }
      expect(read.map(({ name }) => name)).toEqual(Object.keys(foreign))
      const found = async (context: Context, call: string) =>
        engine.api.once(context, sql(call)).then(
          ({ rows }) => rows.length,
          () => 0,
        )
      const empty: string[] = []
      const wide = await newKey('admin')
      const narrow = [
        await newKey('admin', { client_id: A }),
        await newKey('admin', { client_id: A, gruppen: ['vermessung', 'habitat', 'bestaende'] }),
        await newKey('admin', { gruppen: ['notizen'] }),
      ]
      for (const [name, calls] of Object.entries(foreign))
        for (const call of calls) {
          const own = await found(asKey('admin', wide), call)
          if (own === 0) empty.push(name)
          for (const id of narrow) expect(await found(asKey('admin', id), call), call).toBe(0)
        }
      // Of these there is nothing to see in this world.
      expect(empty).toEqual(['maps.plan_numbered', 'search.papers'])
      const mine = await newKey('admin', { client_id: A, gruppen: ['vermessung'] })
      const tile = `select from maps.kataster_objects(${A}, ${box}, '{}', 9)`
      expect(await found(asKey('admin', mine), tile)).toBeGreaterThan(0)
    })

    test('for one customer every figure is the one that the owner sees, or none', async () => {
      const wrong: string[] = []
      for (const name of ['admin', 'kundenadmin'] as const) {
        const key = asKey(name, await newKey(name, { client_id: A }))
        for (const { name: relation, columns, has_kunde } of relations) {
          if (!has_kunde) continue
          const text = `select to_jsonb(t) as row from (select ${columns} from app.${relation}) t
            where t.client_id = ${A} order by 1`
          const rowsOf = async (context: Context) =>
            (await engine.api.once<{ row: Record<string, unknown> }>(context, sql(text))).rows
          const owner = await rowsOf(asCaller(claimsOf(name)))
          const seen = await rowsOf(key)
          if (owner.length !== seen.length) wrong.push(`${name} ${relation}: rows`)
          const nr = (row: Record<string, unknown> | undefined) => String(row?.['id'] ?? row?.['idHQ'] ?? '')
          for (const { row } of seen) {
            const same = owner.find((one) => nr(one.row) === nr(row))?.row ?? {}
            for (const [column, value] of Object.entries(row))
              if (nr(row) !== '' && value !== null && JSON.stringify(value) !== JSON.stringify(same[column]))
                wrong.push(
                  `${name} ${relation}.${column}: ${JSON.stringify(same[column])} ${JSON.stringify(value)}`,
                )
          }
        }
      }
      expect([...new Set(wrong)]).toEqual([])
      const { rows } = await engine.api.once(
        asKey('admin', await newKey('admin', { client_id: A })),
        sql('select nutzer, team from app.kunde_mitglieder'),
      )
      expect(rows).toEqual([{ nutzer: null, team: null }])
    })

    test('a link made later opens no half that its owner had no roles of', async () => {
      const owner = (text: string) =>
        engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)
      const id = await newKey('appuser', { rollen: ['appuser'] })
      const link = `user_id = ${numberOf('appuser')} and hqid = ${A1}`
      await owner(`insert into app.benutzer_hq (client_id, hqid, user_id)
        values (${A}, ${A1}, ${numberOf('appuser')})`)
      const seen = async (context: Context) =>
        (await engine.api.once(context, sql('select from app.hq'))).rows.length
      expect(await seen(asCaller(claimsOf('appuser')))).toBe(1)
      expect(await seen(asKey('appuser', id))).toBe(0)
      await owner(`delete from app.benutzer_hq where ${link}`)
      const forest = await newKey('ogf_standard', { rollen: ['ogf_standard'] })
      expect(await seen(asKey('ogf_standard', forest))).toBe(1)
    })

    test('with a group staff see the rows of that group', async () => {
      for (const [name, groupName, relation] of [
        ['apus_admin', 'kunden', 'kunde'],
        ['ogf_admin', 'betriebe', 'hq'],
        ['apus_team', 'karten', 'karte'],
        ['apus_admin', 'belege', 'rechnung'],
        ['ogf_admin', 'habitat', 'habitatbaeume'],
        ['ogf_admin', 'bestaende', 'bestand'],
        ['apus_team', 'vermessung', 'schacht'],
        ['ogf_admin', 'personen', 'benutzer'],
        ['apus_admin', 'notizen', 'notiz'],
      ] as const) {
        const id = await newKey(name, { gruppen: [groupName] })
        const { rows } = await engine.api.once(
          asKey(name, id, `/${relation}`),
          sql(`select from app.${relation}`),
        )
        expect(rows.length, `${name} ${relation}`).toBeGreaterThan(0)
      }
    })

    test('every published relation has a group, or is in the list of those without', () => {
      expect(
        relations
          .filter(({ key_group }) => key_group === null)
          .map(({ name }) => name)
          .sort(),
      ).toEqual(WITHOUT_GROUP)
    })

    test('groups and halves are the same in the application and in the database', async () => {
      const { KEY_GROUPS: groups, halfOf } = await import('#domain/zugang.ts')
      const { rows } = await engine.owner.query<{ name: string; half: string | null }>(
        'select name, rights.half_of(name) as half from unnest(rights.key_groups()) as name',
      )
      expect(rows).toEqual(groups.map((name) => ({ name, half: halfOf(name) })))
    })

    test('every table that people read or write narrows keys', async () => {
      const { rows } = await engine.owner.query<{ name: string }>(
        `select c.oid::regclass::text as name from pg_class c
         where c.relkind in ('r', 'p') and c.relnamespace::regnamespace::text = any (rights.schemas())
           and (has_any_column_privilege('nutzer', c.oid, 'select, insert, update')
             or has_table_privilege('nutzer', c.oid, 'delete'))
           and (select count(*) from pg_policy p where p.polrelid = c.oid and not p.polpermissive
             and p.polroles = array['programm'::regrole::oid]) <> 2`,
      )
      expect(rows).toEqual([])
    })

    test('triggers that ask whether a person is calling count programs as well', async () => {
      const { rows } = await engine.owner.query<{ name: string }>(
        `select t.tgrelid::regclass || '.' || t.tgname as name from pg_trigger t
         -- Of type name it is who calls; as a text it is a role in a record.
         where pg_get_triggerdef(t.oid) ~ '''nutzer''::name' and pg_get_triggerdef(t.oid) !~ '''programm'''
         union all
         select p.oid::regprocedure::text from pg_proc p
         where p.pronamespace::regnamespace::text = any (rights.schemas())
           and p.prosrc ~ 'current_user (=|<>) ''+nutzer'''`,
      )
      expect(rows).toEqual([])
    })

    test('no view reads more than its caller may: no function behind one returns rows of tables', async () => {
      const { rows } = await engine.owner.query<{ view: string; definer: string }>(
        `select distinct v.oid::regclass::text as view, p.oid::regprocedure::text as definer
         from pg_class v join pg_rewrite r on r.ev_class = v.oid
           join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
             and d.refclassid = 'pg_proc'::regclass
           join pg_proc p on p.oid = d.refobjid
         where v.relnamespace = 'app'::regnamespace and p.prosecdef and (p.proretset or p.prorettype in
           ('json'::regtype, 'jsonb'::regtype))`,
      )
      // Numbers of people alone, of whom the view shows those that the caller sees.
      expect(rows).toEqual([{ view: 'app.nutzer_liste', definer: 'accounts.ever_signed_in()' }])
    })

    test('writes of a key that only reads are refused twice', async () => {
      const id = await newKey('apus_admin', { nur_lesen: true })
      const change = sql(`update app.kunde set bundesland = 'Hessen' where client_id = ${A}`)
      expect(await refusalOf(engine.api.once(asKey('apus_admin', id, '/kunde'), change))).toMatch(/^25006/)
      expect(
        await refusalOf(
          engine.api.once(asKey('apus_admin', id, '/rpc/x'), sql('select app.a_end_zugang(1)')),
        ),
      ).not.toBe('done')
      // Without the check of the request, by row security.
      expect(await refusalOf(engine.api.once(asKey('apus_admin', id), change))).toMatch(/^42501/)
      const gone = await engine.api.once(asKey('ogf_admin', await newKey('ogf_admin', { nur_lesen: true })), {
        text: 'delete from app.gutschein',
      })
      expect(gone.rowCount).toBe(0)
    })

    test('what a key may not call has a name', async () => {
      const ask = async (name: IdentityName, narrowing: Narrowing, path: string) =>
        refusalOf(engine.api.once(asKey(name, await newKey(name, narrowing), path), sql('select 1')))
      expect(await ask('apus_admin', { gruppen: ['karten'] }, '/karte')).toBe('done')
      expect(await ask('apus_admin', { gruppen: ['karten'] }, '/rechnung')).toBe('PT403 - key_group')
      expect(await ask('apus_admin', { gruppen: ['karten'] }, '/verlauf')).toBe('PT403 - key_group')
      expect(await ask('apus_admin', { gruppen: ['karten'] }, '/rpc/a_get_acronyms')).toBe(
        'PT403 - key_calls',
      )
      expect(await ask('apus_admin', { gruppen: ['karten'] }, '')).toBe('PT403 - key_calls')
      expect(await ask('apus_admin', { client_id: A }, '/rpc/a_get_acronyms')).toBe('PT403 - key_calls')
      expect(await ask('apus_admin', { client_id: A }, '/rechnung')).toBe('done')
      expect(await ask('apus_admin', {}, '/rpc/a_get_acronyms')).toBe('done')
      expect(await ask('admin', { haelfte: 'forst' }, '/karte')).toBe('PT403 - key_half')
      expect(await ask('admin', { haelfte: 'forst' }, '/rpc/a_get_acronyms')).toBe('done')
      // An encoded name is none.
      expect(await ask('apus_admin', { gruppen: ['karten'] }, '/k%61rte')).toBe('PT403 - key_group')
    })

    test('a key works as its role alone, and that role with a key alone', async () => {
      const claims = JSON.stringify(keyClaims('apus_admin', keyOf(numberOf('apus_admin'))))
      const other = { role: 'nutzer', settings: { 'request.jwt.claims': claims }, preRequest: CHECK_REQUEST }
      expect(await refusalOf(engine.api.once(other, sql('select 1')))).toBe('PT403 - key_not_here')
      const { rows } = await engine.api.once(
        { ...asCaller(claimsOf('admin')), role: 'programm' },
        sql('select from app.kunde'),
      )
      expect(rows).toEqual([])
    })

    test('it ends at once, by its day, for the locked, and for another person there is none', async () => {
      const asked = async (name: IdentityName, id: number) => [
        await refusalOf(engine.api.once(asKey(name, id, '/kunde'), sql('select 1'))),
        (await engine.api.once(asKey(name, id), sql('select from app.kunde'))).rows.length,
      ]
      const owner = (text: string) =>
        engine.owner.script(`begin; set local role forst_betrieb; ${text}; commit`)
      const id = await newKey('ogf_team')
      expect((await asked('ogf_team', id))[0]).toBe('done')
      expect(await asked('apus_team', id)).toEqual(['PT401 - key_ended', 0])
      await owner(`update accounts.zugang set bis = current_date - 1 where id = ${id}`)
      expect(await asked('ogf_team', id)).toEqual(['PT401 - key_ended', 0])
      const ended = await newKey('ogf_team')
      await engine.api.once(asCaller(claimsOf('ogf_team')), sql(`select app.a_end_zugang(${ended})`))
      expect(await asked('ogf_team', ended)).toEqual(['PT401 - key_ended', 0])
      const locked = await newKey('disabled')
      expect(await asked('disabled', locked)).toEqual(['PT401 - account_disabled', 0])
      // Sessions that have ended do not end keys by themselves.
      expect((await asked('session_ended', await newKey('session_ended')))[0]).toBe('done')
      // Not more than the person was when it was made.
      expect(await asked('ogf_team', await newKey('ogf_team', { rollen: ['appuser'] }))).toEqual([
        'PT401 - key_void',
        0,
      ])
    })

    test('neither people nor their rights nor keys are changed with a key', async () => {
      const id = await newKey('admin')
      const refused = (text: string) => refusalOf(engine.api.once(asKey('admin', id, '/rpc/x'), sql(text)))
      for (const call of [
        `select app.a_set_user_enabled(${STRANGER}, false)`,
        `select app.a_set_user_flags(${STRANGER}, apus_admin => true, apus_team => true)`,
        `select app.a_set_system_status(${STRANGER}, 'ogf_admin')`,
        `select app.a_add_user_to_client(${STRANGER}, ${A}, false)`,
        `select app.a_remove_user_from_client(${STRANGER}, ${B})`,
        `select app.a_end_zugang(${id})`,
        `select accounts.add_key('{"art":"person","name":"x","bis":"2199-01-01"}', repeat('00', 32), 'abcd')`,
        `select app.a_delete_person_daten(${STRANGER}, 'person${STRANGER}@test.example')`,
      ])
        expect(await refused(call), call).toBe('PT403 - key_person_only')
    })

    test('what is told to a person about people is not told to a key, also of one half', async () => {
      const id = await newKey('admin', { haelfte: 'forst' })
      for (const call of [
        'select app.__o_get_meine_daten()',
        'select app.a_get_zugaenge(false)',
        'select app.a_get_zugaenge(true)',
        `select app.a_get_datenschutz_auskunft('person', ${STRANGER})`,
        `select app.a_get_datenschutz_vorschau('kunde', ${A})`,
      ])
        expect(await refusalOf(engine.api.once(asKey('admin', id, '/rpc/x'), sql(call))), call).toBe(
          'PT403 - key_person_only',
        )
    })

    test('a key for a group writes that group, and its lists are not empty', async () => {
      const survey = asKey('apus_admin', await newKey('apus_admin', { gruppen: ['vermessung'] }), '/schacht')
      const add = (kunde: number) =>
        sql(`insert into app.schacht (client_id, geom)
          select client_id, geom from app.schacht where client_id = ${kunde} limit 1`)
      expect(await refusalOf(engine.api.once(survey, add(A)))).toBe('done')
      const narrow = { client_id: B, gruppen: ['vermessung'] }
      expect(
        await refusalOf(
          engine.api.once(asKey('apus_admin', await newKey('apus_admin', narrow), '/schacht'), {
            text: `insert into app.schacht (client_id, geom)
              values (${A}, public.st_setsrid(public.st_makepoint(330000, 5690000), 25833))`,
          }),
        ),
      ).toMatch(/^(PT403|42501)/)
      const trees = asKey('ogf_admin', await newKey('ogf_admin', { gruppen: ['habitat'] }), '/habitatbaeume')
      expect(
        await refusalOf(
          engine.api.once(
            trees,
            sql(`insert into app.habitatbaeume ("idHQ", art, lon, lat) values (${A1}, 'bu', 12.4, 51.3)`),
          ),
        ),
      ).toBe('done')
      for (const [name, groupName, list] of [
        ['ogf_admin', 'habitat', 'habitatbaeume_liste'],
        ['ogf_admin', 'habitat', 'habitatbaeume_karte'],
        ['apus_admin', 'karten', 'karte_liste'],
      ] as const) {
        const context = asKey(name, await newKey(name, { gruppen: [groupName] }), `/${list}`)
        const { rows } = await engine.api.once(context, sql(`select from app.${list}`))
        expect(rows.length, list).toBeGreaterThan(0)
      }
    })

    test('kept answers are one key’s own, and the session of a key has its days', async () => {
      const [one, other] = [await newKey('apus_admin'), await newKey('apus_admin')]
      const take = async (context: Context) =>
        (
          await engine.api.once<{ repeated: boolean }>(
            context,
            sql(`select repeated from accounts.take_key('write-number-000001', repeat('a', 64))`),
          )
        ).rows[0]?.repeated
      expect(await take(asKey('apus_admin', one, '/kunde'))).toBe(false)
      expect(await take(asKey('apus_admin', one, '/kunde'))).toBe(true)
      expect(await take(asKey('apus_admin', other, '/kunde'))).toBe(false)
      expect(await take(asCaller(claimsOf('apus_admin')))).toBe(false)
      const { rows } = await engine.api.once<{ ends: string; day: string }>(
        asKey('apus_admin', one, '/rpc/a_get_currentsessionuser'),
        sql(`select (u ->> 'expires_at')::timestamptz > now() + interval '29 days' as ends,
          (u ->> 'issued_at')::timestamptz > now() - interval '1 day' as day
          from app.a_get_currentsessionuser() u`),
      )
      expect(rows).toEqual([{ ends: true, day: true }])
    })

    test('programs that write without end leave their owner able to save', async () => {
      const me = numberOf('ogf_admin')
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into accounts.kept_answer (user_id, key, digest)
        select ${me}, 'write-of-a-program-' || nr, repeat('a', 64) from generate_series(1, 20000) nr; commit`)
      const take = (context: Context) =>
        engine.api.once(context, sql(`select from accounts.take_key('write-number-000002', repeat('a', 64))`))
      await expect(take(asKey('ogf_admin', await newKey('ogf_admin'), '/kunde'))).rejects.toMatchObject({
        code: 'PT429',
      })
      await take(asCaller(claimsOf('ogf_admin')))
      await engine.owner.script(`begin; set local role forst_betrieb;
        delete from accounts.kept_answer where user_id = ${me}; commit`)
    })

    test('after a deletion no name of the person is left, also not of keys that ended long ago', async () => {
      const me = COLLEAGUE
      const { rows } = await engine.owner.query<{ name: string; email: string }>(
        `select coalesce(nullif(btrim(concat_ws(' ', first_name, last_name)), ''), username) as name, email
         from app.benutzer where user_id = ${me}`,
      )
      const { name, email } = rows[0] ?? { name: '', email: '' }
      const id = await newKey('apus_team')
      await engine.owner.script(`begin; set local role forst_betrieb;
        update app.kunde set geaendert_von = '${name} durch Altes Programm' where client_id = ${B};
        insert into app.verlauf (wer, user_id, tabelle, schluessel, client_id, aktion)
          values ('${name} durch Altes Programm', ${me}, 'kunde', '${B}', ${B}, 'geaendert');
        insert into app.verlauf (wer, user_id, tabelle, schluessel, aktion, neu)
          values ('${name}', ${me}, 'gutschein', '4711', 'neu',
            jsonb_build_object('angelegt_von', '${name} durch Altes Programm'));
        update accounts.zugang set beendet_am = now(), beendet_grund = 'verwaltung', beendet_von = '${name}'
          where id = ${id};
        commit`)
      await engine.api.once(
        asCaller(claimsOf('admin')),
        sql(`select app.a_delete_person_daten(${me}, '${email}')`),
      )
      const left = await engine.owner.query(
        `select 'kunde' as at from app.kunde where geaendert_von like '${name}%'
         union all select 'verlauf' from app.verlauf where wer like '${name}%' or neu::text like '%${name} durch%'
         union all select 'zugang' from accounts.zugang where beendet_von like '${name}%'`,
      )
      expect(left.rows).toEqual([])
    })

    test('the author of a change is the person and the key', async () => {
      const id = await newKey('apus_admin')
      const me = numberOf('apus_admin')
      await engine.api.once(
        asKey('apus_admin', id, '/kunde'),
        sql(`update app.kunde set bundesland = 'Hessen' where client_id = ${A}`),
      )
      const author = `Vor${me} Nach${me} durch Programm ${id}`
      const stamped = await engine.owner.query(`select geaendert_von from app.kunde where client_id = ${A}`)
      expect(stamped.rows).toEqual([{ geaendert_von: author }])
      const told = await engine.owner.query(
        `select wer, user_id from app.verlauf where tabelle = 'kunde' order by id desc limit 1`,
      )
      expect(told.rows).toEqual([{ wer: author, user_id: me }])
      // After a deletion neither name is left.
      await engine.owner.script(`begin; set local role forst_definer;
        select privacy.replace_name(${me}, 'Vor${me} Nach${me}' || ' durch ' || z.name, 'gelöschte Person ${me}')
          from accounts.zugang z where z.id = ${id}; commit`)
      expect(
        (await engine.owner.query(`select geaendert_von from app.kunde where client_id = ${A}`)).rows,
      ).toEqual([{ geaendert_von: `gelöschte Person ${me}` }])
    })

    test('making one: by people with rights, for a year at most, with one name each', async () => {
      let nr = 0
      const make = (name: IdentityName, wanted: object) =>
        refusalOf(
          engine.api.once(asCaller(claimsOf(name)), {
            text: 'select accounts.add_key($1::jsonb, $2, $3)',
            values: [
              JSON.stringify({
                art: 'person',
                name: `Neu ${++nr}`,
                bis: days(30),
                nur_lesen: true,
                ...wanted,
              }),
              String(nr).padStart(64, '0'),
              'wxyz',
            ],
          }),
        )
      const days = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
      expect(await make('appuser', {})).toBe('done')
      expect(await make('appuser', { name: 'neu 1' })).toBe('23514 name zugang_vergeben')
      expect(await make('ogf_init', {})).toBe('PT403 - -')
      expect(await make('unknown', {})).toBe('PT403 - -')
      expect(await make('disabled', {})).toBe('PT403 - -')
      expect(await make('appuser', { name: ' ' })).toBe('23514 name zugang_name')
      expect(await make('appuser', { name: 'zwei\nZeilen' })).toBe('23514 name zugang_name')
      for (const odd of ['\u202e', '\u2028', '\u0085', '\u200b', '\u00a0'])
        expect(await make('appuser', { name: `QGIS${odd}Büro` })).toBe('23514 name zugang_name')
      expect(await make('appuser', { name: 'X durch Berta Birke' })).toBe('23514 name zugang_name')
      expect(await make('appuser', { name: 'Durchforstung – „Büro“ …' })).toBe('done')
      expect(await make('appuser', { bis: days(400) })).toBe('23514 bis zugang_bis')
      expect(await make('appuser', { bis: days(-2) })).toBe('23514 bis zugang_bis')
      expect(await make('appuser', { bis: null })).toBe('23514 bis zugang_bis')
      expect(await make('appuser', { gruppen: ['alles'] })).toBe('23514 gruppen zugang_gruppen')
      expect(await make('appuser', { gruppen: [] })).toBe('23514 gruppen zugang_gruppen')
      // Groups of the other half alone: such a key would open nothing.
      expect(await make('apus_admin', { haelfte: 'draenage', gruppen: ['bestaende', 'habitat'] })).toBe(
        '23514 gruppen zugang_gruppen',
      )
      expect(await make('ogf_admin', { haelfte: 'forst', gruppen: ['karten'] })).toBe(
        '23514 gruppen zugang_gruppen',
      )
      expect(await make('ogf_team', { haelfte: 'forst', gruppen: ['karten', 'habitat'] })).toBe('done')
      expect(await make('ogf_team', { haelfte: 'forst', gruppen: ['belege'] })).toBe('done')
      expect(await make('appuser', { haelfte: 'forst' })).toBe('23514 haelfte zugang_haelfte')
      expect(await make('appuser', { client_id: B })).toBe('23514 client_id zugang_kunde')
      expect(await make('appuser', { client_id: A })).toBe('done')
      expect(await make('appuser', { art: 'haus', haelfte: 'draenage' })).toBe('PT403 - -')
      expect(await make('ogf_admin', { art: 'haus' })).toBe('23514 haelfte zugang_haelfte')
      expect(await make('ogf_admin', { art: 'haus', haelfte: 'forst' })).toBe('done')
      expect(await make('admin', { art: 'haus', haelfte: 'draenage' })).toBe('done')
      expect(await make('ogf_team', { art: 'haus', haelfte: 'forst' })).toBe('PT403 - -')
      const told = await engine.owner.query(
        `select params ->> 'name' as name from app.meldung
         where art = 'zugang_neu' and user_id = ${numberOf('ogf_admin')}`,
      )
      expect(told.rows).toHaveLength(1)
    })

    test('at most fifty of a person', async () => {
      await engine.owner.script(`begin; set local role forst_betrieb;
        ${Array.from({ length: 50 }, (_, at) =>
          insertKey({ user_id: numberOf('kundenadmin'), id: 7_000 + at }),
        ).join('\n')}
        commit`)
      expect(
        await refusalOf(
          engine.api.once(
            asCaller(claimsOf('kundenadmin')),
            sql(`select accounts.add_key(jsonb_build_object('art', 'person', 'name', 'Noch einer',
              'bis', current_date + 1), repeat('ab', 32), 'abcd')`),
          ),
        ),
      ).toBe('PT409 - zugang_anzahl')
    })

    test('a lock and work for the provider end them for good; owners hear of the end two weeks before', async () => {
      const state = async (id: number) =>
        (
          await engine.owner.query<{ grund: string | null }>(
            `select beendet_grund as grund from accounts.zugang where id = ${id}`,
          )
        ).rows[0]?.grund
      const mine = await newKey('appuser')
      const colleague = ++nextKey
      await engine.owner.script(
        `begin; set local role forst_betrieb; ${insertKey({ user_id: STRANGER, id: colleague })} commit`,
      )
      await engine.api.once(
        asCaller(claimsOf('admin')),
        sql(`select app.a_set_user_enabled(${STRANGER}, false)`),
      )
      expect(await state(colleague)).toBe('person')
      await engine.owner.script(
        `update app.benutzer set apus_team = true where user_id = ${numberOf('appuser')}`,
      )
      expect(await state(mine)).toBe('person')
      const soon = await newKey('ogf_fb_admin', { bis: 'current_date + 14' })
      await newKey('ogf_fb_admin', { bis: 'current_date + 15' })
      for (const expected of [1, 0]) {
        await engine.owner.script('begin; set local role forst_betrieb')
        const { rows } = await engine.owner.query<{ told: number }>(
          'select notices.notify_ending_keys(current_date) as told',
        )
        await engine.owner.script('commit')
        expect(rows).toEqual([{ told: expected }])
      }
      const told = await engine.owner.query(
        `select schluessel from app.meldung
         where art = 'zugang_endet' and user_id = ${numberOf('ogf_fb_admin')}`,
      )
      expect(told.rows).toEqual([{ schluessel: expect.stringMatching(`^zugang/${soon}/`) }])
    })

    test('what an outside provider says of a person limits their keys from the next sign-in on', async () => {
      const id = await newKey('ogf_team', { rollen: ['ogf_team'] })
      const claims = { ...claimsOf('ogf_team'), groups: ['appuser_validated'] }
      await engine.api.once(asCaller(claims), sql('select accounts.follow_token_groups()'))
      expect(await refusalOf(engine.api.once(asKey('ogf_team', id, '/kunde'), sql('select 1')))).toBe(
        'PT401 - key_void',
      )
    })
  })
