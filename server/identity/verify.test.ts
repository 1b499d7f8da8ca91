import { createHmac, KeyObject, randomBytes, sign as signBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  CompactSign,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Caller, SignInFault, type SignInFaultKind } from '#server/caller.ts'
import { silentLog } from '#server/log.ts'
import { atMostEvery } from './at-most-every.ts'
import { discoverKeysUri, type KeySource, remoteKeys } from './key-source.ts'
import { type AuthenticateOptions, createAuthenticate } from './verify.ts'

const ISS = 'https://anmelden.example/realms/ogf'
const START = 1_790_000_000
let seconds = START
const now = () => new Date(seconds * 1000)

let rsa: { privateKey: CryptoKey; publicKey: CryptoKey }
let stranger: { privateKey: CryptoKey; publicKey: CryptoKey }
let ec: { privateKey: CryptoKey; publicKey: CryptoKey }
let jwk: JWK
let ecJwk: JWK

beforeAll(async () => {
  rsa = await generateKeyPair('RS256', { extractable: true })
  stranger = await generateKeyPair('RS256', { extractable: true })
  ec = await generateKeyPair('ES256', { extractable: true })
  jwk = { ...(await exportJWK(rsa.publicKey)), kid: 'eins', use: 'sig', alg: 'RS256' }
  ecJwk = { ...(await exportJWK(ec.publicKey)), kid: 'kurve', use: 'sig', alg: 'ES256' }
})
beforeEach(() => {
  seconds = START
})

const GOOD = {
  iss: ISS,
  sub: 'a1b2',
  aud: 'ogf-api',
  email: 'a@b.example',
  email_verified: true,
  groups: ['/appuser_admin'],
}
const times = () => ({ iat: seconds - 10, exp: seconds + 290 })

const sign = (
  payload: JWTPayload,
  header: Record<string, unknown> = {},
  key: CryptoKey | Uint8Array = rsa.privateKey,
) =>
  new SignJWT(payload)
    .setProtectedHeader({ alg: 'RS256', kid: 'eins', typ: 'JWT', ...header } as never)
    .sign(key)

const inProcess = (keys: () => JWK[]): KeySource => {
  const set = async () => ({
    jwks: { keys: keys() },
    version: keys()
      .map(({ kid }) => kid)
      .join(),
  })
  return { current: set, refresh: set }
}

const authenticateWith = (options: Partial<AuthenticateOptions> = {}) =>
  createAuthenticate({
    issuer: ISS,
    audience: 'ogf-api',
    algorithms: ['RS256', 'ES256'],
    jwks: inProcess(() => [jwk, ecJwk]),
    groupsClaim: 'groups',
    groupsMode: 'claim',
    emailClaim: 'email',
    clockSkewS: 5,
    now,
    log: silentLog,
    ...options,
  })

async function kindOf(attempt: () => unknown): Promise<SignInFaultKind | 'accepted'> {
  try {
    await attempt()
    return 'accepted'
  } catch (error) {
    if (error instanceof SignInFault) return error.kind
    throw error
  }
}

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const hmacWith = (secret: string | Buffer, header: object, payload: object) => {
  const body = `${encode(header)}.${encode(payload)}`
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
}

/** The right key with a different hash than its owner uses. */
const rs512 = (payload: object) => {
  const body = `${encode({ alg: 'RS512', kid: 'eins' })}.${encode(payload)}`
  return `${body}.${signBytes('sha512', Buffer.from(body), KeyObject.from(rsa.privateKey)).toString('base64url')}`
}

describe('a good token', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])(
    'is accepted with the scheme written %s',
    async (scheme) => {
      const caller = await authenticateWith()(`${scheme} ${await sign({ ...GOOD, ...times() })}`)
      expect(caller.claims).toMatchObject({
        sub: 'a1b2',
        email: 'a@b.example',
        email_verified: true,
        groups: ['appuser_admin'],
        role: 'nutzer',
      })
      expect(JSON.parse(caller.claimsJson)).toEqual(caller.claims)
    },
  )
  test('says nothing of a key: that is what programs have', async () => {
    const { claims } = await authenticateWith()(`Bearer ${await sign({ ...GOOD, ...times(), key: '7' })}`)
    expect(claims).not.toHaveProperty('key')
  })
  test('may have several audiences, another allowed algorithm and the type of RFC 9068', async () => {
    const token = await sign(
      { ...GOOD, ...times(), aud: ['account', 'ogf-api'] },
      { alg: 'ES256', kid: 'kurve', typ: 'at+jwt' },
      ec.privateKey,
    )
    expect(await kindOf(() => authenticateWith()(`Bearer ${token}`))).toBe('accepted')
  })
  test('cannot bring its own role or groups under another name', async () => {
    const token = await sign({
      ...GOOD,
      ...times(),
      role: 'forst_betrieb',
      groups: undefined,
      realm_access: { roles: ['/appuser_apus_admin'] },
    })
    const { claims } = await authenticateWith()(`Bearer ${token}`)
    expect(claims).toMatchObject({ role: 'nutzer', groups: [] })
  })
})

describe('forged and foreign tokens', () => {
  const CASES: readonly (readonly [name: string, expected: SignInFaultKind, header: () => unknown])[] = [
    ['no header', 'missing', () => undefined],
    ['empty header', 'missing', () => ''],
    ['another scheme', 'missing', () => 'Basic dXNlcjpwYXNz'],
    ['scheme alone', 'malformed', () => 'Bearer'],
    ['scheme and spaces', 'malformed', () => 'Bearer   '],
    ['two parts', 'malformed', () => 'Bearer aaa.bbb'],
    ['four parts', 'malformed', () => 'Bearer a.b.c.d'],
    ['five parts, encrypted', 'malformed', () => 'Bearer a.b.c.d.e'],
    ['no JSON inside', 'malformed', () => 'Bearer aaaa.bbbb.cccc'],
    ['very long', 'malformed', () => `Bearer ${'a'.repeat(20_000)}.b.c`],
    [
      'a space inside',
      'malformed',
      async () => `Bearer ${(await sign({ ...GOOD, ...times() })).replace('.', '. ')}`,
    ],
    [
      'a second token behind it',
      'malformed',
      async () => `Bearer ${await sign({ ...GOOD, ...times() })}, Bearer x.y.z`,
    ],
    [
      'alg none without signature',
      'malformed',
      () => `Bearer ${encode({ alg: 'none' })}.${encode({ ...GOOD, ...times() })}.`,
    ],
    [
      'alg none with any signature',
      'bad_signature',
      () => `Bearer ${encode({ alg: 'none', kid: 'eins' })}.${encode({ ...GOOD, ...times() })}.AAAA`,
    ],
    [
      'alg NONE',
      'bad_signature',
      () => `Bearer ${encode({ alg: 'NONE', kid: 'eins' })}.${encode({ ...GOOD, ...times() })}.AAAA`,
    ],
    [
      'HS256 with the public key as PEM',
      'bad_signature',
      async () =>
        `Bearer ${hmacWith(await exportSPKI(rsa.publicKey), { alg: 'HS256', kid: 'eins' }, { ...GOOD, ...times() })}`,
    ],
    [
      'HS256 with the public key as PEM and leading space',
      'bad_signature',
      async () =>
        `Bearer ${hmacWith(
          ` \n${await exportSPKI(rsa.publicKey)}`,
          { alg: 'HS256', kid: 'eins' },
          { ...GOOD, ...times() },
        )}`,
    ],
    [
      'HS256 with the key set as text',
      'bad_signature',
      () => `Bearer ${hmacWith(JSON.stringify(jwk), { alg: 'HS256', kid: 'eins' }, { ...GOOD, ...times() })}`,
    ],
    [
      'HS256 with an empty secret',
      'bad_signature',
      () => `Bearer ${hmacWith('', { alg: 'HS256' }, { ...GOOD, ...times() })}`,
    ],
    [
      'another key under a known name',
      'bad_signature',
      async () => `Bearer ${await sign({ ...GOOD, ...times() }, {}, stranger.privateKey)}`,
    ],
    [
      'another key under an unknown name',
      'bad_signature',
      async () => `Bearer ${await sign({ ...GOOD, ...times() }, { kid: 'fremd' }, stranger.privateKey)}`,
    ],
    [
      'its own key in the header',
      'bad_signature',
      async () =>
        `Bearer ${await sign(
          { ...GOOD, ...times() },
          { jwk: await exportJWK(stranger.publicKey), kid: undefined },
          stranger.privateKey,
        )}`,
    ],
    [
      'an address of keys in the header',
      'bad_signature',
      async () =>
        `Bearer ${await sign(
          { ...GOOD, ...times() },
          { jku: 'http://127.0.0.1:9/jwks', kid: 'fremd' },
          stranger.privateKey,
        )}`,
    ],
    [
      'an address of certificates in the header',
      'bad_signature',
      async () =>
        `Bearer ${await sign(
          { ...GOOD, ...times() },
          { x5u: 'http://127.0.0.1:9/x5', kid: 'fremd' },
          stranger.privateKey,
        )}`,
    ],
    [
      'a path as key name',
      'bad_signature',
      async () =>
        `Bearer ${await sign({ ...GOOD, ...times() }, { kid: '../../dev/null' }, stranger.privateKey)}`,
    ],
    [
      'a key name that is SQL',
      'bad_signature',
      async () =>
        `Bearer ${await sign({ ...GOOD, ...times() }, { kid: "' or '1'='1" }, stranger.privateKey)}`,
    ],
    [
      'a number as key name',
      'bad_signature',
      async () => `Bearer ${await sign({ ...GOOD, ...times() }, { kid: 1 }, stranger.privateKey)}`,
    ],
    [
      'an algorithm that is not configured',
      'bad_signature',
      () => `Bearer ${rs512({ ...GOOD, ...times() })}`,
    ],
    [
      'an unknown critical header',
      'bad_signature',
      async () =>
        `Bearer ${encode({ alg: 'RS256', kid: 'eins', crit: ['x'], x: 1 })}.${encode({ ...GOOD, ...times() })}.AAAA`,
    ],
    [
      'a changed payload',
      'bad_signature',
      async () =>
        `Bearer ${(await sign({ ...GOOD, ...times() })).replace(
          /\.[^.]+\./,
          `.${encode({ ...GOOD, ...times(), sub: 'admin' })}.`,
        )}`,
    ],
    [
      'a signature cut off',
      'bad_signature',
      async () => `Bearer ${(await sign({ ...GOOD, ...times() })).slice(0, -8)}`,
    ],
    [
      'another issuer',
      'wrong_issuer',
      async () =>
        `Bearer ${await sign({ ...GOOD, ...times(), iss: 'https://anmelden.example/realms/master' })}`,
    ],
    [
      'the issuer with a slash at its end',
      'wrong_issuer',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), iss: `${ISS}/` })}`,
    ],
    [
      'no issuer',
      'bad_claims',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), iss: undefined as never })}`,
    ],
    [
      'another audience',
      'wrong_audience',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), aud: 'ogf-api-test' })}`,
    ],
    [
      'no audience',
      'bad_claims',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), aud: undefined as never })}`,
    ],
    [
      'an ID token',
      'wrong_audience',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), aud: 'ogf-web', typ: 'ID' })}`,
    ],
    [
      'an ID token for our audience',
      'bad_claims',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), typ: 'ID' })}`,
    ],
    [
      'a refresh token',
      'bad_claims',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), typ: 'Refresh' })}`,
    ],
    [
      'a logout token',
      'bad_claims',
      async () => `Bearer ${await sign({ ...GOOD, ...times() }, { typ: 'logout+jwt' })}`,
    ],
    [
      'no sub',
      'bad_claims',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), sub: undefined as never })}`,
    ],
    ['an empty sub', 'bad_claims', async () => `Bearer ${await sign({ ...GOOD, ...times(), sub: '' })}`],
    [
      'a number as sub',
      'bad_claims',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), sub: 1 as never })}`,
    ],
    [
      'no exp',
      'bad_claims',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), exp: undefined as never })}`,
    ],
    [
      'a text as exp',
      'bad_claims',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), exp: '9999999999' as never })}`,
    ],
    [
      'no iat',
      'bad_claims',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), iat: undefined as never })}`,
    ],
    [
      'exp before iat',
      'bad_claims',
      async () => `Bearer ${await sign({ ...GOOD, iat: seconds + 3, exp: seconds + 1 })}`,
    ],
    [
      'expired',
      'expired',
      async () => `Bearer ${await sign({ ...GOOD, iat: seconds - 400, exp: seconds - 6 })}`,
    ],
    [
      'not yet valid',
      'not_yet_valid',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), nbf: seconds + 60 })}`,
    ],
    [
      'issued in the future',
      'issued_in_future',
      async () => `Bearer ${await sign({ ...GOOD, iat: seconds + 60, exp: seconds + 300 })}`,
    ],
    [
      'a NUL in a claim',
      'bad_claims',
      async () => `Bearer ${await sign({ ...GOOD, ...times(), name: 'a\u0000b' })}`,
    ],
    [
      'a list instead of claims',
      'malformed',
      async () =>
        `Bearer ${await new CompactSign(Buffer.from('[]'))
          .setProtectedHeader({ alg: 'RS256', kid: 'eins' })
          .sign(rsa.privateKey)}`,
    ],
  ]
  test.each(CASES)('%s: %s', async (_name, expected, header) => {
    const authorization = (await header()) as string | undefined
    expect(await kindOf(() => authenticateWith()(authorization))).toBe(expected)
  })
  test('HS256 stays refused when somebody configures it', async () => {
    const authenticate = authenticateWith({ algorithms: ['HS256', 'none', 'RS256'] })
    const token = hmacWith(
      await exportSPKI(rsa.publicKey),
      { alg: 'HS256', kid: 'eins' },
      { ...GOOD, ...times() },
    )
    expect(await kindOf(() => authenticate(`Bearer ${token}`))).toBe('bad_signature')
  })
  test('a clock wrong by less than the allowed skew is forgiven', async () => {
    expect(
      await kindOf(async () =>
        authenticateWith()(`Bearer ${await sign({ ...GOOD, iat: seconds - 300, exp: seconds - 4 })}`),
      ),
    ).toBe('accepted')
    expect(
      await kindOf(async () =>
        authenticateWith()(`Bearer ${await sign({ ...GOOD, iat: seconds + 4, exp: seconds + 300 })}`),
      ),
    ).toBe('accepted')
  })
})

describe('claims', () => {
  const claimsOf = async (payload: JWTPayload, options: Partial<AuthenticateOptions> = {}) =>
    (await authenticateWith(options)(`Bearer ${await sign({ ...GOOD, ...times(), ...payload })}`)).claims
  test('a group counts by its name or its full path at the top, not deeper', async () => {
    const { groups } = await claimsOf({
      groups: ['/appuser_new', 'appuser_apus', '/kunden/appuser_apus_admin', 7, null],
    })
    expect(groups).toEqual(['appuser_new', 'appuser_apus', '/kunden/appuser_apus_admin'])
  })
  test('groups by dotted path, or in a claim whose name has dots', async () => {
    expect(
      (await claimsOf({ realm_access: { roles: ['appuser_admin'] } }, { groupsClaim: 'realm_access.roles' }))
        .groups,
    ).toEqual(['appuser_admin'])
    expect(
      (
        await claimsOf(
          { 'https://x.example/groups': 'appuser_admin' },
          { groupsClaim: 'https://x.example/groups' },
        )
      ).groups,
    ).toEqual(['appuser_admin'])
    expect((await claimsOf({}, { groupsClaim: '__proto__.polluted' })).groups).toEqual([])
  })
  test('ignored groups open the ceiling, so that the row alone decides', async () =>
    expect((await claimsOf({ groups: ['appuser_new'] }, { groupsMode: 'ignore' })).groups).toEqual([
      'appuser_apus_admin',
    ]))
  test('an address counts as verified only when the provider says so', async () => {
    expect(await claimsOf({ email_verified: undefined })).toMatchObject({
      email: 'a@b.example',
      email_verified: false,
    })
    expect(await claimsOf({ email_verified: 'yes' })).toMatchObject({ email_verified: false })
    expect(await claimsOf({ upn: 'c@d.example' }, { emailClaim: 'upn' })).toMatchObject({
      email: 'c@d.example',
    })
    expect(await claimsOf({ email: { a: 1 } as never })).not.toHaveProperty('email')
  })
})

describe('the memory of verified tokens', () => {
  test('answers without asking for keys, and looks at the end each time', async () => {
    const source = inProcess(() => [jwk])
    const current = vi.spyOn(source, 'current')
    const authenticate = authenticateWith({ jwks: source })
    const token = `Bearer ${await sign({ ...GOOD, ...times() })}`
    const caller = await authenticate(token)
    expect(authenticate(token)).toBe(caller)
    expect(current).toHaveBeenCalledTimes(1)
    seconds += 294
    expect(authenticate(token)).toBe(caller)
    seconds += 2
    expect(await kindOf(() => authenticate(token))).toBe('expired')
  })
  test('is bounded', async () => {
    const source = inProcess(() => [jwk])
    const current = vi.spyOn(source, 'current')
    const authenticate = authenticateWith({ jwks: source, cacheSize: 2 })
    const tokens = await Promise.all(
      ['a', 'b', 'c'].map(async (sub) => `Bearer ${await sign({ ...GOOD, ...times(), sub })}`),
    )
    for (const token of tokens) await authenticate(token)
    await authenticate(tokens[0])
    expect(current).toHaveBeenCalledTimes(4)
    await authenticate(tokens[2])
    expect(current).toHaveBeenCalledTimes(4)
  })
  test('forgets the tokens of a key that was withdrawn', async () => {
    let keys = [jwk, ecJwk]
    const authenticate = authenticateWith({ jwks: inProcess(() => keys) })
    const token = `Bearer ${await sign({ ...GOOD, ...times() })}`
    await authenticate(token)
    keys = [ecJwk]
    const other = await sign({ ...GOOD, ...times() }, { alg: 'ES256', kid: 'kurve' }, ec.privateKey)
    await authenticate(`Bearer ${other}`)
    expect(await kindOf(() => authenticate(token))).toBe('bad_signature')
  })
  test('first contact runs once per token, before it is used, and again after a failure', async () => {
    const seen: Caller[] = []
    let broken = true
    const onFirstContact = async (caller: Caller) => {
      seen.push(caller)
      if (broken) throw new Error('database away')
      return true
    }
    const authenticate = authenticateWith({ onFirstContact })
    const token = `Bearer ${await sign({ ...GOOD, ...times() })}`
    await expect(authenticate(token)).rejects.toThrow('database away')
    broken = false
    await Promise.all([authenticate(token), authenticate(token), authenticate(token)])
    await authenticate(token)
    expect(seen).toHaveLength(2)
  })
})

describe('keys over the network', () => {
  let server: Server
  let asked = 0
  /** A different one for each test: what an earlier test still requests in the background is not counted. */
  let path = '/jwks'
  let others: string[] = []
  let status = 200
  let keys: () => JWK[] = () => []
  let address = ''
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === path) asked++
      else others.push(request.url ?? '')
      if (status === 302) response.setHeader('location', 'http://127.0.0.1:1/')
      response.writeHead(status, { 'content-type': 'application/json' })
      if (request.url === '/.well-known/openid-configuration')
        response.end(JSON.stringify({ issuer: address, jwks_uri: `${address}/jwks` }))
      else response.end(status === 200 ? JSON.stringify({ keys: keys() }) : 'no')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.close()
  })
  beforeEach(() => {
    asked = 0
    path = `/jwks?${randomBytes(4).toString('hex')}`
    others = []
    status = 200
    keys = () => [jwk, ecJwk]
  })
  const remote = () =>
    authenticateWith({ jwks: remoteKeys({ uri: `${address}${path}`, now, log: silentLog }) })
  const good = async (sub = 'x') => `Bearer ${await sign({ ...GOOD, ...times(), sub })}`

  test('are fetched once for many callers and kept for ten minutes', async () => {
    const authenticate = remote()
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, nr) => good(`n${nr}`)))
    await Promise.all(tokens.map(async (token) => authenticate(token)))
    seconds += 500
    await authenticate(await good('later'))
    expect(asked).toBe(1)
    seconds += 200
    await authenticate(await good('much later'))
    // Fetched alongside the request, which does not wait.
    await expect.poll(() => asked).toBe(2)
  })
  const forged = async (nr: number | string) =>
    `Bearer ${await sign({ ...GOOD, ...times() }, { kid: `flut${nr}` }, stranger.privateKey)}`
  test('a flood of unknown key names costs one fetch, which all of them share', async () => {
    const authenticate = remote()
    await authenticate(await good())
    const tokens = await Promise.all(Array.from({ length: 200 }, (_, nr) => forged(nr)))
    const kinds = await Promise.all(tokens.map((token) => kindOf(() => authenticate(token))))
    expect(new Set(kinds)).toEqual(new Set(['bad_signature']))
    expect(asked).toBe(2)
  })
  test('a new key works at once after its publication, while a flood of forged ones goes on', async () => {
    keys = () => [ecJwk]
    const authenticate = remote()
    await authenticate(
      `Bearer ${await sign({ ...GOOD, ...times() }, { alg: 'ES256', kid: 'kurve' }, ec.privateKey)}`,
    )
    expect(await kindOf(async () => authenticate(await good('too early')))).toBe('bad_signature')
    let isFlooding = true
    let refused = 0
    const flood = Array.from({ length: 20 }, async (_, lane) => {
      for (let nr = 0; isFlooding; nr++) {
        const token = await forged(`${lane}-${nr}`)
        if ((await kindOf(() => authenticate(token))) === 'bad_signature') refused++
      }
    })
    await new Promise((resolve) => setTimeout(resolve, 700))
    const token = await good('new key')
    keys = () => [jwk, ecJwk]
    const published = performance.now()
    // One attempt is enough: no client has to retry.
    const kind = await kindOf(() => authenticate(token))
    const waited = performance.now() - published
    isFlooding = false
    await Promise.all(flood)
    expect(kind).toBe('accepted')
    // One pause and one look; a busy machine may take longer.
    expect(waited).toBeLessThan(3_000)
    expect(refused).toBeGreaterThan(20)
    expect(asked).toBeLessThan(4 + (performance.now() - published + 700) / 400)
  })
  test('a known key is not waited for while the provider is silent, and an unknown one not called wrong', async () => {
    const hanging = new Set<{ destroy(): void }>()
    let isSilent = false
    const provider = createServer((request, response) => {
      hanging.add(request.socket)
      if (!isSilent) response.end(JSON.stringify({ keys: [jwk] }))
    })
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
    const uri = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/`
    const authenticate = authenticateWith({ jwks: remoteKeys({ uri, now, log: silentLog }) })
    await authenticate(await good())
    isSilent = true
    const stranger = await forged('now')
    const unknown = kindOf(() => authenticate(stranger))
    for (const age of [1, 700, 701, 5_000]) {
      seconds = START + age
      const token = await good(`after ${age}`)
      const began = performance.now()
      expect(await kindOf(() => authenticate(token))).toBe('accepted')
      // Otherwise it would be five seconds.
      expect(performance.now() - began).toBeLessThan(2_500)
    }
    expect(await unknown).toBe('keys_unavailable')
    for (const socket of hanging) socket.destroy()
    provider.close()
  })
  test('who waits is limited: the others are told to come again', async () => {
    let answers = 0
    const look = atMostEvery({ pauseMs: 50, waitMs: 5_000, mostWaiting: 3 }, async () => ++answers)
    await look()
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => look()))
    expect(all.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).name))).toEqual([
      2,
      2,
      2,
      'TooManyWaitingError',
      'TooManyWaitingError',
    ])
    expect(await look()).toBe(3)
  })
  test.each([500, 302])(
    'while the provider answers %i the last keys serve for a day, and no longer',
    async (failure) => {
      const authenticate = remote()
      await authenticate(await good())
      status = failure
      seconds += 3600
      expect(await kindOf(async () => authenticate(await good('hour')))).toBe('accepted')
      expect(await kindOf(async () => authenticate(await good('hour again')))).toBe('accepted')
      await expect.poll(() => asked).toBe(2)
      seconds += 82_700
      expect(await kindOf(async () => authenticate(await good('day')))).toBe('accepted')
      seconds += 200
      expect(await kindOf(async () => authenticate(await good('over')))).toBe('keys_unavailable')
    },
  )
  test('without any keys so far the answer is "unavailable" and not "wrong token"', async () => {
    status = 503
    expect(await kindOf(async () => remote()(await good()))).toBe('keys_unavailable')
    expect(
      await kindOf(async () => authenticateWith({ jwks: { uri: 'http://127.0.0.1:1/jwks' } })(await good())),
    ).toBe('keys_unavailable')
  })
  test('an empty or broken key set is none', async () => {
    keys = () => []
    expect(await kindOf(async () => remote()(await good()))).toBe('keys_unavailable')
  })
  test('the address is found through the issuer, which must name itself', async () => {
    expect(await discoverKeysUri(address)()).toBe(`${address}/jwks`)
    await expect(discoverKeysUri(`${address}/`)()).rejects.toThrow('another issuer')
  })
  test('an address in the token is never asked', async () => {
    const authenticate = remote()
    await authenticate(await good())
    const token = await sign(
      { ...GOOD, ...times() },
      { jku: `${address}/evil`, x5u: `${address}/evil`, kid: randomBytes(4).toString('hex') },
      stranger.privateKey,
    )
    await kindOf(() => authenticate(`Bearer ${token}`))
    expect(others.filter((url) => url.startsWith('/evil'))).toEqual([])
  })
})
