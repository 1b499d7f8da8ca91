import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Caller, SignInFault } from './caller.ts'
import { toRefusal } from './errors.ts'
import { declareScope, forAnyone, forGuests, forNutzer, guardRoutes } from './route-caller.ts'

const asked: (string | undefined)[] = []
function authenticate(authorization: string | undefined): Caller {
  asked.push(authorization)
  if (authorization !== 'Bearer good') throw new SignInFault('missing', 'no token')
  const claims = { iss: 'iss', sub: 'anna', exp: 0, iat: 0, groups: [], role: 'nutzer' } as const
  return { claims, claimsJson: '{}', person: 'anna' }
}

let app: FastifyInstance
beforeEach(() => {
  asked.length = 0
  app = fastify()
  app.setErrorHandler((error, _request, reply) => reply.code(toRefusal(error).status).send())
  guardRoutes(app, authenticate)
})
afterEach(() => app.close())
const get = async (url: string, authorization?: string) => {
  const { statusCode, body } = await app.inject({
    url,
    headers: authorization === undefined ? {} : { authorization },
  })
  return [statusCode, body]
}

describe('a route', () => {
  test('for users is closed to everyone else, and is told who is calling', async () => {
    app.get(
      '/a',
      forNutzer((caller) => caller.person),
    )
    expect(await get('/a', 'Bearer good')).toEqual([200, 'anna'])
    expect(await get('/a', 'Bearer bad')).toEqual([401, ''])
    expect(await get('/a')).toEqual([401, ''])
    expect((await app.inject({ method: 'HEAD', url: '/a' })).statusCode).toBe(401)
  })

  test('for guests is open to all, and one whose token is not valid is nobody', async () => {
    app.get(
      '/a',
      forGuests((caller) => caller?.person ?? 'nobody'),
    )
    expect(await get('/a', 'Bearer good')).toEqual([200, 'anna'])
    expect(await get('/a', 'Bearer bad')).toEqual([200, 'nobody'])
    expect(await get('/a')).toEqual([200, 'nobody'])
  })

  test('for anyone asks nobody', async () => {
    app.get(
      '/a',
      forAnyone(() => 'here'),
    )
    expect(await get('/a', 'Bearer good')).toEqual([200, 'here'])
    expect(asked).toEqual([])
  })

  test('may find the token elsewhere', async () => {
    const credentialOf = ({ headers }: { headers: Record<string, unknown> }) => `Bearer ${headers['x-token']}`
    app.get(
      '/a',
      forNutzer((caller) => caller.person, { credentialOf }),
    )
    expect((await app.inject({ url: '/a', headers: { 'x-token': 'good' } })).body).toBe('anna')
    expect(await get('/a', 'Bearer good')).toEqual([401, ''])
  })

  test('answers first what is wrong with the body', async () => {
    app.post(
      '/a',
      forNutzer(() => 'here', { bodyLimit: 10 }),
    )
    const post = (payload: string) =>
      app.inject({ method: 'POST', url: '/a', headers: { 'content-type': 'application/json' }, payload })
    expect((await post('{')).statusCode).toBe(400)
    expect((await post(`"${'a'.repeat(20)}"`)).statusCode).toBe(413)
    expect((await post('{}')).statusCode).toBe(401)
  })
})

test('a server with a route that does not say who may call it does not start', async () => {
  app.get(
    '/declared',
    forAnyone(() => 'here'),
  )
  await app.register(
    async (room) => {
      room.post('/silent', () => 'here')
    },
    { prefix: '/room' },
  )
  await expect(app.ready()).rejects.toThrow('POST /room/silent')
})

test('a scope declares its routes at once, but for those that say something themselves', async () => {
  await app.register(async (room) => {
    declareScope(room, 'own-scheme')
    room.get('/own', () => 'own')
    room.get(
      '/closed',
      forNutzer(() => 'closed'),
    )
  })
  await app.ready()
  expect(await get('/own')).toEqual([200, 'own'])
  expect(await get('/closed')).toEqual([401, ''])
})

test('a route for users does not answer where nobody guards it', async () => {
  const bare = fastify()
  bare.get(
    '/a',
    forNutzer(() => 'here'),
  )
  expect((await bare.inject({ url: '/a', headers: { authorization: 'Bearer good' } })).statusCode).toBe(500)
  await bare.close()
})
