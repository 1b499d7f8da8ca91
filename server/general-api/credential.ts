// Finds the token of a call: Bearer header, X-Token of the general client, and for one route the query. Two
// that differ are refused, and so are keys of programs anywhere but in the header: only there are they counted.
import type { FastifyRequest } from 'fastify'
import { Refusal } from '#server/errors.ts'

/** How keys of programs begin (server/program-keys); rooms do not import each other. */
const KEY = /^(?:bearer\s+)*forst_/i

/** As an Authorization header; undefined if the call carries none. */
export function credentialOf(request: FastifyRequest, fromQuery?: string): string | undefined {
  const bearer = request.headers.authorization
  const others = [request.headers['x-token'], fromQuery]
    .filter((token) => token !== undefined && token !== '')
    .map((token) => `Bearer ${String(token)}`)
  if (others.some((token) => KEY.test(token)))
    throw new Refusal(
      'bad_value',
      'Ein Schlüssel für Programme gehört in den Kopf „Authorization“. ' +
        '(The key of a program belongs into the header Authorization.)',
    )
  const given = [...(bearer === undefined ? [] : [bearer.replace(/^bearer +/i, 'Bearer ')]), ...others]
  if (new Set(given).size > 1)
    throw new Refusal('bad_value', 'Die Anfrage enthält zwei verschiedene Anmeldungen.')
  return given[0]
}
