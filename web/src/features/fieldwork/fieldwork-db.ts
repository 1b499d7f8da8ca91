// What the field mode keeps on the device: the pack of a holding, what was captured and waits, its photos. Every key begins with the subject of the person, so that two who share a tablet never see each other's work.
// Nothing here knows screens or the network; what waits is sent by sync.ts.
import {
  type DBSchema,
  deleteDB,
  type IDBPDatabase,
  type IDBPTransaction,
  openDB,
  type StoreNames,
} from 'idb'
import type { Outline } from '#contract/bestand.ts'
import type { Habitatbaum, HabitatCapture, HabitatSyncResult, InspectionCapture } from '#contract/habitat.ts'
import type { HqRecord } from '#contract/hq.ts'
import type { TreeValues } from '../../record/habitat/tree.ts'
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'

/** `sub` of the person's token. */
export type Sub = string
/** UUID made by this device, or by the server for a tree that was there before. */
export type Identifier = string

/** Who may work here without network. Written while there is one. */
export interface FieldworkPerson {
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
export interface FieldworkPacket {
  sub: Sub
  idHQ: number
  client_id: number
  sHQ: string
  /** What the five levels of a stand's address are called. */
  ebenen: string[]
  umrisse: Outline[]
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
export interface FieldworkTile {
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
export interface FieldworkTree {
  sub: Sub
  kennung: Identifier
  idHQ: number
  baum: Habitatbaum
  /** Photos that the server has. */
  bilder: number
}

/** wartet: goes with the next sync. The others wait for the person. */
export type CaptureState = 'wartet' | 'konflikt' | 'geloescht' | 'abgelehnt'
export interface FieldworkAnswer {
  /** ISO */
  am: string
  ergebnis: HabitatSyncResult | 'unterbrochen'
  /** Stable word of the broken rule, and the field it is about. */
  regel: string | null
  feld: string | null
}

/** One tree that waits: a new one, or what was changed of one. */
export interface FieldworkCapture {
  sub: Sub
  kennung: Identifier
  idHQ: number
  /** The server's version that it is based on; null: captured here as new. */
  version: number | null
  /** The tree as that version has it, for telling who changed what; null with a new one. */
  basis: Habitatbaum | null
  /** Of a new tree all of it; else only what was changed. As forms have it: structures are one text. */
  werte: Partial<TreeValues>
  kontrollen: InspectionCapture[]
  stand: CaptureState
  /**
   * What was handed to the network and not answered yet, as it was sent: it is sent again word for word until there is an answer, because the server knows it by that. What is changed meanwhile stands in `werte`.
   * Null: nothing is on its way.
   */
  unterwegs: HabitatCapture | null
  versuche: number
  antwort: FieldworkAnswer | null
  /** ISO; since when it waits. */
  seit: string
  geaendert_am: string
}

/** entwurf: belongs to a form that is not saved. wartet: goes up once its tree is there. gesendet: all is there, the confirmation is still to be asked. abgelehnt: waits for the person. */
export type ImageState = 'entwurf' | 'wartet' | 'gesendet' | 'abgelehnt'
export interface FieldworkImage {
  sub: Sub
  kennung: Identifier
  /** The tree's. */
  baum: Identifier
  idHQ: number
  stand: ImageState
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
export interface FieldworkConflict {
  sub: Sub
  kennung: Identifier
  server: Habitatbaum
  am: string
}

/** A form that is not saved: what a closed browser must not lose. */
export interface FieldworkDraft {
  sub: Sub
  /** `neu`, or the kennung of the tree that is changed. */
  name: string
  /** Under which the tree will be saved. */
  kennung: Identifier
  idHQ: number
  werte: Record<string, unknown>
  am: string
}

export interface FieldworkSchema extends DBSchema {
  person: { key: Sub; value: FieldworkPerson }
  pakete: { key: [Sub, number]; value: FieldworkPacket }
  kacheln: { key: [Sub, number, string, string]; value: FieldworkTile }
  baeume: { key: [Sub, Identifier]; value: FieldworkTree; indexes: { betrieb: [Sub, number] } }
  erfassungen: { key: [Sub, Identifier]; value: FieldworkCapture; indexes: { betrieb: [Sub, number] } }
  bilder: {
    key: [Sub, Identifier]
    value: FieldworkImage
    indexes: { baum: [Sub, Identifier]; stand: [Sub, ImageState] }
  }
  konflikte: { key: [Sub, Identifier]; value: FieldworkConflict }
  entwuerfe: { key: [Sub, string]; value: FieldworkDraft }
}
export type FieldworkDb = IDBPDatabase<FieldworkSchema>
export type FieldworkStores = StoreNames<FieldworkSchema>
export type FieldworkTx = IDBPTransaction<FieldworkSchema, FieldworkStores[], 'readwrite'>

export const FIELDWORK_DB = 'forstkontor-feld'
type Step = (db: FieldworkDb) => void
/** One step for each version of the schema. They are only added to, and none may touch what lies there: it may exist nowhere else. */
const STEPS: readonly Step[] = [
  (db) => {
    db.createObjectStore('person', { keyPath: 'sub' })
    db.createObjectStore('pakete', { keyPath: ['sub', 'idHQ'] })
    db.createObjectStore('kacheln', { keyPath: ['sub', 'idHQ', 'ebene', 'ort'] })
    db.createObjectStore('baeume', { keyPath: ['sub', 'kennung'] }).createIndex('betrieb', ['sub', 'idHQ'])
    db.createObjectStore('erfassungen', { keyPath: ['sub', 'kennung'] }).createIndex('betrieb', [
      'sub',
      'idHQ',
    ])
    const bilder = db.createObjectStore('bilder', { keyPath: ['sub', 'kennung'] })
    bilder.createIndex('baum', ['sub', 'baum'])
    bilder.createIndex('stand', ['sub', 'stand'])
    db.createObjectStore('konflikte', { keyPath: ['sub', 'kennung'] })
    db.createObjectStore('entwuerfe', { keyPath: ['sub', 'name'] })
  },
]

/** The device's storage could not do what was asked. `message` is a sentence for the person; nothing that was typed is lost by it. */
export class StoreError extends ToldError {
  override readonly name = 'StoreError'
  readonly origin = undefined
  readonly code: 'voll' | 'gesperrt' | 'versperrt' | 'neuer' | 'fehler'
  constructor(code: StoreError['code'], cause?: unknown) {
    super(SENTENCES[code](), { cause })
    this.code = code
  }
}
const SENTENCES: Record<StoreError['code'], () => string> = {
  voll: () =>
    t(
      'Der Speicher dieses Geräts ist voll. Übertragen Sie, was wartet, oder schaffen Sie Platz, und speichern Sie dann noch einmal.',
    ),
  gesperrt: () =>
    t(
      'Dieser Browser lässt hier nichts auf dem Gerät speichern, etwa in einem privaten Fenster. Bitte öffnen Sie den Feldmodus in einem normalen Fenster.',
    ),
  versperrt: () =>
    t(
      'Ein anderes Fenster hält den Speicher noch offen. Bitte schließen Sie die anderen Fenster und laden Sie neu.',
    ),
  neuer: () =>
    t('Auf diesem Gerät liegt schon eine neuere Fassung des Feldmodus. Bitte laden Sie die Seite neu.'),
  fehler: () =>
    t(
      'Der Speicher dieses Geräts antwortet nicht. Laden Sie die Seite neu; was gespeichert ist, bleibt erhalten.',
    ),
}

/** What a browser says of its storage → a sentence. */
export function storeErrorOf(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const name = (error as { name?: unknown } | null)?.name
  if (name === 'QuotaExceededError') return new StoreError('voll', error)
  if (name === 'SecurityError' || name === 'InvalidAccessError') return new StoreError('gesperrt', error)
  if (name === 'VersionError') return new StoreError('neuer', error)
  // Firefox in private windows of old: opening is not allowed at all.
  if (name === 'InvalidStateError' && globalThis.indexedDB === undefined)
    return new StoreError('gesperrt', error)
  return new StoreError('fehler', error)
}

export interface OpenOptions {
  /** Another window opened a newer version: this one gave its connection up, and the page has to be loaded anew. */
  readonly onOutdated?: () => void
  /** For tests. */
  readonly name?: string
  readonly steps?: readonly Step[]
  readonly blockedAfterMs?: number
}

/** A connection to the device's storage. Rejects with StoreError. */
export async function openFieldworkDb({
  onOutdated,
  name = FIELDWORK_DB,
  steps = STEPS,
  blockedAfterMs = 5_000,
}: OpenOptions = {}): Promise<FieldworkDb> {
  if (globalThis.indexedDB === undefined) throw new StoreError('gesperrt')
  let waiting: ReturnType<typeof setTimeout> | undefined
  let refuse: (error: Error) => void = () => undefined
  const refused = new Promise<never>((_resolve, reject) => (refuse = reject))
  try {
    const opening = openDB<FieldworkSchema>(name, steps.length, {
      upgrade(db, from) {
        for (const step of steps.slice(from)) step(db)
      },
      // The others close theirs in `blocking`; one of an old version of the page may not.
      blocked: () => (waiting ??= setTimeout(() => refuse(new StoreError('versperrt')), blockedAfterMs)),
      blocking(_current, _wanted, event) {
        ;(event.target as IDBDatabase | null)?.close()
        onOutdated?.()
      },
      terminated: () => onOutdated?.(),
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
    throw storeErrorOf(error)
  } finally {
    clearTimeout(waiting)
  }
}

/** All rows of a person; `more` narrows the key further. */
export const personRange = (sub: Sub, ...more: (string | number)[]): IDBKeyRange =>
  IDBKeyRange.bound([sub, ...more], [sub, ...more, []])

/** Asks the browser not to clear this storage when space runs out. False: it may; the person should be told to sync soon. */
export async function persistent(): Promise<boolean> {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist())
  } catch {
    return false
  }
}

/** Runs `work` in one transaction: all of it or nothing. Rejects with StoreError, also when the browser refuses only at the end (a full disk). */
export async function write<T>(
  db: FieldworkDb,
  stores: FieldworkStores[],
  work: (tx: FieldworkTx) => Promise<T>,
): Promise<T> {
  let tx: FieldworkTx
  try {
    tx = db.transaction(stores, 'readwrite', { durability: 'strict' })
  } catch (error) {
    throw storeErrorOf(error)
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
    throw error instanceof DOMException || tx.error !== null ? storeErrorOf(tx.error ?? error) : error
  }
}

/** A read that fails says it in the same words. */
export const readFrom = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw storeErrorOf(error)
  })

/** Everything on this device, of everybody. For tests. */
export const deleteFieldworkDb = (name = FIELDWORK_DB): Promise<void> => deleteDB(name)
