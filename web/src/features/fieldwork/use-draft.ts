// A form that outlives its window: every change is put on the device at once, one writing after the other, the newest always last.
import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { TreeFormValues } from '../../record/habitat/habitat-form.ts'
import type { StoreError, Identifier } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { rememberDraft, discardDraft } from './queue.ts'

interface Options {
  /** `neu`, or the kennung of the tree that is changed. */
  readonly name: string
  readonly kennung: Identifier
  readonly idHQ: number
  readonly form: UseFormReturn<TreeFormValues>
  /** Nothing is kept of a form in which nobody has done anything. */
  readonly worthKeeping: (values: TreeFormValues) => boolean
}
export interface Draft {
  /** When it was written last; null: there is nothing to write. */
  readonly savedAt: Date | null
  /** The device does not take it: only the open window holds what was typed. */
  readonly fehler: StoreError | null
  /** Writes it as it is now: something belongs to it that is no field. */
  readonly saveNow: () => void
  /** Nothing is written any more: it is saved. */
  readonly ende: () => void
}

export function useDraft({ name, kennung, idHQ, form, worthKeeping }: Options): Draft {
  const { db, sub } = useFieldwork()
  const [savedAt, setSavedAt] = useState<Date | null>(null)
  const [fehler, setError] = useState<StoreError | null>(null)
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
            // oxlint-disable-next-line no-await-in-loop -- the newest last
            await rememberDraft(db, { sub, name, kennung, idHQ, werte: values, am: new Date().toISOString() })
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
    // oxlint-disable-next-line react/exhaustive-deps -- one form for as long as it stands
  }, [db, sub, name, kennung, idHQ, form])
  return {
    savedAt,
    fehler,
    saveNow: () => saveNow.current(),
    ende: () => {
      work.current.ended = true
      work.current.next = null
    },
  }
}
