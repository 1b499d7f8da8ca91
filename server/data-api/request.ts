// A request as the dialect means it, before any name is looked up. From here on values are separate from
// structure.
import type { Formula } from './formula.ts'
import type { Media, Wanted } from './parse-media.ts'
import type { Preferences } from './parse-prefer.ts'
import type { CallPayload, Payload } from './payload.ts'

/** One step into a JSON value (`->key`, `->0`); `text`: the last step was `->>` and gives text. */
export interface JsonStep {
  readonly key: string | number
  readonly text: boolean
}

/** Absent: the column itself. */
export type JsonPath = readonly JsonStep[]

/** Operators that take one value and, with any or all, an array of values. */
export const QUANTIFIED = 'eq gt gte lt lte like ilike match imatch'.split(' ')
export const OPERATORS = [
  'eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch', 'isdistinct',
  'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj',
] as const // biome-ignore format: a list
export type Operator = (typeof OPERATORS)[number]

export const SEARCHES = ['fts', 'plfts', 'phfts', 'wfts'] as const
export type Search = (typeof SEARCHES)[number]

/** Words that `is` accepts; a client's value never follows `is`. */
export type IsWord = 'null' | 'not_null' | 'true' | 'false' | 'unknown'

interface Compared {
  readonly column: string
  readonly path?: JsonPath
  readonly negated: boolean
}

export type Comparison =
  | (Compared & {
      readonly kind: 'value'
      readonly operator: Operator
      /** The value is an array literal, one or each of which has to match. */
      readonly of?: 'any' | 'all'
      readonly value: string
    })
  | (Compared & { readonly kind: 'list'; readonly values: readonly string[] })
  | (Compared & { readonly kind: 'is'; readonly word: IsWord })
  | (Compared & {
      readonly kind: 'search'
      readonly search: Search
      /** Text search configuration; null is the database's default. */
      readonly language: string | null
      readonly value: string
    })

export interface Logic {
  readonly kind: 'logic'
  readonly joint: 'and' | 'or'
  readonly negated: boolean
  readonly parts: readonly Condition[]
}

/** Not of this dialect: of another one that is planned here (server/odata). */
export interface Computed {
  readonly kind: 'formula'
  readonly formula: Formula
}

export type Condition = Comparison | Logic | Computed

export interface OrderTerm {
  /** Embedded resource whose column it is; absent for columns of the rows themselves. */
  readonly relation?: string
  readonly column: string
  readonly path?: JsonPath
  readonly direction: 'asc' | 'desc' | null
  readonly nulls: 'first' | 'last' | null
}

export const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max'] as const
export type Aggregate = (typeof AGGREGATES)[number]

export type SelectItem =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'column'
      readonly name: string
      readonly path?: JsonPath
      readonly cast?: string
      readonly alias: string | null
    }
  /** name null: count() of the rows themselves. */
  | {
      readonly kind: 'aggregate'
      readonly of: Aggregate
      readonly name: string | null
      readonly path?: JsonPath
      /** Of the column before it is aggregated. */
      readonly cast?: string
      /** Of the result. */
      readonly resultCast?: string
      readonly alias: string | null
    }
  | {
      readonly kind: 'embed'
      readonly name: string
      readonly alias: string | null
      readonly hint: string | null
      readonly inner: boolean
      /** Its columns become columns of the row that embeds it. */
      readonly spread: boolean
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
  /** Of resources embedded into this one, by name or alias. */
  readonly embedded?: ReadonlyMap<string, Narrowing>
}

export interface Query {
  readonly select: readonly SelectItem[]
  readonly top: Narrowing
  /** By the name (or alias) under which the select embeds it. */
  readonly embedded: ReadonlyMap<string, Narrowing>
  readonly columns: readonly string[] | null
  /** Columns of the unique key that tells duplicates of an insert; null: those of the primary key. */
  readonly onConflict?: readonly string[] | null
  /** For calls by GET: name and value; only the catalogue knows whether it is an argument or a filter. */
  readonly pairs: readonly { readonly name: string; readonly value: string }[]
  /** Normal form of the query text, for Content-Location. */
  readonly canonical: string
}

interface Common {
  readonly schema: string
  readonly target: string
  readonly query: Query
  /** The first of the media types asked for that every target has; planning may choose another. */
  readonly media: Media
  readonly accepts: readonly Wanted[]
  /** The header as it came, for refusals. */
  readonly accept: string
  readonly preferences: Preferences
}

export interface ReadRequest extends Common {
  readonly kind: 'read'
  readonly head: boolean
}
export interface InsertRequest extends Common {
  readonly kind: 'insert'
  /** PUT: one row, which replaces the one with the key in the address. */
  readonly put: boolean
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
  readonly payload: CallPayload | null
}

export type ApiRequest = ReadRequest | InsertRequest | UpdateRequest | DeleteRequest | CallRequest
