// The error catalogue's cases about the start: what the identity check refuses, and which failures silently
// turn a person into a newcomer.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectClient } from '../data/client.ts'
import { currentToasts } from '../ui/toasts.ts'
import { loadSession, requireProfile, requireRoles } from './load-session.ts'
import { passingOf } from './passing.ts'

type Answer = readonly [status: number, body: unknown]
let server: Server
let person: Answer
let hqs: Answer
const PERSON = {
  user_id: 7,
  system_status: 'ogf_standard',
  first_name: 'Jörg',
  last_name: 'Eiche',
  apus_admin: false,
  apus_team: false,
  kunden: [],
}
const PROFILE = { email: 'joerg@forst.example', name: 'Jörg', groups: ['appuser_validated'], userId: null }
const HQ = { idHQ: 1, sHQ: 'Wald', hq_status: [], fb_enabled: true, dtFE: null, dcFLAEHB: null }

beforeAll(async () => {
  server = createServer((request: IncomingMessage, response) => {
    request.resume()
    const [status, body] = request.url?.startsWith('/prod-api/get_hqs_from_user/') === true ? hqs : person
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  connectClient({
    dataApi: `${origin}/rest`,
    generalApi: `${origin}/prod-api`,
    uploadLimitMb: 2048,
    token: () => 'x',
    refresh: async () => false,
    sessionLost: () => {},
  })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
afterEach(() => vi.restoreAllMocks())

const logged = () => vi.spyOn(console, 'error').mockImplementation(() => {})

test('profile, person and headquarters make the roles', async () => {
  person = [200, [PERSON]]
  hqs = [200, [HQ]]
  const session = await loadSession(PROFILE)
  expect(session).toMatchObject({
    roles: ['ogf_standard'],
    name: 'Jörg Eiche',
    activeHq: HQ,
    incomplete: false,
  })
})
const REFUSED: readonly Answer[] = [
  [403, { code: '42501', message: 'x' }],
  [404, { code: 'PT404', message: 'x' }],
  [400, { code: '22P02', message: 'x' }],
]
test.each(REFUSED)(
  'refused with %i the role is ogf_init, without a message: of the headquarters',
  async (...answer) => {
    const errors = logged()
    person = [200, [PERSON]]
    hqs = answer
    expect(await loadSession(PROFILE)).toMatchObject({ roles: ['ogf_init'], incomplete: true })
    expect(currentToasts()).toEqual([])
    expect(errors).toHaveBeenCalledTimes(1)
  },
)
test.each(REFUSED)(
  'refused with %i the role is ogf_init, and that is only logged: of the person’s data',
  async (...answer) => {
    const errors = logged()
    person = answer
    hqs = [200, []]
    expect(await loadSession(PROFILE)).toMatchObject({ roles: ['ogf_init'], user: null, incomplete: true })
    expect(currentToasts()).toEqual([])
    expect(errors).toHaveBeenCalledTimes(1)
  },
)

/** Says nothing about the person or their rights: the start tries again. */
const PASSING: readonly (readonly [why: string, answer: Answer])[] = [
  ['a fault of the server', [500, { code: 50_000, message: 'x' }]],
  ['a fault of a proxy', [502, 'x']],
  ['no database', [503, { code: 'PGRST000', message: 'x' }]],
  ['keys of tokens cannot be fetched', [503, { code: 'PGRST301', message: 'x' }]],
  ['no answer of the database', [504, { code: 'PGRST003', message: 'x' }]],
  ['too many of one person', [429, { code: '53300', message: 'x' }]],
  ['a list that is none', [200, { sign: 'in' }]],
  ['nothing at all', [200, null]],
]
describe.each(PASSING)('%s makes nobody a newcomer', (_why, answer) => {
  test('told of the person’s data', async () => {
    person = answer
    hqs = [200, []]
    const fault = await loadSession(PROFILE).catch((error: unknown) => error)
    expect(passingOf(fault)).toMatchObject({ kind: expect.any(String) })
  })
  test('told of the headquarters', async () => {
    person = [200, [PERSON]]
    hqs = answer
    const fault = await loadSession(PROFILE).catch((error: unknown) => error)
    expect(passingOf(fault)).toMatchObject({ kind: expect.any(String) })
  })
})
test('an account without a row is a newcomer’s', async () => {
  person = [200, []]
  expect(await loadSession(PROFILE)).toMatchObject({ roles: ['ogf_init'], user: null, incomplete: false })
})
test('a token that the server refuses ends the sign-in instead', async () => {
  person = [401, { code: 'PGRST301', message: 'x' }]
  await expect(loadSession(PROFILE)).rejects.toMatchObject({ code: 'not_signed_in' })
})
test('an empty profile is refused, and so is one without roles', async () => {
  await expect(loadSession({ ...PROFILE, email: '' })).rejects.toThrow(
    'Die Prüfung Ihrer Anmeldung ist fehlgeschlagen',
  )
  expect(() => requireProfile(PROFILE)).not.toThrow()
  expect(() => requireRoles([])).toThrow('keine Rolle')
  expect(() => requireRoles(null as unknown as [])).toThrow('keine Rolle')
  expect(() => requireRoles(['ogf_init'])).not.toThrow()
})
