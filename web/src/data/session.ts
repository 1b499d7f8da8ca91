// Who is signed in, as far as the screens need to know. What a person may do is decided in the database; this only chooses what is offered.
import { useSyncExternalStore } from 'react'
import type { UserData } from '#contract/benutzer.ts'
import type { HqRecord } from '#contract/hq.ts'
import { hasOneOf } from '#domain/roles.ts'

export interface Session {
  readonly email: string
  readonly name: string
  readonly groups: readonly string[]
  /** Base role first. */
  readonly roles: readonly string[]
  /** Null: not known to the application yet, or the call failed. */
  readonly user: UserData | null
  readonly hqs: readonly HqRecord[]
  /** The first enabled headquarters. */
  readonly activeHq: HqRecord | null
  /** A call failed while the roles were loaded: they are those of a newcomer until it succeeds. */
  readonly incomplete: boolean
  /** Nobody has signed in: the field mode goes on with what lies on this device, and nothing else is open. */
  readonly localOnly?: boolean
}

let session: Session | null = null
const listeners = new Set<() => void>()

export const currentSession = (): Session | null => session
export function setSession(next: Session | null) {
  session = next
  for (const listener of listeners) listener()
}
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The session; screens are only drawn when there is one. */
export function useSession(): Session {
  const current = useSyncExternalStore(subscribe, currentSession)
  if (!current) throw new Error('no session')
  return current
}
export const useOptionalSession = (): Session | null => useSyncExternalStore(subscribe, currentSession)

export const useHasRole = (...wanted: readonly string[]): boolean => hasOneOf(useSession().roles, wanted)
