// A form that survives its window: every change is stored on the device at once, in sequence, the newest
// last.
import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { TreeFormValues } from '../../record/habitat/habitat-form.ts'
import { presentTime } from './device-clock.ts'
import type { Identifier } from './fieldwork-db.ts'
import type { StoreError } from './store-error.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { rememberDraft, discardDraft } from './queue.ts'

interface Options {
  /** As FieldworkDraft.name. */
  readonly name: string
  readonly kennung: Identifier
  readonly idHQ: number
  readonly form: UseFormReturn<TreeFormValues>
  /** An untouched form is not stored. */
  readonly worthKeeping: (values: TreeFormValues) => boolean
}
export interface Draft {
  /** When it was last written; null if there is nothing to keep. */
  readonly savedAt: Date | null
  /** The device could not store it: the input exists only in this window. */
  readonly fehler: StoreError | null
  /** Stores it now, after a change outside the form's fields. */
  readonly saveNow: () => void
  /** Stops writing, because the form was saved. */
  readonly ende: () => void
}

export function useDraft({ name, kennung, idHQ, form, worthKeeping }: Options): Draft {
  const { db, sub } = useFieldwork()
  const [savedAt, setSavedAt] = useState<Date | null>(null)
  const [fault, setError] = useState<StoreError | null>(null)
  const work = useRef<{ ended: boolean; running: boolean; next: TreeFormValues | null; written: boolean }>({
    ended: false,
    running: false,
    next: null,
    written: false,
  })
  const saveNow = useRef<() => void>(() => undefined)
  useEffect(() => {
    const state = work.current
    state.ended = false
    const write = async () => {
      if (state.running) return
      state.running = true
      while (state.next !== null && !state.ended) {
        const values = state.next
        state.next = null
        try {
          if (worthKeeping(values)) {
            // oxlint-disable-next-line no-await-in-loop -- the newest must be written last
            await rememberDraft(db, {
              sub,
              name,
              kennung,
              idHQ,
              werte: values,
              am: presentTime().toISOString(),
            })
            state.written = true
            setSavedAt(new Date())
          } else if (state.written) {
            // oxlint-disable-next-line no-await-in-loop
            await discardDraft(db, sub, name, 'keines')
            state.written = false
            setSavedAt(null)
          }
          setError(null)
        } catch (error) {
          setError(error as StoreError)
        }
      }
      state.running = false
    }
    saveNow.current = () => {
      state.next = structuredClone(form.getValues())
      void write()
    }
    const { unsubscribe } = form.watch(() => saveNow.current())
    return () => {
      unsubscribe()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the form is the same while mounted
  }, [db, sub, name, kennung, idHQ, form])
  return {
    savedAt,
    fehler: fault,
    saveNow: () => saveNow.current(),
    ende: () => {
      work.current.ended = true
      work.current.next = null
    },
  }
}
