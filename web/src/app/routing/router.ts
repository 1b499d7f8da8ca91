// The router: from a press, a call or the back button to the page on screen. It asks first whether work would be lost, then the guard, then waits for the
// page's code while the old page stays. Small on purpose, see docs/decisions/router.md.
import { createScrolls, type Scrolls } from './scrolls.ts'
import { type Place, placeOf, type Shown } from './place.ts'

export interface Blocker {
  readonly blocks: (current: Place, next: Place) => boolean
  /** The window is about to be closed: shall the browser ask? */
  readonly blocksClosing: () => boolean
}
/** A navigation that waits for an answer. */
export interface Blocked {
  readonly proceed: () => void
  readonly reset: () => void
}
export interface RouterRules {
  /** Address to go to instead; undefined: may be shown. */
  readonly guard: (place: Place) => string | undefined
  /** Brings the page's code; failures are the page's own business. */
  readonly load: (place: Place) => Promise<unknown>
}
export interface How {
  readonly replace?: boolean
  /** Another query of the same page: the window stays where it is. */
  readonly keepScroll?: boolean
}

/** What is kept in the entries of the browser's history: their order, so that a refused step back can be undone, and a name for their scroll offsets. */
interface EntryState {
  readonly index: number
  readonly key: string
}
/** More than this is a circle of redirects and no way. */
const MOST_REDIRECTS = 10

const newKey = () => Math.random().toString(36).slice(2, 10)
function entryOf(state: unknown): EntryState | undefined {
  const entry = state as Partial<EntryState> | null
  return typeof entry?.index === 'number' && typeof entry.key === 'string'
    ? { index: entry.index, key: entry.key }
    : undefined
}

export class Router {
  readonly #rules: RouterRules
  readonly #scrolls: Scrolls
  /** Where the address bar is. By back and forward it is ahead of the page on screen while code is fetched. */
  #current: Place
  #entry: EntryState
  /** On screen. */
  #shown: Place
  #navigation = 0
  #blocker: Blocker | null = null
  #blocked: Blocked | null = null
  /** The next step through the history is our own taking back, or was agreed to already. */
  #ignorePop = false
  #agreedPop = false
  readonly #listeners = new Set<() => void>()
  readonly #onLeave = new Set<(from: Place) => void>()
  readonly #onShown = new Set<(shown: Shown) => void>()
  #lastShown: Shown

  constructor(rules: RouterRules) {
    this.#rules = rules
    history.scrollRestoration = 'manual'
    this.#scrolls = createScrolls()
    this.#entry = entryOf(history.state) ?? { index: 0, key: newKey() }
    const here = placeOf(location.href, location.origin)!
    this.#current = this.#guarded(here) ?? here
    history.replaceState(this.#entry, '', this.#current.href)
    this.#shown = this.#current
    this.#lastShown = { place: this.#current, from: null, pathChanged: true, byHistory: false }
    window.addEventListener('popstate', this.#onPop)
    window.addEventListener('beforeunload', (event) => {
      if (this.#blocker?.blocksClosing()) event.preventDefault()
    })
  }

  /** Where the address bar is. */
  get current(): Place {
    return this.#current
  }

  navigate(address: string, { replace = false, keepScroll = false }: How = {}): void {
    const next = placeOf(address, location.origin)
    if (next === undefined) return location.assign(address)
    this.#unlessBlocked(next, () => this.#go(next, replace, keepScroll))
    return undefined
  }

  /** Rights have changed: the present page has to pass the guard again. */
  invalidate(): void {
    const instead = this.#guarded(this.#current)
    if (instead) this.#go(instead, true, false)
  }

  block(blocker: Blocker): () => void {
    this.#blocker = blocker
    return () => {
      if (this.#blocker === blocker) this.#blocker = null
    }
  }

  // For useSyncExternalStore: what they answer changes only when it has changed.
  readonly shown = (): Place => this.#shown
  readonly blocked = (): Blocked | null => this.#blocked
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  /** Before a page is left; its document is still as it was. */
  onLeave(listener: (from: Place) => void): () => void {
    this.#onLeave.add(listener)
    return () => this.#onLeave.delete(listener)
  }
  /** After a page has been drawn and scrolled to its place. */
  onShown(listener: (shown: Shown) => void): () => void {
    this.#onShown.add(listener)
    return () => this.#onShown.delete(listener)
  }
  /** Called by the provider when what `shown` answers is in the document. */
  drawn(): void {
    const shown = this.#lastShown
    if (shown.place !== this.#shown) return
    this.#scrolls.place(this.#entry.key, shown, this.#keepScroll)
    for (const listener of this.#onShown) listener(shown)
  }
  #keepScroll = false

  /** Where the guard lets one in the end; undefined: here. */
  #guarded(place: Place): Place | undefined {
    let at: Place | undefined
    for (let step = 0; step < MOST_REDIRECTS; step++) {
      const instead = this.#rules.guard(at ?? place)
      if (instead === undefined) return at
      at = placeOf(instead, location.origin) ?? at
    }
    return at
  }

  #unlessBlocked(next: Place, go: () => void, takeBack?: () => void): void {
    this.#setBlocked(null)
    if (!this.#blocker?.blocks(this.#current, next)) return go()
    takeBack?.()
    this.#setBlocked({
      proceed: () => {
        this.#setBlocked(null)
        go()
      },
      reset: () => this.#setBlocked(null),
    })
    return undefined
  }

  /** Address and page change together. */
  #go(wanted: Place, replace: boolean, keepScroll: boolean): void {
    const next = this.#guarded(wanted) ?? wanted
    // A query that a page writes by itself, a moment after the typing, does not call off the way to another page.
    if (!keepScroll) this.#navigation++
    this.#whenLoaded(next, () => {
      this.#leave()
      const same = replace || next.href === this.#current.href
      this.#entry = {
        index: same ? this.#entry.index : this.#entry.index + 1,
        key: same ? this.#entry.key : newKey(),
      }
      if (same) history.replaceState(this.#entry, '', next.href)
      else history.pushState(this.#entry, '', next.href)
      this.#show(next, false, keepScroll)
    })
  }

  /** The browser has moved already; refused, it is moved back. */
  readonly #onPop = (): void => {
    if (this.#ignorePop) {
      this.#ignorePop = false
      return
    }
    const next = placeOf(location.href, location.origin)!
    const known = entryOf(history.state)
    // Without a state of ours: a fragment was followed natively, which is a step forward.
    const entry = known ?? { index: this.#entry.index + 1, key: newKey() }
    if (!known) history.replaceState(entry, '')
    const move = () => {
      const instead = this.#guarded(next)
      this.#leave()
      this.#entry = entry
      this.#current = instead ?? next
      if (instead) history.replaceState(entry, '', instead.href)
      this.#navigation++
      this.#whenLoaded(this.#current, () => this.#show(this.#current, true, false))
    }
    if (this.#agreedPop) {
      this.#agreedPop = false
      return move()
    }
    const delta = entry.index - this.#entry.index
    const again = () => {
      this.#agreedPop = true
      history.go(delta)
    }
    if (delta === 0 || !this.#blocker?.blocks(this.#current, next)) {
      this.#setBlocked(null)
      return move()
    }
    return this.#unlessBlocked(next, again, () => {
      this.#ignorePop = true
      history.go(-delta)
    })
  }

  #leave(): void {
    this.#scrolls.remember(this.#entry.key)
    for (const listener of this.#onLeave) listener(this.#current)
  }

  /** At once for another query of the same page; not at all when another navigation has begun meanwhile. */
  #whenLoaded(next: Place, done: () => void): void {
    const navigation = this.#navigation
    if (next.line === this.#shown.line) return done()
    // Code that cannot be had is the page's own business: it says so.
    void this.#rules
      .load(next)
      .catch(() => undefined)
      .finally(() => {
        if (navigation === this.#navigation) done()
      })
    return undefined
  }

  #show(next: Place, byHistory: boolean, keepScroll: boolean): void {
    const from = this.#shown
    this.#current = next
    this.#keepScroll = keepScroll
    this.#lastShown = { place: next, from, pathChanged: from.pathname !== next.pathname, byHistory }
    this.#shown = next
    this.#tell()
  }

  #setBlocked(blocked: Blocked | null): void {
    if (this.#blocked === blocked) return
    this.#blocked = blocked
    this.#tell()
  }
  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
