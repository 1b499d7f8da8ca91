// The end of the session, told once: however many calls fail, there is one dialog.
import type { ApiError } from '../data/api-error.ts'

let lost: ApiError | null = null
let hearer: ((error: ApiError) => boolean) | null = null
const listeners = new Set<() => void>()

export const currentLoss = (): ApiError | null => lost
/** The field mode goes on without a session and says so in its own way. `listen` answers whether it does: then there is no dialog. */
export function hearLoss(listen: (error: ApiError) => boolean): () => void {
  hearer = listen
  return () => {
    if (hearer === listen) hearer = null
  }
}
export function setLoss(error: ApiError | null) {
  if (error !== null && hearer?.(error)) return
  // The first one counts; the rest are its echo.
  if (error !== null && lost !== null) return
  lost = error
  for (const listener of listeners) listener()
}
export function subscribeLoss(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
