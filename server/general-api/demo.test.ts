import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demo } from './demo.ts'

let app: FastifyInstance
beforeAll(async () => {
  app = fastify()
  await app.register(demo, { prefix: '/vue-element-admin' })
})
afterAll(() => app.close())

const get = async (path: string) => (await app.inject({ url: `/vue-element-admin/${path}` })).json()
const send = async (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
  (await app.inject({ method, url: `/vue-element-admin/${path}`, ...(payload && { payload }) })).json()

test('the legacy sign-in trims the name, ignores the password and knows two users', async () => {
  expect(await send('POST', 'user/login', { username: ' admin ', password: 'x' })).toEqual({
    code: 20_000,
    data: { token: 'admin-token' },
  })
  expect(await send('POST', 'user/login', { username: 'editor' })).toEqual({
    code: 20_000,
    data: { token: 'editor-token' },
  })
  const WRONG = { code: 60_204, message: 'Account and password are incorrect.' }
  for (const payload of [{ username: 'root' }, { username: '__proto__' }, { username: 5 }, {}])
    expect(await send('POST', 'user/login', payload)).toEqual(WRONG)
})
test('user info belongs to a token', async () => {
  expect((await get('user/info?token=admin-token')).data).toMatchObject({
    roles: ['admin'],
    name: 'Super Admin',
  })
  expect((await get('user/info?token=editor-token')).data).toMatchObject({
    roles: ['editor'],
    name: 'Normal Editor',
  })
  expect(await get('user/info?token=x')).toEqual({
    code: 50_008,
    message: 'Login failed, unable to get user details.',
  })
})
test('signing out succeeds', async () =>
  expect(await send('POST', 'user/logout')).toEqual({ code: 20_000, data: 'success' }))
test('routes and the three roles', async () => {
  expect((await get('routes')).data[0]).toMatchObject({ component: 'layout/Layout' })
  const { data } = await get('roles')
  expect(data.map((role: { key: string }) => role.key)).toEqual(['admin', 'editor', 'visitor'])
})
test('the key of a new role is drawn once', async () => {
  const first = (await send('POST', 'role', {})).data.key
  expect(first).toBeGreaterThanOrEqual(300)
  expect(first).toBeLessThanOrEqual(5000)
  expect((await send('POST', 'role', {})).data.key).toBe(first)
  expect(await send('PUT', 'role/admin', {})).toEqual({ code: 20_000, data: { status: 'success' } })
  expect(await send('DELETE', 'role/admin')).toEqual({ code: 20_000, data: { status: 'success' } })
})
test('user search looks at parts of names, without regard to case', async () => {
  expect((await get('search/user')).data.items).toHaveLength(101)
  expect((await get('search/user?name=MOCK')).data.items).toEqual([{ name: 'mock-Pan' }])
})
test('twenty transactions in the shape of the template', async () => {
  const { data } = await get('transaction/list?page=3')
  expect(data.total).toBe(20)
  for (const item of data.items) {
    expect(item.order_no).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(item.price).toBeGreaterThanOrEqual(1000)
    expect(item.price).toBeLessThanOrEqual(15_000)
    expect(['success', 'pending']).toContain(item.status)
  }
})
test('articles are filtered, sorted and paged', async () => {
  expect((await get('article/list')).data).toMatchObject({ total: 100, items: { length: 20 } })
  expect((await get('article/list?page=5&limit=30')).data.items).toHaveLength(0)
  expect((await get('article/list?page=4&limit=30')).data.items).toHaveLength(10)
  expect((await get('article/list?sort=-id')).data.items[0].id).toBe(100)
  const { data } = await get('article/list?importance=2&type=EU&limit=100')
  expect(data.items.length).toBe(data.total)
  expect(
    data.items.every(
      (one: { importance: number; type: string }) => one.importance === 2 && one.type === 'EU',
    ),
  ).toBe(true)
  expect(data.total).toBeGreaterThan(0)
  const [article] = (await get('article/list')).data.items
  expect((await get(`article/list?title=${encodeURIComponent(article.title)}`)).data.items[0]).toEqual(
    article,
  )
})
test('one article, its views, and saving', async () => {
  expect((await get('article/detail?id=7')).data.id).toBe(7)
  expect((await get('article/detail?id=700')).data).toBeNull()
  expect((await get('article/pv?pv=1')).data.pvData).toEqual(
    ['PC', 'mobile', 'ios', 'android'].map((key) => ({ key, pv: 1024 })),
  )
  expect(await send('POST', 'article/create', {})).toEqual({ code: 20_000, data: 'success' })
  expect(await send('POST', 'article/update', {})).toEqual({ code: 20_000, data: 'success' })
})
