// Who is signed in, as far as screens need to know. The database enforces permissions; this only decides what
// to offer.
import { useSyncExternalStore } from 'react'
import type { UserData } from '#contract/benutzer.ts'
import type { HqRecord } from '#contract/hq.ts'
import { hasOneOf, type Role } from '#domain/roles.ts'

export interface Session {
  readonly email: string
  readonly name: string
  readonly groups: readonly string[]
  /** Base role first. */
  readonly roles: readonly Role[]
  /** Null if the application does not know the person yet or the call failed. */
  readonly user: UserData | null
  readonly hqs: readonly HqRecord[]
  /** The first enabled headquarters. */
  readonly activeHq: HqRecord | null
  /** A call failed while roles were being loaded; until it succeeds they are those of a newcomer. */
  readonly incomplete: boolean
  /** Nobody is signed in: only the field mode is available, with the data on this device. */
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

/** The current session. Throws without one; screens are only rendered with a session. */
export function useSession(): Session {
  const current = useSyncExternalStore(subscribe, currentSession)
  if (!current) throw new Error('no session')
  return current
}
export const useOptionalSession = (): Session | null => useSyncExternalStore(subscribe, currentSession)

export const useHasRole = (...wanted: readonly Role[]): boolean => hasOneOf(useSession().roles, wanted)
