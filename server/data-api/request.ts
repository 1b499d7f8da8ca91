// A request as the dialect means it, before any name is looked up. From here on values are separate from
// structure.
import type { Media } from './parse-media.ts'
import type { Preferences } from './parse-prefer.ts'
import type { Payload } from './payload.ts'

export type Operator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'ilike' | 'in' | 'is'

/** Words that `is` accepts; a client's value never follows `is`. */
export type IsWord = 'null' | 'not_null' | 'true' | 'false' | 'unknown'

export type Comparison =
  | {
      readonly kind: 'value'
      readonly column: string
      readonly negated: boolean
      readonly operator: Exclude<Operator, 'in' | 'is'>
      readonly value: string
    }
  | {
      readonly kind: 'list'
      readonly column: string
      readonly negated: boolean
      readonly values: readonly string[]
    }
  | { readonly kind: 'is'; readonly column: string; readonly negated: boolean; readonly word: IsWord }

export interface Logic {
  readonly kind: 'logic'
  readonly joint: 'and' | 'or'
  readonly negated: boolean
  readonly parts: readonly Condition[]
}

export type Condition = Comparison | Logic

export interface OrderTerm {
  readonly column: string
  readonly direction: 'asc' | 'desc' | null
  readonly nulls: 'first' | 'last' | null
}

export const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max'] as const
export type Aggregate = (typeof AGGREGATES)[number]

export type SelectItem =
  | { readonly kind: 'all' }
  | { readonly kind: 'column'; readonly name: string; readonly alias: string | null }
  /** name null: count() of the rows themselves. */
  | {
      readonly kind: 'aggregate'
      readonly of: Aggregate
      readonly name: string | null
      readonly alias: string | null
    }
  | {
      readonly kind: 'embed'
      readonly name: string
      readonly alias: string | null
      readonly hint: string | null
      readonly inner: boolean
      readonly items: readonly SelectItem[]
    }

/** limit null: as many as the server allows. */
export interface Page {
  readonly offset: number
  readonly limit: number | null
}

/** What narrows one level of the answer: the target itself or one embedded resource. */
export interface Narrowing {
  readonly conditions: readonly Condition[]
  readonly order: readonly OrderTerm[]
  readonly page: Page
}

export interface Query {
  readonly select: readonly SelectItem[]
  readonly top: Narrowing
  /** By the name (or alias) under which the select embeds it. */
  readonly embedded: ReadonlyMap<string, Narrowing>
  readonly columns: readonly string[] | null
  /** For calls by GET: name and value; only the catalogue knows whether it is an argument or a filter. */
  readonly pairs: readonly { readonly name: string; readonly value: string }[]
  /** Normal form of the query text, for Content-Location. */
  readonly canonical: string
}

interface Common {
  readonly schema: string
  readonly target: string
  readonly query: Query
  readonly media: Media
  readonly preferences: Preferences
}

export interface ReadRequest extends Common {
  readonly kind: 'read'
  readonly head: boolean
}
export interface InsertRequest extends Common {
  readonly kind: 'insert'
  readonly payload: Payload
}
export interface UpdateRequest extends Common {
  readonly kind: 'update'
  readonly payload: Payload
}
export interface DeleteRequest extends Common {
  readonly kind: 'delete'
}
export interface CallRequest extends Common {
  readonly kind: 'call'
  readonly method: 'GET' | 'HEAD' | 'POST'
  /** null: the arguments are in the query. */
  readonly payload: Payload | null
}

export type ApiRequest = ReadRequest | InsertRequest | UpdateRequest | DeleteRequest | CallRequest
