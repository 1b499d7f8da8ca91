// Loads the code of pages: each once, and again some time after a failure.
import type { PageComponent } from '../data/ahead.ts'
import { PassingFault } from './passing.ts'
import type { RouteLine } from './routes.ts'

const loaded = new Map<string, Promise<PageComponent>>()
const failed = new Set<string>()
const ready = new Map<string, PageComponent>()
/**
 * How long a failure is cached. Without this it would never be shown: each new render would start another
 * request, endlessly.
 */
const FAILED_MS = 2_000

export function pageOf(line: RouteLine): Promise<PageComponent> {
  const known = loaded.get(line.path)
  if (known) return known
  if (!line.page) return Promise.reject(new Error(`${line.path} has no page`))
  const page = inTime(line.path, line.page())
  loaded.set(line.path, page)
  page.then(
    (component) => ready.set(line.path, component),
    () => {
      failed.add(line.path)
      setTimeout(() => forget(line.path), FAILED_MS)
    },
  )
  return page
}
/** Whether a page that timed out is still loading. */
export const isHanging = (): boolean => hanging.size > 0

/** Time limit for a page; if it arrives later, the next request finds it. */
const LIMIT_MS = 10_000
const hanging = new Set<string>()
function inTime<T>(path: string, loading: Promise<T>): Promise<T> {
  const settled = () => void hanging.delete(path)
  loading.then(settled, settled)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      hanging.add(path)
      reject(new PassingFault({ kind: 'unreachable', detail: 'page: timeout', hangs: true }))
    }, LIMIT_MS)
  })
  return Promise.race([loading, late]).finally(() => clearTimeout(timer))
}
function forget(path: string): void {
  if (failed.delete(path)) loaded.delete(path)
}
/** Makes the next render request failed pages again, however recent the failure. */
export const retryPages = (): void => [...failed].forEach(forget)

/** The page's component, if it has been loaded. */
export const readyPage = (line: RouteLine): PageComponent | undefined => ready.get(line.path)
