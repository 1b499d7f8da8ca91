// People: the rules in TypeScript and in SQL agree, and the list of all people stays fast.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  groupOf,
  isStaff,
  laysDown,
  mayGive,
  mayManage,
  mayTake,
  type PersonSituation,
  rolesOf,
} from '#domain/role-origins.ts'
import { type Role, SYSTEM_STATUS } from '#domain/roles.ts'
import kuerzelCases from '#domain/short-name.cases.json' with { type: 'json' }
import { asCaller, attempt, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, COLLEAGUE, IDENTITIES, type IdentityName, NAMES, usernameOf } from './world.ts'

interface Person extends PersonSituation {
  readonly user_id: number
  readonly email: string
}

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName))(`people on ${engineName}`, () => {
    let engine: Engine
    let people: Person[] = []
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      people = (
        await engine.owner.query<{
          person: Person
        }>(`select jsonb_build_object('user_id', b.user_id, 'email', b.email, 'system_status', b.system_status,
          'apus_admin', b.apus_admin, 'apus_team', b.apus_team, 'pruefer_bis', b.pruefer_bis,
          'pruefer', rights.is_auditor(b.pruefer_bis), 'hqs', '[]'::jsonb,
          'kunden', (select coalesce(jsonb_agg(jsonb_build_object('rolle', bk.rolle)), '[]')
            from app.benutzer_kunde bk where bk.user_id = b.user_id)) as person from app.benutzer b`)
      ).rows.map(({ person }) => (typeof person === 'string' ? (JSON.parse(person) as Person) : person))
    })
    afterAll(() => engine?.close())

    /** As the owner with these claims: the helpers are closed to everyone else. */
    async function askedAs<T>(name: IdentityName, text: string): Promise<T[]> {
      const claims = JSON.stringify(claimsOf(name) ?? {}).replaceAll("'", "''")
      const { rows } = await engine.owner.query<{ answer: string }>(
        `with c as materialized (select set_config('request.jwt.claims', '${claims}', false) as done)
         select (select json_agg(q)::text from (${text}) as q) as answer from c where done is not null`,
      )
      await engine.owner.query(`select set_config('request.jwt.claims', '', false)`)
      return JSON.parse(rows[0]?.answer ?? '[]') as T[]
    }

    test('groups in tokens are those that the screens assume; staff and auditors need a second factor', async () => {
      const { rows } = await engine.owner.query<{ user_id: number; gruppe: string; staff: boolean }>(
        `select b.user_id, l.gruppe, l.zweiter_faktor_noetig as staff
         from app.benutzer b, accounts.account_state(b.email) l`,
      )
      expect(rows.length).toBeGreaterThan(15)
      for (const { user_id, gruppe, staff } of rows) {
        const person = people.find((one) => one.user_id === Number(user_id))!
        expect(groupOf(person), `${person.email} ${person.system_status}`).toBe(gruppe)
        expect(isStaff(person) || person.pruefer, `${person.email} ${person.system_status}`).toBe(staff)
        // The group is wide enough for the role of the record.
        expect(rolesOf(person)).toContain(person.pruefer ? 'pruefer' : person.system_status)
      }
    })

    test('who may give which role, and who may manage whom', async () => {
      for (const name of NAMES.filter((one) => one in IDENTITIES)) {
        const [held] = await askedAs<{ roles: Role[] }>(name, 'select rights.roles() as roles')
        const gives = await askedAs<{ role: string; may: boolean; takes: boolean }>(
          name,
          `select role, rights.may_give(role) as may, rights.may_take(role) as takes
           from unnest('{${SYSTEM_STATUS.join(',')}}'::text[]) as role`,
        )
        for (const { role, may, takes } of gives) {
          expect(mayGive(held!.roles, role), `${name} gives ${role}`).toBe(may)
          expect(mayTake(held!.roles, role), `${name} takes ${role}`).toBe(takes)
        }
        if (!held!.roles.some((role) => role === 'ogf_admin' || role === 'apus_admin')) continue
        const manages = await askedAs<{ user_id: number; may: boolean }>(
          name,
          'select b.user_id, rights.may_manage(b.user_id) as may from app.benutzer b',
        )
        for (const { user_id, may } of manages)
          expect(
            mayManage(held!.roles, people.find((one) => one.user_id === user_id)!),
            `${name} manages ${user_id}`,
          ).toBe(may)
      }
    })

    test('what one may do to oneself', async () => {
      const { rows } = await engine.owner.query<{ before: string; after: string; may: boolean }>(
        'select b as before, a as after, rights.lays_down(b, a) as may from unnest($1::text[]) b, unnest($1::text[]) a',
        [`{${SYSTEM_STATUS.join(',')}}`],
      )
      expect(rows).toHaveLength(SYSTEM_STATUS.length ** 2)
      for (const { before, after, may } of rows)
        expect(laysDown(before, after), `${before} to ${after}`).toBe(may)
    })

    test('the label that a name leads to is the one that the screen asks for', async () => {
      for (const { name, kuerzel } of kuerzelCases) {
        const { rows } = await engine.owner.query<{ label: string }>(
          'select accounts.free_db_role($1, null, null) as label',
          [name],
        )
        expect(rows[0]?.label, name).toBe(kuerzel)
      }
    })

    test('a change of personal data names its base, keeps the sign-in address and is told in the history', async () => {
      const admin = claimsOf('ogf_admin')
      const saved = await attempt(
        engine.api,
        admin,
        sql(
          `select app.a_update_user($1, ' Eva ', 'Forst', ' eva@test.example ', '1990-05-17', 'weiblich', 1)`,
          COLLEAGUE,
        ),
        sql(
          `select b.first_name, b.mail, b.email, b.geb::text, b.version, v.neu ->> 'mail' as told from app.benutzer b
           join app.verlauf v on v.person_id = b.user_id and v.tabelle = 'benutzer' and v.aktion = 'geaendert'
             where b.user_id = $1 order by v.id desc limit 1`,
          COLLEAGUE,
        ),
      )
      expect(saved).toMatchObject({
        rows: [
          {
            first_name: 'Eva',
            mail: 'eva@test.example',
            email: usernameOf(COLLEAGUE),
            geb: '1990-05-17',
            told: 'eva@test.example',
          },
        ],
      })
      const change = (values: string) =>
        attempt(engine.api, admin, sql(`select app.a_update_user(${COLLEAGUE}, ${values})`))
      expect(await change(`'Eva', 'Forst', null, null, null, 0`)).toMatchObject({ code: 'PT409' })
      expect(await change(`'Eva', 'Forst', 'keine Adresse', null, null, 1`)).toMatchObject({ code: '23514' })
      expect(await change(`'Eva', 'Forst', null, checks.today(), null, 1`)).toMatchObject({ code: '23514' })
      expect(await change(`'Eva', 'Forst', null, null, 'x', 1`)).toMatchObject({ code: '23514' })
    })

    test.skipIf(engineName === 'embedded')(
      'a page of the list reads an index, whatever it is sorted by',
      async () => {
        await engine.owner.script(`begin; set local role forst_betrieb;
          insert into app.benutzer (email, username, first_name, last_name)
        select 'm' || n || '@viele.example', 'm' || n || '@viele.example', 'Vor' || n, 'Nach' || n % 977
          from generate_series(1, 20000) as n; commit; analyze app.benutzer`)
        for (const column of ['sortname', 'email', 'system_status', 'reg_date', 'geaendert_am'])
          for (const direction of ['', ' desc']) {
            let plan = ''
            await engine.api.transaction(asCaller(claimsOf('ogf_admin')), async (tx) => {
              const { rows } = await tx.query(
                sql(
                  `explain select user_id, sortname from app.nutzer_liste
                   order by ${column}${direction}, user_id${direction} limit 26`,
                ),
              )
              plan = rows.map((row) => Object.values(row).join(' ')).join('\n')
            })
            expect(plan, column).toMatch(/Index (Only )?Scan/)
            expect(plan, column).not.toMatch(/Sort/)
          }
      },
    )
  })
