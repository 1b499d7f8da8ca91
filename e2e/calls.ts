// API calls as a signed-in person, with the token from their browser.
import type { Page } from 'playwright-core'
import type { RunningApp } from './app.ts'

export async function tokenOf(page: Page): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem('Admin-Token'))
  if (token === null) throw new Error('nobody is signed in here')
  return token
}

export interface Answer {
  readonly status: number
  readonly json: unknown
}

/** `path` starts with a base path: /rest/… or /prod-api/…. */
export async function call(
  app: Pick<RunningApp, 'origin'>,
  token: string,
  path: string,
  body?: object,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const answer = await fetch(app.origin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, json: text === '' ? null : (JSON.parse(text) as unknown) }
}

/**
 * What this procedure answers to the page at `path`. Only its request is listened to and then sent once more:
 * the browser discards an answer's body with the page that asked.
 */
export async function answerAt<T>(
  page: Page,
  app: Pick<RunningApp, 'origin'>,
  path: string,
  procedure: string,
): Promise<T> {
  const [request] = await Promise.all([
    page.waitForRequest(`**/rest/rpc/${procedure}`),
    page.goto(`${app.origin}${path}`),
  ])
  const body = request.postDataJSON() as object
  return (await call(app, await tokenOf(page), `/rest/rpc/${procedure}`, body)).json as T
}
