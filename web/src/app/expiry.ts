// The end of the session, told once: however many calls fail, there is one dialog.
import type { ApiError } from '../data/api-error.ts'

let lost: ApiError | null = null
const listeners = new Set<() => void>()

export const currentLoss = (): ApiError | null => lost
export function setLoss(error: ApiError | null) {
  // The first one counts; the rest are its echo.
  if (error !== null && lost !== null) return
  lost = error
  for (const listener of listeners) listener()
}
export function subscribeLoss(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
