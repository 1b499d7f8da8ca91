// Removes a person's data from the browser's stores at the end of a session. Data of the device itself uses
// other key names.
import { forgetPreferences } from '../ui/preferences.ts'

/** Prefix of everything stored for a person: preferences, columns, drafts, tabs. */
const OURS = 'forstkontor.'
const OWNER = `${OURS}person`

export function forgetPerson() {
  for (const store of [localStorage, sessionStorage])
    for (const key of Object.keys(store)) if (key.startsWith(OURS)) store.removeItem(key)
  forgetPreferences()
}

/**
 * Makes this person the owner of the stores; if another person left without signing out, their data is
 * removed first.
 */
export function claimStores(user: number) {
  if (ownsStores(user)) return
  const owner = localStorage.getItem(OWNER)
  if (owner !== null) forgetPerson()
  localStorage.setItem(OWNER, String(user))
}

/** Whether the stores are still this person's: false once they have signed out, here or in another window. */
export const ownsStores = (user: number): boolean => localStorage.getItem(OWNER) === String(user)
