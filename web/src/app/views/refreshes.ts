// Counts refresh requests per path. A view is recreated when its count changes.

const counts = new Map<string, number>()
const listeners = new Set<() => void>()
let total = 0

export const refreshesOf = (path: string): number => counts.get(path) ?? 0
export const totalRefreshes = (): number => total

export function requestRefresh(path: string) {
  counts.set(path, refreshesOf(path) + 1)
  total += 1
  for (const listener of listeners) listener()
}
export function subscribeRefreshes(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
