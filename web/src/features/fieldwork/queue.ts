// The queue on the device: forms put captures in, the sync takes them out. Each function is one transaction,
// so that a crash leaves either the old or the new state.
import type { Habitatbaum, HabitatCapture, HabitatSyncAnswer, InspectionCapture } from '#contract/habitat.ts'
import type { TreeValues } from '../../record/habitat/tree.ts'
import {
  applyChange,
  begin,
  decide,
  captureNew,
  type Viewed,
  recreate,
  afterAnswer,
  type TreeView,
  treeViewOf,
} from './capture.ts'
import {
  type FieldworkTree,
  type FieldworkImage,
  type FieldworkDb,
  type FieldworkDraft,
  type FieldworkCapture,
  type FieldworkConflict,
  type FieldworkTx,
  type Identifier,
  readFrom,
  write,
  type Sub,
  personRange,
} from './fieldwork-db.ts'

// Notifies every window of this device that shows the queue.
const CHANNEL = 'forstkontor-feld'
const listeners = new Set<() => void>()
let channel: BroadcastChannel | null = null
export function watch(listener: () => void): () => void {
  if (channel === null && typeof BroadcastChannel === 'function') {
    channel = new BroadcastChannel(CHANNEL)
    // In Node, an open channel would keep the process alive.
    ;(channel as { unref?: () => void }).unref?.()
    channel.addEventListener('message', () => listeners.forEach((one) => one()))
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export function geaendert() {
  for (const listener of listeners) listener()
  channel?.postMessage('geaendert')
}
async function changing<T>(work: Promise<T>): Promise<T> {
  const made = await work
  geaendert()
  return made
}

/* Written by forms */

/**
 * saveNew returns the kennung actually used: it differs from the form's if another window already saved the
 * same form.
 */
interface NewTree {
  readonly sub: Sub
  readonly kennung: Identifier
  readonly idHQ: number
  readonly werte: TreeValues
  /** The form's draft, deleted on saving. */
  readonly entwurf: string
  /** The kennung to use if the form's own was already saved. */
  readonly ersatz: Identifier
  readonly present: Date
}
export const saveNew = (
  db: FieldworkDb,
  { sub, kennung, idHQ, werte, entwurf, ersatz, present }: NewTree,
): Promise<Identifier> =>
  changing(
    write(db, ['erfassungen', 'baeume', 'bilder', 'entwuerfe'], async (tx) => {
      const erfassungen = tx.objectStore('erfassungen')
      const spent =
        (await erfassungen.getKey([sub, kennung])) !== undefined ||
        (await tx.objectStore('baeume').getKey([sub, kennung])) !== undefined
      const under = spent ? ersatz : kennung
      await erfassungen.add(captureNew({ sub, kennung: under, idHQ, present: present.toISOString() }, werte))
      await takeOverImages(tx, sub, kennung, under)
      await tx.objectStore('entwuerfe').delete([sub, entwurf])
      return under
    }),
  )

interface TreeChange {
  readonly sub: Sub
  readonly kennung: Identifier
  readonly werte?: Partial<TreeValues>
  readonly kontrollen?: readonly InspectionCapture[]
  readonly viewed?: Viewed
  readonly entwurf?: string
  readonly present: Date
}
export const saveChange = (
  db: FieldworkDb,
  { sub, kennung, werte, kontrollen, viewed, entwurf, present }: TreeChange,
): Promise<void> =>
  changing(
    write(db, ['erfassungen', 'baeume', 'bilder', 'entwuerfe'], async (tx) => {
      const erfassungen = tx.objectStore('erfassungen')
      const [before, baum] = await Promise.all([
        erfassungen.get([sub, kennung]),
        tx.objectStore('baeume').get([sub, kennung]),
      ])
      const idHQ = before?.idHQ ?? baum?.idHQ
      if (idHQ === undefined) throw new Error('a change of a tree that is not on this device')
      const after = applyChange(
        before,
        baum,
        { sub, kennung, idHQ, present: present.toISOString() },
        { ...(werte && { werte }), ...(kontrollen && { kontrollen }), ...(viewed && { viewed }) },
      )
      await (after === null ? erfassungen.delete([sub, kennung]) : erfassungen.put(after))
      if (entwurf !== undefined) {
        await takeOverImages(tx, sub, kennung)
        await tx.objectStore('entwuerfe').delete([sub, entwurf])
      }
    }),
  )

/** Photos of a saved form become pending together with its tree. */
async function takeOverImages(tx: FieldworkTx, sub: Sub, form: Identifier, baum: Identifier = form) {
  const bilder = tx.objectStore('bilder')
  const drafts = (await bilder.index('baum').getAll([sub, form])).filter(({ stand }) => stand === 'entwurf')
  await Promise.all(drafts.map((bild) => bilder.put({ ...bild, baum, stand: 'wartet' })))
}

export const rememberDraft = (db: FieldworkDb, entwurf: FieldworkDraft): Promise<void> =>
  write(db, ['entwuerfe'], async (tx) => {
    await tx.objectStore('entwuerfe').put(entwurf)
  })
export const fetchDraft = (db: FieldworkDb, sub: Sub, name: string): Promise<FieldworkDraft | undefined> =>
  readFrom(() => db.get('entwuerfe', [sub, name]))
/** Also deletes the form's photos; saved photos stay. */
export const discardDraft = (db: FieldworkDb, sub: Sub, name: string, baum: Identifier): Promise<void> =>
  changing(
    write(db, ['entwuerfe', 'bilder'], async (tx) => {
      await tx.objectStore('entwuerfe').delete([sub, name])
      for await (const cursor of tx.objectStore('bilder').index('baum').iterate([sub, baum]))
        if (cursor.value.stand === 'entwurf') await cursor.delete()
    }),
  )

export const rememberImage = (db: FieldworkDb, bild: FieldworkImage): Promise<void> =>
  changing(
    write(db, ['bilder'], async (tx) => {
      await tx.objectStore('bilder').add(bild)
    }),
  )
/** Deletes a photo the person does not want. */
export const discardImage = (db: FieldworkDb, sub: Sub, kennung: Identifier): Promise<void> =>
  changing(
    write(db, ['bilder'], async (tx) => {
      await tx.objectStore('bilder').delete([sub, kennung])
    }),
  )
export const fetchImages = (db: FieldworkDb, sub: Sub, baum: Identifier): Promise<FieldworkImage[]> =>
  readFrom(async () =>
    (await db.getAllFromIndex('bilder', 'baum', [sub, baum])).toSorted((a, b) =>
      a.seit.localeCompare(b.seit),
    ),
  )

/* Read by screens */

export interface TreeSituation {
  readonly treeView: TreeView
  readonly baum: FieldworkTree | undefined
  readonly capture: FieldworkCapture | undefined
  readonly conflict: FieldworkConflict | undefined
}
export const fetchTree = (db: FieldworkDb, sub: Sub, kennung: Identifier): Promise<TreeSituation | null> =>
  readFrom(async () => {
    const tx = db.transaction(['baeume', 'erfassungen', 'konflikte'])
    const [baum, capture, conflict] = await Promise.all([
      tx.objectStore('baeume').get([sub, kennung]),
      tx.objectStore('erfassungen').get([sub, kennung]),
      tx.objectStore('konflikte').get([sub, kennung]),
    ])
    const treeView = treeViewOf(baum, capture)
    return treeView === null ? null : { treeView, baum, capture, conflict }
  })

/** All trees of a holding as the person on this device sees them. */
export const fetchTreeViews = (db: FieldworkDb, sub: Sub, idHQ: number): Promise<TreeView[]> =>
  readFrom(async () => {
    const tx = db.transaction(['baeume', 'erfassungen'])
    const [baeume, erfassungen] = await Promise.all([
      tx.objectStore('baeume').index('betrieb').getAll([sub, idHQ]),
      tx.objectStore('erfassungen').index('betrieb').getAll([sub, idHQ]),
    ])
    const waiting = new Map(erfassungen.map((one) => [one.kennung, one]))
    const known = baeume.map((baum) => {
      const capture = waiting.get(baum.kennung)
      waiting.delete(baum.kennung)
      return treeViewOf(baum, capture)
    })
    return [...known, ...Array.from(waiting.values(), (one) => treeViewOf(undefined, one))].filter(
      (treeView) => treeView !== null,
    )
  })

/** A photo without its bytes, for lists. */
export type ImageRow = Omit<FieldworkImage, 'original'>
export interface Queue {
  readonly erfassungen: readonly FieldworkCapture[]
  readonly bilder: readonly ImageRow[]
  readonly konflikte: readonly FieldworkConflict[]
  /** Server state of the trees that captures and photos belong to. */
  readonly baeume: ReadonlyMap<Identifier, Habitatbaum>
}
export const fetchQueue = (db: FieldworkDb, sub: Sub): Promise<Queue> =>
  readFrom(async () => {
    const tx = db.transaction(['erfassungen', 'bilder', 'konflikte', 'baeume'])
    const own = personRange(sub)
    const bilder: ImageRow[] = []
    const reading = (async () => {
      for await (const { value } of tx.objectStore('bilder').iterate(own)) {
        const { original: _original, ...zeile } = value
        if (zeile.stand !== 'entwurf') bilder.push(zeile)
      }
    })()
    const [erfassungen, konflikte] = await Promise.all([
      tx.objectStore('erfassungen').getAll(own),
      tx.objectStore('konflikte').getAll(own),
      reading,
    ])
    const baeume = new Map<Identifier, Habitatbaum>()
    for (const kennung of new Set([
      ...erfassungen.map((one) => one.kennung),
      ...bilder.map(({ baum }) => baum),
    ])) {
      const baum = await tx.objectStore('baeume').get([sub, kennung])
      if (baum !== undefined) baeume.set(kennung, baum.baum)
    }
    const bySince = <T extends { seit: string }>(list: readonly T[]) =>
      list.toSorted((a, b) => a.seit.localeCompare(b.seit))
    return { erfassungen: bySince(erfassungen), bilder: bySince(bilder), konflikte, baeume }
  })

/** Everything of a person that exists only on this device, including unsaved forms. */
export const fetchEverything = (db: FieldworkDb, sub: Sub) =>
  readFrom(async () => {
    const tx = db.transaction(['erfassungen', 'konflikte', 'entwuerfe', 'bilder'])
    const own = personRange(sub)
    const [erfassungen, konflikte, entwuerfe, bilder] = await Promise.all([
      tx.objectStore('erfassungen').getAll(own),
      tx.objectStore('konflikte').getAll(own),
      tx.objectStore('entwuerfe').getAll(own),
      tx.objectStore('bilder').getAll(own),
    ])
    return { erfassungen, konflikte, entwuerfe, bilder }
  })

/** How much is pending, for the badge of the navigation bar. */
export const countWaiting = (db: FieldworkDb, sub: Sub): Promise<{ baeume: number; bilder: number }> =>
  readFrom(async () => {
    const tx = db.transaction(['erfassungen', 'bilder'])
    const stand = tx.objectStore('bilder').index('stand')
    const [baeume, ...bilder] = await Promise.all([
      tx.objectStore('erfassungen').count(personRange(sub)),
      stand.count([sub, 'wartet']),
      stand.count([sub, 'gesendet']),
      stand.count([sub, 'abgelehnt']),
    ])
    return { baeume, bilder: bilder.reduce((sum, count) => sum + count, 0) }
  })

/* Decided by the person */

/** `gewaehlt`: own values to keep over the server's current tree; empty takes the server's tree unchanged. */
export const resolveConflict = (
  db: FieldworkDb,
  sub: Sub,
  kennung: Identifier,
  gewaehlt: Partial<TreeValues>,
  present: Date,
): Promise<void> =>
  changing(
    write(db, ['erfassungen', 'konflikte'], async (tx) => {
      const [capture, conflict] = await Promise.all([
        tx.objectStore('erfassungen').get([sub, kennung]),
        tx.objectStore('konflikte').get([sub, kennung]),
      ])
      // Already answered in another window.
      if (capture?.stand !== 'konflikt' || conflict === undefined) return
      const after = decide(capture, conflict.server, gewaehlt, present.toISOString())
      await (after === null
        ? tx.objectStore('erfassungen').delete([sub, kennung])
        : tx.objectStore('erfassungen').put(after))
      await tx.objectStore('konflikte').delete([sub, kennung])
    }),
  )

interface Recreation {
  readonly sub: Sub
  readonly kennung: Identifier
  readonly newId: () => Identifier
  readonly present: Date
}
/** Creates a deleted tree again as a new one, with its photos. */
export const recreateDeleted = (
  db: FieldworkDb,
  { sub, kennung, newId, present }: Recreation,
): Promise<Identifier | null> =>
  changing(
    write(db, ['erfassungen', 'bilder', 'baeume'], async (tx) => {
      const erfassungen = tx.objectStore('erfassungen')
      const old = await erfassungen.get([sub, kennung])
      if (old?.stand !== 'geloescht') return null
      const fresh = newId()
      const kontrollen = [...(old.unterwegs?.kontrollen ?? []), ...old.kontrollen].map(newId)
      await erfassungen.add(recreate(old, fresh, kontrollen, present.toISOString()))
      await erfassungen.delete([sub, kennung])
      await tx.objectStore('baeume').delete([sub, kennung])
      for (const bild of await tx.objectStore('bilder').index('baum').getAll([sub, kennung])) {
        await tx.objectStore('bilder').delete([sub, bild.kennung])
        await tx.objectStore('bilder').add({
          ...bild,
          kennung: newId(),
          baum: fresh,
          stand: bild.stand === 'entwurf' ? 'entwurf' : 'wartet',
          upload: null,
          gesendet: 0,
          fehler: null,
          regel: null,
        })
      }
      return fresh
    }),
  )

/**
 * Discards a tree's pending changes and photos. False if they are being sent and it is unknown whether they
 * arrived: a new tree could then exist on the server without the person knowing.
 */
export const discardCapture = (db: FieldworkDb, sub: Sub, kennung: Identifier): Promise<boolean> =>
  changing(
    write(db, ['erfassungen', 'bilder', 'konflikte', 'baeume'], async (tx) => {
      const capture = await tx.objectStore('erfassungen').get([sub, kennung])
      if (capture === undefined) return true
      if (capture.unterwegs !== null) return false
      await tx.objectStore('erfassungen').delete([sub, kennung])
      await tx.objectStore('konflikte').delete([sub, kennung])
      const deleted = capture.stand === 'geloescht'
      if (deleted) await tx.objectStore('baeume').delete([sub, kennung])
      // Photos of a tree that continues to exist are kept.
      if (deleted || capture.version === null)
        for (const key of await tx.objectStore('bilder').index('baum').getAllKeys([sub, kennung]))
          await tx.objectStore('bilder').delete(key)
      return true
    }),
  )

/** Queues a refused item for the next sync, for example because a right was restored. */
export const retry = (db: FieldworkDb, sub: Sub, kennung: Identifier): Promise<void> =>
  changing(
    write(db, ['erfassungen', 'bilder'], async (tx) => {
      const capture = await tx.objectStore('erfassungen').get([sub, kennung])
      if (capture?.stand === 'abgelehnt')
        await tx.objectStore('erfassungen').put({ ...capture, stand: 'wartet' })
      const bild = await tx.objectStore('bilder').get([sub, kennung])
      if (bild?.stand === 'abgelehnt')
        await tx.objectStore('bilder').put({ ...bild, stand: 'wartet', fehler: null, regel: null })
    }),
  )

/* Read by the sync */

/** The next captures to send, longest waiting first; `skipped` ones had enough attempts. */
export const beginCaptures = (
  db: FieldworkDb,
  sub: Sub,
  most: number,
  skipped: ReadonlySet<Identifier>,
): Promise<HabitatCapture[]> =>
  write(db, ['erfassungen'], async (tx) => {
    const store = tx.objectStore('erfassungen')
    const next = (await store.getAll(personRange(sub)))
      .filter(({ stand, kennung }) => stand === 'wartet' && !skipped.has(kennung))
      .toSorted((a, b) => a.seit.localeCompare(b.seit))
      .slice(0, most)
      .map(begin)
    await Promise.all(next.map((one) => store.put(one)))
    return next.map(({ unterwegs }) => unterwegs)
  })

export interface Settled {
  readonly fertig: number
  readonly konflikte: number
  readonly abgelehnt: number
}
/** Applies the answers, in the same sequence as the captures sent. */
export const settleAnswers = (
  db: FieldworkDb,
  sub: Sub,
  answers: readonly HabitatSyncAnswer[],
  present: Date,
): Promise<Settled> =>
  changing(
    write(db, ['erfassungen', 'baeume', 'konflikte'], async (tx) => {
      const erfassungen = tx.objectStore('erfassungen')
      const baeume = tx.objectStore('baeume')
      let [fertig, konflikte, abgelehnt] = [0, 0, 0]
      for (const antwort of answers) {
        const kennung = antwort.kennung!
        const before = await erfassungen.get([sub, kennung])
        // Another window has already applied this answer.
        if (before?.unterwegs == null) continue
        const { capture, baum, conflict } = afterAnswer(before, antwort, present.toISOString())
        await (capture === null ? erfassungen.delete([sub, kennung]) : erfassungen.put(capture))
        await (conflict === null
          ? tx.objectStore('konflikte').delete([sub, kennung])
          : tx.objectStore('konflikte').put(conflict))
        if (baum === null) await baeume.delete([sub, kennung])
        else if (baum !== undefined) {
          const known = await baeume.get([sub, kennung])
          await baeume.put({ sub, kennung, idHQ: baum.idHQ, baum, bilder: known?.bilder ?? 0 })
        }
        if (capture === null) fertig++
        else if (capture.stand === 'konflikt' || capture.stand === 'geloescht') konflikte++
        else if (capture.stand === 'abgelehnt') abgelehnt++
      }
      return { fertig, konflikte, abgelehnt }
    }),
  )

/** Photos whose tree is on the server, longest waiting first. */
export const fetchSendable = (db: FieldworkDb, sub: Sub): Promise<ImageRow[]> =>
  readFrom(async () => {
    const tx = db.transaction(['bilder', 'erfassungen'])
    const erfassungen = await tx.objectStore('erfassungen').getAll(personRange(sub))
    const withoutTree = new Set(
      erfassungen
        .filter(({ version, stand }) => version === null || stand === 'geloescht')
        .map((one) => one.kennung),
    )
    const zeilen: ImageRow[] = []
    for (const stand of ['gesendet', 'wartet'] as const)
      for await (const { value } of tx.objectStore('bilder').index('stand').iterate([sub, stand])) {
        const { original: _original, ...zeile } = value
        if (!withoutTree.has(zeile.baum)) zeilen.push(zeile)
      }
    return zeilen.toSorted((a, b) => a.seit.localeCompare(b.seit))
  })
export const fetchImage = (
  db: FieldworkDb,
  sub: Sub,
  kennung: Identifier,
): Promise<FieldworkImage | undefined> => readFrom(() => db.get('bilder', [sub, kennung]))

/** Stores upload progress. Does nothing if the photo was discarded meanwhile. */
export const rememberImageState = (
  db: FieldworkDb,
  sub: Sub,
  kennung: Identifier,
  change: Partial<Pick<FieldworkImage, 'stand' | 'upload' | 'gesendet' | 'versuche' | 'fehler' | 'regel'>>,
): Promise<void> =>
  write(db, ['bilder'], async (tx) => {
    const bild = await tx.objectStore('bilder').get([sub, kennung])
    if (bild !== undefined) await tx.objectStore('bilder').put({ ...bild, ...change })
  })

/** The server confirmed the photo with the same SHA-256; only now are its bytes deleted from the device. */
export const settleImage = (
  db: FieldworkDb,
  sub: Sub,
  { kennung, sha256 }: { kennung: Identifier; sha256: string },
): Promise<boolean> =>
  changing(
    write(db, ['bilder', 'baeume'], async (tx) => {
      const bild = await tx.objectStore('bilder').get([sub, kennung])
      if (bild === undefined || bild.sha256 !== sha256) return false
      await tx.objectStore('bilder').delete([sub, kennung])
      const baum = await tx.objectStore('baeume').get([sub, bild.baum])
      if (baum !== undefined) await tx.objectStore('baeume').put({ ...baum, bilder: baum.bilder + 1 })
      return true
    }),
  )
