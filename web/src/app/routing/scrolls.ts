// Scroll offsets by history entry: a new page starts at the top (or at the fragment); back and forward
// restore the position. Elements that scroll on their own have a data-scroll-restoration-id.
import type { Shown } from './place.ts'

interface Offsets {
  readonly window: number
  readonly parts: Readonly<Record<string, readonly [left: number, top: number]>>
}
export interface Scrolls {
  remember: (entry: string) => void
  place: (entry: string, shown: Shown, keep: boolean) => void
}

// Has the prefix that is cleared at the end of a session.
const STORE = 'forstkontor.scroll'
const MOST = 100

const parts = () =>
  [...document.querySelectorAll<HTMLElement>('[data-scroll-restoration-id]')].filter((part) =>
    part.checkVisibility(),
  )
const nameOf = (part: HTMLElement) => part.dataset['scrollRestorationId'] ?? ''

function stored(): Map<string, Offsets> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORE) ?? '[]') as [string, Offsets][])
  } catch {
    return new Map()
  }
}

export function createScrolls(): Scrolls {
  const offsets = stored()
  let entry: string | undefined
  const remember = (key: string) => {
    offsets.delete(key)
    offsets.set(key, {
      window: window.scrollY,
      parts: Object.fromEntries(
        parts()
          .filter(({ scrollLeft, scrollTop }) => scrollLeft > 0 || scrollTop > 0)
          .map((part) => [nameOf(part), [part.scrollLeft, part.scrollTop] as const]),
      ),
    })
  }
  // Keeps the position across a reload.
  window.addEventListener('pagehide', () => {
    if (entry === undefined) return
    remember(entry)
    try {
      sessionStorage.setItem(STORE, JSON.stringify([...offsets].slice(-MOST)))
    } catch {
      // Storage is full: the page starts at the top.
    }
  })
  return {
    remember,
    place: (key, { place, from, pathChanged, byHistory }, keep) => {
      entry = key
      const known = byHistory || from === null ? offsets.get(key) : undefined
      if (known) {
        window.scrollTo({ top: known.window, behavior: 'instant' })
        for (const part of parts()) {
          const [left, top] = known.parts[nameOf(part)] ?? [0, 0]
          part.scrollTo({ left, top, behavior: 'instant' })
        }
        return
      }
      if (keep) return
      const target = place.hash === '' ? null : document.getElementById(fragmentOf(place.hash))
      if (target) target.scrollIntoView({ behavior: 'instant' })
      // A newly loaded document is already at the top; scrolling would force a layout before the first paint.
      else if (from !== null && (pathChanged || !byHistory)) window.scrollTo({ top: 0, behavior: 'instant' })
    },
  }
}

function fragmentOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}
