// A border being walked: its state, recorded while it runs, and kept on the device with every change.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { messageOf } from '../../record/record-faults.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { type BorderState, draftValues, takenOf, trackPointOf } from './border-draft.ts'
import { presentTime } from './device-clock.ts'
import { useFieldwork } from './fieldwork-context.ts'
import type { Identifier } from './fieldwork-db.ts'
import { type Place, startPositioning, usePositioning } from './gnss.ts'
import { discardDraft, draftName, rememberDraft } from './queue.ts'

export interface BorderStart extends BorderState {
  readonly kennung: Identifier
}
interface Options {
  readonly start: BorderStart
  readonly idHQ: number
}
/** While walking it is written this often; everything else at once. */
const WRITE_EVERY_MS = 3_000

const faultText = (error: unknown): string => (error instanceof ToldError ? error.message : messageOf(error))

export function useBorder({ start, idHQ }: Options) {
  const { db, sub } = useFieldwork()
  const [state, setState] = useState<BorderState>(start)
  const [fault, setFault] = useState<string | null>(null)
  const [savedAt, setSavedAt] = useState<Date | null>(null)
  const work = useRef({ written: start as BorderState, ended: false, last: 0, queue: Promise.resolve() })
  const disarm = useUnsavedChanges(fault !== null)
  const write = useEffectEvent(() => {
    const now = work.current
    if (now.ended || now.written === state) return
    now.written = state
    now.last = performance.now()
    now.queue = now.queue.then(async () => {
      if (now.ended) return
      try {
        await rememberDraft(db, {
          sub,
          name: draftName('grenze', idHQ),
          kennung: start.kennung,
          idHQ,
          werte: draftValues(state),
          am: presentTime().toISOString(),
        })
        setSavedAt(new Date())
        setFault(null)
      } catch (error) {
        setFault(faultText(error))
      }
    })
  })
  const recording = useRecording(state, setState)
  useEffect(() => {
    const wait = recording.running ? WRITE_EVERY_MS - (performance.now() - work.current.last) : 0
    if (wait <= 0) return write()
    const timer = setTimeout(() => write(), wait)
    return () => clearTimeout(timer)
  }, [state, recording.running])
  useEffect(() => {
    const hide = () => write()
    document.addEventListener('visibilitychange', hide)
    return () => {
      document.removeEventListener('visibilitychange', hide)
      write()
    }
  }, [])
  /** Nothing is written any more; resolves when the last writing is over. */
  const end = async () => {
    work.current.ended = true
    await work.current.queue
    disarm()
  }
  return {
    state,
    change: (made: Partial<BorderState>) => setState((before) => ({ ...before, ...made })),
    recording,
    fault,
    savedAt,
    end,
    goOn: () => {
      work.current.ended = false
    },
    discard: async () => {
      await end()
      await discardDraft(db, sub, draftName('grenze', idHQ), start.kennung)
    },
  }
}
export type BorderModel = ReturnType<typeof useBorder>

/** Takes the receiver's fixes while it runs. */
function useRecording(state: BorderState, setState: (made: (before: BorderState) => BorderState) => void) {
  const positioning = usePositioning()
  const { ort, stand } = positioning
  const [running, setRunning] = useState(false)
  /** Fixes left out because they were too coarse, and the longest time that the window was hidden, in seconds. */
  const [coarse, setCoarse] = useState(0)
  const [hidden, setHidden] = useState(0)
  const take = useEffectEvent((place: Place) => {
    if (!running) return
    const age = place.age === null ? null : place.age + performance.now() - place.arrived
    const taken = takenOf(state.points, place, age)
    if (taken === 'ungenau') setCoarse((count) => count + 1)
    if (taken === 'voll') setRunning(false)
    if (taken === 'genommen')
      setState((before) => ({ ...before, points: [...before.points, trackPointOf(place, 'spur')] }))
  })
  const isNow = stand === 'da'
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- each fix is an event of the receiver
    if (ort !== null && isNow) take(ort)
  }, [ort, isNow, running])
  const since = useRef<number | null>(null)
  useEffect(() => {
    if (!running) return
    const change = () => {
      if (document.visibilityState === 'hidden') since.current = performance.now()
      else if (since.current !== null) {
        const seconds = Math.round((performance.now() - since.current) / 1000)
        since.current = null
        setHidden((before) => Math.max(before, seconds))
      }
    }
    document.addEventListener('visibilitychange', change)
    return () => document.removeEventListener('visibilitychange', change)
  }, [running])
  return {
    positioning,
    running,
    coarse,
    hidden,
    start: () => {
      startPositioning()
      setHidden(0)
      setRunning(true)
    },
    pause: () => setRunning(false),
  }
}
