// A request with every name found in the catalogue. Statements are built from plans alone.
import type { Argument, Column, Path, Relation, Routine } from './catalogue.ts'
import type { Media } from './parse-media.ts'
import type { Payload } from './payload.ts'
import type { Aggregate, IsWord, Operator } from './request.ts'

export type PlannedCondition =
  | {
      readonly kind: 'value'
      readonly column: Column
      readonly negated: boolean
      readonly operator: Exclude<Operator, 'in' | 'is'>
      readonly value: string
    }
  | {
      readonly kind: 'list'
      readonly column: Column
      readonly negated: boolean
      readonly values: readonly string[]
    }
  | { readonly kind: 'is'; readonly column: Column; readonly negated: boolean; readonly word: IsWord }
  | {
      readonly kind: 'logic'
      readonly joint: 'and' | 'or'
      readonly negated: boolean
      readonly parts: readonly PlannedCondition[]
    }

export interface PlannedOrder {
  readonly column: Column
  readonly direction: 'asc' | 'desc' | null
  readonly nulls: 'first' | 'last' | null
}

/** `label` is quoted: the column's own name or a checked alias. */
export type Output =
  | { readonly kind: 'column'; readonly column: Column; readonly name: string; readonly label: string }
  | { readonly kind: 'embed'; readonly embed: Embed; readonly name: string; readonly label: string }
  /** Combines all rows with the same values in the other columns into one. column null: counts the rows. */
  | {
      readonly kind: 'aggregate'
      readonly of: Aggregate
      readonly column: Column | null
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
  /** Rows without an embedded row are left out. */
  readonly inner: boolean
}

interface Shared {
  readonly outputs: readonly Output[]
  /** Embeds that only restrict; nothing of them is shown. */
  readonly hidden: readonly Embed[]
  readonly media: Media
  readonly count: boolean
}

export interface ReadPlan extends Shared, Narrowed {
  readonly kind: 'read'
  readonly relation: Relation
  readonly head: boolean
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
  /** From the body (one parameter), or from the query (one parameter each). */
  readonly given:
    | { readonly from: 'body'; readonly text: string; readonly args: readonly Argument[] }
    | {
        readonly from: 'query'
        readonly args: readonly { readonly argument: Argument; readonly value: string | readonly string[] }[]
      }
  readonly head: boolean
  readonly maxAffected: number | null
}

export type Plan = ReadPlan | InsertPlan | UpdatePlan | DeletePlan | CallPlan

/** A type outside PostgreSQL's own that a value of the caller's is read as; undefined if there is none. */
export function foreignType(plan: Plan): string | undefined {
  return typesOfValues(plan).find((type) => type.includes('.'))
}

function typesOfValues(plan: Plan): readonly string[] {
  const embeds = [
    ...plan.hidden,
    ...plan.outputs.flatMap((output) => (output.kind === 'embed' ? [output.embed] : [])),
  ]
  const conditions = [
    ...('conditions' in plan ? plan.conditions : []),
    ...embeds.flatMap((embed) => embed.conditions),
  ]
  const compared = conditions.flatMap(columnsOf)
  const written = 'columns' in plan ? plan.columns : []
  const given =
    plan.kind !== 'call'
      ? []
      : plan.given.from === 'body'
        ? plan.given.args
        : plan.given.args.map(({ argument }) => argument)
  return [...compared, ...written, ...given].map(({ type }) => type)
}

function columnsOf(condition: PlannedCondition): readonly Column[] {
  return condition.kind === 'logic' ? condition.parts.flatMap(columnsOf) : [condition.column]
}
