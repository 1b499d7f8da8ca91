// In a trial one press signs in as one of its people, from this machine only.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMissing } from '../../db/test/engines.ts'
import { oneServer } from '../../db/test/identity-server.ts'
import { alertOf, headingOf, listen, startServer, type TestServer } from './identity.fixture.ts'

describe.skipIf(isMissing('postgres'))('the accounts of a trial', () => {
  const server = oneServer()
  let trial: TestServer
  let person = ''
  beforeAll(async () => {
    person = (await server.people.withAccount()).email
    const demo = [{ email: person, name: 'Anna Ahorn', title: 'Verwaltung Forst' }]
    trial = await listen(await startServer(server.database, { demo }))
  })
  afterAll(() => trial?.close())
  const open = async (at: TestServer) => {
    const browser = at.browser()
    return { browser, form: await browser.get(at.client().startAddress()) }
  }
  const choose = async (email: string, headers: Record<string, string> = {}) => {
    const { browser, form } = await open(trial)
    const sent = await fetch(form.url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: browser.header(form.url),
        origin: trial.origin,
        ...headers,
      },
      body: new URLSearchParams({ schritt: 'anmelden', konto: email }),
    })
    return { sent, text: await sent.text() }
  }

  test('sign in with one press', async () => {
    const { form } = await open(trial)
    expect(form.text).toContain('Beispielkonten')
    expect(form.text).toContain(`value="${person}"`)
    const { sent } = await choose(person)
    expect(sent.status).toBe(303)
    expect(sent.headers.get('location')).toContain('/realms/master/')
  })
  test('and nobody else does', async () => {
    const { email } = await server.people.withAccount()
    for (const address of [email, `${person} `, person.toUpperCase()]) {
      const { sent, text } = await choose(address)
      expect(sent.status, address).toBe(200)
      expect(text).toContain('role="alert"')
    }
  })
  test.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])(
    'nobody at all through something that says %s',
    async (header) => {
      const elsewhere = { [header]: header === 'via' ? '1.1 proxy' : '203.0.113.7' }
      const { browser, form } = await open(trial)
      const page = await fetch(form.url, {
        headers: { cookie: browser.header(form.url), ...elsewhere },
      })
      expect(await page.text()).not.toContain('Beispielkonten')
      expect((await choose(person, elsewhere)).sent.status).toBe(200)
    },
  )
  test('nobody at all where there is no trial', async () => {
    const { browser, form } = await open(server)
    expect(form.text).not.toContain('Beispielkonten')
    const answer = await browser.post(form.url, {
      schritt: 'anmelden',
      email: 'niemand@forst.example',
      konto: person,
    })
    expect(headingOf(answer)).toBe('Anmelden')
    expect(alertOf(answer)).not.toBe('')
  })
})
