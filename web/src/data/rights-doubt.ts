// Event raised when the server refuses or hides something that the screens offered: rights may have changed
// since they were loaded (app/shell/RightsChanged.tsx checks).
const listeners = new Set<() => void>()

export const doubtRights = (): void => {
  for (const listener of listeners) listener()
}
export function subscribeRightsDoubt(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
