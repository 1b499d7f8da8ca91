// Nothing is lost over restarts: the server is killed during writes, twice. A reader that continues the feed
// where it was, and a program with a webhook, learn of everything that was committed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Changes } from '#contract/webhook.ts'
import { type Receiver, startReceiver } from '#server/webhooks/receiver.fixture.ts'
import { type RunningApp, startApp } from './app.ts'
import { demoPassword } from './browser.ts'
import { tokensOf } from './http-sign-in.ts'

describe('the feed and webhooks over a kill', () => {
  let app: RunningApp
  let receiver: Receiver
  let key = ''
  const ENV = { WEBHOOK_PRIVATE: 'on', WEBHOOK_EVERY_S: '1' }
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${app.origin}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
    })
  const page = async (after: number): Promise<Changes> => {
    const answer = await ask(`/changes?after=${after}&limit=7&kinds=plan.published`)
    expect(answer.status).toBe(200)
    return (await answer.json()) as Changes
  }
  /** As a program would: it keeps `next` and what it has read, and asks again whatever happens. */
  const reader = (from: number) => {
    const seen: number[] = []
    let after = from
    let isDone = false
    const read = async (): Promise<void> => {
      for (;;) {
        const last = isDone
        const found = await page(after).catch(() => null)
        if (found !== null) {
          seen.push(...found.changes.map(({ data }) => data.position))
          after = found.next
          if (last && !found.more) return
        }
        await new Promise((go) => setTimeout(go, 20))
      }
    }
    const reading = read()
    return {
      seen,
      async end() {
        isDone = true
        await reading
      },
    }
  }

  beforeAll(async () => {
    receiver = await startReceiver()
    app = await startApp({ env: ENV })
    const { access_token: token } = await tokensOf(app, 'apus_admin')
    const post = async <T>(path: string, body: object): Promise<T> => {
      const answer = await fetch(`${app.origin}/prod-api/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const { data, message } = (await answer.json()) as { data: T | null; message: string }
      expect(data, message).not.toBeNull()
      return data as T
    }
    const made = await post<{ zugang: string }>('zugaenge', {
      art: 'person',
      name: 'Abgleich',
      haelfte: null,
      gruppen: null,
      nur_lesen: false,
      client_id: null,
      bis: new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10),
      passwort: demoPassword(app),
      code: '',
    })
    key = made.zugang
    await post('webhooks', {
      haelfte: 'draenage',
      name: 'Abgleich',
      url: `${receiver.url}/`,
      arten: ['plan.published'],
      client_id: null,
    })
  }, 120_000)
  afterAll(async () => {
    await app?.stop()
    await receiver?.close()
  })

  test('every committed change is read once and in order, and told at least once', {
    timeout: 240_000,
  }, async () => {
    const plans = (
      (await (await ask('/rest/karte?select=id&order=id&limit=4')).json()) as { id: number }[]
    ).map(({ id }) => id)
    const { next: start } = (await (await ask('/changes?limit=1000')).json()) as Changes
    const reading = reader(start)
    const done = { sure: 0, unknown: 0 }
    const show = async (id: number, shown: boolean): Promise<boolean | null> => {
      const answer = await ask(`/rest/karte?id=eq.${id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ show_client: shown }),
      }).catch(() => null)
      return answer === null ? null : answer.ok
    }
    let isWriting = true
    const write = async (id: number) => {
      while (isWriting) {
        if ((await show(id, false)) !== true) {
          await new Promise((go) => setTimeout(go, 50))
          continue
        }
        const shown = await show(id, true)
        if (shown === true) done.sure++
        if (shown === null) done.unknown++
      }
    }
    const writing = plans.map(write)
    for (let nr = 0; nr < 2; nr++) {
      const before = done.sure
      await expect.poll(() => done.sure, { timeout: 60_000 }).toBeGreaterThan(before + 10)
      await app.kill()
      app = await app.restart(ENV)
    }
    const before = done.sure
    await expect.poll(() => done.sure, { timeout: 60_000 }).toBeGreaterThan(before + 10)
    isWriting = false
    await Promise.all(writing)
    await reading.end()

    const all: number[] = []
    for (let after = start, more = true; more; ) {
      const found = await page(after)
      all.push(...found.changes.map(({ data }) => data.position))
      ;({ next: after, more } = found)
    }
    expect(reading.seen).toEqual(all)
    expect(all.length).toBeGreaterThanOrEqual(done.sure)
    expect(all.length).toBeLessThanOrEqual(done.sure + done.unknown)
    const told = () =>
      new Set(
        receiver.received.map(
          ({ body }) => (JSON.parse(body) as { data: { position: number } }).data.position,
        ),
      )
    // What was on its way at a kill is sent again after a minute.
    await expect.poll(() => all.filter((position) => !told().has(position)), { timeout: 120_000 }).toEqual([])
  })
})
