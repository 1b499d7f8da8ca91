// How a noun's columns are declared, each once: KUNDE_FIELDS in kunde-fields.ts, … Row types, forms, lists,
// exports, history, import and the privacy catalogue are made from these declarations;
// db/test/fields.sql.test.ts compares them with the database.
import type { Bundesland } from './bundeslaender.ts'
import type { HabitatSpecies } from './habitat/species.ts'
import type { StructureDetail } from './habitat/structures.ts'

/** How a value is written and checked, with the type that it has in a row. */
interface Kinds {
  /** One line of text. */
  line: string
  /** Several lines. */
  text: string
  phone: string
  plz: string
  land: Bundesland
  /** ISO 3166 alpha-2 */
  country: string
  /** EPSG code of a coordinate system. */
  epsg: number
  /** Form of address. */
  gender: 'Herr' | 'Frau' | 'divers'
  email: string
  /** YYYY-MM-DD */
  birthday: string
  sex: 'weiblich' | 'männlich' | 'divers'
  /** Access to the mobile app. */
  app: 'aktiv' | 'gesperrt'
  boolean: boolean
  number: number
  /** YYYY-MM-DD */
  date: string
  /** ISO date with time. */
  moment: string
  /** Hectares */
  area: number
  /** Names of the levels of an address. */
  levels: string[]
  /** One of the field's choices. */
  choice: string
  species: HabitatSpecies
  structures: StructureDetail[]
  /** With decimal places and a unit. */
  amount: number
  /** Of a place, WGS 84. */
  degrees: number
  point: unknown
  uuid: string
}
export type Kind = keyof Kinds

/** What is stored → its name, and words for it in files that are imported. */
export type Choices = Readonly<Record<string, { readonly label: string; readonly aliases: string }>>

/** German texts are keys of their English ones; screens show them through textOf (web/src/record/declared.ts). */
export interface Field {
  readonly kind: Kind
  /** Whether the column says something about a person or about a customer (domain/privacy.ts). */
  readonly privacy: 'person' | 'kunde' | 'other'
  /** The column may be null. */
  readonly nullable?: true
  /** Most characters of an input, and of a cell of an import. */
  readonly longest?: number
  /** Limits of a number. */
  readonly atLeast?: number
  readonly atMost?: number
  /** Most decimal places. */
  readonly decimals?: number
  readonly unit?: string
  readonly choices?: Choices
  /** Name of no choice. */
  readonly empty?: string
  /** Name on every screen and in exports; without one the column is shown nowhere. */
  readonly label?: string
  /** Group of the form that has the input; without one the column is not typed in. */
  readonly input?: string
  /** The input takes a whole line of the form. */
  readonly wide?: true
  /** Label of the input, if it differs. */
  readonly asks?: string
  readonly hint?: string
  /** Value of the input in the form of a new record; default: empty, a switch is off. */
  readonly initial?: string | boolean
  /** Asks for the value; a field with this text must be filled in. */
  readonly missing?: string
  /** Explains the database's check to the person who typed. */
  readonly refused?: string
  /** Roles that may change the column besides the provider's admins. */
  readonly changedBy?: readonly string[]
  /** Key of its own plain column in lists. Without one, a list draws the field in its own way or not at all. */
  readonly list?: string
  /** Made by the database of other columns: no part of the history. */
  readonly derived?: true
  /** May be set for many rows at once. */
  readonly bulk?: true
  /**
   * The import takes it: column headings people use, folded, the most certain first; the name there if it
   * differs; words for no choice.
   */
  readonly import?: { readonly label?: string; readonly aliases: string; readonly none?: string }
}
export type Fields = Readonly<Record<string, Field>>

type ValueOf<D extends Field> = D extends { choices: infer C } ? keyof C : Kinds[D['kind']]
/** The row that a table with these columns has. */
export type RowOf<F extends Fields> = {
  -readonly [C in keyof F]: ValueOf<F[C]> | (F[C] extends { nullable: true } ? null : never)
}

/** The columns that declare a property. */
export type ColumnsWith<F extends Fields, P extends keyof Field> = {
  [C in keyof F]: F[C] extends Record<P, unknown> ? C : never
}[keyof F]

/** The same as a list, in the order of the declaration. */
export const columnsWith = <F extends Fields, P extends keyof Field>(
  fields: F,
  property: P,
): readonly ColumnsWith<F, P>[] =>
  Object.keys(fields).filter((column) => fields[column]?.[property] !== undefined) as ColumnsWith<F, P>[]

/** A value for each of the columns. */
export const mapColumns = <C extends string, V>(
  columns: readonly C[],
  valueOf: (column: C) => V,
): Record<C, V> => Object.fromEntries(columns.map((column) => [column, valueOf(column)])) as Record<C, V>

/** The values of these columns. */
export const pickColumns = <R extends object, C extends string & keyof R>(
  row: R,
  columns: readonly C[],
): Pick<R, C> => mapColumns(columns, (column) => row[column]) as Pick<R, C>
