// Parts of a page whose code comes when they are first drawn.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/**
 * As React's `lazy` inside a `Suspense` with `waiting`, but drawn as soon as the code is there: React keeps what it shows meanwhile for 300 ms at least, and so does each
 * such part inside another one. What cannot be loaded is the fault of whoever draws it; drawn anew it is tried again.
 */
export function splitOff<P extends object>(load: () => Promise<ComponentType<P>>, waiting: ReactNode = null): ComponentType<P> {
  let ready: ComponentType<P> | undefined
  let asked: Promise<unknown> | undefined
  const ask = () => {
    if (asked) return asked
    asked = load().then((component) => {
      ready = component
    })
    // Also where nobody is left who waits for it.
    asked.catch(() => {
      asked = undefined
    })
    return asked
  }
  return function SplitOff(props: P) {
    useCode(() => (ready ? null : ask()))
    const Component = ready
    return Component ? <Component {...props} /> : waiting
  }
}

/** Draws the caller anew when the code that it `asks` for at its first drawing is there, and throws where it cannot be loaded; null where nothing is missing. */
export function useCode(ask: () => Promise<unknown> | null): void {
  // Asked while the page around it is still being drawn.
  const [awaited] = useState(ask)
  const [settled, setSettled] = useState<{ readonly fault?: unknown } | null>(null)
  useEffect(() => {
    let here = true
    awaited?.then(
      () => here && setSettled({}),
      (fault: unknown) => here && setSettled({ fault }),
    )
    return () => {
      here = false
    }
  }, [awaited])
  if (settled && 'fault' in settled) throw settled.fault
}
