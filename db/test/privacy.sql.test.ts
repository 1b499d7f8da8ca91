// Data protection against the catalogue: disclosure omits nothing that is stored, and no personal data
// remains after a deletion, wherever it was.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PrivacyDisclosure, PrivacyPreview } from '#contract/privacy.ts'
import { BENUTZER_FIELDS, PERSON_INPUTS } from '#domain/benutzer-fields.ts'
import { columnsOf, CATALOGUE } from '#domain/privacy.ts'
import { silentLog } from '#server/log.ts'
import { removeBlocked } from '#server/operations/blocked-kunden.ts'
import { runUpkeep } from '#server/operations/upkeep.ts'
import { attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { A, A1, B, claimsOf, type IdentityName, numberOf, STRANGER } from './world.ts'

const PERSON = 301
const MAIL = 'marker-mail@marker.example'
/** Values that must not exist anywhere after the deletion. */
const MARKERS = [
  'Markervor',
  'Markernach',
  'marker-mail',
  'marker-kontakt',
  'marker_db',
  'marker-user',
  '1971-02-03',
  'marker-wert',
  'Marker-Ansicht',
  'marker.csv',
]

const SEED = `begin; set local role forst_betrieb;
  insert into app.benutzer (user_id, email, username, mail, first_name, last_name, db_role, geb,
    geschlecht, system_status)
    values (${PERSON}, '${MAIL}', 'marker-user', 'marker-kontakt@marker.example', 'Markervor', 'Markernach',
      'marker_db', '1971-02-03', 'divers', 'ogf_standard');
  insert into accounts.identitaet (iss, sub, user_id) values ('https://idp.test/realms/master', 'marker', ${PERSON});
  insert into accounts.sitzungsende (user_id, ab) values (${PERSON}, '1970-01-01');
  insert into app.benutzer_kunde (client_id, user_id, rolle) values (${A}, ${PERSON}, 'nutzer');
  insert into app.benutzer_hq (client_id, hqid, user_id) values (${A}, ${A1}, ${PERSON});
  insert into app.einstellung (user_id, schluessel, wert) values (${PERSON}, 'theme', '"marker-wert"');
  insert into app.ansicht (user_id, liste, name) values (${PERSON}, 'kunden', 'Marker-Ansicht');
  insert into app.meldung (user_id, art, schluessel, params, ziel)
    values (${PERSON}, 'laufzeit_endet', 'x', '{"a": "marker-wert"}', '/abo/index');
  insert into app.import_lauf (user_id, dateiname) values (${PERSON}, 'marker.csv');
  insert into app.import_zuordnung (user_id, kopf, felder) values (${PERSON}, 'Marker-Ansicht', '{}');
  insert into abo.gutschein_versuch (user_id) values (${PERSON});
  insert into accounts.kept_answer (user_id, key, digest, status, body)
    values (${PERSON}, 'key-of-the-person', repeat('a', 64), 200, '{"name": "x"}');
  insert into accounts.kept_import (user_id, key, digest, was, lauf)
    values (${PERSON}, 'import-of-the-person', repeat('a', 64), 'kunden', gen_random_uuid());
  insert into app.verlauf (wer, user_id, tabelle, schluessel, person_id, aktion, alt, neu) values
    ('Markervor Markernach', ${PERSON}, 'benutzer', '${PERSON}', ${PERSON}, 'geaendert',
     '{"first_name": "Markeralt", "enabled": false}', '{"first_name": "Markervor", "enabled": true}'),
    ('Markervor Markernach', ${PERSON}, 'kunde', '${A}', null, 'geaendert', '{"ort": "Halle"}', '{"ort": "Leipzig"}');
  update app.kunde set geaendert_von = 'Markervor Markernach' where client_id in (${A}, ${B});
  insert into idp.konto (konto_id, email, pw_hash)
    values ('00000000-0000-4000-8000-000000000301', '${MAIL}', '$argon2id$geheim');
  insert into idp.wiederherstellung (konto_id, code_hash)
    values ('00000000-0000-4000-8000-000000000301', 'geheimer-hash');
  insert into idp.artefakt (model, id_hash, payload, konto_id, expires_at)
    values ('Session', 'geheimer-hash', '{}', '00000000-0000-4000-8000-000000000301', now() + interval '1 hour');
  insert into idp.ereignis (art, konto_id, email)
    values ('angemeldet', '00000000-0000-4000-8000-000000000301', '${MAIL}');
  insert into idp.ereignis (art, email, wer) values ('eingeladen', 'andere@marker.example2', '${MAIL}');
  commit`

/** Every row of every table, as text. */
const EVERYTHING = `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname = any (rights.schemas() || '{idp}') order by 1`

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`data protection on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(SEED)
      // Whatever else people type in about themselves must go as well.
      for (const column of PERSON_INPUTS.filter((one) => BENUTZER_FIELDS[one].kind === 'line'))
        await engine.owner.script(
          `begin; set local role forst_betrieb;
          update app.benutzer set ${column} = 'marker-wert' where user_id = ${PERSON} and ${column} is null; commit`,
        )
    })
    afterAll(() => engine?.close())

    const as = (name: IdentityName, ...statements: ReturnType<typeof sql>[]) =>
      attempt(engine.api, claimsOf(name), ...statements)
    /** Commits, unlike `as`. */
    const done = async <T>(name: IdentityName, call: string, ...values: unknown[]): Promise<T> => {
      const context = { role: 'nutzer', settings: { 'request.jwt.claims': JSON.stringify(claimsOf(name)) } }
      const { rows } = await engine.api.once<{ answer: string | null }>(
        context,
        sql(`select (${call})::text as answer`, ...values),
      )
      return JSON.parse(rows[0]?.answer === '' ? 'null' : (rows[0]?.answer ?? 'null')) as T
    }
    let everything = ''
    const rowsWith = async (marker: string): Promise<string[]> => {
      if (everything === '') {
        const { rows } = await engine.owner.query<{ name: string }>(EVERYTHING)
        everything = rows
          .map(({ name }) => `select '${name}: ' || t::text as line from ${name} t`)
          .join(' union all ')
      }
      const { rows } = await engine.owner.query<{ line: string }>(
        `select line from (${everything}) x where position(lower($1) in lower(line)) > 0`,
        [marker],
      )
      return rows.map(({ line }) => line)
    }
    /** The embedded engine returns JSON as text here. */
    const jsonOf = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value)

    test('every column of every table is on one side of the catalogue', async () => {
      const { rows } = await engine.owner.query<{ name: string; columns: string }>(
        `select n.nspname || '.' || c.relname as name,
         string_agg(a.attname, ' ' order by a.attname collate "C") as columns from pg_class c
         join pg_namespace n on n.oid = c.relnamespace
           join pg_attribute a on a.attrelid = c.oid where c.relkind in ('r', 'p')
             and n.nspname = any (rights.schemas() || '{idp}') and a.attnum > 0 and not a.attisdropped
             group by 1 order by 1`,
      )
      const there = Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))
      const said = Object.fromEntries(
        Object.entries(CATALOGUE).map(([name, columns]) => [name, columnsOf(columns).toSorted().join(' ')]),
      )
      expect(said).toEqual(there)
    })
    test('every table with something of a person or a customer is handed out', async () => {
      const { rows } = await engine.owner.query<{ relation: string; person: boolean; kunde: boolean }>(
        'select relation, person is not null as person, kunde is not null as kunde from privacy.tables()',
      )
      const handed = new Map(rows.map((row) => [row.relation, row]))
      const wanted = Object.entries(CATALOGUE).filter(([, { whyLeftOut }]) => whyLeftOut === undefined)
      expect(
        wanted
          .filter(([, { kunde }]) => kunde !== undefined)
          .filter(([name]) => handed.get(name)?.kunde !== true),
      ).toEqual([])
      // Rows that name a person only as their last editor are disclosed with the history.
      const ofPersons = wanted.filter(([, { person = '' }]) =>
        person
          .split(' ')
          .some((name) => !['', 'geaendert_von', 'angelegt_von', 'eingeloest_von'].includes(name)),
      )
      expect(ofPersons.filter(([name]) => !handed.has(name)).map(([name]) => name)).toEqual([])
      expect([...handed.keys()].filter((name) => !(name in CATALOGUE))).toEqual([])
    })

    test('an admin’s copy holds every table, all that was put in, and no secret; it is written down', async () => {
      const copy = await done<PrivacyDisclosure>(
        'ogf_admin',
        `app.a_get_datenschutz_auskunft('person', ${PERSON})`,
      )
      const text = JSON.stringify(copy)
      for (const marker of MARKERS) expect(text, marker).toContain(marker)
      for (const secret of ['argon2id', 'geheimer-hash', 'pw_hash', 'totp_secret'])
        expect(text, secret).not.toContain(secret)
      const filled = copy.tabellen.filter(({ zeilen }) => zeilen.length > 0).map(({ tabelle }) => tabelle)
      for (const name of [
        'app.benutzer',
        'app.benutzer_hq',
        'app.ansicht',
        'app.verlauf',
        'idp.konto',
        'idp.ereignis',
        'idp.artefakt',
        'accounts.identitaet',
        'accounts.sitzungsende',
      ])
        expect(filled, name).toContain(name)
      const { rows } = await engine.owner.query(
        `select art, user_id, person_id, client_id, (umfang ->> 'app.einstellung')::integer as n
         from app.datenschutz_vorgang where person_id = ${PERSON}`,
      )
      expect(rows).toEqual([
        { art: 'auskunft', user_id: numberOf('ogf_admin'), person_id: PERSON, client_id: null, n: 1 },
      ])
    })
    test('one’s own copy holds oneself and nobody else, for the newly registered too', async () => {
      for (const name of ['ogf_init', 'appuser', 'kundenadmin'] as const) {
        const copy = await done<PrivacyDisclosure>(name, 'app.__o_get_meine_daten()')
        expect(copy.nummer).toBe(numberOf(name))
        const people = copy.tabellen.find(({ tabelle }) => tabelle === 'app.benutzer')?.zeilen
        expect(people?.map((row) => row['user_id'])).toEqual([numberOf(name)])
      }
    })
    test('what somebody once changed in other records is not read on through one’s own copy', async () => {
      const me = numberOf('appuser')
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into app.verlauf (wer, user_id, tabelle, schluessel, person_id, aktion, alt, neu) values
          ('x', ${me}, 'benutzer', '${PERSON}', ${PERSON}, 'geaendert', '{"geb": null}', '{"geb": "1971-02-03"}'),
          ('x', ${me}, 'kunde', '${B}', null, 'geaendert', '{"ap_tel": "fremd-alt"}', '{"ap_tel": "fremd-neu"}'),
          ('y', ${PERSON}, 'benutzer', '${me}', ${me}, 'geaendert', '{"last_name": "eigen-alt"}',
           '{"last_name": "eigen-neu"}');
        insert into idp.ereignis (art, email, wer) values ('eingeladen', 'fremd-mail@marker.example',
          (select email from app.benutzer where user_id = ${me})); commit`)
      const text = JSON.stringify(await done<PrivacyDisclosure>('appuser', 'app.__o_get_meine_daten()'))
      for (const other of ['1971-02-03', 'fremd-alt', 'fremd-neu', 'fremd-mail'])
        expect(text, other).not.toContain(other)
      for (const own of ['eigen-alt', 'eigen-neu', 'eingeladen', `"schluessel":"${B}"`])
        expect(text.replaceAll('": ', '":'), own).toContain(own)
      await engine.owner.script(`begin; set local role forst_betrieb;
        delete from app.verlauf where user_id = ${me} or person_id = ${me};
        delete from app.datenschutz_vorgang where user_id = ${me}; commit`)
    })
    test('in the records of others, one’s copy names what one did without the content', async () => {
      const DEMOTED = 302
      const WRITER = numberOf('appuser_admin')
      await engine.owner.script(`begin; set local role forst_betrieb;
        insert into app.benutzer (user_id, email, username, system_status)
          values (${DEMOTED}, 'frueher@test.example', 'frueher', 'ogf_standard');
        insert into accounts.identitaet (iss, sub, user_id)
          values ('https://idp.test/realms/master', 'frueher', ${DEMOTED});
        insert into app.kartenblatt (id, client_id, map_name, epsg) values (3021, ${B}, 'Blatt', 25832);
        commit`)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (const user of [DEMOTED, WRITER])
        await engine.owner.script(`begin;
          insert into app.protokoll (nr, zeit, wer, user_id, gegenstand, gegenstand_id, client_id, ereignis,
            inhalt, vorher, hash)
          select coalesce(max(nr), 0) + 1, now(), 'x', ${user}, 'rechnung', 1, ${B}, 'geaendert',
            '{"netto": "inhalt-4711.00", "iban": "inhalt-DE02120300000000202051"}', repeat('0', 64),
            encode(sha256('${user}'), 'hex')
          from app.protokoll;
          set local role forst_betrieb;
          insert into app.karte_stand (karte_id, client_id, wer, user_id, epsg, georef_label, punkte)
            values (3021, ${B}, 'x', ${user}, 25832, 'inhalt-label', '[{"nr": 1, "mapx": "inhalt-x"}]');
          insert into app.notiz (client_id, karte_id, wer, user_id, text)
            values (${B}, 3021, 'x', ${user}, 'inhalt-notiz');
          insert into app.meldung (user_id, art, schluessel, params, ziel, client_id)
            values (${user}, 'laufzeit_endet', 'kunde', '{"hq": "inhalt-hq"}', '/x', ${B});
          insert into app.datenschutz_vorgang (art, wer, user_id, client_id, umfang)
            values ('auskunft', 'x', ${user}, ${B}, '{"app.rechnung": 987654}'); commit`)
      const own = await engine.api.once<{ answer: unknown }>(
        {
          role: 'nutzer',
          settings: {
            'request.jwt.claims': JSON.stringify({
              iss: 'https://idp.test/realms/master',
              sub: 'frueher',
              groups: ['appuser_validated'],
            }),
          },
        },
        sql('select app.__o_get_meine_daten() as answer'),
      )
      const copies = [
        jsonOf(own.rows[0]?.answer) as PrivacyDisclosure,
        await done<PrivacyDisclosure>('ogf_admin', `app.a_get_datenschutz_auskunft('person', ${WRITER})`),
      ]
      for (const copy of copies) {
        const text = JSON.stringify(copy)
        for (const content of ['inhalt-', '987654']) expect(text, content).not.toContain(content)
        const rowsOf = (name: string) => copy.tabellen.find(({ tabelle }) => tabelle === name)?.zeilen ?? []
        expect([
          ...new Set(rowsOf('app.protokoll').map((row) => Object.keys(row).toSorted().join(' '))),
        ]).toEqual(['ereignis gegenstand gegenstand_id nr user_id wer zeit'])
        expect(rowsOf('app.karte_stand').map((row) => row['karte_id'])).toContain(3021)
        expect(rowsOf('app.notiz').map((row) => row['datensatz'])).toContain(3021)
        expect(rowsOf('app.meldung').length).toBeGreaterThan(0)
      }
    })
    test('of every table that people write in, it is decided which columns their copy shows', async () => {
      const { rows } = await engine.owner.query<{ relation: string; content: string; left_out: string }>(
        `select relation, privacy.content_of(relation)::text as content, ohne::text as left_out
         from privacy.tables() where person is not null`,
      )
      const listOf = (text: string) => text.replaceAll(/[{}"]/g, '').split(',')
      const shown = rows.flatMap(({ relation, content, left_out }) => {
        const hidden = [...listOf(content), ...listOf(left_out)]
        const kunde = (CATALOGUE[relation]?.kunde ?? '').split(' ').filter((name) => !hidden.includes(name))
        return kunde.join('') === '' ? [] : [[relation, kunde.join(' ')]]
      })
      // Which record and when; what it says belongs to privacy.content_of.
      expect(Object.fromEntries(shown)).toEqual({
        'app.benutzer_hq': 'client_id hqid',
        'app.benutzer_kunde': 'client_id',
        'app.bestand_import': 'id idHQ client_id angelegt_am beendet_am',
        'app.datenschutz_vorgang': 'client_id',
        'app.grenzvorschlag': 'id kennung idHQ client_id bestand_id erfasst_am angelegt_am entschieden_am',
        'app.karte_auftrag': 'id karte_id client_id datei_id art angelegt_am begonnen_am beendet_am',
        'app.karte_datei': 'id karte_id client_id art angelegt_am',
        'app.karte_stand': 'id karte_id client_id angelegt_am',
        'app.meldung': 'client_id',
        'app.notiz':
          'id client_id hqid angebot_id rechnung_id karte_id art datensatz angelegt_am geaendert_am',
        'app.notiz_datei': 'id notiz_id client_id angelegt_am',
        'app.notiz_erwaehnt': 'notiz_id client_id',
        'app.protokoll': 'gegenstand gegenstand_id ereignis',
        'app.verlauf': 'client_id hqid',
        'app.vermessung_import': 'id client_id angelegt_am begonnen_am beendet_am',
      })
      // No name in the lists that no table has: a renamed column would be shown.
      expect(
        rows.flatMap(({ relation, content }) =>
          listOf(content).filter(
            (name) => name !== '' && !columnsOf(CATALOGUE[relation] ?? {}).includes(name),
          ),
        ),
      ).toEqual([])
    })
    test('a customer’s copy holds its headquarters and areas, and no other customer’s', async () => {
      const copy = await done<PrivacyDisclosure>('admin', `app.a_get_datenschutz_auskunft('kunde', ${A})`)
      const of = (name: string) => copy.tabellen.find(({ tabelle }) => tabelle === name)?.zeilen ?? []
      expect(of('app.kunde').map((row) => row['client_id'])).toEqual([A])
      expect(of('app.hq').length).toBe(2)
      expect(of('app.hq_flaeche')[0]?.['geom']).toMatchObject({ type: 'MultiPolygon' })
      for (const { zeilen } of copy.tabellen)
        for (const row of zeilen) if ('client_id' in row) expect(row['client_id'] ?? A).toBe(A)
    })
    test('the drainage half’s admin neither gets nor deletes a customer’s forest data, but learns whose', async () => {
      for (const call of [
        `select app.a_get_datenschutz_vorschau('kunde', ${A})`,
        `select app.a_get_datenschutz_auskunft('kunde', ${A})`,
        `select app.a_delete_kunde_daten(${A}, 'Forst A')`,
      ])
        expect(await as('apus_admin', sql(call)), call).toMatchObject({
          code: 'PT403',
          message: 'the customer has data of the other half',
        })
      expect(await as('apus_admin', sql(`select app.a_get_datenschutz_auskunft('kunde', 78)`))).toMatchObject(
        { count: 1 },
      )
      // Rows that are gone have a history, and a webhook belongs to a half.
      const copyAs = async (name: 'apus_admin' | 'ogf_admin', prepare: string) => {
        await engine.owner.script(prepare)
        const outcome = await as(name, sql(`select app.a_get_datenschutz_auskunft('kunde', 78)`))
        await engine.owner.script(
          `delete from app.verlauf where client_id = 78; delete from dispatch.webhook where client_id = 78`,
        )
        return 'code' in outcome ? outcome.code : 'given'
      }
      const gone = (table: string, key: string) =>
        `insert into app.verlauf (tabelle, schluessel, client_id, aktion)
         values ('${table}', '${key}', 78, 'geloescht')`
      for (const [table, key] of [
        ['kartenblatt', '1'],
        ['karte_intern', '1'],
        ['notiz', 'rechnung/1/1'],
        ['notiz', 'karte/1/1'],
        ['serie', '1'],
        ['schacht', '1'],
      ] as const) {
        expect([table, await copyAs('ogf_admin', gone(table, key))]).toEqual([table, 'PT403'])
        expect([table, await copyAs('apus_admin', gone(table, key))]).toEqual([table, 'given'])
      }
      for (const [table, key] of [
        ['hq', '1'],
        ['notiz', 'hq/1/1'],
      ] as const) {
        expect([table, await copyAs('apus_admin', gone(table, key))]).toEqual([table, 'PT403'])
        expect([table, await copyAs('ogf_admin', gone(table, key))]).toEqual([table, 'given'])
      }
      expect(await copyAs('ogf_admin', gone('notiz', 'kunde/78/1'))).toBe('given')
      const webhook = `insert into dispatch.webhook (haelfte, name, url, arten, client_id, geheimnis, zeichen, stand)
        values ('draenage', 'w78', 'https://example.org/', '{dokument_neu}', 78, repeat('x', 40), 'abcd', 0)`
      expect(await copyAs('ogf_admin', webhook)).toBe('PT403')
      expect(
        await as('apus_team', sql(`select app.a_get_datenschutz_vorschau('kunde', ${A})`)),
      ).toMatchObject({
        code: 'PT403',
        message: 'not found or not allowed',
      })
    })
    test('every table of a customer that its other half does not read is named as that half’s', async () => {
      const { rows } = await engine.owner.query<{ relation: string }>(
        `select relation from privacy.tables()
         where kunde is not null and privacy.role_of(relation) is null order by 1`,
      )
      // Before adding a table here, make sure that the admins of both halves may read it; otherwise name it
      // in privacy.role_of.
      expect(rows.map(({ relation }) => relation)).toEqual([
        'app.benutzer_kunde',
        'app.datenschutz_vorgang',
        // Also of a record, and only its number and days.
        'app.ereignis',
        'app.kunde',
        'app.meldung',
        // A note is at a record, whose own table names the half.
        'app.notiz',
        'app.notiz_datei',
        'app.notiz_erwaehnt',
        'app.verlauf',
        // Without its address.
        'dispatch.webhook',
        'dispatch.zustellung',
        'notices.meldung_post',
      ])
    })
    test('neither half hands out nor deletes the other half’s staff, and nobody themselves', async () => {
      const team = numberOf('apus_team')
      expect(
        await as('ogf_admin', sql(`select app.a_get_datenschutz_auskunft('person', ${team})`)),
      ).toMatchObject({ code: 'PT403' })
      expect(await as('ogf_admin', sql(`select app.a_delete_person_daten(${team}, 'x')`))).toMatchObject({
        code: 'PT403',
      })
      expect(
        await as('admin', sql(`select app.a_delete_person_daten(${numberOf('admin')}, 'x')`)),
      ).toMatchObject({ code: 'PT409' })
    })
    test('what is typed must be the record’s own name', async () => {
      expect(
        await as('ogf_admin', sql(`select app.a_delete_person_daten(${PERSON}, 'andere@marker.example')`)),
      ).toMatchObject({
        code: '23514',
      })
      expect(await as('ogf_admin', sql(`select app.a_delete_kunde_daten(78, 'leer')`))).toMatchObject({
        code: '23514',
      })
    })
    test('the last admin of a half stays', async () => {
      await engine.owner.script(`begin; set local role forst_betrieb;
        update app.benutzer set enabled = false where user_id <> ${numberOf('apus_admin')}
          and (apus_admin or system_status in ('apus_admin', 'admin')); commit`)
      // An admin of both halves whose own row is disabled would be refused earlier, so this tests the guard
      // through the trigger itself.
      await expect(
        engine.owner.script(
          `update app.benutzer set enabled = false where user_id = ${numberOf('apus_admin')}`,
        ),
      ).rejects.toMatchObject({ code: 'PT409' })
      await engine.owner.script(`rollback`).catch(() => undefined)
      await engine.owner.script(
        `begin; set local role forst_betrieb; update app.benutzer set enabled = true
         where user_id in (${numberOf('admin')}, ${numberOf('cut_by_ceiling')});
          delete from accounts.sitzungsende where user_id = ${numberOf('admin')}; commit`,
      )
    })

    test('after the deletion nothing personal is left, the history’s facts are, no record has changed', async () => {
      for (const marker of MARKERS) expect((await rowsWith(marker)).length, marker).toBeGreaterThan(0)
      const before = await engine.owner.query(`select client_id, version from app.kunde order by 1`)
      await done('ogf_admin', `app.a_delete_person_daten(${PERSON}, '${MAIL.toUpperCase()}')`)
      // B was changed by another person of the same name, of whom the history has no entry.
      const left: string[] = []
      for (const marker of MARKERS) left.push(...(await rowsWith(marker)))
      expect(left.filter((line) => !line.startsWith('app.kunde: (2,'))).toEqual([])
      const { rows } = await engine.owner.query<{ wer: string; neu: object; person_id: number | null }>(
        `select wer, neu, person_id from app.verlauf where user_id = ${PERSON} order by id`,
      )
      expect(rows.map(({ wer }) => wer)).toEqual([`gelöschte Person ${PERSON}`, `gelöschte Person ${PERSON}`])
      expect(jsonOf(rows[0]?.neu)).toEqual({ first_name: 'gelöscht', enabled: true })
      expect(jsonOf(rows[1]?.neu)).toEqual({ ort: 'Leipzig' })
      expect((await engine.owner.query(`select client_id, version from app.kunde order by 1`)).rows).toEqual(
        before.rows,
      )
      const names = await engine.owner.query<{ wer: string | null }>(
        `select geaendert_von as wer from app.kunde where client_id = ${A}`,
      )
      expect(names.rows[0]?.wer).toBe(`gelöschte Person ${PERSON}`)
      const person = await engine.owner.query(
        `select email, enabled, system_status from app.benutzer where user_id = ${PERSON}`,
      )
      expect(person.rows).toEqual([
        { email: `geloescht-${PERSON}@geloescht.invalid`, enabled: false, system_status: 'ogf_init' },
      ])
      expect(
        (
          await engine.owner.query(
            `select 1 from idp.konto where konto_id = '00000000-0000-4000-8000-000000000301'`,
          )
        ).rowCount,
      ).toBe(0)
      expect(
        (await engine.owner.query(`select 1 from idp.wiederherstellung where code_hash = 'geheimer-hash'`))
          .rowCount,
      ).toBe(0)
      expect(await as('ogf_admin', sql(`select app.a_delete_person_daten(${PERSON}, 'x')`))).toMatchObject({
        code: 'PT409',
      })
      const acts = await engine.owner.query<{ art: string }>(
        `select art from app.datenschutz_vorgang where person_id = ${PERSON} order by id`,
      )
      expect(acts.rows.map(({ art }) => art)).toEqual(['auskunft', 'loeschung'])
    })

    describe('who was deleted', () => {
      const context = (claims: object) => ({
        role: 'nutzer',
        settings: { 'request.jwt.claims': JSON.stringify(claims) },
      })
      const claims = {
        iss: 'https://idp.test/realms/master',
        sub: 'marker',
        email: MAIL,
        email_verified: true,
        iat: 1,
        exp: 9_999_999_999,
      }
      // Issued after the deletion: the provider's directory still has the account.
      const fresh = { ...claims, iat: Math.floor(Date.now() / 1000) + 3_600 }
      const link = async (who: object) =>
        (
          await engine.api.once<{ person: number | null }>(
            context(who),
            sql('select accounts.link_identity() as person'),
          )
        ).rows[0]?.person
      const rowsOf = async (email: string) =>
        Number(
          (
            await engine.owner.query<{ n: number }>(
              'select count(*)::integer as n from app.benutzer where email = $1',
              [email],
            )
          ).rows[0]?.n,
        )

      test('makes no new row with a token that is still good, and is refused', async () => {
        expect(await link(claims)).toBeNull()
        expect(await rowsOf(MAIL)).toBe(0)
        await expect(
          engine.api.once(context(claims), sql('select rights.check_request()')),
        ).rejects.toMatchObject({ code: 'PT401' })
        expect(await link(fresh)).toBeNull()
        await expect(
          engine.api.once(context(fresh), sql('select rights.check_request()')),
        ).rejects.toMatchObject({ code: 'PT401' })
        // Another account of that provider, and the same subject at another provider, are different people.
        await engine.api.once(context({ ...fresh, sub: 'marker2' }), sql('select rights.check_request()'))
        await engine.api.once(
          context({ ...fresh, iss: 'https://idp.test/realms' }),
          sql('select rights.check_request()'),
        )
      })
      test('makes no new row with a token that was never used before, by whichever account', async () => {
        for (const unused of [
          { ...claims, sub: 'marker2' },
          { ...claims, iss: 'https://other.test' },
          { ...claims, email: MAIL.toUpperCase() },
        ]) {
          expect(await link(unused)).toBeNull()
          await expect(
            engine.api.once(context(unused), sql('select rights.check_request()')),
          ).rejects.toMatchObject({ code: 'PT401' })
        }
        expect(await rowsOf(MAIL)).toBe(0)
      })
      test('leaves neither iss nor sub behind, and counts as never signed in', async () => {
        const { rows } = await engine.owner.query<{ iss: string; sub: string }>(
          `select iss, sub from accounts.identitaet where user_id = ${PERSON}`,
        )
        expect(rows).toEqual([{ iss: 'geloescht', sub: expect.stringMatching(/^[0-9a-f]{64}$/) }])
        expect(
          await as(
            'ogf_admin',
            sql(`select angemeldet, erste_anmeldung from app.nutzer_liste where user_id = ${PERSON}`),
          ),
        ).toMatchObject({
          rows: [{ angemeldet: false, erste_anmeldung: null }],
        })
      })
      test('comes back only as somebody whom an admin has made anew', async () => {
        await done('ogf_admin', `app.a_add_user('${MAIL}')`)
        expect(await link(claims)).toBeNull()
        const person = await link(fresh)
        expect(person).not.toBeNull()
        expect(Number(person)).not.toBe(PERSON)
        await engine.api.once(context(fresh), sql('select rights.check_request()'))
        // The person is deleted once more.
        await done('ogf_admin', `app.a_delete_person_daten(${Number(person)}, '${MAIL}')`)
        for (const token of [claims, fresh]) {
          await expect(
            engine.api.once(context(token), sql('select rights.check_request()')),
          ).rejects.toMatchObject({ code: 'PT401' })
          expect(await link(token)).toBeNull()
        }
      })
      test('has a place that nobody else can take', async () => {
        for (const address of ['geloescht-999@geloescht.invalid', 'Geloescht-1@GELOESCHT.invalid'])
          expect(await as('admin', sql(`select app.a_add_user('${address}')`)), address).toMatchObject({
            code: '23514',
          })
      })
      test('gets neither name, right nor link again', async () => {
        const person = `(select user_id from app.benutzer where user_id = ${PERSON})`
        for (const call of [
          `select app.a_update_user(${PERSON}, 'Neu', 'Gefüllt', null, null, null,
           (select version from app.benutzer where user_id = ${PERSON}))`,
          `select app.a_set_user_enabled(${PERSON}, true)`,
          `select app.a_set_system_status(${PERSON}, 'ogf_standard')`,
          `select app.a_set_user_flags(${PERSON}, true, false)`,
          `select app.__o_change_app_status(${PERSON}, 'geloescht-${PERSON}', 'aktiv')`,
          `select app.a_add_user_to_client(${PERSON}, ${A})`,
          `select app.__o_connect_user_to_hq('geloescht-${PERSON}', ${person}, ${A1})`,
        ])
          expect(await as('admin', sql(call)), call).toMatchObject({
            code: 'PT409',
            message: 'the person was deleted',
          })
        expect(await as('admin', sql(`select * from accounts.check_may_manage(${PERSON})`))).toMatchObject({
          code: 'PT403',
        })
      })
      test('is forgotten altogether by the upkeep after thirty days', async () => {
        const upkeep = (days: number) =>
          runUpkeep({
            asOwner: (work) => work(engine.owner),
            tasks: [removeBlocked],
            log: silentLog,
            now: () => new Date(Date.now() + days * 86_400_000),
          })
        const left = () => engine.owner.query(`select 1 from accounts.identitaet where iss = 'geloescht'`)
        const address = () =>
          engine.owner.query('select 1 from accounts.sitzungsende where ehemals is not null')
        await upkeep(0)
        expect((await address()).rowCount).toBe(1)
        await upkeep(3)
        expect((await address()).rowCount).toBe(0)
        await upkeep(29)
        expect((await left()).rowCount).toBe(1)
        await upkeep(32)
        expect((await left()).rowCount).toBe(0)
      })
    })

    describe('a customer', () => {
      const CUSTOMER = 901
      const addAbo = (id: number, end: string) =>
        `insert into app.abo (client_id, hqid, modul, beginn, laufzeit, ende, preis, netto, ust_satz, zustand)
           values (${id}, ${id}1, 'fe', '${end}'::date - 300, 12, '${end}', 1, 1, 19,
             case when '${end}'::date >= current_date then 'aktiv' else 'beendet' end);`
      const seed = (id: number, end: string | null) =>
        engine.owner.script(`begin; set local role forst_betrieb;
          insert into app.kunde (client_id, name, strasse, plz, ort, ap_vorname, ap_nachname, ap_tel)
            values (${id}, 'Kundenmarke ${id}', 'Markenweg 1', '17033', 'Markenort',
            'Markenanna', 'Markenfrau', '0123');
          insert into app.hq ("idHQ", client_id, "sHQ") values (${id}1, ${id}, 'Markenwald ${id}'),
            (${id}2, ${id}, 'Markenheide ${id}');
          insert into app.kunde_hq (hqid, client_id) values (${id}1, ${id}), (${id}2, ${id});
          insert into app.benutzer_kunde (client_id, user_id) values (${id}, ${STRANGER});
          insert into app.benutzer_hq (client_id, hqid, user_id) values (${id}, ${id}1, ${STRANGER});
          insert into app.verlauf (tabelle, schluessel, client_id, aktion, neu) values ('kunde', '${id}',
            ${id}, 'neu', '{"name": "Kundenmarke ${id}", "ap_nachname": "Markenfrau", "epsg": 25832}');
          ${end === null ? '' : addAbo(id, end)}
          commit`)

      test('without contracts goes altogether; people stay, history keeps facts', async () => {
        await seed(CUSTOMER, null)
        const preview = await done<PrivacyPreview>(
          'ogf_admin',
          `app.a_get_datenschutz_vorschau('kunde', ${CUSTOMER})`,
        )
        expect(preview).toMatchObject({
          name: `Kundenmarke ${CUSTOMER}`,
          hindernis: null,
          aufbewahren_bis: null,
        })
        expect(
          await done('ogf_admin', `app.a_delete_kunde_daten(${CUSTOMER}, 'Kundenmarke ${CUSTOMER}')`),
        ).toEqual({ gesperrt_bis: null })
        for (const marker of [`Kundenmarke ${CUSTOMER}`, 'Markenfrau', `Markenwald ${CUSTOMER}`])
          expect(await rowsWith(marker), marker).toEqual([])
        expect(
          (await engine.owner.query(`select 1 from app.benutzer where user_id = ${STRANGER}`)).rowCount,
        ).toBe(1)
        const { rows } = await engine.owner.query<{ neu: Record<string, unknown> }>(
          `select neu from app.verlauf where client_id = ${CUSTOMER} and tabelle = 'kunde' and aktion = 'neu'`,
        )
        expect(jsonOf(rows[0]?.neu)).toEqual({ name: 'gelöscht', ap_nachname: 'gelöscht', epsg: 25832 })
      })
      test('with a running subscription is refused, and the reason is said', async () => {
        await seed(902, '2099-06-30')
        expect(
          await done<PrivacyPreview>('ogf_admin', `app.a_get_datenschutz_vorschau('kunde', 902)`),
        ).toMatchObject({
          hindernis: 'abo_laeuft',
        })
        expect(
          await as('ogf_admin', sql(`select app.a_delete_kunde_daten(902, 'Kundenmarke 902')`)),
        ).toMatchObject({ code: 'PT409' })
      })
      test('a term that ended but was not turned yet runs on: it would be renewed for a blocked customer', async () => {
        await seed(904, `${new Date().getUTCFullYear() - 1}-06-30`)
        await engine.owner.script(
          `begin; set local role forst_betrieb; update app.abo set zustand = 'aktiv' where client_id = 904; commit`,
        )
        expect(
          await as('ogf_admin', sql(`select app.a_delete_kunde_daten(904, 'Kundenmarke 904')`)),
        ).toMatchObject({
          code: 'PT409',
          message: 'cannot be deleted',
        })
      })
      describe('with documents of the bookkeeping', () => {
        const books = (id: number, day: string) =>
          engine.owner.script(`begin; set local role forst_betrieb;
            insert into app.rechnung (id, client_id, rn_datum, ust_satz)
              values (${id}1, ${id}, '${day}', 19), (${id}2, ${id}, '${day}', 19);
            insert into app.position (client_id, rechnung_id, lfd_nr, bez)
              values (${id}, ${id}1, 1, 'Bücher ${id}'), (${id}, ${id}2, 1, 'Entwurf ${id}');
            update app.rechnung set zustand = 'ausgestellt', nummer = 'X-${id}', folge = ${id},
              ausgestellt_am = now(), faellig = '${day}', ausgestellt_von = 'Markenfrau', geaendert_von = 'Markenfrau',
              beleg = '{"empfaenger": {"name": "Kundenmarke ${id}"}}' where id = ${id}1;
            insert into app.angebot (id, client_id, an_datum, ust_satz) values (${id}1, ${id}, '${day}', 19);
            insert into app.kunde_rechnung (client_id, rechnung_mail) values (${id}, 'rechnung@marke${id}.example');
            insert into app.dokument (client_id, rechnung_id, art, dateiname, inhalt, sha256)
              values (${id}, ${id}1, 'pdf', 'x.pdf', 'x', encode(sha256('x'), 'hex'));
            commit`)
        test('is blocked for as long as the law keeps them; drafts go at once', async () => {
          const year = new Date().getUTCFullYear() - 1
          await seed(905, null)
          await books(905, `${year}-03-01`)
          expect(await done('admin', `app.a_delete_kunde_daten(905, 'Kundenmarke 905')`)).toEqual({
            gesperrt_bis: `${year + 8}-12-31`,
          })
          const { rows } = await engine.owner.query(
            `select (select array_agg(r.id::text)::text from app.rechnung r where r.client_id = 905) as rechnungen,
             (select count(*)::integer from app.angebot a where a.client_id = 905) as angebote,
               (select count(*)::integer from app.dokument d where d.client_id = 905) as dokumente`,
          )
          expect(rows).toEqual([{ rechnungen: '{9051}', angebote: 0, dokumente: 1 }])
          expect(
            await as('apus_admin', sql(`select app.a_add_invoice(905, current_date, current_date, 19)`)),
          ).toMatchObject({
            code: 'PT409',
          })
          expect(
            await as('apus_admin', sql(`select app.a_set_kunde_rechnung(905, '{"debitor": "10000"}')`)),
          ).toMatchObject({
            code: 'PT409',
          })
        })
        test('what was paid or demanded later is kept from the end of its own year', async () => {
          const year = new Date().getUTCFullYear()
          for (const [id, entry, until] of [
            [916, 'zahlung', 3],
            [917, 'mahnung', 2],
          ] as const) {
            // oxlint-disable-next-line no-await-in-loop -- one after the other
            await seed(id, null)
            // oxlint-disable-next-line no-await-in-loop -- one after the other
            await books(id, `${year - 9}-03-01`)
            const day = `${year - 8 + until}-05-01`
            const statements =
              entry === 'zahlung'
                ? [
                    `insert into app.zahlung (client_id, rechnung_id, datum, betrag)
                     values (${id}, ${id}1, '${day}', 1)`,
                  ]
                : [
                    'alter table app.mahnung disable trigger b_beleg',
                    `insert into app.mahnung (client_id, rechnung_id, stufe, datum, faellig, gebuehr, text, beleg)
                     values (${id}, ${id}1, 1, '${day}', '${day}', 0, 'x', '{}')`,
                    'alter table app.mahnung enable trigger b_beleg',
                  ]
            // oxlint-disable-next-line no-await-in-loop -- one after the other
            for (const statement of statements) await engine.owner.script(statement)
            // oxlint-disable-next-line no-await-in-loop -- one after the other
            await expect(
              engine.owner.query(`delete from app.rechnung where id = ${id}1`),
            ).rejects.toMatchObject({ code: 'PT409' })
            // oxlint-disable-next-line no-await-in-loop -- one after the other
            expect(await done('admin', `app.a_delete_kunde_daten(${id}, 'Kundenmarke ${id}')`)).toEqual({
              gesperrt_bis: `${year + until}-12-31`,
            })
          }
        })
        test('goes altogether when their time has passed, and the chain says so', async () => {
          const year = new Date().getUTCFullYear() - 9
          await seed(906, null)
          await books(906, `${year}-03-01`)
          expect(await done('admin', `app.a_delete_kunde_daten(906, 'Kundenmarke 906')`)).toEqual({
            gesperrt_bis: null,
          })
          for (const marker of ['Kundenmarke 906', 'Bücher 906', 'marke906'])
            expect(await rowsWith(marker), marker).toEqual([])
          const { rows } = await engine.owner.query(
            `select ereignis, gegenstand_id from app.protokoll
             where client_id = 906 and ereignis = 'aufbewahrung_abgelaufen'`,
          )
          expect(rows).toEqual([{ ereignis: 'aufbewahrung_abgelaufen', gegenstand_id: 9061 }])
        })
        test('a deleted person’s name leaves the books, the number stays in the chain', async () => {
          const clerk = 907
          await engine.owner.script(`begin; set local role forst_betrieb;
            insert into app.benutzer (user_id, email, username, first_name, last_name, system_status, apus_admin)
              values (${clerk}, 'buch@marke907.example', 'buch907', 'Buchvor', 'Buchnach', 'apus_admin', true);
            insert into accounts.identitaet (iss, sub, user_id)
              values ('https://idp.test/realms/master', 'buch907', ${clerk}); commit`)
          const context = {
            role: 'nutzer',
            settings: {
              'request.jwt.claims': JSON.stringify({
                iss: 'https://idp.test/realms/master',
                sub: 'buch907',
                groups: ['appuser_apus_admin'],
              }),
            },
          }
          const [made] = (
            await engine.api.once<{ id: number }>(
              context,
              sql(`select app.a_add_invoice(${A}, current_date, current_date, 19) as id`),
            )
          ).rows
          await engine.api.once(
            context,
            sql(`select app.a_save_positions('[{"bez": "x", "ep": "1"}]', $1)`, made!.id),
          )
          await engine.api.once(
            context,
            sql(
              'select * from app.a_update_invoice_details($1, current_date, null, $2, null, null, null, null)',
              '',
              made!.id,
            ),
          )
          await engine.api.once(context, sql('select * from app.a_issue_invoice($1)', made!.id))
          expect((await rowsWith('Buchnach')).length).toBeGreaterThan(2)
          await done('admin', `app.a_delete_person_daten(${clerk}, 'buch@marke907.example')`)
          // The Bearbeiter of a draft is typed text; in the chain it belongs to the books and is kept with
          // them.
          expect(
            (await rowsWith('Buchnach')).filter(
              (line) => !line.startsWith('app.protokoll: ') || line.includes(',"Buchvor Buchnach",'),
            ),
          ).toEqual([])
          const { rows } = await engine.owner.query(
            `select distinct wer from app.protokoll where user_id = ${clerk}`,
          )
          expect(rows).toEqual([{ wer: `gelöschte Person ${clerk}` }])
        })
      })
      const KEPT = (id: number) => `begin; set local role forst_betrieb;
        insert into accounts.kept_answer (user_id, key, digest, status, headers, body)
          values (${STRANGER}, 'key-of-a-stranger-${id}', repeat('a', 64), 200, '{"x": "Kundenmarke ${id}"}',
            'Kundenmarke ${id}');
        insert into accounts.kept_import (user_id, key, digest, was, lauf, stand, answer) values
          (${STRANGER}, 'import-done-now-${id}', repeat('a', 64), 'kunden', gen_random_uuid(), 'fertig',
            '{"result": {"zahlen": {"kunden": 1}, "angelegt": [{"name": "Kundenmarke ${id}"}]}}'),
          (${STRANGER}, 'import-failed-x-${id}', repeat('a', 64), 'kunden', gen_random_uuid(), 'fehlgeschlagen',
            '{"failure": {"message": "Kundenmarke ${id}"}}');
        commit`
      test('what others wrote is not done twice: their keys stay, their answers go', async () => {
        await seed(951, null)
        await engine.owner.script(KEPT(951))
        await done('ogf_admin', `app.a_delete_kunde_daten(951, 'Kundenmarke 951')`)
        expect(await rowsWith('Kundenmarke 951')).toEqual([])
        const { rows } = await engine.owner.query<{ line: string }>(
          `select concat_ws(' ', key, status, headers, body) as line from accounts.kept_answer
             where key like '%-951'
           union all select concat_ws(' ', key, stand, answer) from accounts.kept_import where key like '%-951'`,
        )
        expect(rows.map(({ line }) => line)).toEqual([
          'key-of-a-stranger-951 {}',
          'import-done-now-951 fertig {"result": {"zahlen": {"kunden": 1}}}',
        ])
      })
      // The embedded engine has one session.
      test.skipIf(engineName === 'embedded')(
        'answers that somebody just removes hold nobody up',
        async () => {
          await seed(952, null)
          await engine.owner.script(KEPT(952))
          await engine.owner.script(`begin; set local role forst_betrieb;
          delete from accounts.kept_answer where key = 'key-of-a-stranger-952'`)
          await done('ogf_admin', `app.a_delete_kunde_daten(952, 'Kundenmarke 952')`)
          await engine.owner.script('commit')
          expect(await rowsWith('Kundenmarke 952')).toEqual([])
        },
      )
      test('who adds something at the moment of the block waits for it, and is refused', async () => {
        await seed(915, `${new Date().getUTCFullYear() - 2}-06-30`)
        let finish = () => {}
        const gate = new Promise<void>((resolve) => (finish = resolve))
        let blocked = () => {}
        const isBlocked = new Promise<void>((resolve) => (blocked = resolve))
        const asAdmin = {
          role: 'nutzer',
          settings: { 'request.jwt.claims': JSON.stringify(claimsOf('admin')) },
        }
        const block = engine.api.transaction(asAdmin, async (tx) => {
          await tx.query(sql(`select app.a_delete_kunde_daten(915, 'Kundenmarke 915')`))
          blocked()
          await gate
        })
        await isBlocked
        const late = [
          `select app.__o_connect_user_to_hq(b.username, b.user_id, 9151) from app.benutzer b
           where b.user_id = ${STRANGER}`,
          `select app.__o_start_abo(9151, 'kawm')`,
          `insert into app.hq_flaeche (hqid, client_id, geom)
           select 9151, 915, public.st_setsrid(f.geom, 25832) from app.hq_flaeche f where f.hqid = ${A1}`,
        ].map((call) =>
          engine.api.once(asAdmin, sql(call)).then(
            () => 'done',
            (error: { code: string }) => error.code,
          ),
        )
        await new Promise((resolve) => setTimeout(resolve, 300))
        finish()
        await block
        expect(await Promise.all(late)).toEqual(['PT409', 'PT409', 'PT409'])
        const { rows } = await engine.owner.query(
          `select (select count(*)::integer from app.benutzer_hq where client_id = 915) as links,
           (select count(*)::integer from app.abo where client_id = 915) as abos`,
        )
        expect(rows).toEqual([{ links: 0, abos: 1 }])
      })
      test('with contracts that must be kept is blocked for eight years, then goes', async () => {
        const year = new Date().getUTCFullYear() - 2
        await seed(903, `${year}-06-30`)
        expect(await done('ogf_admin', `app.a_delete_kunde_daten(903, 'Kundenmarke 903')`)).toEqual({
          gesperrt_bis: `${year + 8}-12-31`,
        })
        const kept = await engine.owner.query<{
          name: string
          person: string | null
          hqs: number
          people: number
        }>(
          `select k.name, k.ap_nachname as person,
           (select count(*)::integer from app.hq h where h.client_id = 903) as hqs,
             (select count(*)::integer from app.benutzer_kunde bk where bk.client_id = 903) as people
             from app.kunde k where k.client_id = 903`,
        )
        // The holding with the contract keeps its name, the other one is removed.
        expect(kept.rows).toEqual([{ name: 'Kundenmarke 903', person: null, hqs: 1, people: 0 }])
        expect(await as('ogf_team', sql('select * from app.kunde where client_id = 903'))).toMatchObject({
          rows: [],
        })
        expect(
          await as('ogf_admin', sql(`select app.a_delete_kunde_daten(903, 'Kundenmarke 903')`)),
        ).toMatchObject({ code: 'PT409' })
        const blocked = { code: 'PT409', message: 'the customer is blocked' }
        for (const call of [
          `insert into app.hq (client_id, "sHQ") values (903, 'Neu')`,
          `insert into app.hq_flaeche (hqid, client_id, geom)
           select 9031, 903, public.st_setsrid(f.geom, 25832) from app.hq_flaeche f where f.hqid = ${A1}`,
          `update app.hq set fb_enabled = true where "idHQ" = 9031`,
          `update app.kunde_hq set fe_enabled = true where hqid = 9031`,
          `select app.a_add_user_to_client(${STRANGER}, 903)`,
          `select app.a_add_user('neu@marker.example', client_id => 903)`,
          `select app.__o_connect_user_to_hq(b.username, b.user_id, 9031) from app.benutzer b
           where b.user_id = ${STRANGER}`,
        ])
          expect(await as('admin', sql(call)), call).toMatchObject(blocked)
        const upkeep = (day: string) =>
          runUpkeep({
            asOwner: (work) => work(engine.owner),
            tasks: [removeBlocked],
            log: silentLog,
            now: () => new Date(day),
          })
        await upkeep(`${year + 8}-12-31T12:00:00Z`)
        expect((await rowsWith('Kundenmarke 903')).length).toBeGreaterThan(0)
        await upkeep(`${year + 9}-01-01T12:00:00Z`)
        expect(await rowsWith('Kundenmarke 903')).toEqual([])
        const acts = await engine.owner.query<{ art: string; wer: string }>(
          `select art, wer from app.datenschutz_vorgang where client_id = 903 order by id`,
        )
        expect(acts.rows.map(({ art }) => art)).toEqual(['sperrung', 'loeschung'])
        expect(acts.rows[1]?.wer).toBe('System')
      })
    })
  })
