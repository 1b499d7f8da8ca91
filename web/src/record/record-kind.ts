// What a form must know of the records it changes: their fields as people know them, and how inputs and stored values become each other.
import type { Resolver } from 'react-hook-form'
import type { Versioned } from '../data/rows.ts'

/** A row as the forms need it: its version and the fields `F`. */
export type RecordRow<F extends string> = Versioned & Readonly<Record<F, unknown>>
/** What stands in the inputs: texts, and true or false for switches. */
export type RecordValues<F extends string> = Record<F, string | boolean>

export interface RecordKind<F extends string, Row extends RecordRow<F>, V extends RecordValues<F>> {
  /** Saved together, in the order in which they stand on the page. */
  readonly fields: readonly F[]
  readonly resolver: Resolver<V>
  readonly toValues: (row: Pick<Row, F>) => V
  /** Checked values as the database keeps them. */
  readonly toFields: (values: V) => Pick<Row, F>
  readonly label: (field: F) => string
  /** A value as it is read on screen; empty text where there is none. */
  readonly show: (field: F, value: unknown) => string
  /** What the database's check of a field means to the person who typed. */
  readonly check: (field: F) => string | undefined
  /** Who changed the record meanwhile, as a sentence: "… hat diesen Kunden am … geändert, …". */
  readonly changedBy: (values: { who: string; when: string }) => string
  /** What is said of a save that may be taken back by saving what stood there before; left out: a save stays. */
  readonly undo?: () => string
  /** Where a draft of unsaved changes is kept, `kunde/17` (drafts.ts); left out: nowhere. */
  readonly draftOf?: (row: Row) => string
}
