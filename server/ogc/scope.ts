// The part of the services that an address is about: everything the caller sees, a customer, or a holding.
// `/ogc/kunde/5` has the same documents as `/ogc` with the features of customer 5 alone, so that a program needs no
// filter of its own.
import type { FastifyRequest } from 'fastify'
import { Refusal } from '#server/errors.ts'
import type { Collection } from './collections.ts'

export interface Scope {
  /** Address of the landing page. */
  readonly base: string
  /** On t, with `values` from $1 on; true for everything. */
  readonly condition: string
  readonly values: readonly string[]
  /** Whose new features are, by the column that says it. */
  readonly owner: Readonly<Record<string, string>>
  /** Whether the collection is part of it. */
  has(collection: Collection): boolean
}
export type ScopeOf = (request: FastifyRequest) => Scope

/** By the parameters `kunde` or `betrieb` of the address. */
export const scopes =
  (base: string): ScopeOf =>
  (request) => {
    const { kunde, betrieb } = request.params as { kunde?: string; betrieb?: string }
    const number = kunde ?? betrieb
    if (number === undefined) return { base, condition: 'true', values: [], owner: {}, has: () => true }
    if (!/^[1-9]\d{0,14}$/.test(number)) throw new Refusal('not_found')
    return kunde !== undefined
      ? {
          base: `${base}/kunde/${number}`,
          condition: 't.client_id = $1::bigint',
          values: [number],
          owner: { client_id: number },
          has: () => true,
        }
      : {
          base: `${base}/betrieb/${number}`,
          condition: 't."idHQ" = $1::bigint',
          values: [number],
          owner: { idHQ: number },
          has: ({ half }) => half === 'forest',
        }
  }
