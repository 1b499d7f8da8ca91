// Reports the end of the session only once: one dialog, however many calls fail.
import type { ApiError } from '../data/api-error.ts'

let lost: ApiError | null = null
let hearer: ((error: ApiError) => boolean) | null = null
const listeners = new Set<() => void>()

export const currentLoss = (): ApiError | null => lost
/**
 * For the field mode, which continues without a session and reports its end itself. If `listen` returns true,
 * no dialog is shown.
 */
export function hearLoss(listen: (error: ApiError) => boolean): () => void {
  hearer = listen
  return () => {
    if (hearer === listen) hearer = null
  }
}
export function setLoss(error: ApiError | null) {
  if (error !== null && hearer?.(error)) return
  // Only the first one counts; the others are consequences.
  if (error !== null && lost !== null) return
  lost = error
  for (const listener of listeners) listener()
}
export function subscribeLoss(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
