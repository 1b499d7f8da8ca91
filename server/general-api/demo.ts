// The template's demo endpoints and its legacy sign-in: made-up records, no database, no rights. Registered
// only with DEMO_ENDPOINTS=on.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { declareScope } from '#server/route-caller.ts'
import { ARTICLES, NAMES, NEW_ROLE_KEY, PAGE_VIEWS, ROLES, ROUTES, TRANSACTIONS, USERS } from './demo-data.ts'

const answer = (data: unknown) => ({ code: 20_000, data })
const WRONG_PASSWORD = { code: 60_204, message: 'Account and password are incorrect.' }
const UNKNOWN_TOKEN = { code: 50_008, message: 'Login failed, unable to get user details.' }

const textOf = (source: unknown, name: string): string | undefined => {
  const value =
    typeof source === 'object' && source !== null ? (source as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
const query = (request: FastifyRequest, name: string): string | undefined => textOf(request.query, name)

export async function demo(app: FastifyInstance): Promise<void> {
  declareScope(app, 'anyone')
  app.post('/user/login', async (request) => {
    const user = Object.entries(USERS).find(([name]) => name === textOf(request.body, 'username')?.trim())
    return user === undefined ? WRONG_PASSWORD : answer({ token: user[1].token })
  })
  app.get('/user/info', async (request) => {
    const user = Object.values(USERS).find(({ token }) => token === query(request, 'token'))
    if (user === undefined) return UNKNOWN_TOKEN
    const { roles, introduction, avatar, name } = user
    return answer({ roles, introduction, avatar, name })
  })
  app.post('/user/logout', async () => answer('success'))

  app.get('/routes', async () => answer(ROUTES))
  app.get('/roles', async () => answer(ROLES))
  app.post('/role', async () => answer({ key: NEW_ROLE_KEY }))
  app.put('/role/:id', async () => answer({ status: 'success' }))
  app.delete('/role/:id', async () => answer({ status: 'success' }))

  app.get('/search/user', async (request) => {
    const wanted = (query(request, 'name') ?? '').toLowerCase()
    return answer({ items: NAMES.filter(({ name }) => name.toLowerCase().includes(wanted)) })
  })
  app.get('/transaction/list', async () => answer({ total: TRANSACTIONS.length, items: TRANSACTIONS }))

  app.get('/article/list', async (request) => answer(listArticles(request)))
  app.get('/article/detail', async (request) =>
    answer(ARTICLES.find(({ id }) => String(id) === query(request, 'id')) ?? null),
  )
  app.get('/article/pv', async () => answer({ pvData: PAGE_VIEWS }))
  app.post('/article/create', async () => answer('success'))
  app.post('/article/update', async () => answer('success'))
}

function listArticles(request: FastifyRequest): { total: number; items: unknown[] } {
  const [importance, type, title] = ['importance', 'type', 'title'].map((name) => query(request, name))
  const found = ARTICLES.filter(
    (article) =>
      (importance === undefined || String(article.importance) === importance) &&
      (type === undefined || article.type === type) &&
      (title === undefined || article.title.includes(title)),
  )
  if (query(request, 'sort') === '-id') found.reverse()
  const page = Math.max(1, Number(query(request, 'page') ?? 1) || 1)
  const limit = Math.max(1, Number(query(request, 'limit') ?? 20) || 20)
  return { total: found.length, items: found.slice((page - 1) * limit, page * limit) }
}
