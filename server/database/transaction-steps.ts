// What surrounds every statement: begin, context, check. The role is switched last, so that it needs no
// rights to the settings.
import type { Context } from './database.ts'
import type { Step } from './exchange.ts'

const BEGIN_READ: Step = { name: 'begin read', text: 'begin read only', silent: true }
const BEGIN_WRITE: Step = { name: 'begin write', text: 'begin read write', silent: true }
export const COMMIT: Step = { name: 'commit', text: 'commit', silent: true }
export const ROLLBACK: Step = { name: 'rollback', text: 'rollback', silent: true }

/** Texts by the names they set; there are only a few combinations, all of them written in our own code. */
const contextTexts = new Map<string, string>()

function contextText(names: readonly string[]): string {
  const key = names.join(' ')
  const known = contextTexts.get(key)
  if (known !== undefined) return known
  for (const name of names)
    if (!/^[a-z_]+(\.[a-z_]+)*$/.test(name)) throw new TypeError(`not the name of a setting: ${name}`)
  const text = `select ${names.map((name, i) => `pg_catalog.set_config('${name}',$${i + 1},true)`).join(',')}`
  if (contextTexts.size < 1000) contextTexts.set(key, text)
  return text
}

/** `always`: settings of the engine, such as time limits. */
export function openingSteps(context: Context, always: Readonly<Record<string, string>>): Step[] {
  const settings = { ...always, ...context.settings }
  const text = contextText([...Object.keys(settings), 'role'])
  const steps = [
    context.readOnly === true ? BEGIN_READ : BEGIN_WRITE,
    { name: 'context', text, values: [...Object.values(settings), context.role], silent: true },
  ]
  if (context.preRequest !== undefined) steps.push({ ...context.preRequest, silent: true })
  return steps
}

/**
 * Times print alike whatever the server's own time zone. A statement may wait for a lock half as long as it
 * may run, so that the caller learns that somebody else holds it.
 */
export function surroundings(milliseconds: number): Record<string, string> {
  return {
    statement_timeout: String(milliseconds),
    lock_timeout: String(Math.max(1, Math.round(milliseconds / 2))),
    idle_in_transaction_session_timeout: String(milliseconds),
    timezone: 'UTC',
  }
}
