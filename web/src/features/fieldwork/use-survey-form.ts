// The form of a survey object: its state, a draft on the device with every change, and saving.
import { useEffect, useRef, useState } from 'react'
import type { Table } from '#domain/vermessung/fields.ts'
import { messageOf } from '../../record/record-faults.ts'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { presentTime } from './device-clock.ts'
import type { FieldworkDraft, Identifier } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { discardDraft, rememberDraft } from './queue.ts'
import { type Parsed, parseInputs, type SurveyInputs } from '../../record/kataster/survey-form.ts'
import { placesText, lengthOf, type Parts, parsePlaces } from '../../karte/survey-place.ts'
import type { SurveyValues } from '../../record/kataster/survey-values.ts'

export interface SurveyState {
  readonly tabelle: Table
  readonly parts: Parts
  readonly inputs: SurveyInputs
}
export interface SurveyStart extends SurveyState {
  readonly kennung: Identifier
  readonly entwurf: FieldworkDraft | null
}
export const stateOfDraft = (draft: FieldworkDraft): SurveyState => {
  const { tabelle, lage, inputs } = draft.werte as { tabelle: Table; lage: string; inputs: SurveyInputs }
  return { tabelle, parts: parsePlaces(lage), inputs }
}

interface Options {
  readonly start: SurveyStart
  readonly idHQ: number
  /** Name of the draft. */
  readonly name: string
  /** Rejects if the device could not store it. */
  readonly store: (values: SurveyValues, tabelle: Table) => Promise<void>
}

export const placeFault = (table: Table, parts: Parts): string | undefined => {
  const count = parts.flat().length
  if (table !== 'draenage')
    return count > 0
      ? undefined
      : t('Ohne Lage lässt sich das Objekt nicht speichern. Messen Sie, oder setzen Sie es auf der Karte.')
  return count >= 2 && lengthOf(parts) >= 0.01
    ? undefined
    : t('Eine Dränage braucht mindestens zwei Punkte an verschiedenen Stellen.')
}

const NO_FAULTS: Readonly<Record<string, string>> = {}
/** The values of the inputs, and what is wrong by field. */
function check({ tabelle, inputs, parts }: SurveyState): Parsed {
  const { values, faults } = parseInputs(tabelle, inputs)
  const place = placeFault(tabelle, parts)
  return { values, faults: place === undefined ? faults : { ...faults, lage: place } }
}

export function useSurveyForm({ start, idHQ, name, store }: Options) {
  const { db, sub } = useFieldwork()
  const [state, setState] = useState<SurveyState>(start)
  /** Saving was tried: from then on faults are shown, and go as soon as they are fixed. */
  const [checked, setChecked] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [storeFault, setStoreFault] = useState<string | null>(null)
  const [savedAt, setSavedAt] = useState<Date | null>(null)
  const [busy, setBusy] = useState(false)
  const ended = useRef(false)
  const writing = useRef<Promise<void>>(Promise.resolve())
  // Leaving loses input only if the device could not store the draft.
  const disarm = useUnsavedChanges(storeFault !== null)
  useEffect(() => {
    if (state === start) return
    const { tabelle, parts, inputs } = state
    // In sequence, the newest last.
    writing.current = writing.current.then(async () => {
      if (ended.current) return
      try {
        await rememberDraft(db, {
          sub,
          name,
          kennung: start.kennung,
          idHQ,
          werte: { tabelle, lage: placesText(parts), inputs },
          am: presentTime().toISOString(),
        })
        setSavedAt(new Date())
        setStoreFault(null)
      } catch (error) {
        setStoreFault(textOf(error))
      }
    })
  }, [db, sub, name, idHQ, start, state])

  /** False if something is missing, or if it could not be stored. */
  async function save(): Promise<boolean> {
    if (busy) return false
    setChecked(true)
    setFault(null)
    const { values, faults: found } = check(state)
    if (Object.keys(found).length > 0) return false
    setBusy(true)
    try {
      ended.current = true
      await writing.current
      await store({ ...values, lage: placesText(state.parts) }, state.tabelle)
      disarm()
      return true
    } catch (error) {
      ended.current = false
      setFault(textOf(error))
      setBusy(false)
      return false
    }
  }
  async function discard(): Promise<void> {
    ended.current = true
    try {
      await writing.current
      await discardDraft(db, sub, name, start.kennung)
      disarm()
    } catch (error) {
      ended.current = false
      throw error
    }
  }
  const faults = checked ? check(state).faults : NO_FAULTS
  const missing = Object.keys(faults).length > 0
  return {
    state,
    change: (made: (before: SurveyState) => SurveyState) => setState(made),
    faults,
    fault: missing ? t('Es fehlt noch etwas: die Stellen sind rot bezeichnet.') : (fault ?? storeFault),
    savedAt,
    busy,
    save,
    discard,
    refuse: (error: unknown) => setFault(textOf(error)),
  }
}
export type SurveyFormModel = ReturnType<typeof useSurveyForm>

const textOf = (error: unknown): string => (error instanceof ToldError ? error.message : messageOf(error))
