// What the field mode stores on the device: the pack of a holding, pending captures, their photos. Every key
// begins with the person's subject, so that two people sharing a tablet never see each other's work.
// Independent of screens and network; sync.ts sends what is pending.
import {
  type DBSchema,
  deleteDB,
  type IDBPDatabase,
  type IDBPTransaction,
  openDB,
  type StoreNames,
} from 'idb'
import type { Role } from '#domain/roles.ts'
import type { Outline } from '#contract/bestand.ts'
import type { Habitatbaum, HabitatCapture, HabitatSyncResult, InspectionCapture } from '#contract/habitat.ts'
import type { BorderCapture, BorderRow, BorderValues } from '#contract/border.ts'
import type { SurveyCapture, SurveyRow, SurveySyncAnswer } from '#contract/vermessung.ts'
import type { Table } from '#domain/vermessung/fields.ts'
import type { HqRecord } from '#contract/hq.ts'
import type { TreeValues } from '../../record/habitat/tree.ts'
import { StoreError, storeErrorOf } from './store-error.ts'
import type { SurveyValues } from '../../record/kataster/survey-values.ts'

/** `sub` of the person's token. */
export type Sub = string
/** UUID generated on this device, or by the server for a tree it already had. */
export type Identifier = string

/** Who may work here offline. Written while online. */
export interface FieldworkPerson {
  sub: Sub
  user_id: number
  name: string
  email: string
  roles: Role[]
  hqs: HqRecord[]
  /** ISO; when the server last confirmed it. */
  bestaetigt_am: string
}

/**
 * A customer's survey is stored under the customer's number, negative, where trees are under their holding's:
 * one key serves both, and no stored data had to be touched.
 */
export const surveyKey = (client_id: number): number => -client_id
export const isSurvey = ({ idHQ }: { readonly idHQ: number }): boolean => idHQ < 0

/** A holding saved for the field, or a customer's survey. */
export interface FieldworkPacket {
  sub: Sub
  idHQ: number
  client_id: number
  sHQ: string
  /** Names of the five levels of a stand's address. */
  ebenen: string[]
  umrisse: Outline[]
  /** Web Mercator: west, south, east, north. Null if nothing of this holding is drawn. */
  kasten: [number, number, number, number] | null
  /** ISO; when trees and outlines were fetched. */
  geholt_am: string
  /** Only complete packs are offered. */
  fertig: boolean
  baeume: number
  kacheln: number
  bytes: number
  /** Further data of the pack (PacketDetails). */
  weiteres?: Record<string, unknown>
}

/** A tile of a base map. */
export interface FieldworkTile {
  sub: Sub
  idHQ: number
  /** Layer name of one save (`ebene` in packet.ts). */
  ebene: string
  /** z/x/y */
  ort: string
  typ: string
  bytes: ArrayBuffer
}

/** The last known server state of a tree, without pending changes. */
export interface FieldworkTree {
  sub: Sub
  kennung: Identifier
  idHQ: number
  baum: Habitatbaum
  /** Number of photos on the server. */
  bilder: number
  tabelle?: undefined
}
/** As of a tree. `baum`: the object's row. */
export interface FieldworkObject extends Omit<FieldworkTree, 'baum' | 'tabelle'> {
  baum: SurveyRow
  tabelle: Table
}

/** A proposed border as the server has it. */
export interface FieldworkBorder extends Omit<FieldworkTree, 'baum' | 'tabelle'> {
  baum: BorderRow
  tabelle: 'grenzvorschlag'
}

/** wartet: sent with the next sync. The others need the person. */
export type CaptureState = 'wartet' | 'konflikt' | 'geloescht' | 'abgelehnt'
export interface FieldworkAnswer {
  /** ISO */
  am: string
  ergebnis: HabitatSyncResult | SurveySyncAnswer['ergebnis'] | 'unterbrochen'
  /** Stable code of the broken rule, and the field it is about. */
  regel: string | null
  feld: string | null
}

/**
 * Something pending: new, or the changes to what exists. Row: what the server has of it. Values: in the shape
 * of forms. Sent: what is sent.
 */
export interface QueueEntry<Row, Values, Sent> {
  sub: Sub
  kennung: Identifier
  idHQ: number
  /** The server version it is based on; null if captured here as new. */
  version: number | null
  /** The row at that version, to tell who changed what; null for a new one. */
  basis: Row | null
  /** All values of a new one, otherwise only the changed ones. */
  werte: Partial<Values>
  /** Of trees. */
  kontrollen: InspectionCapture[]
  stand: CaptureState
  /**
   * What was sent and not answered yet. It is resent verbatim until answered, because the server recognizes
   * repeats by it; changes made meanwhile are in `werte`. Null if nothing is being sent.
   */
  unterwegs: Sent | null
  versuche: number
  antwort: FieldworkAnswer | null
  /** ISO; pending since. */
  seit: string
  /** Place in the order of captures and photos, whatever the clock said; older versions gave none. */
  folge?: number
  geaendert_am: string
}
/** A tree. */
export interface FieldworkCapture extends QueueEntry<Habitatbaum, TreeValues, HabitatCapture> {
  tabelle?: undefined
}
/** An object of a customer's survey. */
export interface ObjectCapture extends QueueEntry<SurveyRow, SurveyValues, SurveyCapture> {
  tabelle: Table
}
/** A walked border of a stand. */
export interface BorderEntry extends QueueEntry<BorderRow, BorderValues, BorderCapture> {
  tabelle: 'grenzvorschlag'
}
export type AnyCapture = FieldworkCapture | ObjectCapture | BorderEntry
/** What an entry, or what the server has of one, is about. */
export type EntryTable = AnyCapture['tabelle']
export const isSurveyTable = (table: EntryTable): table is Table =>
  table !== undefined && table !== 'grenzvorschlag'

/**
 * entwurf: belongs to an unsaved form. wartet: uploaded once its tree is on the server. gesendet: fully
 * uploaded, not confirmed yet. abgelehnt: needs the person.
 */
export type ImageState = 'entwurf' | 'wartet' | 'gesendet' | 'abgelehnt'
export interface FieldworkImage {
  sub: Sub
  kennung: Identifier
  /** The tree's, or the survey object's. */
  baum: Identifier
  /** Of a survey object; a draft gets it when its form is saved. */
  tabelle?: Table
  idHQ: number
  stand: ImageState
  /** As the camera made it, byte for byte. */
  original: Blob
  sha256: string
  groesse: number
  typ: string
  name: string
  /** A small JPEG; null if the browser could not draw the photo. */
  vorschau: Blob | null
  aufgenommen_am: string
  bemerkung: string | null
  /** Address at which a started upload resumes. */
  upload: string | null
  /** Bytes the server has received. */
  gesendet: number
  versuche: number
  /** Message for the person. */
  fehler: string | null
  regel: string | null
  seit: string
  /** As of a capture. */
  folge?: number
}

/** Longest waiting first. Times alone would follow a clock that is set in between. */
export const inOrder = (
  a: Pick<FieldworkCapture, 'folge' | 'seit'>,
  b: Pick<FieldworkCapture, 'folge' | 'seit'>,
): number => (a.folge ?? 0) - (b.folge ?? 0) || a.seit.localeCompare(b.seit)

/** Somebody else changed it since. `server` is its state there. */
export interface FieldworkConflict<Row = Habitatbaum> {
  sub: Sub
  kennung: Identifier
  server: Row
  am: string
}

/** An unsaved form, kept in case the browser is closed. */
export interface FieldworkDraft {
  sub: Sub
  /** The kind of form and its holding (draftName), or the kennung of what is being changed. */
  name: string
  /** The kennung under which it will be saved. */
  kennung: Identifier
  idHQ: number
  werte: Record<string, unknown>
  am: string
}

/**
 * Of the device, for everyone who works here. marke: storage-mark.ts. folge: the number of the last capture.
 */
export interface FieldworkFact {
  name: 'marke' | 'folge'
  wert: string | number
}

export interface FieldworkSchema extends DBSchema {
  device: { key: string; value: FieldworkFact }
  person: { key: Sub; value: FieldworkPerson }
  pakete: { key: [Sub, number]; value: FieldworkPacket }
  kacheln: { key: [Sub, number, string, string]; value: FieldworkTile }
  baeume: {
    key: [Sub, Identifier]
    value: FieldworkTree | FieldworkObject | FieldworkBorder
    indexes: { betrieb: [Sub, number] }
  }
  erfassungen: { key: [Sub, Identifier]; value: AnyCapture; indexes: { betrieb: [Sub, number] } }
  bilder: {
    key: [Sub, Identifier]
    value: FieldworkImage
    indexes: { baum: [Sub, Identifier]; stand: [Sub, ImageState] }
  }
  konflikte: { key: [Sub, Identifier]; value: FieldworkConflict<Habitatbaum | SurveyRow | BorderRow> }
  entwuerfe: { key: [Sub, string]; value: FieldworkDraft }
}
export type FieldworkDb = IDBPDatabase<FieldworkSchema>
export type FieldworkStores = StoreNames<FieldworkSchema>
export type FieldworkTx = IDBPTransaction<FieldworkSchema, FieldworkStores[], 'readwrite'>

export const FIELDWORK_DB = 'forstkontor-feld'
type Step = (db: FieldworkDb) => void
/**
 * One step per schema version. Steps are only ever added, and none may touch stored data: it may exist
 * nowhere else.
 */
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
    const pictures = db.createObjectStore('bilder', { keyPath: ['sub', 'kennung'] })
    pictures.createIndex('baum', ['sub', 'baum'])
    pictures.createIndex('stand', ['sub', 'stand'])
    db.createObjectStore('konflikte', { keyPath: ['sub', 'kennung'] })
    db.createObjectStore('entwuerfe', { keyPath: ['sub', 'name'] })
  },
  (db) => {
    db.createObjectStore('device', { keyPath: 'name' })
  },
]

export interface OpenOptions {
  /** Another window opened a newer version: this connection is closed, and the page has to be reloaded. */
  readonly onOutdated?: () => void
  /** For tests. */
  readonly name?: string
  readonly steps?: readonly Step[]
  readonly blockedAfterMs?: number
}

/** Opens the device's storage. Rejects with StoreError. */
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
      // Other windows close their connections in `blocking`, but one running an old version of the page may
      // not.
      blocked: () => (waiting ??= setTimeout(() => refuse(new StoreError('versperrt')), blockedAfterMs)),
      blocking(_current, _wanted, event) {
        ;(event.target as IDBDatabase | null)?.close()
        onOutdated?.()
      },
      terminated: () => onOutdated?.(),
    })
    opening.then(
      (db) => {
        // Opened too late: the caller was already rejected.
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

/**
 * Asks the browser not to evict this storage when space runs out. False: it may, so the person should be
 * advised to sync soon.
 */
export async function persistent(): Promise<boolean> {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist())
  } catch {
    return false
  }
}

/**
 * Runs `work` in one transaction, all or nothing. Rejects with StoreError, also if the browser only fails at
 * commit (a full disk).
 */
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
  // Awaited below; without this handler an abort would count as an unhandled rejection.
  tx.done.catch(() => undefined)
  try {
    const made = await work(tx)
    await tx.done
    return made
  } catch (error) {
    try {
      tx.abort()
    } catch {
      // Already ended.
    }
    throw error instanceof DOMException || tx.error !== null ? storeErrorOf(tx.error ?? error) : error
  }
}

/** Maps a failed read to StoreError. */
export const readFrom = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw storeErrorOf(error)
  })

/** Deletes everything of everybody on this device. For tests. */
export const deleteFieldworkDb = (name = FIELDWORK_DB): Promise<void> => deleteDB(name)

/** The next number in the order of captures and photos; the transaction includes the device's store. */
export async function nextNumber(tx: FieldworkTx): Promise<number> {
  const store = tx.objectStore('device')
  const sequence = Number((await store.get('folge'))?.wert ?? 0) + 1
  await store.put({ name: 'folge', wert: sequence })
  return sequence
}
