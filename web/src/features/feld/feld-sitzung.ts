// Who works in the field mode on this device, and how it stands with the connection. The device remembers the last person who was signed in; what belongs to whom
// is kept apart in the storage itself, and what leaves it at the end of a session is decided here.
import type { AppConfig, IdentityConfig } from '#contract/app-config.ts'
import type { Session } from '../../data/session.ts'
import { type FeldDb, type FeldPerson, type FeldStores, lies, openFeldDb, schreibe, type Sub, vonPerson } from './feld-db.ts'

// The device --------------------------------------------------------------------------------------------------------------------------------------------------------------

/** Of the machine and not of a person: it stays when somebody signs out, then without `sub`. */
const GERAET = 'geraet.feld'

export interface Geraet {
  /** Who may go on without signing in; null: nobody. */
  readonly sub: Sub | null
  /** As the server gave them last; without a connection the application starts with these. */
  readonly app: AppConfig
  readonly identity: IdentityConfig
}

export function leseGeraet(): Geraet | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(GERAET) ?? 'null')
    if (typeof value !== 'object' || value === null || !('app' in value) || !('identity' in value) || !('sub' in value)) return null
    return typeof value.sub === 'string' || value.sub === null ? (value as Geraet) : null
  } catch {
    return null
  }
}
export const schreibeGeraet = (geraet: Geraet): void => localStorage.setItem(GERAET, JSON.stringify(geraet))
/** Another window: somebody else works here now, or nobody. */
export function beobachteGeraet(onWechsel: (sub: Sub | null) => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === GERAET || key === null) onWechsel(leseGeraet()?.sub ?? null)
  }
  window.addEventListener('storage', listen)
  return () => window.removeEventListener('storage', listen)
}

// The storage -------------------------------------------------------------------------------------------------------------------------------------------------------------

let open: Promise<FeldDb> | null = null
/** One connection for the whole page. A newer version of the application in another window takes it away: then this page has to be loaded anew. */
export function feldDb(): Promise<FeldDb> {
  open ??= openFeldDb({
    onVeraltet: () => {
      open = null
      location.reload()
    },
  }).catch((error: unknown) => {
    open = null
    throw error
  })
  return open
}

export const personOf = (sub: Sub, { email, name, roles, hqs, user }: Session, now: Date): FeldPerson => ({
  sub,
  user_id: user?.user_id ?? 0,
  name,
  email,
  roles: [...roles],
  hqs: [...hqs],
  bestaetigt_am: now.toISOString(),
})
/** What the screens know of a person who has not signed in. */
export const sitzungOf = ({ name, email, roles, hqs }: FeldPerson): Session => ({
  email,
  name,
  groups: [],
  roles,
  user: null,
  hqs,
  activeHq: hqs.find(({ fb_enabled }) => fb_enabled) ?? null,
  incomplete: false,
  lokal: true,
})

export const lesePerson = (db: FeldDb, sub: Sub): Promise<FeldPerson | undefined> => lies(() => db.get('person', sub))
export const merkePerson = (db: FeldDb, person: FeldPerson): Promise<unknown> =>
  schreibe(db, ['person'], (tx) => tx.objectStore('person').put(person))

// The end of a session ----------------------------------------------------------------------------------------------------------------------------------------------------

/** What has not reached the server yet. */
export interface Offen {
  readonly erfassungen: number
  readonly bilder: number
  /** Begun and never saved. */
  readonly entwuerfe: number
}
export const istOffen = ({ erfassungen, bilder, entwuerfe }: Offen): boolean => erfassungen + bilder + entwuerfe > 0

export const offenVon = (db: FeldDb, sub: Sub): Promise<Offen> =>
  lies(async () => {
    const mine = vonPerson(sub)
    const [erfassungen, bilder, entwuerfe] = await Promise.all([
      db.count('erfassungen', mine),
      db.count('bilder', mine),
      db.count('entwuerfe', mine),
    ])
    return { erfassungen, bilder, entwuerfe }
  })

/** What can be fetched anew. Nothing of it was made on this device. */
const GEHOLT = ['person', 'pakete', 'kacheln', 'baeume'] as const satisfies readonly FeldStores[]
/** What exists on this device alone. */
const EIGENES = ['erfassungen', 'bilder', 'konflikte', 'entwuerfe'] as const satisfies readonly FeldStores[]

/** `behalten`: captures, photos and begun forms stay for the next time that this person signs in here; holdings, trees and maps go in any case. */
export const vergissPerson = (db: FeldDb, sub: Sub, { behalten }: { behalten: boolean }): Promise<void> =>
  schreibe(db, [...GEHOLT, ...EIGENES], async (tx) => {
    const names: readonly FeldStores[] = behalten ? GEHOLT : [...GEHOLT, ...EIGENES]
    await Promise.all(names.map((name) => tx.objectStore(name).delete(name === 'person' ? sub : vonPerson(sub))))
  })

/** Somebody else has signed in: what the others had fetched goes, what they have not transferred stays for them. */
export async function vergissAndere(db: FeldDb, sub: Sub): Promise<void> {
  const others = new Set<Sub>()
  await lies(async () => {
    for (const name of GEHOLT)
      for (const key of await db.getAllKeys(name)) {
        const owner = typeof key === 'string' ? key : key[0]
        if (owner !== sub) others.add(owner)
      }
  })
  for (const other of others) await vergissPerson(db, other, { behalten: true })
}

// The connection ----------------------------------------------------------------------------------------------------------------------------------------------------------

/** prueft: looking whether the server is there. ohne-netz: it is not. anmelden: it is, and asks for a sign-in. andere: somebody else is signed in there. */
export type Verbindung = 'angemeldet' | 'prueft' | 'ohne-netz' | 'anmelden' | 'andere' | 'gesperrt'

/** What the application does for the field mode: it alone knows how to sign in. */
export interface Anbindung {
  /** Looks for the server and signs in where that needs no question. */
  readonly verbinde: () => Promise<Exclude<Verbindung, 'prueft'>>
  /** Goes to the sign-in and comes back to `ziel`; false: it cannot be reached. */
  readonly anmelden: (ziel: string, anderesKonto: boolean) => Promise<boolean>
  /** Asks about what has not been transferred, then ends the session. */
  readonly abmelden: () => void
  /** Tells when the session is over while somebody works. */
  readonly beiEnde: (listener: (gesperrt: boolean) => void) => () => void
  /** Sees to it that the field mode starts without a connection. */
  readonly vorhalten: () => Promise<void>
  /** Remembers who works here; answers their number at the provider. */
  readonly merke: () => Promise<Sub>
}
