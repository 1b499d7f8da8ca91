// A change of the provider that signs people in, on both engines: no account is taken over
// by it, and none is lost.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attempt, ENGINES, type Engine, isMissing, openEngine, sql } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { claimsOf, IDENTITIES, ISS, NOW, usernameOf } from '../../db/test/world.ts'
import { bindings, listed, rebind, warnOfFormerProvider } from './rebind.ts'

const NEW = 'https://id.example/realms/forst'

for (const engineName of ENGINES)
  describe.skipIf(isMissing(engineName))(`a new provider on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
    })
    afterAll(() => engine?.close())
    const { user_id } = IDENTITIES.kundenadmin
    const claims = {
      iss: NEW,
      sub: 'k-1',
      iat: NOW,
      exp: NOW + 300,
      groups: ['appuser_admin'],
      email: usernameOf(user_id),
      email_verified: true,
    }
    const SEEN = sql(
      'select rights.user_id() as user_id, (select count(*)::integer from app.kunde) as kunden',
    )
    const LINK = sql('select accounts.link_identity() as user_id')
    const firstContact = (more: object = {}) => attempt(engine.api, { ...claims, ...more }, LINK, SEEN)

    test('until the operator says so it takes over nobody', async () => {
      expect(await firstContact()).toMatchObject({ rows: [{ user_id: null, kunden: 0 }] })
    })
    test('the start names who is bound elsewhere, and only them', async () => {
      const warned: object[] = []
      const log = {
        info() {},
        error() {},
        warn: (_event: string, fields: object = {}) => void warned.push(fields),
      }
      const asOwner = <T>(work: (owner: Engine['owner']) => Promise<T>) => work(engine.owner)
      await warnOfFormerProvider(asOwner, ISS, log)
      expect(warned).toEqual([])
      await warnOfFormerProvider(asOwner, NEW, log)
      const [{ persons } = { persons: 0 }] = await bindings(engine.owner)
      expect(warned).toEqual([{ persons, former: ISS, issuer: NEW }])
      expect(persons).toBeGreaterThan(10)
      expect(listed(await bindings(engine.owner), ISS)).toBe(
        `Gebunden sind an\n  ${ISS} (eingestellt): ${persons} Personen`,
      )
    })
    test('the one in use is refused, as is one that nobody is bound to; both tell which there are', async () => {
      await expect(rebind(engine.owner, { former: ISS, issuer: ISS })).rejects.toThrow(
        /Bitte den bisherigen nennen\.\nGebunden sind an\n/,
      )
      await expect(rebind(engine.owner, { former: 'https://nobody.test', issuer: NEW })).rejects.toThrow(
        /^An https:\/\/nobody\.test ist niemand gebunden\.\nGebunden sind an\n/,
      )
      await expect(rebind(engine.owner, { former: 'geloescht', issuer: NEW })).rejects.toThrow(
        'ist niemand gebunden',
      )
      expect(await firstContact()).toMatchObject({ rows: [{ user_id: null }] })
    })
    test('then each is bound by the verified address with the former rights; digests of the deleted stay', async () => {
      await engine.owner.query(`insert into accounts.identitaet (iss, sub, user_id)
        select 'geloescht', 'digest', b.user_id
        from app.benutzer b
        where not exists (select from accounts.identitaet i where i.user_id = b.user_id) limit 1`)
      const [before] = await bindings(engine.owner)
      const rights = await attempt(engine.api, claimsOf('kundenadmin'), SEEN)
      expect(rights).toMatchObject({ rows: [{ user_id, kunden: 2 }] })
      expect(await rebind(engine.owner, { former: ISS, issuer: NEW })).toBe(before?.persons)
      expect(await firstContact({ email_verified: false })).toMatchObject({
        rows: [{ user_id: null, kunden: 0 }],
      })
      expect(await firstContact()).toEqual(rights)
      await engine.api.once(
        { role: 'nutzer', settings: { 'request.jwt.claims': JSON.stringify(claims) } },
        LINK,
      )
      expect(await firstContact({ sub: 'k-2' })).toMatchObject({ rows: [{ user_id: null, kunden: 0 }] })
      const { rows } = await engine.owner.query<{ n: number }>(
        `select count(*)::integer as n from accounts.identitaet where iss = 'geloescht'`,
      )
      expect(rows[0]?.n).toBe(1)
      expect(listed(await bindings(engine.owner), NEW)).toBe(
        `Gebunden sind an\n  ${NEW} (eingestellt): 1 Person`,
      )
    })
  })

test('where nobody signed in yet the list says so', () => expect(listed([], NEW)).toContain('niemand'))
