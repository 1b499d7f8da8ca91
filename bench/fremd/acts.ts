// What hostile kinds of request are made of.
import type { DemoRole } from '../../e2e/browser.ts'

export interface Stage {
  readonly origin: string
  readonly port: number
  readonly tokens: Readonly<Record<string, string>>
  /** Several of one person, an ogf_standard. */
  readonly keys: readonly string[]
  readonly signal: AbortSignal
}
export interface Kind {
  readonly name: string
  /** Concurrent acts; 12 by default. */
  readonly atOnce?: number
  /** Statuses (or `done`) of acts that reached their target; empty if acts last longer than the kind. */
  readonly ends: readonly (number | 'done')[]
  act(stage: Stage): Promise<unknown>
}

/** One request; its answer is read completely and discarded. */
export async function ask(
  stage: Stage,
  role: DemoRole | null,
  path: string,
  init: RequestInit = {},
): Promise<number> {
  const headers = {
    ...(role === null ? {} : { authorization: `Bearer ${stage.tokens[role]}` }),
    ...(init.headers as Record<string, string>),
  }
  const answer = await fetch(stage.origin + path, { ...init, headers, signal: stage.signal })
  for await (const _ of answer.body ?? []);
  return answer.status
}
export const json = (body: unknown, method = 'POST'): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json', prefer: 'return=representation' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
export const times = (count: number, of: (at: number) => string, between = ','): string =>
  Array.from({ length: count }, (_, at) => of(at)).join(between)
/**
 * As many personal views as one list may have, each with as much text as it may hold: created once per run of
 * a kind that reads them.
 */
const WIDE = 'x'.repeat(2_000)
async function makeWideRows(stage: Stage): Promise<void> {
  const rows = Array.from({ length: 50 }, (_, at) => ({ liste: 'kunden', name: `Breit ${at}`, suche: WIDE }))
  const status = await ask(stage, 'ogf_standard', '/rest/ansicht', json(rows))
  // 413: another kind has already created them.
  if (status !== 201 && status !== 413) throw new Error(`wide rows were not taken: ${status}`)
}
let wideRows: Promise<void> | undefined
export const wideRowsOf = (stage: Stage): Promise<void> => (wideRows ??= makeWideRows(stage))
