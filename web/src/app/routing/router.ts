// The router: handles link clicks, calls and the back button. It first asks whether work would be lost, then
// the guard, and keeps the old page until the new one's code is loaded. Small on purpose, see
// docs/decisions/router.md.
import { createScrolls, type Scrolls } from './scrolls.ts'
import { type Place, placeOf, type Shown } from './place.ts'

export interface Blocker {
  readonly blocks: (current: Place, next: Place) => boolean
  /** Whether the browser should ask before the window is closed. */
  readonly blocksClosing: () => boolean
}
/** A navigation that waits for the user's decision. */
export interface Blocked {
  readonly proceed: () => void
  readonly reset: () => void
}
export interface RouterRules {
  /** Address to redirect to; undefined if the page may be shown. */
  readonly guard: (place: Place) => string | undefined
  /** Loads the page's code; the page itself reports failures. */
  readonly load: (place: Place) => Promise<unknown>
}
export interface How {
  readonly replace?: boolean
  /** Keeps the scroll position, for a new query of the same page. */
  readonly keepScroll?: boolean
}

/**
 * State of a history entry: its position, so that a refused step back can be undone, and a key for its scroll
 * offsets.
 */
interface EntryState {
  readonly index: number
  readonly key: string
}
/** More redirects than this are a loop. */
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
  /**
   * The place in the address bar. On back and forward it is ahead of the visible page while code is loading.
   */
  #current: Place
  #entry: EntryState
  /** The page to be seen, and the one in the document, which follows it; null while its code is loaded. */
  #shown: Place
  #drawn: Place | null = null
  #navigation = 0
  #blocker: Blocker | null = null
  #blocked: Blocked | null = null
  /** The next popstate event undoes a refused step, or has already been confirmed. */
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

  /** The place in the address bar. */
  get current(): Place {
    return this.#current
  }

  navigate(address: string, { replace = false, keepScroll = false }: How = {}): void {
    const next = placeOf(address, location.origin)
    if (next === undefined) return location.assign(address)
    this.#unlessBlocked(next, () => this.#go(next, replace, keepScroll))
    return undefined
  }

  /** After a change of rights: the current page has to pass the guard again. */
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

  // For useSyncExternalStore: returns the same object until something changes.
  readonly shown = (): Place => this.#shown
  readonly blocked = (): Blocked | null => this.#blocked
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  /** Called before a page is left, while its document is unchanged. */
  onLeave(listener: (from: Place) => void): () => void {
    this.#onLeave.add(listener)
    return () => this.#onLeave.delete(listener)
  }
  /** Called after a page has been rendered and scrolled into position. */
  onShown(listener: (shown: Shown) => void): () => void {
    this.#onShown.add(listener)
    return () => this.#onShown.delete(listener)
  }
  /** Called by RouterProvider once the page that `shown` returns is in the document. */
  drawn(): void {
    const shown = this.#lastShown
    if (shown.place !== this.#shown) return
    this.#drawn = shown.place
    this.#scrolls.place(this.#entry.key, shown, this.#keepScroll)
    for (const listener of this.#onShown) listener(shown)
  }
  #keepScroll = false

  /** True while another page, or another query of this one, is on its way to the screen. */
  get isGoing(): boolean {
    return this.#drawn !== this.#shown
  }

  /** The place that the guard finally redirects to; undefined: no redirect. */
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

  /** Changes address and page together. */
  #go(wanted: Place, replace: boolean, keepScroll: boolean): void {
    const next = this.#guarded(wanted) ?? wanted
    // A query that a page writes shortly after typing must not cancel a navigation to another page.
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

  /** The browser has already moved; if the step is refused, it is moved back. */
  readonly #onPop = (): void => {
    if (this.#ignorePop) {
      this.#ignorePop = false
      return
    }
    const next = placeOf(location.href, location.origin)!
    const known = entryOf(history.state)
    // Without our state: a fragment link was followed natively, which is a step forward.
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

  /**
   * Continues at once for another query of the same page, and not at all if another navigation has started
   * meanwhile.
   */
  #whenLoaded(next: Place, done: () => void): void {
    const navigation = this.#navigation
    if (next.line === this.#shown.line) return done()
    // The page itself reports that its code cannot be loaded.
    this.#drawn = null
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
