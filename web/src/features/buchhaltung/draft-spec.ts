// What differs between the draft of an invoice and that of an offer, and what the form offers to both.
import type { UseQueryOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn, UseFormReturn } from 'react-hook-form'
import type { RecordKind, RecordRow } from '../../record/record-kind.ts'
import type { FieldProps } from '../../ui/Field.tsx'
import type { DraftKey } from './beleg.data.ts'
import type { DocKind } from './beleg-kinds.ts'
import type { FieldDef, FieldTexts } from './draft-fields.ts'
import type { Values } from './draft-save.ts'
import type { DraftValues } from './draft-words.ts'

export interface DraftRow {
  readonly id: number
  readonly client_id: number
  readonly kunde: string
  readonly version: number
  readonly positionen: string
}
export interface DraftSpec<F extends string, Row extends RecordRow<F> & DraftRow> {
  readonly docKind: DocKind
  readonly kind: RecordKind<F, Row, FieldTexts<F>>
  readonly defs: Readonly<Record<F, FieldDef>>
  readonly query: (id: string) => UseQueryOptions<Row, Error, Row, DraftKey>
  /** Changed fields in the form the procedure takes. */
  readonly toPayload: (changes: Partial<Row>) => Values
  readonly isDraft: (row: Row) => boolean
  /** Title of the page; default: that of the kind of document. */
  readonly title?: (row: Row) => string
  /** Name of an issued document. */
  readonly name: (row: Row) => string
  /** Name of the field with the document date. */
  readonly datum: F
  /** Fields beside the date. */
  readonly kopf: (fields: DraftFields<F>, row: Row) => ReactNode
  readonly terms: (fields: DraftFields<F>, row: Row) => ReactNode
  /** Cards below the form, saved by themselves. */
  readonly beside?: (row: Row) => ReactNode
  /** The typed values in the form the document has them. */
  readonly fieldValuesOf: (wert: (field: F) => string | number | null) => DraftValues
  /** Document fields that have another name in the form. */
  readonly otherNames: Readonly<Record<string, F>>
}

export interface DraftFields<F extends string> {
  readonly form: UseFormReturn<FieldTexts<F>>
  /** Props shared by every input. */
  readonly bind: (field: F) => Pick<FieldProps, 'label' | 'error'> & UseFormRegisterReturn
  readonly set: (field: F, text: string) => void
}
/** The names of the fields differ by document; the form itself is the same. */
export type TextForm = UseFormReturn<Record<string, string>>

export function draftFields<F extends string>(
  typed: UseFormReturn<FieldTexts<F>>,
  defs: Readonly<Record<F, FieldDef>>,
): DraftFields<F> {
  const form = typed as unknown as TextForm
  return {
    form: typed,
    bind: (field) => ({
      label: defs[field].label(),
      error: form.formState.errors[field]?.message,
      ...form.register(field as string),
    }),
    set: (field, text) =>
      form.setValue(field as string, text, { shouldDirty: true, shouldValidate: true, shouldTouch: true }),
  }
}
