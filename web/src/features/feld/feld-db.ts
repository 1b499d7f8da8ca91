// What the field mode keeps on the device: the pack of a holding, what was captured and waits, its photos. Every key begins with the subject of the person, so that two who share a tablet never see each other's work.
// Nothing here knows screens or the network; what waits is sent by abgleich.ts.
import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb'
import type { Umriss } from '#contract/bestand.ts'
import type { Habitatbaum, HabitatErfassung, HabitatSyncErgebnis, KontrolleErfassung } from '#contract/habitat.ts'
import type { HqRecord } from '#contract/hq.ts'
import type { BaumWerte } from '../../record/habitat/baum.ts'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'

/** `sub` of the person's token. */
export type Sub = string
/** UUID made by this device, or by the server for a tree that was there before. */
export type Kennung = string

/** Who may work here without network. Written while there is one. */
export interface FeldPerson {
  sub: Sub
  user_id: number
  name: string
  email: string
  roles: string[]
  hqs: HqRecord[]
  /** ISO; when the server last said so. */
  bestaetigt_am: string
}

/** A holding that was saved for the field. */
export interface FeldPaket {
  sub: Sub
  idHQ: number
  client_id: number
  sHQ: string
  /** What the five levels of a stand's address are called. */
  ebenen: string[]
  umrisse: Umriss[]
  /** Web mercator: west, south, east, north. Null: nothing is drawn of this holding. */
  kasten: [number, number, number, number] | null
  /** ISO; when trees and outlines were fetched. */
  geholt_am: string
  /** Only complete packs are offered. */
  fertig: boolean
  baeume: number
  kacheln: number
  bytes: number
  /** What else the frame keeps of it. */
  weiteres?: Record<string, unknown>
}

/** A piece of a base map or of the holding's own plan. */
export interface FeldKachel {
  sub: Sub
  idHQ: number
  /** Which map. */
  ebene: string
  /** z/x/y */
  ort: string
  typ: string
  bytes: ArrayBuffer
}

/** The server's state of a tree, as it was last seen. What waits to be sent lies over it. */
export interface FeldBaum {
  sub: Sub
  kennung: Kennung
  idHQ: number
  baum: Habitatbaum
  /** Photos that the server has. */
  bilder: number
}

/** wartet: goes with the next sync. The others wait for the person. */
export type ErfassungStand = 'wartet' | 'konflikt' | 'geloescht' | 'abgelehnt'
export interface FeldAntwort {
  /** ISO */
  am: string
  ergebnis: HabitatSyncErgebnis | 'unterbrochen'
  /** Stable word of the broken rule, and the field it is about. */
  regel: string | null
  feld: string | null
}

/** One tree that waits: a new one, or what was changed of one. */
export interface FeldErfassung {
  sub: Sub
  kennung: Kennung
  idHQ: number
  /** The server's version that it is based on; null: captured here as new. */
  version: number | null
  /** The tree as that version has it, for telling who changed what; null with a new one. */
  basis: Habitatbaum | null
  /** Of a new tree all of it; else only what was changed. As forms have it: structures are one text. */
  werte: Partial<BaumWerte>
  kontrollen: KontrolleErfassung[]
  stand: ErfassungStand
  /**
   * What was handed to the network and not answered yet, as it was sent: it is sent again word for word until there is an answer, because the server knows it by that. What is changed meanwhile stands in `werte`.
   * Null: nothing is on its way.
   */
  unterwegs: HabitatErfassung | null
  versuche: number
  antwort: FeldAntwort | null
  /** ISO; since when it waits. */
  seit: string
  geaendert_am: string
}

/** entwurf: belongs to a form that is not saved. wartet: goes up once its tree is there. gesendet: all is there, the confirmation is still to be asked. abgelehnt: waits for the person. */
export type BildStand = 'entwurf' | 'wartet' | 'gesendet' | 'abgelehnt'
export interface FeldBild {
  sub: Sub
  kennung: Kennung
  /** The tree's. */
  baum: Kennung
  idHQ: number
  stand: BildStand
  /** As the camera made it, byte by byte. */
  original: Blob
  sha256: string
  groesse: number
  typ: string
  name: string
  /** A small WebP or JPEG; null where the browser could not draw it. */
  vorschau: Blob | null
  aufgenommen_am: string
  bemerkung: string | null
  /** Where a begun upload goes on. */
  upload: string | null
  /** Bytes that have arrived. */
  gesendet: number
  versuche: number
  /** The sentence that the person reads. */
  fehler: string | null
  regel: string | null
  seit: string
}

/** Somebody else changed the tree since. `server` is how it stands there. */
export interface FeldKonflikt {
  sub: Sub
  kennung: Kennung
  server: Habitatbaum
  am: string
}

/** A form that is not saved: what a closed browser must not lose. */
export interface FeldEntwurf {
  sub: Sub
  /** `neu`, or the kennung of the tree that is changed. */
  name: string
  /** Under which the tree will be saved. */
  kennung: Kennung
  idHQ: number
  werte: Record<string, unknown>
  am: string
}

export interface FeldSchema extends DBSchema {
  person: { key: Sub; value: FeldPerson }
  pakete: { key: [Sub, number]; value: FeldPaket }
  kacheln: { key: [Sub, number, string, string]; value: FeldKachel }
  baeume: { key: [Sub, Kennung]; value: FeldBaum; indexes: { betrieb: [Sub, number] } }
  erfassungen: { key: [Sub, Kennung]; value: FeldErfassung; indexes: { betrieb: [Sub, number] } }
  bilder: { key: [Sub, Kennung]; value: FeldBild; indexes: { baum: [Sub, Kennung]; stand: [Sub, BildStand] } }
  konflikte: { key: [Sub, Kennung]; value: FeldKonflikt }
  entwuerfe: { key: [Sub, string]; value: FeldEntwurf }
}
export type FeldDb = IDBPDatabase<FeldSchema>
export type FeldStores = StoreNames<FeldSchema>
export type FeldTx = IDBPTransaction<FeldSchema, FeldStores[], 'readwrite'>

export const FELD_DB = 'forstkontor-feld'
type Step = (db: FeldDb) => void
/** One step for each version of the schema. They are only added to, and none may touch what lies there: it may exist nowhere else. */
const STEPS: readonly Step[] = [
  (db) => {
    db.createObjectStore('person', { keyPath: 'sub' })
    db.createObjectStore('pakete', { keyPath: ['sub', 'idHQ'] })
    db.createObjectStore('kacheln', { keyPath: ['sub', 'idHQ', 'ebene', 'ort'] })
    db.createObjectStore('baeume', { keyPath: ['sub', 'kennung'] }).createIndex('betrieb', ['sub', 'idHQ'])
    db.createObjectStore('erfassungen', { keyPath: ['sub', 'kennung'] }).createIndex('betrieb', ['sub', 'idHQ'])
    const bilder = db.createObjectStore('bilder', { keyPath: ['sub', 'kennung'] })
    bilder.createIndex('baum', ['sub', 'baum'])
    bilder.createIndex('stand', ['sub', 'stand'])
    db.createObjectStore('konflikte', { keyPath: ['sub', 'kennung'] })
    db.createObjectStore('entwuerfe', { keyPath: ['sub', 'name'] })
  },
]

/** The device's storage could not do what was asked. `message` is a sentence for the person; nothing that was typed is lost by it. */
export class AblageFehler extends ToldError {
  override readonly name = 'AblageFehler'
  readonly origin = undefined
  readonly code: 'voll' | 'gesperrt' | 'versperrt' | 'neuer' | 'fehler'
  constructor(code: AblageFehler['code'], cause?: unknown) {
    super(SENTENCES[code](), { cause })
    this.code = code
  }
}
const SENTENCES: Record<AblageFehler['code'], () => string> = {
  voll: () =>
    t('Der Speicher dieses Geräts ist voll. Übertragen Sie, was wartet, oder schaffen Sie Platz, und speichern Sie dann noch einmal.'),
  gesperrt: () =>
    t(
      'Dieser Browser lässt hier nichts auf dem Gerät speichern, etwa in einem privaten Fenster. Bitte öffnen Sie den Feldmodus in einem normalen Fenster.',
    ),
  versperrt: () => t('Ein anderes Fenster hält den Speicher noch offen. Bitte schließen Sie die anderen Fenster und laden Sie neu.'),
  neuer: () => t('Auf diesem Gerät liegt schon eine neuere Fassung des Feldmodus. Bitte laden Sie die Seite neu.'),
  fehler: () => t('Der Speicher dieses Geräts antwortet nicht. Laden Sie die Seite neu; was gespeichert ist, bleibt erhalten.'),
}

/** What a browser says of its storage → a sentence. */
export function ablageFehlerOf(error: unknown): AblageFehler {
  if (error instanceof AblageFehler) return error
  const name = (error as { name?: unknown } | null)?.name
  if (name === 'QuotaExceededError') return new AblageFehler('voll', error)
  if (name === 'SecurityError' || name === 'InvalidAccessError') return new AblageFehler('gesperrt', error)
  if (name === 'VersionError') return new AblageFehler('neuer', error)
  // Firefox in private windows of old: opening is not allowed at all.
  if (name === 'InvalidStateError' && globalThis.indexedDB === undefined) return new AblageFehler('gesperrt', error)
  return new AblageFehler('fehler', error)
}

export interface OpenOptions {
  /** Another window opened a newer version: this one gave its connection up, and the page has to be loaded anew. */
  readonly onVeraltet?: () => void
  /** For tests. */
  readonly name?: string
  readonly steps?: readonly Step[]
  readonly blockedAfterMs?: number
}

/** A connection to the device's storage. Rejects with AblageFehler. */
export async function openFeldDb({ onVeraltet, name = FELD_DB, steps = STEPS, blockedAfterMs = 5_000 }: OpenOptions = {}): Promise<FeldDb> {
  if (globalThis.indexedDB === undefined) throw new AblageFehler('gesperrt')
  let waiting: ReturnType<typeof setTimeout> | undefined
  let refuse: (error: Error) => void = () => undefined
  const refused = new Promise<never>((_resolve, reject) => (refuse = reject))
  try {
    const opening = openDB<FeldSchema>(name, steps.length, {
      upgrade(db, from) {
        for (const step of steps.slice(from)) step(db)
      },
      // The others close theirs in `blocking`; one of an old version of the page may not.
      blocked: () => (waiting ??= setTimeout(() => refuse(new AblageFehler('versperrt')), blockedAfterMs)),
      blocking(_current, _wanted, event) {
        ;(event.target as IDBDatabase | null)?.close()
        onVeraltet?.()
      },
      terminated: () => onVeraltet?.(),
    })
    opening.then(
      (db) => {
        // It came after all, and nobody waits for it any more.
        if (gaveUp) db.close()
      },
      () => undefined,
    )
    let gaveUp = false
    return await Promise.race([opening, refused]).catch((error: unknown) => {
      gaveUp = true
      throw error
    })
  } catch (error) {
    throw ablageFehlerOf(error)
  } finally {
    clearTimeout(waiting)
  }
}

/** All rows of a person; `more` narrows the key further. */
export const vonPerson = (sub: Sub, ...more: (string | number)[]): IDBKeyRange => IDBKeyRange.bound([sub, ...more], [sub, ...more, []])

/** Asks the browser not to clear this storage when space runs out. False: it may; the person should be told to sync soon. */
export async function haltbar(): Promise<boolean> {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist())
  } catch {
    return false
  }
}

/** Runs `work` in one transaction: all of it or nothing. Rejects with AblageFehler, also when the browser refuses only at the end (a full disk). */
export async function schreibe<T>(db: FeldDb, stores: FeldStores[], work: (tx: FeldTx) => Promise<T>): Promise<T> {
  let tx: FeldTx
  try {
    tx = db.transaction(stores, 'readwrite', { durability: 'strict' })
  } catch (error) {
    throw ablageFehlerOf(error)
  }
  // Awaited below; without a hearer an abort would count as unhandled.
  tx.done.catch(() => undefined)
  try {
    const made = await work(tx)
    await tx.done
    return made
  } catch (error) {
    try {
      tx.abort()
    } catch {
      // It has ended already.
    }
    throw error instanceof DOMException || tx.error !== null ? ablageFehlerOf(tx.error ?? error) : error
  }
}

/** A read that fails says it in the same words. */
export const lies = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw ablageFehlerOf(error)
  })

/** Everything on this device, of everybody. For tests. */
export const loescheFeldDb = (name = FELD_DB): Promise<void> => deleteDB(name)
