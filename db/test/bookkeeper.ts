// What a bookkeeper (apus_admin) asks the database for, in transactions that are kept.
import { asCaller, type Engine, sql } from './engines.ts'
import { claimsOf } from './world.ts'

/** `engine`: it is opened only before the first test. */
export function bookkeeper(engine: () => Engine) {
  const run = async <T>(text: string, ...values: unknown[]): Promise<T[]> =>
    (await engine().api.once<T>(asCaller(claimsOf('apus_admin')), sql(text, ...values))).rows
  /** The value of one expression. */
  const value = async <T>(text: string, ...values: unknown[]): Promise<T> =>
    Object.values((await run<Record<string, unknown>>(`select ${text}`, ...values))[0]!)[0] as T
  /** Parsed here: the engines parse JSON each in its way. */
  const json = async <T>(text: string, ...values: unknown[]): Promise<T> =>
    JSON.parse(String(await value<unknown>(`(${text})::text`, ...values))) as T
  return { run, value, json }
}
