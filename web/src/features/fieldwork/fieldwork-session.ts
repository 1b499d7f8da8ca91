// Who works in the field mode on this device, and how it stands with the connection. The device remembers the last person who was signed in; what belongs to whom
// is kept apart in the storage itself, and what leaves it at the end of a session is decided here.
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

// The device --------------------------------------------------------------------------------------------------------------------------------------------------------------

/** Of the machine and not of a person: it stays when somebody signs out, then without `sub`. */
const DEVICE_KEY = 'geraet.feld'

export interface Device {
  /** Who may go on without signing in; null: nobody. */
  readonly sub: Sub | null
  /** As the server gave them last; without a connection the application starts with these. */
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
/** Another window: somebody else works here now, or nobody. */
export function watchDevice(onSwitch: (sub: Sub | null) => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === DEVICE_KEY || key === null) onSwitch(readDevice()?.sub ?? null)
  }
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}

// The storage -------------------------------------------------------------------------------------------------------------------------------------------------------------

let open: Promise<FieldworkDb> | null = null
/** One connection for the whole page. A newer version of the application in another window takes it away: then this page has to be loaded anew. */
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
/** What the screens know of a person who has not signed in. */
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

// The end of a session ----------------------------------------------------------------------------------------------------------------------------------------------------

/** What has not reached the server yet. */
export interface OpenPart {
  readonly erfassungen: number
  readonly bilder: number
  /** Begun and never saved. */
  readonly entwuerfe: number
}
export const hasOpenWork = ({ erfassungen, bilder, entwuerfe }: OpenPart): boolean =>
  erfassungen + bilder + entwuerfe > 0

export const fetchOpenWork = (db: FieldworkDb, sub: Sub): Promise<OpenPart> =>
  readFrom(async () => {
    const mine = personRange(sub)
    const [erfassungen, bilder, entwuerfe] = await Promise.all([
      db.count('erfassungen', mine),
      db.count('bilder', mine),
      db.count('entwuerfe', mine),
    ])
    return { erfassungen, bilder, entwuerfe }
  })

/** What can be fetched anew. Nothing of it was made on this device. */
const FETCHED_STORES = ['person', 'pakete', 'kacheln', 'baeume'] as const satisfies readonly FieldworkStores[]
/** What exists on this device alone. */
const OWN_STORES = [
  'erfassungen',
  'bilder',
  'konflikte',
  'entwuerfe',
] as const satisfies readonly FieldworkStores[]

/** `keepUnsent`: captures, photos and begun forms stay for the next time that this person signs in here; holdings, trees and maps go in any case. */
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

/** Somebody else has signed in: what the others had fetched goes, what they have not transferred stays for them. */
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

// The connection ----------------------------------------------------------------------------------------------------------------------------------------------------------

/** prueft: looking whether the server is there. ohne-netz: it is not. anmelden: it is, and asks for a sign-in. andere: somebody else is signed in there. */
export type Connection = 'angemeldet' | 'prueft' | 'ohne-netz' | 'anmelden' | 'andere' | 'gesperrt'

/** What the application does for the field mode: it alone knows how to sign in. */
export interface AppBridge {
  /** Looks for the server and signs in where that needs no question. */
  readonly connect: () => Promise<Exclude<Connection, 'prueft'>>
  /** Goes to the sign-in and comes back to `ziel`; false: it cannot be reached. */
  readonly anmelden: (ziel: string, otherAccount: boolean) => Promise<boolean>
  /** Asks about what has not been transferred, then ends the session. */
  readonly signOut: () => void
  /** Tells when the session is over while somebody works. */
  readonly onSessionEnd: (listener: (gesperrt: boolean) => void) => () => void
  /** Sees to it that the field mode starts without a connection. */
  readonly prepareOffline: () => Promise<void>
  /** Remembers who works here; answers their number at the provider. */
  readonly keep: () => Promise<Sub>
}
