// A form that outlives its window: every change is put on the device at once, one writing after the other, the newest always last.
import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { BaumValues } from '../../record/habitat/habitat-form.ts'
import type { AblageFehler, Kennung } from './feld-db.ts'
import { useFeld } from './feld-kontext.ts'
import { merkeEntwurf, verwirfEntwurf } from './schlange.ts'

interface Options {
  /** `neu`, or the kennung of the tree that is changed. */
  readonly name: string
  readonly kennung: Kennung
  readonly idHQ: number
  readonly form: UseFormReturn<BaumValues>
  /** Nothing is kept of a form in which nobody has done anything. */
  readonly lohnt: (values: BaumValues) => boolean
}
export interface Entwurf {
  /** When it was written last; null: there is nothing to write. */
  readonly gesichert: Date | null
  /** The device does not take it: only the open window holds what was typed. */
  readonly fehler: AblageFehler | null
  /** Writes it as it is now: something belongs to it that is no field. */
  readonly sichere: () => void
  /** Nothing is written any more: it is saved. */
  readonly ende: () => void
}

export function useEntwurf({ name, kennung, idHQ, form, lohnt }: Options): Entwurf {
  const { db, sub } = useFeld()
  const [gesichert, setGesichert] = useState<Date | null>(null)
  const [fehler, setFehler] = useState<AblageFehler | null>(null)
  const work = useRef<{ ended: boolean; running: boolean; next: BaumValues | null; written: boolean }>({
    ended: false,
    running: false,
    next: null,
    written: false,
  })
  const sichere = useRef<() => void>(() => undefined)
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
          if (lohnt(values)) {
            // oxlint-disable-next-line no-await-in-loop -- the newest last
            await merkeEntwurf(db, { sub, name, kennung, idHQ, werte: values, am: new Date().toISOString() })
            state.written = true
            setGesichert(new Date())
          } else if (state.written) {
            // oxlint-disable-next-line no-await-in-loop
            await verwirfEntwurf(db, sub, name, 'keines')
            state.written = false
            setGesichert(null)
          }
          setFehler(null)
        } catch (error) {
          setFehler(error as AblageFehler)
        }
      }
      state.running = false
    }
    sichere.current = () => {
      state.next = structuredClone(form.getValues())
      void write()
    }
    const { unsubscribe } = form.watch(() => sichere.current())
    return () => {
      unsubscribe()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- one form for as long as it stands
  }, [db, sub, name, kennung, idHQ, form])
  return {
    gesichert,
    fehler,
    sichere: () => sichere.current(),
    ende: () => {
      work.current.ended = true
      work.current.next = null
    },
  }
}
