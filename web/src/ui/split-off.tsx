// Components whose code is loaded on first render.
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

/**
 * Like React's `lazy` inside a `Suspense` with `waiting`, but renders as soon as the code is there: React
 * shows a fallback for at least 300 ms, and nested ones add up. `waiting` may be a component with the same
 * props. If loading fails it is retried; after that
 * the error goes to the page around it. An `optional` component renders `waiting` instead of failing and is
 * requested again on its next mount.
 */
export function splitOff<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode | ComponentType<P> = null,
  { optional = false }: { readonly optional?: boolean } = {},
): ComponentType<P> {
  let ready: ComponentType<P> | undefined
  let asked: Promise<unknown> | undefined
  const ask = () => {
    if (asked) return asked
    asked = patiently(load).then((component) => {
      ready = component
    })
    // Prevents an unhandled rejection if nothing is waiting for it any more.
    asked.catch(() => {
      asked = undefined
    })
    return asked
  }
  return function SplitOff(props: P) {
    useCode(() => (ready ? null : ask()), optional)
    const Component = ready
    if (Component) return <Component {...props} />
    const Waiting = waiting
    return typeof Waiting === 'function' ? <Waiting {...props} /> : Waiting
  }
}

/** A short loss of connection must not cost the input on the page around it. */
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

/**
 * Renders the caller again once the code that `ask` requests on first render is loaded, and throws if it
 * cannot be loaded, unless `optional`. `ask` returns null if nothing needs loading.
 */
export function useCode(ask: () => Promise<unknown> | null, optional = false): void {
  // Requested while the page around it is still rendering.
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
