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
