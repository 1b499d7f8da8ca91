// Loads the code of pages: each once, and again some time after a failure.
import type { ComponentType } from 'react'
import type { RouteLine } from './routes.ts'

const loaded = new Map<string, Promise<ComponentType>>()
const ready = new Map<string, ComponentType>()
/** A failure is answered as one for this long. Forgotten at once it would never be shown: drawing again after it would ask anew, without end. */
const FAILED_MS = 2_000

export function pageOf(line: RouteLine): Promise<ComponentType> {
  const known = loaded.get(line.path)
  if (known) return known
  if (!line.page) return Promise.reject(new Error(`${line.path} has no page`))
  const page = line.page()
  loaded.set(line.path, page)
  page.then(
    (component) => ready.set(line.path, component),
    () => setTimeout(() => loaded.delete(line.path), FAILED_MS),
  )
  return page
}

/** Code that is here already. */
export const readyPage = (line: RouteLine): ComponentType | undefined => ready.get(line.path)
