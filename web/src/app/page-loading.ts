// Loads the code of pages: each once, and again after a failure.
import type { ComponentType } from 'react'
import type { RouteLine } from './routes.ts'

const loaded = new Map<string, Promise<ComponentType>>()

export function pageOf(line: RouteLine): Promise<ComponentType> {
  const known = loaded.get(line.path)
  if (known) return known
  if (!line.page) return Promise.reject(new Error(`${line.path} has no page`))
  const page = line.page()
  loaded.set(line.path, page)
  page.catch(() => loaded.delete(line.path))
  return page
}
