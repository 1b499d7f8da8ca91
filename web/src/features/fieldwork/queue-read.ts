// What screens read of the queue and the trees on this device.
import type { Habitatbaum } from '#contract/habitat.ts'
import { type TreeView, treeViewOf } from './capture.ts'
import {
  type FieldworkTree,
  type FieldworkImage,
  type FieldworkDb,
  type FieldworkDraft,
  type FieldworkCapture,
  type FieldworkConflict,
  type Identifier,
  inOrder,
  readFrom,
  type Sub,
  personRange,
} from './fieldwork-db.ts'

export const fetchDraft = (db: FieldworkDb, sub: Sub, name: string): Promise<FieldworkDraft | undefined> =>
  readFrom(() => db.get('entwuerfe', [sub, name]))
export const fetchImages = (db: FieldworkDb, sub: Sub, tree: Identifier): Promise<FieldworkImage[]> =>
  readFrom(async () => (await db.getAllFromIndex('bilder', 'baum', [sub, tree])).toSorted(inOrder))

export interface TreeSituation {
  readonly treeView: TreeView
  readonly baum: FieldworkTree | undefined
  readonly capture: FieldworkCapture | undefined
  readonly conflict: FieldworkConflict | undefined
}
export const fetchTree = (db: FieldworkDb, sub: Sub, identifier: Identifier): Promise<TreeSituation | null> =>
  readFrom(async () => {
    const tx = db.transaction(['baeume', 'erfassungen', 'konflikte'])
    const [tree, capture, conflict] = await Promise.all([
      tx.objectStore('baeume').get([sub, identifier]),
      tx.objectStore('erfassungen').get([sub, identifier]),
      tx.objectStore('konflikte').get([sub, identifier]),
    ])
    const treeView = treeViewOf(tree, capture)
    return treeView === null ? null : { treeView, baum: tree, capture, conflict }
  })

/** All trees of a holding as the person on this device sees them. */
export const fetchTreeViews = (db: FieldworkDb, sub: Sub, idHQ: number): Promise<TreeView[]> =>
  readFrom(async () => {
    const tx = db.transaction(['baeume', 'erfassungen'])
    const [trees, captures] = await Promise.all([
      tx.objectStore('baeume').index('betrieb').getAll([sub, idHQ]),
      tx.objectStore('erfassungen').index('betrieb').getAll([sub, idHQ]),
    ])
    const waiting = new Map(captures.map((one) => [one.kennung, one]))
    const known = trees.map((tree) => {
      const capture = waiting.get(tree.kennung)
      waiting.delete(tree.kennung)
      return treeViewOf(tree, capture)
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
    const pictures: ImageRow[] = []
    const reading = (async () => {
      for await (const { value } of tx.objectStore('bilder').iterate(own)) {
        const { original: _original, ...zeile } = value
        if (zeile.stand !== 'entwurf') pictures.push(zeile)
      }
    })()
    const [captures, conflicts] = await Promise.all([
      tx.objectStore('erfassungen').getAll(own),
      tx.objectStore('konflikte').getAll(own),
      reading,
    ])
    const trees = new Map<Identifier, Habitatbaum>()
    for (const identifier of new Set([
      ...captures.map((one) => one.kennung),
      ...pictures.map(({ baum }) => baum),
    ])) {
      const tree = await tx.objectStore('baeume').get([sub, identifier])
      if (tree !== undefined) trees.set(identifier, tree.baum)
    }
    return {
      erfassungen: captures.toSorted(inOrder),
      bilder: pictures.toSorted(inOrder),
      konflikte: conflicts,
      baeume: trees,
    }
  })

/** Everything of a person that exists only on this device, including unsaved forms. */
export const fetchEverything = (db: FieldworkDb, sub: Sub) =>
  readFrom(async () => {
    const tx = db.transaction(['erfassungen', 'konflikte', 'entwuerfe', 'bilder'])
    const own = personRange(sub)
    const [captures, conflicts, drafts, pictures] = await Promise.all([
      tx.objectStore('erfassungen').getAll(own),
      tx.objectStore('konflikte').getAll(own),
      tx.objectStore('entwuerfe').getAll(own),
      tx.objectStore('bilder').getAll(own),
    ])
    return { erfassungen: captures, konflikte: conflicts, entwuerfe: drafts, bilder: pictures }
  })

/** How much is pending, for the badge of the navigation bar. */
export const countWaiting = (db: FieldworkDb, sub: Sub): Promise<{ baeume: number; bilder: number }> =>
  readFrom(async () => {
    const tx = db.transaction(['erfassungen', 'bilder'])
    const stand = tx.objectStore('bilder').index('stand')
    const [trees, ...pictures] = await Promise.all([
      tx.objectStore('erfassungen').count(personRange(sub)),
      stand.count([sub, 'wartet']),
      stand.count([sub, 'gesendet']),
      stand.count([sub, 'abgelehnt']),
    ])
    return { baeume: trees, bilder: pictures.reduce((sum, count) => sum + count, 0) }
  })
