// Who uses the field mode on this device, and the connection state. The device remembers the last signed-in
// person; the storage keeps people's data apart, and this file decides what is removed at the end of a
// session.
import type { AppConfig, IdentityConfig } from '#contract/app-config.ts'
import type { Session } from '../../data/session.ts'
import {
  type FieldworkDb,
  type FieldworkPerson,
  type FieldworkStores,
  readFrom,
  openFieldworkDb,
  write,
  type Sub,
  personRange,
} from './fieldwork-db.ts'

// The device

/** Belongs to the device, not to a person: it stays after signing out, then without `sub`. */
const DEVICE_KEY = 'geraet.feld'

export interface Device {
  /** Who may continue without signing in; null if nobody. */
  readonly sub: Sub | null
  /** As last received from the server; used to start without a connection. */
  readonly app: AppConfig
  readonly identity: IdentityConfig
}

export function readDevice(): Device | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(DEVICE_KEY) ?? 'null')
    if (
      typeof value !== 'object' ||
      value === null ||
      !('app' in value) ||
      !('identity' in value) ||
      !('sub' in value)
    )
      return null
    return typeof value.sub === 'string' || value.sub === null ? (value as Device) : null
  } catch {
    return null
  }
}
export const writeDevice = (device: Device): void => localStorage.setItem(DEVICE_KEY, JSON.stringify(device))
/** Notifies when another window switches to another person or signs out. */
export function watchDevice(onSwitch: (sub: Sub | null) => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === DEVICE_KEY || key === null) onSwitch(readDevice()?.sub ?? null)
  }
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}

// The storage

let open: Promise<FieldworkDb> | null = null
/**
 * One connection for the whole page. A newer version of the application in another window closes it; this
 * page then has to be reloaded.
 */
export function fieldworkDb(): Promise<FieldworkDb> {
  open ??= openFieldworkDb({
    onOutdated: () => {
      open = null
      location.reload()
    },
  }).catch((error: unknown) => {
    open = null
    throw error
  })
  return open
}

export const personOf = (
  sub: Sub,
  { email, name, roles, hqs, user }: Session,
  now: Date,
): FieldworkPerson => ({
  sub,
  user_id: user?.user_id ?? 0,
  name,
  email,
  roles: [...roles],
  hqs: [...hqs],
  bestaetigt_am: now.toISOString(),
})
/** The session of a person who is known to the device but not signed in. */
export const sessionOf = ({ name, email, roles, hqs }: FieldworkPerson): Session => ({
  email,
  name,
  groups: [],
  roles,
  user: null,
  hqs,
  activeHq: hqs.find(({ fb_enabled }) => fb_enabled) ?? null,
  incomplete: false,
  localOnly: true,
})

export const fetchPerson = (db: FieldworkDb, sub: Sub): Promise<FieldworkPerson | undefined> =>
  readFrom(() => db.get('person', sub))
export const rememberPerson = (db: FieldworkDb, person: FieldworkPerson): Promise<unknown> =>
  write(db, ['person'], (tx) => tx.objectStore('person').put(person))

// End of a session

/** What has not reached the server yet. */
export interface OpenPart {
  readonly erfassungen: number
  readonly bilder: number
  /** Started but never saved. */
  readonly entwuerfe: number
}
export const hasOpenWork = ({ erfassungen, bilder, entwuerfe }: OpenPart): boolean =>
  erfassungen + bilder + entwuerfe > 0

export const fetchOpenWork = (db: FieldworkDb, sub: Sub): Promise<OpenPart> =>
  readFrom(async () => {
    const mine = personRange(sub)
    const [captures, pictures, drafts] = await Promise.all([
      db.count('erfassungen', mine),
      db.count('bilder', mine),
      db.count('entwuerfe', mine),
    ])
    return { erfassungen: captures, bilder: pictures, entwuerfe: drafts }
  })

/** Data that can be fetched again. None of it was created on this device. */
const FETCHED_STORES = ['person', 'pakete', 'kacheln', 'baeume'] as const satisfies readonly FieldworkStores[]
/** Data that exists only on this device. */
const OWN_STORES = [
  'erfassungen',
  'bilder',
  'konflikte',
  'entwuerfe',
] as const satisfies readonly FieldworkStores[]

/**
 * `keepUnsent`: captures, photos and drafts stay for this person's next sign-in here; holdings, trees and
 * maps are removed in any case.
 */
export const forgetPerson = (
  db: FieldworkDb,
  sub: Sub,
  { keepUnsent }: { keepUnsent: boolean },
): Promise<void> =>
  write(db, [...FETCHED_STORES, ...OWN_STORES], async (tx) => {
    const names: readonly FieldworkStores[] = keepUnsent ? FETCHED_STORES : [...FETCHED_STORES, ...OWN_STORES]
    await Promise.all(
      names.map((name) => tx.objectStore(name).delete(name === 'person' ? sub : personRange(sub))),
    )
  })

/**
 * After somebody else signed in: removes what others had fetched and keeps what they have not transferred.
 */
export async function forgetOthers(db: FieldworkDb, sub: Sub): Promise<void> {
  const others = new Set<Sub>()
  await readFrom(async () => {
    for (const name of FETCHED_STORES)
      for (const key of await db.getAllKeys(name)) {
        const owner = typeof key === 'string' ? key : key[0]
        if (owner !== sub) others.add(owner)
      }
  })
  for (const other of others) await forgetPerson(db, other, { keepUnsent: true })
}

// The connection

/**
 * prueft: checking whether the server is reachable. ohne-netz: it is not. anmelden: it is, but requires a
 * sign-in. andere: somebody else is signed in there.
 */
export type Connection = 'angemeldet' | 'prueft' | 'ohne-netz' | 'anmelden' | 'andere' | 'gesperrt'

/** What the application provides to the field mode, which cannot sign in by itself. */
export interface AppBridge {
  /** Contacts the server and signs in if that works without interaction. */
  readonly connect: () => Promise<Exclude<Connection, 'prueft'>>
  /** Goes to the sign-in and returns to `ziel`; false if it cannot be reached. */
  readonly anmelden: (target: string, otherAccount: boolean) => Promise<boolean>
  /** Asks about untransferred work, then ends the session. */
  readonly signOut: () => void
  /** Notifies when the session ends while somebody is working. */
  readonly onSessionEnd: (listener: (blocked: boolean) => void) => () => void
  /** Makes sure the field mode can start without a connection. */
  readonly prepareOffline: () => Promise<void>
  /** Remembers who works here; returns their id at the identity provider. */
  readonly keep: () => Promise<Sub>
}
