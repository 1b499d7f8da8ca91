// When the queue is sent: at the start, when the network is back, when something new waits, by the button; one at a time over all windows; after a failure later and later. Stopped by the person it stays stopped.
import { AblageFehler } from './feld-db.ts'
import { type AbgleichOptions, type Bilanz, type Fortschritt, gleicheAb, pauseMs, WegFehler } from './abgleich.ts'
import { beobachte, zaehleWartende } from './schlange.ts'

/** anderswo: another window is at it. */
export type LaufStand = 'ruht' | 'laeuft' | 'angehalten' | 'wartet' | 'anmeldung' | 'anderswo' | 'fehler'
export interface Lauf {
  readonly stand: LaufStand
  readonly fortschritt: Fortschritt | null
  /** Why it does not go on. */
  readonly fehler: string | null
  /** ISO; when it is tried again of itself. */
  readonly wieder: string | null
  readonly bilanz: Bilanz | null
  /** ISO; when all that could be sent was sent. */
  readonly fertig_am: string | null
}
const RUHT: Lauf = { stand: 'ruht', fortschritt: null, fehler: null, wieder: null, bilanz: null, fertig_am: null }

export interface LaufOptions extends Omit<AbgleichOptions, 'signal' | 'melde'> {
  /** Sentences for what nobody thought of. */
  readonly unerwartet: (error: unknown) => string
  /** Whether trying makes sense: there is a network, and somebody is signed in. */
  readonly bereit: () => 'ja' | 'netz' | 'anmeldung'
  /** The button was pressed without one of them: looks for it. */
  readonly suche: () => void
  readonly zufall?: () => number
}
export interface AbgleichLauf {
  readonly lauf: () => Lauf
  readonly subscribe: (listener: () => void) => () => void
  /** By the button: also what was stopped goes on. */
  readonly starte: () => void
  readonly halteAn: () => void
  /** Goes on if nothing speaks against it. */
  readonly stosseAn: () => void
  readonly schliesse: () => void
}

const LOCK = 'forstkontor-feld-abgleich'
/** After a sign-in nothing tells; it is looked for. */
const ANMELDUNG_MS = 15_000
const ANDERSWO_MS = 20_000

export function createLauf(options: LaufOptions): AbgleichLauf {
  const { sub, jetzt, unerwartet, bereit, suche, zufall = Math.random } = options
  let state = RUHT
  const listeners = new Set<() => void>()
  let running: AbortController | null = null
  let again = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let closed = false

  function set(change: Partial<Lauf>) {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  function later(ms: number) {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(stosseAn, ms)
    set({ wieder: new Date(jetzt().getTime() + ms).toISOString() })
  }

  function stosseAn() {
    if (closed || state.stand === 'angehalten') return
    if (running !== null) {
      again = true
      return
    }
    if (!halt()) void laufe()
  }
  /** True: now is not the time for it, and it says why. */
  function halt(): boolean {
    const how = bereit()
    if (how === 'ja') return false
    clearTimeout(timer)
    set({ stand: how === 'netz' ? 'wartet' : 'anmeldung', fehler: null, wieder: null })
    return true
  }

  async function laufe() {
    clearTimeout(timer)
    const ending = new AbortController()
    running = ending
    again = false
    try {
      const got = await allein(`${LOCK}-${sub}`, async () => {
        set({ stand: 'laeuft', fortschritt: null, fehler: null, wieder: null })
        const bilanz = await gleicheAb({ ...options, signal: ending.signal, melde: (fortschritt) => set({ fortschritt }) })
        failures = 0
        set({ stand: 'ruht', bilanz, fortschritt: null, fertig_am: jetzt().toISOString() })
      })
      if (!got) {
        set({ stand: 'anderswo', fortschritt: null })
        later(ANDERSWO_MS)
      }
    } catch (error) {
      scheitere(error, ending.signal.aborted)
    } finally {
      running = null
    }
    if (again && state.stand === 'ruht') stosseAn()
  }

  function scheitere(error: unknown, stopped: boolean) {
    set({ fortschritt: null })
    if (stopped) return
    if (error instanceof WegFehler && error.code === 'anmeldung') {
      set({ stand: 'anmeldung', fehler: error.message })
      later(ANMELDUNG_MS)
      return
    }
    failures += 1
    const told = error instanceof WegFehler || error instanceof AblageFehler
    const waits = error instanceof WegFehler && error.code === 'netz'
    set({ stand: waits ? 'wartet' : 'fehler', fehler: told ? error.message : unerwartet(error) })
    later(pauseMs(failures, zufall()))
  }

  const onOnline = () => {
    failures = 0
    stosseAn()
  }
  const onOffline = () => {
    if (running === null && state.stand !== 'angehalten') set({ stand: 'wartet', wieder: null })
  }
  const onVisible = () => {
    if (document.visibilityState === 'visible' && state.stand !== 'laeuft') stosseAn()
  }
  globalThis.window?.addEventListener('online', onOnline)
  globalThis.window?.addEventListener('offline', onOffline)
  globalThis.document?.addEventListener('visibilitychange', onVisible)
  // What is saved while one runs goes with the next; what the run itself changes asks for none.
  const unwatch = beobachte(() => {
    if (running === null && (state.stand === 'ruht' || state.stand === 'anderswo')) soon()
  })
  let soonTimer: ReturnType<typeof setTimeout> | undefined
  function soon() {
    clearTimeout(soonTimer)
    soonTimer = setTimeout(() => {
      if (running !== null) return
      void zaehleWartende(options.db, sub).then(
        ({ baeume, bilder }) => baeume + bilder > 0 && stosseAn(),
        () => undefined,
      )
    }, 1_500)
  }

  return {
    lauf: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    starte: () => {
      failures = 0
      if (running !== null) return
      set({ stand: 'ruht', fehler: null })
      if (halt()) suche()
      else void laufe()
    },
    halteAn: () => {
      clearTimeout(timer)
      running?.abort()
      set({ stand: 'angehalten', fortschritt: null, wieder: null })
    },
    stosseAn,
    schliesse: () => {
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
/** False: somebody else is at it. Where the browser has no locks at least this window is one; the server bears two that send the same. */
async function allein(name: string, work: () => Promise<void>): Promise<boolean> {
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
