// Told when the server refuses or hides what the screens had offered: rights may have changed since they were loaded (app/shell/RightsChanged.tsx looks).
const listeners = new Set<() => void>()

export const doubtRights = (): void => {
  for (const listener of listeners) listener()
}
export function subscribeRightsDoubt(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
