// Who may call a route is part of its declaration, and is checked before its handler runs. A server with a
// route that says nothing about it does not start.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { RouteShorthandOptionsWithHandler } from 'fastify'
import type { Authenticate, Caller } from './caller.ts'
import { KeyLimitRefusal } from './errors.ts'
import { inShareOf, strangerAt } from './share.ts'

/**
 * nutzer: only with a valid token. guest: with or without one; one that is not valid counts as none. anyone:
 * nobody looks at a token. own-scheme: the room checks it itself, as the data API and the sign-in do.
 */
export type CalledBy = 'nutzer' | 'guest' | 'anyone' | 'own-scheme'

/** Finds the token, as an Authorization header. @throws Refusal */
type CredentialOf = (request: FastifyRequest) => string | undefined

declare module 'fastify' {
  interface FastifyContextConfig {
    calledBy?: CalledBy
    programs?: string | ((request: FastifyRequest) => string)
    credentialOf?: CredentialOf
  }
  interface FastifyRequest {
    /** Null where nobody is signed in, or nobody has asked. */
    caller: Caller | null
  }
}

export interface RouteLimits {
  readonly bodyLimit?: number
  /** If the token may be elsewhere than in the Authorization header. */
  readonly credentialOf?: CredentialOf
  /**
   * The relation that the route reads, or `rpc/name`, if programs may call it with a key; without it they may
   * not. The database compares it with the key's limits.
   */
  readonly programs?: string | ((request: FastifyRequest) => string)
}

type Handler<C> = (caller: C, request: FastifyRequest, reply: FastifyReply) => unknown

function declared(
  calledBy: CalledBy,
  handler: RouteShorthandOptionsWithHandler['handler'],
  { credentialOf, programs, ...limits }: RouteLimits,
): RouteShorthandOptionsWithHandler {
  const config = { calledBy, ...(credentialOf && { credentialOf }), ...(programs && { programs }) }
  return { ...limits, config, handler }
}

/** A route for people who are signed in: `app.get('/a', forNutzer((caller, request) => …))`. */
export const forNutzer = (
  handler: Handler<Caller>,
  limits: RouteLimits = {},
): RouteShorthandOptionsWithHandler =>
  declared(
    'nutzer',
    (request, reply) => {
      const { caller } = request
      if (!caller) throw new Error('this route is not guarded: see guardRoutes')
      return handler(caller, request, reply)
    },
    limits,
  )

/** A route for everyone, which treats those who are signed in differently. */
export const forGuests = (
  handler: Handler<Caller | null>,
  limits: RouteLimits = {},
): RouteShorthandOptionsWithHandler =>
  declared(
    'guest',
    (request, reply) => {
      const { caller } = request
      // Somebody who is signed in is held back by the first thing that is asked in their name.
      const person = caller === null ? strangerAt(request.ip) : undefined
      return inShareOf(person, () => handler(caller, request, reply))
    },
    limits,
  )

export const forAnyone = (
  handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
  limits: RouteLimits = {},
): RouteShorthandOptionsWithHandler =>
  declared(
    'anyone',
    (request, reply) => inShareOf(strangerAt(request.ip), () => handler(request, reply)),
    limits,
  )

/** For all routes of a scope that say nothing themselves; called before they are registered. */
export function declareScope(scope: FastifyInstance, calledBy: 'anyone' | 'own-scheme'): void {
  scope.addHook('onRoute', (route) => {
    route.config = { calledBy, ...route.config }
  })
}

/** Guards the routes that are registered from now on. */
export function guardRoutes(app: FastifyInstance, authenticate: Authenticate): void {
  const routes: RouteOptions[] = []
  app.decorateRequest('caller', null)
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    const silent = routes
      .filter(({ config }) => config?.calledBy === undefined)
      .map(({ method, url }) => `${String(method)} ${url}`)
    if (silent.length > 0) throw new Error(`routes that do not say who may call them: ${silent.join(', ')}`)
  })
  // After the body is read: what is wrong with it comes first, for any sender.
  app.addHook('preHandler', async (request) => {
    const { calledBy, credentialOf } = request.routeOptions.config
    if (calledBy !== 'nutzer' && calledBy !== 'guest') return
    const identify = async (): Promise<Caller> =>
      authenticate(credentialOf === undefined ? request.headers.authorization : credentialOf(request))
    const caller = calledBy === 'nutzer' ? await identify() : await identify().catch(() => null)
    request.caller = caller?.key === undefined ? caller : asProgram(caller, request)
  })
}

/** @throws KeyLimitRefusal if the route is not for programs, or the key only reads */
function asProgram(caller: Caller, request: FastifyRequest): Caller {
  const { method } = request
  const { programs } = request.routeOptions.config
  if (programs === undefined)
    throw new KeyLimitRefusal(
      'key_not_here',
      'Schlüssel für Programme gelten hier nicht. (Keys for programs do not work here.)',
    )
  if (caller.key?.readsOnly === true && !['GET', 'HEAD', 'OPTIONS'].includes(method))
    throw new KeyLimitRefusal('key_reads_only', 'Dieser Schlüssel darf nur lesen. (This key is read-only.)')
  return { ...caller, target: `/${typeof programs === 'string' ? programs : programs(request)}` }
}
