// A server for the routes of one room: refusals leave it as from the product's own, and its callers are the
// people of the test's world, by name.
import fastify, { type FastifyInstance } from 'fastify'
import { type Caller, type Claims, SignInFault } from '#server/caller.ts'
import { toRefusal } from '#server/errors.ts'
import { guardRoutes } from '#server/route-caller.ts'
import { claimsOf, type IdentityName, NAMES } from './world.ts'

/** `Bearer token-NAME` is the person of that name; anything else is not signed in. */
export function authenticateByName(authorization: string | undefined): Caller {
  const name = (authorization ?? '').replace(/^Bearer token-/, '') as IdentityName
  const claims = NAMES.includes(name) ? claimsOf(name) : null
  if (claims === null) throw new SignInFault('missing', 'no token')
  return { claims: claims as Claims, claimsJson: JSON.stringify(claims), person: name }
}

export function refusingServer(bodyLimit?: number): FastifyInstance {
  const app = fastify(bodyLimit === undefined ? {} : { bodyLimit })
  guardRoutes(app, authenticateByName)
  app.setErrorHandler((error, _request, reply) => {
    const { status, code, message } = toRefusal(error)
    return reply.code(status).send({ code, message })
  })
  return app
}
