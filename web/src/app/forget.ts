// The end of a session in this browser: nothing of the person stays in its stores. What belongs to the machine and not to a person keeps other names.
import { forgetPreferences } from '../ui/preferences.ts'

/** All that is kept for a person begins with it: preferences, columns, drafts, tabs. */
const OURS = 'forstkontor.'
const OWNER = `${OURS}person`

export function forgetPerson() {
  for (const store of [localStorage, sessionStorage])
    for (const key of Object.keys(store)) if (key.startsWith(OURS)) store.removeItem(key)
  forgetPreferences()
}

/** What lies here is this person's; what somebody else left without signing out is forgotten first. */
export function claimStores(user: number) {
  const owner = localStorage.getItem(OWNER)
  if (owner === String(user)) return
  if (owner !== null) forgetPerson()
  localStorage.setItem(OWNER, String(user))
}
