// State that several parts of a page share. Its transitions are plain functions from one state to the next,
// which need no browser; a component re-renders only if what it picks has changed.
import { useSyncExternalStore } from 'react'

export interface Store<S> {
  readonly get: () => S
  /** Takes the step at once: the next `get` sees it. A step that returns its own state changes nothing. */
  readonly change: (step: (now: S) => S) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function createStore<S>(start: S): Store<S> {
  let now = start
  const listeners = new Set<() => void>()
  return {
    get: () => now,
    change: (step) => {
      const next = step(now)
      if (next === now) return
      now = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** `pick` must return the same value for the same state: a field of it, or something cached. */
export const usePicked = <S, T>(store: Pick<Store<S>, 'get' | 'subscribe'>, pick: (state: S) => T): T =>
  useSyncExternalStore(store.subscribe, () => pick(store.get()))
