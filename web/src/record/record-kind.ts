// What a form needs to know about its records: field names, and conversion between inputs and stored values.
import type { Resolver } from 'react-hook-form'
import type { Versioned } from '../data/rows.ts'

/** A row as forms need it: its version and the fields `F`. */
export type RecordRow<F extends string> = Versioned & Readonly<Record<F, unknown>>
/** Values of the inputs: strings, and booleans for switches. */
export type RecordValues<F extends string> = Record<F, string | boolean>

export interface RecordKind<F extends string, Row extends RecordRow<F>, V extends RecordValues<F>> {
  /** Saved together, in page sequence. */
  readonly fields: readonly F[]
  readonly resolver: Resolver<V>
  readonly toValues: (row: Pick<Row, F>) => V
  /** Validated values as the database stores them. */
  readonly toFields: (values: V) => Pick<Row, F>
  readonly label: (field: F) => string
  /** A value as displayed; empty if there is none. */
  readonly show: (field: F, value: unknown) => string
  /** The failed database check of a field, explained for the person who typed. */
  readonly check: (field: F) => string | undefined
  /** Who changed the record meanwhile, as a sentence: "… hat diesen Kunden am … geändert, …". */
  readonly changedBy: (values: { who: string; when: string }) => string
  /** Message for a save that can be undone by saving the previous values; without it there is no undo. */
  readonly undo?: () => string
  /** Key for drafts of unsaved changes, `kunde/17` (drafts.ts); without it there are none. */
  readonly draftOf?: (row: Row) => string
}
