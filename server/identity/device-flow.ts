// The device flow over HTTP: the endpoint where a program begins, and its grant at the token endpoint. The
// page where a person answers is /geraet of the application; its calls are in program-keys.
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { declareScope } from '#server/route-caller.ts'
import { type DeviceRequests, INTERVAL_S, LIVES_S } from './device-requests.ts'
import type { ProgramClients } from './program-clients.ts'
import { guardScope, type Strangers } from './strangers.ts'
import { isTemporary, TEMPORARY, WAIT_S } from './temporary.ts'
import type { Throttle } from './throttle.ts'

/** Of every program that is connected this way; it proves nothing about the program. */
export const DEVICE_CLIENT = 'programm'
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
export const DEVICE_PATH = '/protocol/openid-connect/auth/device'
/** Of one network in an hour. */
const STARTS_PER_HOUR = 60
const LONGEST_NAME = 60

interface DeviceFlowOptions {
  readonly path: string
  readonly requests: DeviceRequests
  readonly programs: ProgramClients
  readonly throttle: Throttle
  readonly strangers: Strangers
  readonly appOrigin: string
}

export async function deviceRoutes(scope: FastifyInstance, options: DeviceFlowOptions): Promise<void> {
  declareScope(scope, 'own-scheme')
  guardScope(scope, options.strangers, (reply) => refuse(reply, 429, 'slow_down', 'too many requests'))
  scope.removeAllContentTypeParsers()
  await scope.register(formbody, { bodyLimit: 4_096 })
  scope.setErrorHandler((error, _request, reply) => {
    if (isTemporary(error)) return reply.code(503).header('retry-after', String(WAIT_S)).send(TEMPORARY)
    const status = (error as { statusCode?: number }).statusCode ?? 500
    return status < 500 ? refuse(reply, 400, 'invalid_request', 'not a form') : Promise.reject(error as Error)
  })
  scope.post(options.path, (request, reply) => begin(options, request, reply))
}

async function begin(
  { requests, programs, throttle, appOrigin }: DeviceFlowOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const wait = await throttle.admitInHour(request.ip, 'geraet beginn', STARTS_PER_HOUR)
  if (wait > 0)
    return refuse(reply.header('retry-after', String(wait)), 429, 'slow_down', 'too many requests')
  const form = (request.body ?? {}) as Record<string, unknown>
  const text = (name: string) => (Object.hasOwn(form, name) ? form[name] : '')
  const [client, scope, name] = [text('client_id'), text('scope'), text('program_name')]
  if (typeof client !== 'string' || typeof scope !== 'string' || typeof name !== 'string')
    return refuse(reply, 400, 'invalid_request', 'a parameter was sent twice')
  if (client !== DEVICE_CLIENT)
    return refuse(reply, 401, 'invalid_client', `client_id is ${DEVICE_CLIENT} for programs of all kinds`)
  if (!isName(name))
    return refuse(reply, 400, 'invalid_request', 'program_name is one line of at most 60 characters')
  const asked = programs.parse(scope)
  if (asked === null)
    return refuse(reply, 400, 'invalid_scope', `words of a scope: ${programs.words.join(' ')}`)
  const { deviceCode, userCode } = await requests.open({
    client,
    programm: name.trim() === '' ? 'Ein Programm' : name.trim(),
    scope: asked,
  })
  const page = `${appOrigin}/geraet`
  return reply.header('cache-control', 'no-store').send({
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?code=${userCode}`,
    expires_in: LIVES_S,
    interval: INTERVAL_S,
  })
}

/** Nothing that a page would show as something else: no control characters, marks of direction or blanks. */
const isName = (name: string): boolean =>
  name.length <= LONGEST_NAME && !/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|[^\S ]/u.test(name)

const refuse = (reply: FastifyReply, status: number, error: string, said: string): FastifyReply =>
  reply.code(status).header('cache-control', 'no-store').send({ error, error_description: said })

export function registerDeviceGrant(provider: Provider, requests: DeviceRequests): void {
  provider.registerGrantType(DEVICE_GRANT, (ctx) => answerPoll(ctx, requests), ['device_code'])
}

/**
 * The access token is the key itself: the database is asked with every request anyway, so it ends at once.
 */
async function answerPoll(ctx: KoaContextWithOIDC, requests: DeviceRequests): Promise<void> {
  const code = ctx.oidc.params?.['device_code']
  if (typeof code !== 'string') throw new errors.InvalidRequest('missing required parameter(s): device_code')
  const polled = await requests.poll(code, ctx.oidc.client?.clientId ?? '')
  switch (polled.kind) {
    case 'pending':
      throw new errors.AuthorizationPending()
    case 'slow':
      throw new errors.SlowDown()
    case 'denied':
      throw new errors.AccessDenied('the person declined, or ended the key')
    case 'expired':
      throw new errors.ExpiredToken('nobody answered in time')
    case 'invalid':
      throw new errors.InvalidGrant('device code not found or already used')
    case 'approved': {
      const { key, scope, seconds } = polled.handed
      ctx.body = { access_token: key, token_type: 'Bearer', expires_in: seconds, scope }
    }
  }
}
