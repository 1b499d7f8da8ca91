// Tokens of an outside provider's clients, signed here as it would: which key they work with, and which not.
// With the real Keycloak: keycloak/programs.test.ts.
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildWorld } from '../../db/test/nouns.ts'
import { insertKey } from '../../db/test/cells/zugang.ts'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { IDENTITIES, type IdentityName, ISS, numberOf } from '../../db/test/world.ts'
import type { Caller } from '#server/caller.ts'
import { DatabaseFault } from '#server/database/database.ts'
import { createAuthenticate } from '#server/identity/verify.ts'
import { silentLog } from '#server/log.ts'
import { asNutzer } from '#server/nutzer.ts'
import { createBoundClients } from './bound-clients.ts'

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`a client of an outside provider on ${engineName}`, () => {
    let engine: Engine
    let authenticate: (authorization: string) => Promise<Caller>
    let sign: (claims: object, header?: object) => Promise<string>
    let nextKey = 30_000
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      const { privateKey, publicKey } = await generateKeyPair('RS256')
      const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'a', alg: 'RS256', use: 'sig' }] }
      const set = async () => ({ jwks, version: '1' })
      const clients = createBoundClients(engine.api, 'ogf-web')
      const verify = createAuthenticate({
        issuer: ISS,
        audience: 'ogf-api',
        algorithms: ['RS256'],
        jwks: { current: set, refresh: set },
        groupsClaim: 'groups',
        groupsMode: 'claim',
        emailClaim: 'email',
        clockSkewS: 0,
        now: () => new Date(),
        log: silentLog,
        programOf: (claims) => clients.callerOf(claims),
      })
      authenticate = async (token) => verify(`Bearer ${token}`)
      sign = (claims, header = {}) => {
        const now = Math.floor(Date.now() / 1000)
        return new SignJWT({ iss: ISS, aud: 'ogf-api', typ: 'Bearer', iat: now, exp: now + 60, ...claims })
          .setProtectedHeader({ alg: 'RS256', kid: 'a', ...header })
          .sign(privateKey)
      }
    })
    afterAll(() => engine?.close())

    type Narrowing = Omit<Parameters<typeof insertKey>[0], 'user_id' | 'id' | 'groups'>
    async function bind(name: IdentityName, client: string, art: 'person' | 'haus', more: Narrowing = {}) {
      const id = ++nextKey
      const { groups } = IDENTITIES[name as keyof typeof IDENTITIES]
      const narrowed = art === 'haus' ? { haelfte: 'draenage' as const, ...more } : more
      const row = insertKey({ user_id: numberOf(name), id, groups, ...narrowed })
      await engine.owner
        .script(
          `begin; set local role forst_betrieb; ${row}
         update accounts.zugang set client = '${client}', art = '${art}' where id = ${id}; commit`,
        )
        .catch(async (error: unknown) => {
          await engine.owner.script('rollback')
          throw error
        })
      return id
    }
    const end = (id: number) =>
      engine.owner.script(
        `begin; set local role forst_betrieb;
         update accounts.zugang set beendet_am = now(), beendet_grund = 'beendet' where id = ${id}; commit`,
      )
    /** As Keycloak makes them. */
    const service = (client: string, more: object = {}) =>
      sign({ azp: client, client_id: client, sub: `service-${client}`, ...more })
    const personal = (client: string, sub: string, more: object = {}) =>
      sign({
        azp: client,
        sub,
        sid: 'a-session',
        email: `${sub}@forst.example`,
        email_verified: true,
        ...more,
      })
    const kindOf = (token: Promise<string>) =>
      token.then(authenticate).then(
        ({ key }) => key?.id ?? 'a person',
        (error: { kind?: string }) => error.kind,
      )
    const read = async (token: string, relation: string) => {
      const caller = { ...(await authenticate(token)), target: `/${relation}` }
      try {
        await engine.api.once(asNutzer(caller), { text: `select from app.${relation} limit 1` })
        return 'ok'
      } catch (error) {
        return (error as DatabaseFault).hint
      }
    }

    test('works with the key that it is bound to, and ends with it', async () => {
      const id = await bind('apus_admin', 'auswertung', 'haus', { gruppen: ['karten'] })
      const token = await service('auswertung')
      const caller = await authenticate(token)
      expect(caller).toMatchObject({ role: 'programm', key: { id, name: `Programm ${id}` } })
      expect(caller.claims).toMatchObject({ iss: ISS, sub: 'apus_admin', key: String(id), groups: [] })
      expect([await read(token, 'karte'), await read(token, 'rechnung')]).toEqual(['ok', 'key_group'])
      await end(id)
      expect(await read(token, 'karte')).toBe('key_ended')
      expect(await kindOf(service('auswertung', { jti: '2' }))).toBe('unbound_client')
    })

    test('bound to nothing it is refused, whoever it is for; the sign-in of people goes on', async () => {
      expect(await kindOf(service('fremd'))).toBe('unbound_client')
      expect(await kindOf(personal('fremd', 'apus_admin'))).toBe('unbound_client')
      expect(await kindOf(personal('ogf-web', 'apus_admin'))).toBe('a person')
      // A provider that does not name the client has only one.
      expect(await kindOf(sign({ sub: 'apus_admin' }))).toBe('a person')
      // Clients of the embedded provider mean nothing here.
      expect(await kindOf(service('schluessel-30001'))).toBe('unbound_client')
    })

    test("a person's token never opens what is somebody else's", async () => {
      const shared = await bind('apus_admin', 'geteilt', 'haus')
      const own = await bind('apus_team', 'geteilt', 'person', { gruppen: ['karten'] })
      expect(await kindOf(service('geteilt'))).toBe(shared)
      expect(await kindOf(personal('geteilt', 'apus_team'))).toBe(own)
      expect(await kindOf(personal('geteilt', 'apus_admin'))).toBe(shared)
      expect(await kindOf(personal('geteilt', 'appuser'))).toBe('unbound_client')
      // With a session it is no service account, even if it says so.
      expect(await kindOf(personal('geteilt', 'appuser', { client_id: 'geteilt' }))).toBe('unbound_client')
      expect(await kindOf(personal('geteilt', 'appuser', { client_id: 'other', sid: undefined }))).toBe(
        'unbound_client',
      )
      // The name of a service account, registered by a person.
      expect(
        await kindOf(personal('geteilt', 'appuser', { preferred_username: 'service-account-geteilt' })),
      ).toBe('unbound_client')
      // A personal key is no service account's.
      const mine = await bind('apus_team', 'nur-meins', 'person')
      expect(await kindOf(personal('nur-meins', 'apus_team'))).toBe(mine)
      expect(await kindOf(service('nur-meins'))).toBe('unbound_client')
    })

    test('audience, issuer, signature, time and kind of the token are checked before', async () => {
      await bind('apus_admin', 'streng', 'haus')
      expect(await kindOf(service('streng', { aud: 'account' }))).toBe('wrong_audience')
      expect(await kindOf(service('streng', { iss: `${ISS}/other` }))).toBe('wrong_issuer')
      expect(await kindOf(service('streng', { exp: Math.floor(Date.now() / 1000) - 1 }))).toBe('expired')
      expect(await kindOf(service('streng', { typ: 'ID' }))).toBe('bad_claims')
      const other = await generateKeyPair('RS256')
      const forged = new SignJWT({ iss: ISS, aud: 'ogf-api', azp: 'streng', client_id: 'streng', sub: 'x' })
        .setProtectedHeader({ alg: 'RS256', kid: 'a' })
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(other.privateKey)
      expect(await kindOf(forged)).toBe('bad_signature')
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const claims = { iss: ISS, aud: 'ogf-api', azp: 'streng', client_id: 'streng', sub: 'x' }
      expect(await kindOf(Promise.resolve(`${part({ alg: 'none' })}.${part(claims)}.AAAA`))).toMatch(
        /malformed|bad_signature/,
      )
      // What the token says of scopes and keys gives nothing.
      const token = await service('streng', { scope: 'schreiben', key: '1', groups: ['appuser_apus_admin'] })
      expect((await authenticate(token)).claims).toMatchObject({
        groups: [],
        key: expect.stringMatching(/^30/),
      })
    })

    test('its end is that of the token', async () => {
      await bind('apus_admin', 'kurz', 'haus')
      const token = await service('kurz', { exp: Math.floor(Date.now() / 1000) + 1 })
      await authenticate(token)
      await expect.poll(() => kindOf(Promise.resolve(token))).toBe('expired')
    })

    test('a client has one key of the installation, and each person one of their own', async () => {
      await bind('apus_admin', 'einmal', 'haus')
      await expect(bind('admin', 'einmal', 'haus')).rejects.toMatchObject({ code: '23505' })
      await bind('apus_admin', 'einmal', 'person')
      await bind('apus_team', 'einmal', 'person')
      await expect(bind('apus_team', 'einmal', 'person')).rejects.toMatchObject({ code: '23505' })
    })
  })
