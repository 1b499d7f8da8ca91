// When the queue is sent: on start, when the network returns, when something new is pending, or on request.
// One run at a time across all windows, with growing delays after failures. Stays stopped if the person
// stopped it.
import { StoreError } from './fieldwork-db.ts'
import {
  type SyncOptions,
  type SyncSummary,
  type Progress,
  syncAll,
  pauseMs,
  TransportError,
} from './sync.ts'
import { watch, countWaiting } from './queue.ts'

/** anderswo: another window is syncing. */
export type RunState = 'ruht' | 'laeuft' | 'angehalten' | 'wartet' | 'anmeldung' | 'anderswo' | 'fehler'
export interface Run {
  readonly stand: RunState
  readonly fortschritt: Progress | null
  /** Why it stopped. */
  readonly fehler: string | null
  /** ISO; time of the next automatic attempt. */
  readonly retryAt: string | null
  readonly summary: SyncSummary | null
  /** ISO; when everything that could be sent was sent. */
  readonly doneAt: string | null
}
const IDLE: Run = {
  stand: 'ruht',
  fortschritt: null,
  fehler: null,
  retryAt: null,
  summary: null,
  doneAt: null,
}

export interface SyncRunnerOptions extends Omit<SyncOptions, 'signal' | 'notify'> {
  /** Text for unexpected errors. */
  readonly unexpectedText: (error: unknown) => string
  /** Whether an attempt makes sense: there is a network, and somebody is signed in. */
  readonly readiness: () => 'ja' | 'netz' | 'anmeldung'
  /** Called if the button is pressed while not ready: tries to connect. */
  readonly suche: () => void
  readonly random?: () => number
}
export interface SyncRunner {
  readonly run: () => Run
  readonly subscribe: (listener: () => void) => () => void
  /** Started by the button: also resumes a stopped sync. */
  readonly start: () => void
  readonly pause: () => void
  /** Continues unless something prevents it. */
  readonly nudge: () => void
  readonly dispose: () => void
}

const LOCK = 'forstkontor-feld-abgleich'
/** A sign-in sends no notification, so it is polled. */
const SIGN_IN_MS = 15_000
const ELSEWHERE_MS = 20_000

export function createSyncRunner(options: SyncRunnerOptions): SyncRunner {
  const { sub, present, unexpectedText, readiness, suche, random = Math.random } = options
  let state = IDLE
  const listeners = new Set<() => void>()
  let running: AbortController | null = null
  let again = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let closed = false

  function set(change: Partial<Run>) {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  function later(ms: number) {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(nudge, ms)
    set({ retryAt: new Date(present().getTime() + ms).toISOString() })
  }

  function nudge() {
    if (closed || state.stand === 'angehalten') return
    if (running !== null) {
      again = true
      return
    }
    if (!halt()) void runSync()
  }
  /** True if syncing is not possible now; the state then says why. */
  function halt(): boolean {
    const how = readiness()
    if (how === 'ja') return false
    clearTimeout(timer)
    set({ stand: how === 'netz' ? 'wartet' : 'anmeldung', fehler: null, retryAt: null })
    return true
  }

  async function runSync() {
    clearTimeout(timer)
    const ending = new AbortController()
    running = ending
    again = false
    try {
      const got = await withLock(`${LOCK}-${sub}`, async () => {
        set({ stand: 'laeuft', fortschritt: null, fehler: null, retryAt: null })
        const summary = await syncAll({
          ...options,
          signal: ending.signal,
          notify: (fortschritt) => set({ fortschritt }),
        })
        failures = 0
        set({ stand: 'ruht', summary, fortschritt: null, doneAt: present().toISOString() })
      })
      if (!got) {
        set({ stand: 'anderswo', fortschritt: null })
        later(ELSEWHERE_MS)
      }
    } catch (error) {
      handleFailure(error, ending.signal.aborted)
    } finally {
      running = null
    }
    if (again && state.stand === 'ruht') nudge()
  }

  function handleFailure(error: unknown, stopped: boolean) {
    set({ fortschritt: null })
    if (stopped) return
    if (error instanceof TransportError && error.code === 'anmeldung') {
      set({ stand: 'anmeldung', fehler: error.message })
      later(SIGN_IN_MS)
      return
    }
    failures += 1
    const told = error instanceof TransportError || error instanceof StoreError
    const waits = error instanceof TransportError && error.code === 'netz'
    set({ stand: waits ? 'wartet' : 'fehler', fehler: told ? error.message : unexpectedText(error) })
    later(pauseMs(failures, random()))
  }

  const onOnline = () => {
    failures = 0
    nudge()
  }
  const onOffline = () => {
    if (running === null && state.stand !== 'angehalten') set({ stand: 'wartet', retryAt: null })
  }
  const onVisible = () => {
    if (document.visibilityState === 'visible' && state.stand !== 'laeuft') nudge()
  }
  globalThis.window?.addEventListener('online', onOnline)
  globalThis.window?.addEventListener('offline', onOffline)
  globalThis.document?.addEventListener('visibilitychange', onVisible)
  // Something saved during a run goes with the next one; the run's own changes do not trigger another.
  const unwatch = watch(() => {
    if (running === null && (state.stand === 'ruht' || state.stand === 'anderswo')) soon()
  })
  let soonTimer: ReturnType<typeof setTimeout> | undefined
  function soon() {
    clearTimeout(soonTimer)
    soonTimer = setTimeout(() => {
      if (running !== null) return
      void countWaiting(options.db, sub).then(
        ({ baeume, bilder }) => baeume + bilder > 0 && nudge(),
        () => undefined,
      )
    }, 1_500)
  }

  return {
    run: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: () => {
      failures = 0
      if (running !== null) return
      set({ stand: 'ruht', fehler: null })
      if (halt()) suche()
      else void runSync()
    },
    pause: () => {
      clearTimeout(timer)
      running?.abort()
      set({ stand: 'angehalten', fortschritt: null, retryAt: null })
    },
    nudge,
    dispose: () => {
      closed = true
      clearTimeout(timer)
      clearTimeout(soonTimer)
      running?.abort()
      unwatch()
      globalThis.window?.removeEventListener('online', onOnline)
      globalThis.window?.removeEventListener('offline', onOffline)
      globalThis.document?.removeEventListener('visibilitychange', onVisible)
    },
  }
}

const held = new Set<string>()
/**
 * False if another window holds the lock. Without browser locks, this at least covers the current window; the
 * server tolerates duplicate sends.
 */
async function withLock(name: string, work: () => Promise<void>): Promise<boolean> {
  if (held.has(name)) return false
  held.add(name)
  try {
    const locks = globalThis.navigator?.locks
    if (locks === undefined) {
      await work()
      return true
    }
    return await locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock === null) return false
      await work()
      return true
    })
  } finally {
    held.delete(name)
  }
}
