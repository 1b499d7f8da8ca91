// What a request of a customer's people meets: each scan of a table that would be distributed has to be bound to
// customers, by the request or by the rights of who asks; a call has to name the customer.
import type { Database, OwnerConnection } from '#server/database/database.ts'
import type { Narrowed } from '../../server/data-api/narrow-plan.ts'
import { contextOf, refusalOf } from './measure.ts'
import { allRequests, type Request } from './requests.ts'
import type { CallerName } from './scene.ts'
import { COLUMN } from './distribution.ts'

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly Schema?: string
  readonly Plans?: readonly PlanNode[]
  readonly [fact: string]: unknown
}

/** Tables whose rows are met without a condition on the customer, here or where they are joined. */
function unbound(node: PlanNode, distributed: ReadonlySet<string>, above = ''): string[] {
  const conditions = Object.entries(node)
    .filter(([fact]) => / Cond$|^Filter$|^Join Filter$/.test(fact))
    .map(([, text]) => String(text))
  const bound = `${above} ${conditions.join(' ')}`
  const name = `${node.Schema}.${node['Relation Name']}`
  const own =
    node['Relation Name'] !== undefined && distributed.has(name) && !bound.includes(COLUMN) ? [name] : []
  return [...own, ...(node.Plans ?? []).flatMap((plan) => unbound(plan, distributed, bound))]
}

/** Null if the caller may not make the request. */
export const unboundIn = (
  api: Database,
  caller: CallerName,
  { statement, before }: Request,
  distributed: ReadonlySet<string>,
): Promise<readonly string[] | null> =>
  api
    .transaction(contextOf(caller), async (tx) => {
      const answer = before === undefined ? [] : (await tx.query<Narrowed>(before.ask)).rows
      const found: string[] = []
      for (const { text, values = [] } of before === undefined ? [statement] : before.after(answer)) {
        // oxlint-disable-next-line no-await-in-loop -- one connection
        await tx.query({ text, values })
        // oxlint-disable-next-line no-await-in-loop -- as above
        const { rows } = await tx.query<{ 'QUERY PLAN': unknown }>({
          text: `explain (verbose, format json) ${text}`,
          values,
        })
        const plan = rows[0]!['QUERY PLAN']
        const [{ Plan }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: PlanNode }]
        found.push(...unbound(Plan, distributed))
      }
      return [...new Set(found)]
    })
    .catch(refusalOf)

export const readsOf = async (api: Database, owner: OwnerConnection): Promise<readonly Request[]> =>
  (await allRequests(api, owner)).filter(({ kind }) => kind !== 'save')
