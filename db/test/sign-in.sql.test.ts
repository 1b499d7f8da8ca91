// Whose token it is and from when it is valid: addresses that look alike, and tokens that were first used
// after sessions had ended.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import cases from '#domain/mail-address.cases.json' with { type: 'json' }
import { asCaller, attempt, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { claimsOf, ISS } from './world.ts'

const CHECK = sql('select rights.check_request()')
const LINK = sql('select accounts.link_identity() as person')
/**
 * Tokens in these tests are issued an hour ago or an hour from now; what ends sessions happens in between.
 */
const EARLIER = Math.floor(Date.now() / 1000) - 3_600
const LATER = EARLIER + 7_200

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`sign-in on ${engineName}`, () => {
    let engine: Engine
    let nr = 0
    const person = { id: 0, email: '' }
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    beforeEach(async () => {
      person.email = `k${++nr}@kern.example`
      const { rows } = await engine.owner.query<{ user_id: number }>(
        `insert into app.benutzer (email, username, system_status) values ($1, $1, 'ogf_standard') returning user_id`,
        [person.email],
      )
      person.id = Number(rows[0]?.user_id)
    })
    afterAll(() => engine?.close())

    const token = (email: string, iat = LATER, more: object = {}) => ({
      iss: ISS,
      sub: `${email} ${nr}`,
      email,
      email_verified: true,
      groups: ['appuser_apus_admin'],
      iat,
      exp: iat + 300,
      ...more,
    })
    const link = async (claims: object) =>
      (await engine.api.once<{ person: number | null }>(asCaller(claims), LINK)).rows[0]?.person ?? null
    const rowsWith = async (email: string) =>
      (
        await engine.owner.query(
          'select 1 from app.benutzer where accounts.fold_address(email) = accounts.fold_address($1)',
          [email],
        )
      ).rowCount

    for (const { why, address, folded } of cases)
      test(`address: ${why}`, async () => {
        const { rows } = await engine.owner.query<{ folded: string }>(
          'select accounts.fold_address($1) as folded',
          [address],
        )
        expect(rows).toEqual([{ folded }])
      })

    describe('an address with another letter is another person’s', () => {
      const alike = () => person.email.replaceAll('k', '\u212A')
      test('at the first contact', async () => {
        expect(await link(token(alike()))).not.toBe(person.id)
        expect(await link(token(person.email.toUpperCase()))).toBe(person.id)
        expect(await rowsWith(alike())).toBe(1)
        expect(await rowsWith(person.email)).toBe(1)
      })
      test('where a person is looked up, connected, ended or deleted', async () => {
        const found = async (email: string) =>
          (await attempt(
            engine.api,
            claimsOf('admin'),
            sql('select user_id from app.__o_get_user_data($1)', email),
          )) as { count: number }
        expect((await found(person.email.toUpperCase())).count).toBe(1)
        expect((await found(alike())).count).toBe(0)
        const hq = (email: string) =>
          attempt(
            engine.api,
            claimsOf('admin'),
            sql(`select user_id from app.__o_find_user_for_hq((select min("idHQ") from app.hq), $1)`, email),
          )
        expect(await hq(person.email.toUpperCase())).toMatchObject({ count: 1 })
        expect(await hq(alike())).toMatchObject({ count: 0 })
        const app = (username: string) =>
          attempt(
            engine.api,
            claimsOf('admin'),
            sql(`select app.__o_change_app_status($1, $2, 'gesperrt')`, person.id, username),
          )
        expect(await app(alike())).toMatchObject({ code: 'PT403' })
        expect(await app(person.email.toUpperCase())).toMatchObject({ count: 1 })
        const gone = (text: string) =>
          attempt(
            engine.api,
            claimsOf('admin'),
            sql('select app.a_delete_person_daten($1, $2)', person.id, text),
          )
        expect(await gone(alike())).toMatchObject({ code: '23514' })
        expect(await gone(person.email.toUpperCase())).toMatchObject({ count: 1 })
      })
      test('and may be added beside it, but no second spelling of the same', async () => {
        const add = (mail: string) =>
          attempt(engine.api, claimsOf('admin'), sql('select app.a_add_user($1)', mail))
        expect(await add(person.email.toUpperCase())).toMatchObject({ code: 'PT409' })
        expect(await add(alike())).toMatchObject({ count: 1 })
      })
      test('for the embedded provider', async () => {
        const known = async (email: string) =>
          (
            await engine.api.once(
              { role: 'forst_idp' },
              sql('select 1 from accounts.account_state($1)', email),
            )
          ).rowCount
        expect(await known(person.email.toUpperCase())).toBe(1)
        expect(await known(alike())).toBe(0)
        await engine.api.once({ role: 'forst_idp' }, sql('select accounts.end_sessions($1)', alike()))
        expect(await attempt(engine.api, token(person.email, EARLIER), CHECK)).toMatchObject({ count: 1 })
        const account = (email: string) =>
          engine.api.once({ role: 'forst_idp' }, sql('insert into idp.konto (email) values ($1)', email))
        await account(person.email)
        await account(alike())
        await expect(account(person.email.toUpperCase())).rejects.toMatchObject({ code: '23505' })
      })
    })

    describe('a token that was never used is refused after', () => {
      const admin = (text: string, ...values: unknown[]) =>
        engine.api.once(asCaller(claimsOf('admin')), sql(text, ...values))
      const ENDS: Record<string, () => Promise<unknown>> = {
        'the end of sessions': () =>
          engine.api.once({ role: 'forst_idp' }, sql('select accounts.end_sessions($1)', person.email)),
        'a lock': () => admin('select app.a_set_user_enabled($1, false)', person.id),
        'a lock that was taken back': async () => {
          await admin('select app.a_set_user_enabled($1, false)', person.id)
          await admin('select app.a_set_user_enabled($1, true)', person.id)
        },
        'becoming staff': () => admin('select app.a_set_user_flags($1, true, false)', person.id),
        'a change of the sign-in address': async () => {
          await engine.owner.query(`update app.benutzer set email = 'x' || email where user_id = $1`, [
            person.id,
          ])
          await engine.owner.query('update app.benutzer set email = $2 where user_id = $1', [
            person.id,
            person.email,
          ])
        },
        'the deletion of the person': () =>
          admin('select app.a_delete_person_daten($1, $2)', person.id, person.email),
        'the deletion of the person, who was then made anew': async () => {
          await admin('select app.a_delete_person_daten($1, $2)', person.id, person.email)
          await admin('select app.a_add_user($1)', person.email)
        },
      }
      for (const [name, end] of Object.entries(ENDS))
        test(name, async () => {
          const unused = token(person.email, EARLIER)
          expect(await attempt(engine.api, unused, LINK, CHECK)).toMatchObject({ count: 1 })
          await end()
          const before = await rowsWith(person.email)
          // The server links at first contact, then checks; with every account that the address may be bound
          // to.
          for (const claims of [
            unused,
            { ...unused, iss: 'https://other.test' },
            { ...unused, email: person.email.toUpperCase() },
          ]) {
            expect(await link(claims)).toBeNull()
            expect(await attempt(engine.api, claims, CHECK)).toMatchObject({ code: 'PT401' })
            expect(
              await attempt(
                engine.api,
                claims,
                sql('select rights.user_id() as id, to_json(rights.roles())::text as rollen'),
              ),
            ).toMatchObject({
              rows: [{ id: null, rollen: '[]' }],
            })
          }
          expect(await rowsWith(person.email)).toBe(before)
        })

      test('a change of the provider, however it was bound before', async () => {
        await link(token(person.email, EARLIER))
        await engine.api.once({ role: 'forst_idp' }, sql('select accounts.end_sessions($1)', person.email))
        await engine.owner.query('delete from accounts.identitaet where user_id = $1', [person.id])
        expect(await attempt(engine.api, token(person.email, EARLIER), LINK, CHECK)).toMatchObject({
          code: 'PT401',
        })
      })
      test('but one issued later counts', async () => {
        await engine.api.once({ role: 'forst_idp' }, sql('select accounts.end_sessions($1)', person.email))
        expect(await link(token(person.email, LATER))).toBe(person.id)
        expect(await attempt(engine.api, token(person.email, LATER), CHECK)).toMatchObject({ count: 1 })
      })
    })
  })
