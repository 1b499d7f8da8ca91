// Calls of procedures about plans, each committed, and those of the server's own role.
import { asCaller, type Engine, sql } from './engines.ts'
import { claimsOf, type IdentityName } from './world.ts'

/** One engine answers with text, the other with what it says. */
export const jsonOf = <T>(value: unknown): T => (typeof value === 'string' ? JSON.parse(value) : value) as T

export interface KarteCalls {
  readonly asked: <T>(who: IdentityName, call: string, ...values: unknown[]) => Promise<T>
  readonly rowsOf: <T>(who: IdentityName, call: string, ...values: unknown[]) => Promise<T[]>
  readonly asServer: <Row>(text: string, ...values: unknown[]) => Promise<Row[]>
}

/** `engine` is opened later, before the first test. */
export function karteCalls(engine: () => Pick<Engine, 'api'>): KarteCalls {
  const asked = async <T>(who: IdentityName, call: string, ...values: unknown[]): Promise<T> => {
    const { rows } = await engine().api.once<{ answer: string }>(
      asCaller(claimsOf(who)),
      sql(`select (${call})::text as answer`, ...values),
    )
    return jsonOf<T>(rows[0]?.answer ?? 'null')
  }
  return {
    asked,
    rowsOf: async <T>(who: IdentityName, call: string, ...values: unknown[]): Promise<T[]> =>
      jsonOf<T[]>(await asked(who, `select coalesce(json_agg(t), '[]') from ${call} t`, ...values)),
    asServer: async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
      (await engine().api.once<Row>({ role: 'forst_karte' }, sql(text, ...values))).rows,
  }
}
