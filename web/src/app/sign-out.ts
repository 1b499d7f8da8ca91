// Signing out, from wherever. On a device that is used in the field it first asks about what has not been transferred (shell/SignOut.tsx, loaded then).
import { useSyncExternalStore } from 'react'
import { forgetUnsavedChanges } from '../ui/unsaved.ts'
import { useApplication } from './app-context.ts'
import { isFieldDevice } from './field-device.ts'
import type { Identity } from './identity.ts'

let asked = false
const listeners = new Set<() => void>()
export function askToSignOut(on: boolean) {
  asked = on
  for (const listener of listeners) listener()
}
export const useSignOutAsked = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => asked,
  )

/** Choices that were made a moment ago still reach the server; then the session ends. */
export async function signOutNow(identity: Identity): Promise<void> {
  forgetUnsavedChanges()
  if (identity.sub !== undefined) {
    const sent = import('./preferences-sync.ts')
      .then(({ sendPreferences }) => sendPreferences())
      .catch(() => {})
    await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, 1_500))])
  }
  await identity.logout()
}

export function useSignOut(): () => void {
  const { identity } = useApplication()
  return () => (isFieldDevice() ? askToSignOut(true) : void signOutNow(identity))
}
