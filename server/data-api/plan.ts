// A request with every name found in the catalogue. Statements are built from plans alone.
import type { Argument, Column, Relation, Routine } from './catalogue.ts'
import type { Formula } from './formula.ts'
import type { Media } from './parse-media.ts'
import type { Count } from './parse-prefer.ts'
import type { Payload } from './payload.ts'
import type { Path } from './relation.ts'
import type { Aggregate, IsWord, JsonPath, Operator, Search } from './request.ts'

interface Compared {
  readonly column: Column
  readonly path?: JsonPath
  readonly negated: boolean
}

export type PlannedComparison =
  | (Compared & {
      readonly kind: 'value'
      readonly operator: Operator
      readonly of?: 'any' | 'all'
      readonly value: string
    })
  | (Compared & { readonly kind: 'list'; readonly values: readonly string[] })
  | (Compared & { readonly kind: 'is'; readonly word: IsWord })
  | (Compared & {
      readonly kind: 'search'
      readonly search: Search
      readonly language: string | null
      readonly value: string
    })

export type PlannedCondition =
  | PlannedComparison
  | { readonly kind: 'formula'; readonly formula: Formula<Column> }
  /** Whether there is an embedded row. */
  | { readonly kind: 'embedded'; readonly embed: Embed; readonly negated: boolean }
  | {
      readonly kind: 'logic'
      readonly joint: 'and' | 'or'
      readonly negated: boolean
      readonly parts: readonly PlannedCondition[]
    }

export interface PlannedOrder {
  /** To-one resource whose column it is; absent for columns of the rows themselves. */
  readonly embed?: Embed
  readonly column: Column
  readonly path?: JsonPath
  readonly direction: 'asc' | 'desc' | null
  readonly nulls: 'first' | 'last' | null
}

/** `label` is quoted: the column's own name or a checked alias. */
export type Output =
  | {
      readonly kind: 'column'
      readonly column: Column
      readonly path?: JsonPath
      /** Type of the server's list of casts. */
      readonly cast?: string
      readonly name: string
      readonly label: string
    }
  | { readonly kind: 'embed'; readonly embed: Embed; readonly name: string; readonly label: string }
  /** Combines all rows with the same values in the other columns into one. column null: counts the rows. */
  | {
      readonly kind: 'aggregate'
      readonly of: Aggregate
      readonly column: Column | null
      readonly path?: JsonPath
      readonly cast?: string
      readonly resultCast?: string
      readonly name: string
      readonly label: string
    }
  /** Output `at` of a spread resource, lifted into the row that embeds it. */
  | {
      readonly kind: 'lifted'
      readonly embed: Embed
      readonly at: number
      /** Aggregated here and not in the one row that the resource has. */
      readonly of?: Aggregate
      readonly resultCast?: string
      readonly name: string
      readonly label: string
    }

export interface Narrowed {
  readonly conditions: readonly PlannedCondition[]
  readonly order: readonly PlannedOrder[]
  readonly limit: number
  readonly offset: number
}

export interface Embed extends Narrowed {
  readonly path: Path
  readonly outputs: readonly Output[]
  /** Embeds below this one of which nothing is shown. */
  readonly hidden: readonly Embed[]
  /** Rows without an embedded row are left out. */
  readonly inner: boolean
  /** Its columns become columns of the row that embeds it. */
  readonly spread: boolean
}

interface Shared {
  readonly outputs: readonly Output[]
  /** Embeds that only restrict; nothing of them is shown. */
  readonly hidden: readonly Embed[]
  readonly media: Media
  readonly count: Count | false
}

export interface ReadPlan extends Shared, Narrowed {
  readonly kind: 'read'
  readonly relation: Relation
  readonly head: boolean
  /** An estimated count counts exactly up to here; null for the other kinds. */
  readonly countUpTo: number | null
  /** Beyond it, the answer says what PostgreSQL expects; false: nothing. */
  readonly estimates: boolean
}

interface Write extends Shared {
  readonly relation: Relation
  readonly returning: 'minimal' | 'representation' | 'headers-only'
  readonly order: readonly PlannedOrder[]
  readonly maxAffected: number | null
}

export interface InsertPlan extends Write {
  readonly kind: 'insert'
  readonly payload: Payload
  readonly columns: readonly Column[]
  readonly missingDefault: boolean
  /** What happens to a row whose key exists; null: it is refused. */
  readonly conflict: { readonly key: readonly Column[]; readonly merge: boolean } | null
  /** PUT: what the row has to be like; null for other inserts. */
  readonly put: readonly PlannedCondition[] | null
}
export interface UpdatePlan extends Write {
  readonly kind: 'update'
  readonly payload: Payload
  readonly columns: readonly Column[]
  readonly missingDefault: boolean
  readonly conditions: readonly PlannedCondition[]
}
export interface DeletePlan extends Write {
  readonly kind: 'delete'
  readonly conditions: readonly PlannedCondition[]
}

export interface CallPlan extends Shared, Narrowed {
  readonly kind: 'call'
  readonly routine: Routine
  /** In a transaction that can change nothing. */
  readonly readOnly: boolean
  /** From the body (one parameter), or from query or form (one parameter each). */
  readonly given:
    | { readonly from: 'body'; readonly text: string; readonly args: readonly Argument[] }
    /** The body is the value of the only argument, which has no name. */
    | { readonly from: 'whole'; readonly value: string | Uint8Array; readonly type: string }
    | {
        readonly from: 'query'
        readonly args: readonly { readonly argument: Argument; readonly value: string | readonly string[] }[]
      }
  readonly head: boolean
  readonly maxAffected: number | null
}

export type Plan = ReadPlan | InsertPlan | UpdatePlan | DeletePlan | CallPlan

/**
 * Operators that an extension may have for its own types. PostgreSQL then reads text and bytes, the column's
 * as well as the caller's, as such a type: `text && unknown` compares geometries.
 */
const BORROWED: ReadonlySet<Operator> = new Set<Operator>(
  'match imatch cs cd ov sl sr nxr nxl'.split(' ') as Operator[],
)

/** A type that an extension may have read a value of the caller's as; undefined if there is none. */
export function foreignType(plan: Plan): string | undefined {
  const conditions = 'conditions' in plan ? plan.conditions : []
  const compared = [...conditions, ...embedsOf(plan).flatMap(conditionsOf)].flatMap(comparisonsOf)
  const borrowed = compared.find((one) => one.kind === 'value' && BORROWED.has(one.operator))
  const types = [...compared.map(({ column }) => column), ...valuesOf(plan)].map(({ type }) => type)
  return types.find((type) => type.includes('.')) ?? borrowed?.column.type
}

function valuesOf(plan: Plan): readonly { readonly type: string }[] {
  if (plan.kind !== 'call') return 'columns' in plan ? plan.columns : []
  if (plan.given.from === 'body') return plan.given.args
  return plan.given.from === 'whole' ? [] : plan.given.args.map(({ argument }) => argument)
}

/** All embeds of one level, each once: those shown, spread and hidden. */
export const embedsOf = ({
  outputs,
  hidden,
}: {
  readonly outputs: readonly Output[]
  readonly hidden: readonly Embed[]
}): readonly Embed[] => {
  const shown = outputs.filter((output) => output.kind === 'embed' || output.kind === 'lifted')
  return shown.length === 0 ? hidden : [...new Set([...hidden, ...shown.map(({ embed }) => embed)])]
}

const conditionsOf = (embed: Embed): readonly PlannedCondition[] => [
  ...embed.conditions,
  ...embedsOf(embed).flatMap(conditionsOf),
]

function comparisonsOf(condition: PlannedCondition): readonly PlannedComparison[] {
  if (condition.kind === 'embedded' || condition.kind === 'formula') return []
  return condition.kind === 'logic' ? condition.parts.flatMap(comparisonsOf) : [condition]
}
