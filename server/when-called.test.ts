import fastify from 'fastify'
import { expect, test } from 'vitest'
import { whenCalled } from './when-called.ts'

test('what waits is told once a procedure has answered well, and of nothing else', async () => {
  const told: string[] = []
  const app = fastify()
  whenCalled(app, '/rest/rpc', {
    a_issue_invoice: () => told.push('issued'),
    a_send_beleg: () => told.push('sent'),
  })
  await app.register(async (room) => {
    room.all('/rest/rpc/:name', async (request, reply) =>
      reply.code(Number(request.headers['x-status'] ?? 200)).send({}),
    )
  })
  const post = (url: string, status = 200) =>
    app.inject({ method: 'POST', url, headers: { 'x-status': String(status) }, payload: {} })
  await post('/rest/rpc/a_issue_invoice?select=nummer')
  await post('/rest/rpc/a_send_beleg', 409)
  await post('/rest/rpc/a_add_invoice')
  await post('/rest/rpc/constructor')
  await app.inject({ method: 'GET', url: '/rest/rpc/a_issue_invoice' })
  expect(told).toEqual(['issued'])
  await post('/rest/rpc/a_send_beleg')
  expect(told).toEqual(['issued', 'sent'])
  await app.close()
})
