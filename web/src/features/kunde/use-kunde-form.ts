// The form of one customer: what it is based on, what happens when the customer changes elsewhere, saving and conflicts.
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useEffect, useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { Kunde } from '#contract/kunde.ts'
import { ApiError } from '../../data/api-error.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useSaveKunde } from './kunde.data.ts'
import { saveFaults } from './kunde-faults.ts'
import { FORM_FIELDS, type FormField } from './kunde-fields.ts'
import { changesOf, type KundeFields, KundeSchema, type KundeValues, toFields, toValues } from './kunde-form.ts'
import { type Choice, differencesOf, mergeBy, mergedChanges } from './kunde-merge.ts'

export interface Conflict {
  readonly base: KundeFields
  readonly mine: KundeFields
  readonly theirs: Kunde
}
export interface KundeEditor {
  readonly form: UseFormReturn<KundeValues>
  readonly conflict: Conflict | null
  readonly saving: boolean
  /** What concerns no single field. */
  readonly fault: string | null
  readonly submit: () => void
  readonly discard: () => void
  readonly resolve: (choice: Choice) => void
  readonly keepEditing: () => void
}

/** Lays the values over the customer as it is now, so that only what differs counts as changed. */
function fillForm({ reset, setValue }: UseFormReturn<KundeValues>, kunde: KundeFields, values: KundeFields) {
  reset(toValues(kunde))
  const typed = toValues(values)
  const kept = toValues(kunde)
  for (const field of FORM_FIELDS) if (typed[field] !== kept[field]) setValue(field, typed[field], { shouldDirty: true })
}

export function showFaults({ setError, setFocus }: UseFormReturn<KundeValues>, error: unknown): string | null {
  const { fields, form } = saveFaults(error)
  const named = FORM_FIELDS.filter((field) => fields[field] !== undefined)
  for (const field of named) setError(field, { type: 'server', message: fields[field] ?? '' })
  if (named[0] !== undefined) setFocus(named[0])
  return form
}

/** `editable`: the fields that this person may change; the others are never sent. */
export function useKundeForm(kunde: Kunde, editable: readonly FormField[] = FORM_FIELDS): KundeEditor {
  /** The customer that the form's changes are measured against. */
  const base = useRef(kunde)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const form = useForm<KundeValues>({ resolver: standardSchemaResolver(KundeSchema), defaultValues: toValues(kunde), mode: 'onTouched' })
  const save = useSaveKunde(String(kunde.client_id))
  const { isDirty } = form.formState
  useUnsavedChanges(isDirty)

  // A newer customer came in. What one did not touch follows; a field that both changed waits for the save, which asks.
  useEffect(() => {
    if (kunde.version <= base.current.version) return
    const mine = toFields(form.getValues())
    if (differencesOf(base.current, mine, kunde).some(({ disputed }) => disputed)) return
    fillForm(form, kunde, { ...kunde, ...changesOf(base.current, mine) })
    base.current = kunde
  }, [kunde, form])

  const settle = (row: Kunde, message: string) => {
    base.current = row
    setConflict(null)
    form.reset(toValues(row))
    toast.success(message)
  }
  async function send(mine: KundeFields, changes: Partial<KundeFields>, onto: Kunde) {
    setFault(null)
    const sent = Object.fromEntries(Object.entries(changes).filter(([field]) => (editable as readonly string[]).includes(field)))
    if (Object.keys(sent).length === 0) return settle(onto, t('Es gab nichts zu speichern.'))
    try {
      settle(await save.mutateAsync({ changes: sent, version: onto.version }), t('Gespeichert.'))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'changed_meanwhile') return meet(onto, mine, error.current as Kunde)
      setConflict(null)
      setFault(showFaults(form, error))
    }
  }
  function meet(before: Kunde, mine: KundeFields, theirs: Kunde) {
    // Both did the same: nothing left to decide.
    if (differencesOf(before, mine, theirs).length === 0) return settle(theirs, t('Gespeichert.'))
    setConflict({ base: before, mine, theirs })
  }

  return {
    form,
    conflict,
    fault,
    saving: save.isPending,
    submit: () => {
      void form.handleSubmit((values) => {
        const mine = toFields(values)
        return send(mine, changesOf(base.current, mine), base.current)
      })()
    },
    discard: () => {
      setFault(null)
      if (kunde.version > base.current.version) base.current = kunde
      form.reset(toValues(base.current))
    },
    resolve: (choice) => {
      if (conflict === null) return
      const { mine, theirs } = conflict
      const merged = mergeBy(choice, mine, theirs)
      fillForm(form, theirs, merged)
      base.current = theirs
      void send(merged, mergedChanges(choice, mine, theirs), theirs)
    },
    keepEditing: () => setConflict(null),
  }
}
