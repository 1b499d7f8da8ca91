// Conditions that hold for every row of an answer anyway, but that an index can answer where row security and
// patterns cannot: asked of the database in the transaction of the read, before it.
import type { Statement } from '#server/database/database.ts'
import { isAggregated } from './plan-rows.ts'
import type { PlannedCondition, ReadPlan } from './plan.ts'

export interface Narrowing {
  /** Names of the relations that it knows something about. */
  readonly relations: ReadonlySet<string>
  /** The column whose patterns it gets. */
  readonly column: string
  /**
   * Gives rows of `column` and `ids`, a JSON array: the column's values are among them. A row without a column:
   * a page is found soonest in the order that is asked for.
   */
  of(relation: string, asked: AskedRows): Statement
}
/** What is known of each row that is asked for. */
export interface AskedRows {
  readonly patterns: readonly string[]
  /** What each says of a column; `in`: one of the values. */
  readonly conditions: readonly {
    readonly column: string
    readonly operator: 'in' | 'gt' | 'gte' | 'lt' | 'lte'
    readonly values: readonly string[]
  }[]
}

/** A row of its answer; a type, because interfaces have no index signature. */
export type Narrowed = { readonly column: string | null; readonly ids: string }

/** The patterns that every row is like. */
const patternsOf = (conditions: readonly PlannedCondition[], column: string): string[] =>
  conditions.flatMap((condition) =>
    condition.kind === 'value' &&
    !condition.negated &&
    condition.operator === 'like' &&
    condition.of === undefined &&
    condition.path === undefined &&
    condition.column.name === column
      ? [condition.value]
      : [],
  )

const COMPARED = { eq: 'in', gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte' } as const

const comparedIn = (conditions: readonly PlannedCondition[]): AskedRows['conditions'] =>
  conditions.flatMap((condition): AskedRows['conditions'] => {
    if (condition.kind !== 'list' && condition.kind !== 'value') return []
    const { column, negated, path } = condition
    if (negated || path !== undefined) return []
    if (condition.kind === 'list') return [{ column: column.name, operator: 'in', values: condition.values }]
    const operator = Object.hasOwn(COMPARED, condition.operator)
      ? COMPARED[condition.operator as keyof typeof COMPARED]
      : null
    return operator === null || condition.of !== undefined
      ? []
      : [{ column: column.name, operator, values: [condition.value] }]
  })

/** More rows than on a page are not worth it. */
const MOST_ROWS = 500

/** The planner does not know how many rows a pattern has, and would sort all of them. */
export const inOrder = (plan: ReadPlan, answer: readonly Narrowed[]): Statement | null =>
  plan.order.length > 0 &&
  plan.limit + plan.offset <= MOST_ROWS &&
  !isAggregated(plan.outputs) &&
  answer.some(({ column }) => column === null)
    ? { text: 'set local enable_seqscan = off' }
    : null

/** Null if nothing is known about the relation. */
export const narrowingOf = (
  { relation, conditions }: ReadPlan,
  narrowing: Narrowing | undefined,
): Statement | null =>
  narrowing?.relations.has(relation.name) === true
    ? narrowing.of(relation.name, {
        patterns: patternsOf(conditions, narrowing.column),
        conditions: comparedIn(conditions),
      })
    : null

/** The plan with these conditions; those on columns that are not published are left out. */
export function narrowPlan(plan: ReadPlan, answer: readonly Narrowed[]): ReadPlan {
  const more = answer.flatMap(({ column: name, ids }): PlannedCondition[] => {
    const column = name === null ? undefined : plan.relation.columns.get(name)
    // As text: a number above 2^53 would lose its last digits.
    const values = ids
      .slice(1, -1)
      .split(',')
      .filter((id) => id !== '')
    return column === undefined ? [] : [{ kind: 'list', negated: false, column, values }]
  })
  return more.length === 0 ? plan : { ...plan, conditions: [...plan.conditions, ...more] }
}
