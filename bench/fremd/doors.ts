// Hostile requests at the doors for other programs, with keys, and at those of the sign-in, without an account.
import { randomUUID } from 'node:crypto'
import { FORM, PROTOCOL } from '../../e2e/http-sign-in.ts'
import { ask, type Kind, type Stage, times, wideRowsOf } from './acts.ts'

let turn = 0

/** A door for other programs, by the person's keys and their own token in turn. */
async function askAsProgram(stage: Stage, path: string): Promise<number> {
  const all = [stage.tokens['ogf_standard'], ...stage.keys]
  const authorization = `Bearer ${all[turn++ % all.length]}`
  return ask(stage, null, path, { headers: { authorization } })
}
const door = (name: string, ends: readonly number[], path: () => string, atOnce = 24): Kind => ({
  name,
  ends,
  atOnce,
  act: (stage) => askAsProgram(stage, path()),
})
/**
 * Somebody without an account, from one of a few networks: this machine is trusted to forward others. 429: too many
 * that led to nothing; 503: their share is full.
 */
const unknown = (name: string, ends: readonly number[], path: () => string, form?: () => object): Kind => ({
  name,
  ends,
  atOnce: 400,
  act(stage) {
    const headers = { 'x-forwarded-for': `198.51.100.${turn++ % 20}` }
    if (form === undefined) return ask(stage, null, path(), { headers })
    const body = new URLSearchParams({ client_id: 'ogf-web', ...form() })
    return ask(stage, null, path(), { method: 'POST', headers: { ...FORM, ...headers }, body })
  },
})

export const DOORS: readonly Kind[] = [
  {
    name: 'keys of one person beside their token, with patterns that take long',
    ends: [200, 500],
    atOnce: 50,
    async act(stage) {
      await wideRowsOf(stage)
      return askAsProgram(stage, `/rest/ansicht?${times(50, () => `suche=like.${'x*'.repeat(60)}b`, '&')}`)
    },
  },
  door(
    'exports by keys and a token of one person',
    [200],
    () => '/prod-api/habitat/1/export/habitatbaeume.csv',
  ),
  door('OData that counts and orders everything', [200], () => {
    const filter = times(20, (at) => `contains(bemerkung,'${at}')`, ' or ')
    return `/odata/habitatbaum?$count=true&$orderby=bemerkung desc&$filter=${encodeURIComponent(filter)}`
  }),
  door('OGC features as many as are allowed', [200], () => '/ogc/collections/habitatbaum/items?limit=10000'),
  door('whole tables, again and again', [200], () => '/tabelle/habitatbaum.csv'),
  door('changes that are waited for', [200], () => '/changes?limit=1000&wait=25', 200),
  door('changes from the first that is kept', [200], () => '/changes?limit=1000'),
  unknown(
    'renewals with invented tokens',
    [400, 429, 503],
    () => `${PROTOCOL}/token`,
    () => ({
      grant_type: 'refresh_token',
      refresh_token: randomUUID(),
    }),
  ),
  unknown(
    'secrets of keys that are guessed',
    [401, 429, 503],
    () => `${PROTOCOL}/token`,
    () => ({
      grant_type: 'client_credentials',
      client_id: 'schluessel-1',
      client_secret: randomUUID(),
    }),
  ),
  unknown(
    'revocations of invented tokens',
    [200, 429, 503],
    () => `${PROTOCOL}/revoke`,
    () => ({
      token: randomUUID(),
    }),
  ),
  unknown(
    'devices that nobody connects',
    [200, 429, 503],
    () => `${PROTOCOL}/auth/device`,
    () => ({
      client_id: 'programm',
    }),
  ),
  unknown('links that do not exist', [410, 429, 503], () => `/anmelden/passwort/${randomUUID()}`),
]
