// Signing out, from anywhere in the application. A field device first asks about data that has not been
// uploaded (shell/SignOut.tsx, loaded then).
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

/** Sends recently changed preferences to the server, for at most 1.5 s, then ends the session. */
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
