// The form of one record: its base version, changes made elsewhere, saving and conflicts.
import { useEffect, useMemo, useRef, useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type PathValue,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import { ApiError } from '../data/api-error.ts'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { type Draft, overtaken, useDraft } from './drafts.ts'
import { useUnsavedChanges } from '../ui/unsaved.ts'
import { type Choice, changesOf, differencesOf, mergeBy, mergedChanges } from './merge.ts'
import { saveFaults } from './record-faults.ts'
import type { DraftOfferProps } from './DraftOffer.tsx'
import type { RecordKind, RecordRow, RecordValues } from './record-kind.ts'

export interface Conflict<F extends string, Row extends RecordRow<F>> {
  readonly base: Pick<Row, F>
  readonly mine: Pick<Row, F>
  readonly theirs: Row
}
export interface RecordSave<F extends string, Row> {
  readonly changes: Partial<Pick<Row, F & keyof Row>>
  /** The version the changes are based on. */
  readonly version: number
}
export interface RecordEditor<
  F extends string,
  Row extends RecordRow<F>,
  V extends RecordValues<F> & FieldValues,
> {
  readonly kind: RecordKind<F, Row, V>
  readonly form: UseFormReturn<V>
  readonly conflict: Conflict<F, Row> | null
  readonly saving: boolean
  /** Fault that belongs to no single field. */
  readonly fault: string | null
  /** Answers whether everything is saved now. */
  readonly submit: () => Promise<boolean>
  readonly discard: () => void
  /** Rejects if the decision could not be stored and nothing in the form can be fixed; it stays open then. */
  readonly resolve: (choice: Choice<F>) => Promise<unknown>
  readonly keepEditing: () => void
  /** Unsaved changes from before, not answered yet. */
  readonly draft: DraftOfferProps | null
}

/**
 * Shows a refused save at its fields and focuses the first; returns the fault that belongs to no field. Also
 * used by forms for new records.
 */
export function showFaults<F extends string, V extends FieldValues>(
  { setError, setFocus }: UseFormReturn<V>,
  error: unknown,
  {
    fields: formFields,
    check,
  }: { readonly fields: readonly F[]; readonly check: (field: F) => string | undefined },
): string | null {
  const { fields, form } = saveFaults(error, formFields, check)
  const named = formFields.filter((field) => fields[field] !== undefined)
  for (const field of named)
    setError(field as unknown as Path<V>, { type: 'server', message: fields[field] ?? '' })
  if (named[0] !== undefined) setFocus(named[0] as unknown as Path<V>)
  return form
}

/** Fills the values over the current record, so that only what differs counts as changed. */
function fillForm<F extends string, Row extends RecordRow<F>, V extends RecordValues<F> & FieldValues>(
  { fields, toValues }: RecordKind<F, Row, V>,
  { reset, setValue }: UseFormReturn<V>,
  row: Pick<Row, F>,
  wanted: Pick<Row, F>,
) {
  reset(toValues(row))
  const typed = toValues(wanted)
  const kept = toValues(row)
  for (const field of fields)
    if (typed[field] !== kept[field])
      setValue(field as unknown as Path<V>, typed[field] as unknown as PathValue<V, Path<V>>, {
        shouldDirty: true,
      })
}

/** Fills the form with the saved record, and what was typed since it was sent over it. */
function showSaved<F extends string, Row extends RecordRow<F>, V extends RecordValues<F> & FieldValues>(
  { fields, toValues }: RecordKind<F, Row, V>,
  form: UseFormReturn<V>,
  now: Row,
  asSent: V,
  clearDraft: () => void,
) {
  const typed = form.getValues()
  const later = fields.filter((field) => typed[field] !== asSent[field])
  form.reset(toValues(now))
  clearDraft()
  for (const field of later)
    form.setValue(field as unknown as Path<V>, typed[field] as PathValue<V, Path<V>>, { shouldDirty: true })
}

interface FormOf<F extends string, Row extends RecordRow<F>, V extends RecordValues<F> & FieldValues> {
  readonly kind: RecordKind<F, Row, V>
  readonly row: Row
  readonly form: UseFormReturn<V>
  readonly base: Base<Row>
}

/** The record that the form's changes are compared with. */
interface Base<Row> {
  readonly current: () => Row
  readonly take: (row: Row) => void
}
function useBase<Row>(row: Row): Base<Row> {
  const held = useRef(row)
  return useMemo(
    () => ({
      current: () => held.current,
      take: (next) => {
        held.current = next
      },
    }),
    [],
  )
}

const pick = <T extends object>(values: T, fields: readonly string[]): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([field]) => fields.includes(field))) as Partial<T>

/** Keeps what is typed as a draft, and offers one from before. */
function useFormDraft<F extends string, Row extends RecordRow<F>, V extends RecordValues<F> & FieldValues>({
  kind: { fields, toValues, draftOf, label },
  row,
  form,
  base,
  editable,
}: FormOf<F, Row, V> & { editable: readonly F[] }) {
  const { keep, clear, settle, offered } = useDraft<V>(draftOf?.(row) ?? null, row.version)
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: () => keep(form.getValues(), toValues(base.current())),
      }),
    [form, keep, toValues, base],
  )
  const restore = ({ values }: Draft<V>) => {
    for (const field of fields)
      if (field in values && (editable as readonly string[]).includes(field))
        form.setValue(field as unknown as Path<V>, values[field] as PathValue<V, Path<V>>, {
          shouldDirty: true,
          shouldValidate: true,
          shouldTouch: true,
        })
    settle()
  }
  const offer: DraftOfferProps | null = offered && {
    at: offered.at,
    changed: offered.version !== row.version,
    overtaken: overtaken(offered, toValues(row)).map((field) => label(field as F)),
    onRestore: () => restore(offered),
    onDrop: () => settle({ drop: true }),
  }
  return { clear, settle, offer }
}

/**
 * A newer record arrived: untouched fields are updated; if both sides changed a field, the conflict is resolved
 * on saving.
 */
function useNewerRecord<F extends string, Row extends RecordRow<F>, V extends RecordValues<F> & FieldValues>({
  kind,
  row,
  form,
  base,
}: FormOf<F, Row, V>) {
  const { fields, toFields } = kind
  useEffect(() => {
    if (row.version <= base.current().version) return
    const mine = toFields(form.getValues())
    if (differencesOf(fields, base.current(), mine, row).some(({ disputed }) => disputed)) return
    const kept = { ...row, ...changesOf<F, Pick<Row, F>>(fields, base.current(), mine) }
    // Set before filling, or the incoming values would be stored as a draft.
    base.take(row)
    fillForm(kind, form, row, kept)
  }, [row, form, kind, fields, toFields, base])
}

/** Asks before unsaved changes are left. */
function useGuardedForm<F extends string, Row extends RecordRow<F>, V extends RecordValues<F> & FieldValues>(
  { resolver, toValues }: RecordKind<F, Row, V>,
  row: Row,
) {
  const form = useForm<V>({
    resolver,
    defaultValues: toValues(row) as DefaultValues<V>,
    mode: 'onTouched',
  })
  const { isDirty } = form.formState
  useUnsavedChanges(isDirty)
  return form
}

/**
 * `save` changes the row if it still has that version, and otherwise rejects with changed_meanwhile
 * (updateOne of data/rows.ts).
 * `editable`: the fields this person may change; others are never sent.
 */
export function useRecordForm<
  F extends string,
  Row extends RecordRow<F>,
  V extends RecordValues<F> & FieldValues,
>(
  kind: RecordKind<F, Row, V>,
  row: Row,
  save: (what: RecordSave<F, Row>) => Promise<Row>,
  editable: readonly F[] = kind.fields,
): RecordEditor<F, Row, V> {
  const { fields, toFields, toValues } = kind
  const base = useBase(row)
  const [conflict, setConflict] = useState<Conflict<F, Row> | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const form = useGuardedForm(kind, row)
  const draft = useFormDraft({ kind, row, form, base, editable })
  useNewerRecord({ kind, row, form, base })

  /**
   * `asSent`: the form when it was sent. `before`: previous values of the changed fields, for undo; the undo
   * does not overwrite later changes by others.
   */
  const settle = (now: Row, message: string, asSent: V, before?: Partial<Pick<Row, F & keyof Row>>): true => {
    base.take(now)
    setConflict(null)
    showSaved(kind, form, now, asSent, draft.clear)
    draft.settle()
    if (kind.undo && before) toast.undo(kind.undo(), () => save({ changes: before, version: now.version }))
    else toast.success(message)
    return true
  }
  async function send(
    mine: Pick<Row, F>,
    changes: Partial<Pick<Row, F>>,
    onto: Row,
    isDecision = false,
  ): Promise<boolean> {
    setFault(null)
    const asSent = form.getValues()
    const sent = pick(changes, editable)
    if (Object.keys(sent).length === 0) return settle(onto, t('Es gab nichts zu speichern.'), asSent)
    setSaving(true)
    try {
      const before = pick<Pick<Row, F>>(onto, Object.keys(sent))
      return settle(await save({ changes: sent, version: onto.version }), t('Gespeichert.'), asSent, before)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'changed_meanwhile')
        return meet(onto, mine, error.current as Row, asSent)
      if (isDecision && Object.keys(saveFaults(error, fields, kind.check).fields).length === 0) throw error
      setConflict(null)
      setFault(showFaults(form, error, kind))
      return false
    } finally {
      setSaving(false)
    }
  }
  function meet(before: Row, mine: Pick<Row, F>, theirs: Row, asSent: V): boolean {
    // Both made the same change: nothing left to decide.
    if (differencesOf(fields, before, mine, theirs).length === 0)
      return settle(theirs, t('Gespeichert.'), asSent)
    setConflict({ base: before, mine, theirs })
    return false
  }
  async function submit(): Promise<boolean> {
    if (saving) return false
    let saved = false
    await form.handleSubmit(async (values) => {
      const mine = toFields(values)
      saved = await send(mine, changesOf<F, Pick<Row, F>>(fields, base.current(), mine), base.current())
    })()
    return saved
  }

  return {
    kind,
    form,
    conflict,
    fault,
    saving,
    submit,
    discard: () => {
      setFault(null)
      if (row.version > base.current().version) base.take(row)
      form.reset(toValues(base.current()))
      draft.clear()
    },
    resolve: async (choice) => {
      if (conflict === null) return
      const { mine, theirs } = conflict
      const merged = mergeBy<F, Pick<Row, F>>(fields, choice, mine, theirs)
      base.take(theirs)
      fillForm(kind, form, theirs, merged)
      await send(merged, mergedChanges<F, Pick<Row, F>>(fields, choice, mine, theirs), theirs, true)
    },
    keepEditing: () => setConflict(null),
    draft: draft.offer,
  }
}
