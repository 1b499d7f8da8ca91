// Checking a whole document takes longer than a keystroke may: the check runs when typing pauses, and only
// changed results are published.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Beleg } from '#domain/beleg.ts'
import { draftFaults } from '#domain/beleg-draft-check.ts'
import type { BelegFault } from '#domain/beleg-fault.ts'
import { said } from '../../data/said.ts'
import { today } from '../../ui/today.ts'
import { belegOf } from './beleg-preview.ts'
import type { DraftValues } from './draft-words.ts'
import type { Live } from './position/use-live.ts'

const PAUSE_MS = 350

export interface LiveStore {
  readonly get: () => Live | null
  readonly set: (live: Live) => void
  readonly subscribe: (listener: () => void) => () => void
}
/** Lines and sums as typed, only for the parts of a page that show them. */
export function liveStore(): LiveStore {
  let live: Live | null = null
  const listeners = new Set<() => void>()
  return {
    get: () => live,
    set: (next) => {
      live = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Null if not checked yet. */
export function useBelegCheck(
  base: Beleg | undefined,
  values: DraftValues,
  store: LiveStore,
  earliest: string | null,
): readonly BelegFault[] | null {
  const [faults, setFaults] = useState<readonly BelegFault[] | null>(null)
  const now = useRef({ base, werte: values, earliest })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const plan = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const live = store.get()
      if (now.current.base === undefined || live === null) return
      const dates = { today: today(), earliest: now.current.earliest }
      const found = draftFaults(belegOf(now.current.base, now.current.werte, live.zeilen), dates).map(
        (fault) => ({ ...fault, text: said(fault.text) }),
      )
      setFaults((before) => (JSON.stringify(before) === JSON.stringify(found) ? before : found))
    }, PAUSE_MS)
  }, [store])
  useEffect(() => {
    now.current = { base, werte: values, earliest }
    plan()
  }, [base, values, earliest, plan])
  useEffect(() => store.subscribe(plan), [store, plan])
  useEffect(() => () => clearTimeout(timer.current), [])
  return faults
}
