// A secret other than the one the data was written with: nothing is changed, and nothing is lost unless the
// operator says so.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enginesToday, type Engine, isMissing, openEngine } from '../../db/test/engines.ts'
import { freePort, People, startServer } from './identity.fixture.ts'
import { idpDatabase } from './idp-database.ts'
import { checkSecretAsOwner, discardUnreadable, SecretFault } from './secret-check.ts'
import { confirmTotp, newRecoveryCodes, newTotpSecret, spendRecoveryCode } from './second-factor.ts'
import { createSecrets } from './secrets.ts'

const secret = () => randomBytes(32).toString('base64url')

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`the secret on ${engineName}`, () => {
    let engine: Engine
    const [first, second] = [secret(), secret()]
    const totp = newTotpSecret()
    const codes = newRecoveryCodes()
    let accountId = ''
    let publicOrigin = ''

    const start = (...secrets: string[]) => startServer(engine.api, { secrets, publicOrigin })
    const restart = async (...secrets: string[]) => (await start(...secrets)).close()
    const everything = async () =>
      (
        await engine.owner.query<{ all: string }>(
          `select md5(string_agg(t::text, ' ' order by t::text)) as all
            from (select to_jsonb(s) from idp.schluessel s union all select to_jsonb(k) from idp.konto k
             union all select to_jsonb(w) from idp.wiederherstellung w union all select to_jsonb(g)
               from idp.geheimnis g) as t`,
        )
      ).rows[0]?.all
    const totpSecret = async () =>
      (
        await engine.owner.query<{ sealed: string }>(
          'select totp_secret as sealed from idp.konto where konto_id = $1',
          [accountId],
        )
      ).rows[0]?.sealed ?? ''

    beforeAll(async () => {
      engine = await openEngine(engineName)
      publicOrigin = `http://127.0.0.1:${await freePort()}`
      const server = await start(first)
      const { email } = await new People(engine.owner, server).withAccount()
      accountId =
        (
          await engine.owner.query<{ id: string }>('select konto_id as id from idp.konto where email = $1', [
            email,
          ])
        ).rows[0]?.id ?? ''
      await server.close()
    })
    beforeEach(async () => {
      await engine.owner.query("delete from idp.artefakt where model = 'Server'")
    })
    afterAll(() => engine?.close())

    /** The given secrets with the stored hash key, as a server has them. */
    const known = async (...list: string[]) => {
      const { rows } = await engine.owner.query<{ siegel: string }>('select siegel from idp.geheimnis')
      const given = createSecrets(list)
      return given.withHashKey(given.decrypt(rows[0]?.siegel ?? ''))
    }

    test('a second factor is set up with the first one', async () => {
      const secrets = await known(first)
      await idpDatabase(engine.api).transaction((query) =>
        confirmTotp(query, secrets, { accountId, secret: totp, step: 1, codes }),
      )
      expect(secrets.decrypt(await totpSecret())).toBe(totp)
    })
    test('with another one the server does not start, says how to go on, and changes nothing', async () => {
      const before = await everything()
      await expect(start(second)).rejects.toThrow(
        /bisherige Datei zurück \(IDP_SECRET_FILE\).*zweite Zeile.*npm run accept-secret/,
      )
      await expect(checkSecretAsOwner(engine.owner, createSecrets([second]), false)).rejects.toBeInstanceOf(
        SecretFault,
      )
      expect(await everything()).toBe(before)
      await restart(first)
    })
    test('while a server with the right one runs, it is named as the reason, and cannot be overruled', async () => {
      const server = await start(first)
      await expect(start(second)).rejects.toThrow('Ein anderer Server dieser Datenbank')
      await expect(checkSecretAsOwner(engine.owner, createSecrets([second]), true)).rejects.toThrow(
        'Ein anderer Server',
      )
      await expect(discardUnreadable(idpDatabase(engine.api), createSecrets([second]))).rejects.toThrow(
        'Ein anderer Server',
      )
      await server.close()
    })
    test('the new above the former: after one start the former may go; factors and recovery codes stay', async () => {
      await restart(second, first)
      await restart(second)
      const secrets = await known(second)
      expect(secrets.decrypt(await totpSecret())).toBe(totp)
      expect(await spendRecoveryCode(idpDatabase(engine.api), secrets, accountId, codes[0] ?? '')).toBe(true)
      await expect(start(first)).rejects.toThrow('accept-secret')
    })
    test('while a server runs with the former alone, nothing is encrypted that it could not read', async () => {
      const third = secret()
      const server = await start(second)
      const rolling = await start(third, second)
      expect((await known(second)).decrypt(await totpSecret())).toBe(totp)
      await server.close()
      await rolling.close()
      await restart(third, second)
      expect((await known(third)).decrypt(await totpSecret())).toBe(totp)
      await restart(second, third)
    })
    test('lost: the operator accepts it, is told what went, and passwords stay', async () => {
      const lost = secret()
      await expect(start(lost)).rejects.toThrow('accept-secret')
      expect(await discardUnreadable(idpDatabase(engine.api), createSecrets([lost]))).toBe(1)
      expect(await discardUnreadable(idpDatabase(engine.api), createSecrets([lost]))).toBeNull()
      const { rows } = await engine.owner.query(
        'select totp_secret, pw_hash is not null as has from idp.konto where konto_id = $1',
        [accountId],
      )
      expect(rows).toEqual([{ totp_secret: null, has: true }])
      await restart(lost)
    })
  })
