// Whether the page is being printed: then lists draw all of their rows and columns.
import { useSyncExternalStore } from 'react'

const EVENTS = ['beforeprint', 'afterprint']
let printing = false
const isPrinting = () => printing

function subscribe(changed: () => void) {
  const print = ({ type }: Event) => {
    printing = type === EVENTS[0]
    changed()
  }
  for (const event of EVENTS) addEventListener(event, print)
  return () => {
    for (const event of EVENTS) removeEventListener(event, print)
  }
}

/**
 * The browser prints what is there when the event ends. Changes of a store are rendered at once, before anything else
 * is done, which those of a state are not.
 */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, isPrinting, isPrinting)
