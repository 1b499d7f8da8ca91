// The form of one customer.
import type { Kunde } from '#contract/kunde.ts'
import { type RecordEditor, useRecordForm } from '../use-record-form.ts'
import { useSaveKunde } from './kunde-record.data.ts'
import { FORM_FIELDS, type FormField } from './kunde-fields.ts'
import type { KundeValues } from './kunde-form.ts'
import { KUNDE } from './kunde-kind.ts'

export type KundeEditor = RecordEditor<FormField, Kunde, KundeValues>

/** `editable`: the fields this person may change; others are never sent. */
export function useKundeForm(kunde: Kunde, editable: readonly FormField[] = FORM_FIELDS): KundeEditor {
  const { mutateAsync } = useSaveKunde(String(kunde.client_id))
  return useRecordForm(KUNDE, kunde, mutateAsync, editable)
}
