// When the queue is sent: on start, when the network returns, when something new is pending, or on request.
// One run at a time across all windows, with growing delays after failures. Stays stopped if the person
// stopped it.
import { createStore } from '../../ui/store.ts'
import { StoreError } from './store-error.ts'
import {
  type SyncOptions,
  type SyncSummary,
  type Progress,
  syncAll,
  pauseMs,
  TransportError,
} from './sync.ts'
import { watch } from './queue-watch.ts'
import { countWaiting } from './queue-read.ts'

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
const SOON_MS = 1_500

export function createSyncRunner(options: SyncRunnerOptions): SyncRunner {
  const runner = new Runner(options)
  const end = watchDevice(runner)
  return {
    run: () => runner.run,
    subscribe: runner.subscribe,
    start: () => runner.start(),
    pause: () => runner.pause(),
    nudge: () => runner.nudge(),
    dispose: () => {
      end()
      runner.close()
    },
  }
}

/** Network, visibility and new captures start a run; returns what ends watching them. */
function watchDevice(runner: Runner): () => void {
  const onOnline = () => runner.online()
  const onOffline = () => runner.offline()
  const onVisible = () => {
    if (document.visibilityState === 'visible' && runner.run.stand !== 'laeuft') runner.nudge()
  }
  globalThis.window?.addEventListener('online', onOnline)
  globalThis.window?.addEventListener('offline', onOffline)
  globalThis.document?.addEventListener('visibilitychange', onVisible)
  const unwatch = watch(() => runner.soon())
  return () => {
    unwatch()
    globalThis.window?.removeEventListener('online', onOnline)
    globalThis.window?.removeEventListener('offline', onOffline)
    globalThis.document?.removeEventListener('visibilitychange', onVisible)
  }
}

class Runner {
  readonly #options: SyncRunnerOptions
  readonly #store = createStore(IDLE)
  /** Aborts the current run; null between runs. */
  #running: AbortController | null = null
  /** Something asked for a run during the current one. */
  #again = false
  /** The queue changed during the current run: by the run itself, or something was saved. */
  #changed = false
  /** In a row. */
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #soonTimer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(options: SyncRunnerOptions) {
    this.#options = options
  }
  get run(): Run {
    return this.#store.get()
  }
  readonly subscribe = this.#store.subscribe

  start(): void {
    this.#failures = 0
    if (this.#running !== null) return
    this.#set({ stand: 'ruht', fehler: null })
    if (this.#halt()) this.#options.suche()
    else void this.#sync()
  }
  pause(): void {
    clearTimeout(this.#timer)
    this.#running?.abort()
    this.#set({ stand: 'angehalten', fortschritt: null, retryAt: null })
  }
  nudge(): void {
    if (this.#closed || this.run.stand === 'angehalten') return
    if (this.#running !== null) this.#again = true
    else if (!this.#halt()) void this.#sync()
  }
  online(): void {
    this.#failures = 0
    this.nudge()
  }
  offline(): void {
    if (this.#running === null && this.run.stand !== 'angehalten')
      this.#set({ stand: 'wartet', retryAt: null })
  }
  /** A moment later, or after the current run, if something is waiting then. */
  soon(ms = SOON_MS): void {
    const { stand } = this.run
    if (this.#running !== null) {
      this.#changed = true
      return
    }
    if (stand !== 'ruht' && stand !== 'anderswo') return
    clearTimeout(this.#soonTimer)
    this.#soonTimer = setTimeout(() => {
      if (this.#running !== null) return
      const { db, sub } = this.#options
      void countWaiting(db, sub).then(
        ({ baeume, bilder }) => baeume + bilder > 0 && this.nudge(),
        () => undefined,
      )
    }, ms)
  }
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#soonTimer)
    this.#running?.abort()
  }

  #set(change: Partial<Run>): void {
    this.#store.change((now) => ({ ...now, ...change }))
  }
  #later(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#closed) return
    this.#timer = setTimeout(() => this.nudge(), ms)
    this.#set({ retryAt: new Date(this.#options.present().getTime() + ms).toISOString() })
  }
  /** True if syncing is not possible now; the state then says why. */
  #halt(): boolean {
    const how = this.#options.readiness()
    if (how === 'ja') return false
    clearTimeout(this.#timer)
    this.#set({ stand: how === 'netz' ? 'wartet' : 'anmeldung', fehler: null, retryAt: null })
    return true
  }

  async #sync(): Promise<void> {
    clearTimeout(this.#timer)
    const ending = new AbortController()
    this.#running = ending
    this.#again = false
    this.#changed = false
    try {
      const got = await withLock(`${LOCK}-${this.#options.sub}`, () => this.#send(ending.signal))
      if (!got) {
        this.#set({ stand: 'anderswo', fortschritt: null })
        this.#later(ELSEWHERE_MS)
      }
    } catch (error) {
      this.#fail(error, ending.signal.aborted)
    } finally {
      this.#running = null
    }
    if (this.run.stand !== 'ruht' || this.#closed) return
    if (this.#again) this.nudge()
    // Ends with a run that has nothing to send. Slower after one that only failed.
    else if (this.#changed) this.soon(settledBy(this.run.summary) > 0 ? SOON_MS : ELSEWHERE_MS)
  }
  async #send(signal: AbortSignal): Promise<void> {
    this.#set({ stand: 'laeuft', fortschritt: null, fehler: null, retryAt: null })
    const notify = (progress: Progress) => this.#set({ fortschritt: progress })
    const summary = await syncAll({ ...this.#options, signal, notify })
    this.#failures = 0
    this.#set({ stand: 'ruht', summary, fortschritt: null, doneAt: this.#options.present().toISOString() })
  }
  #fail(error: unknown, stopped: boolean): void {
    this.#set({ fortschritt: null })
    if (stopped) return
    if (error instanceof TransportError && error.code === 'anmeldung') {
      this.#set({ stand: 'anmeldung', fehler: error.message })
      this.#later(SIGN_IN_MS)
      return
    }
    this.#failures += 1
    const { unexpectedText, random = Math.random } = this.#options
    const told = error instanceof TransportError || error instanceof StoreError
    const waits = error instanceof TransportError && error.code === 'netz'
    this.#set({ stand: waits ? 'wartet' : 'fehler', fehler: told ? error.message : unexpectedText(error) })
    this.#later(pauseMs(this.#failures, random()))
  }
}

const settledBy = (summary: SyncSummary | null): number =>
  summary === null ? 0 : summary.baeume + summary.bilder + summary.konflikte + summary.abgelehnt

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
