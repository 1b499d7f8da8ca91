// Parts of a page whose code comes when they are first drawn.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/**
 * As React's `lazy` inside a `Suspense` with `waiting`, but drawn as soon as the code is there: React keeps what it shows meanwhile for 300 ms at least, and so does each
 * such part inside another one. What cannot be loaded is tried again, and then is the fault of the page around it. A part of the frame is `optional`: without it the
 * rest goes on, and when it is drawn the next time it is asked for once more.
 */
export function splitOff<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
  { optional = false }: { readonly optional?: boolean } = {},
): ComponentType<P> {
  let ready: ComponentType<P> | undefined
  let asked: Promise<unknown> | undefined
  const ask = () => {
    if (asked) return asked
    asked = patiently(load).then((component) => {
      ready = component
    })
    // Also where nobody is left who waits for it.
    asked.catch(() => {
      asked = undefined
    })
    return asked
  }
  return function SplitOff(props: P) {
    useCode(() => (ready ? null : ask()), optional)
    const Component = ready
    return Component ? <Component {...props} /> : waiting
  }
}

/** A line that breaks for a moment must not cost what is typed on the page around it. */
const PAUSES_MS = [1_000, 3_000]
async function patiently<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS)
    try {
      return await load()
    } catch (error) {
      console.warn('a part is asked for once more', error)
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  return load()
}

/** Draws the caller anew when the code that it `asks` for at its first drawing is there, and throws where it cannot be loaded; null where nothing is missing. */
export function useCode(ask: () => Promise<unknown> | null, optional = false): void {
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
  if (settled && 'fault' in settled && !optional) throw settled.fault
}
