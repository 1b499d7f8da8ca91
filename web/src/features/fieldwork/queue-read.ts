// What screens read of the queue and the trees on this device.
import type { Habitatbaum } from '#contract/habitat.ts'
import type { BorderRow } from '#contract/border.ts'
import type { SurveyRow } from '#contract/vermessung.ts'
import { type TreeView, treeViewOf } from './capture.ts'
import {
  type AnyCapture,
  type BorderEntry,
  type EntryTable,
  type FieldworkObject,
  type FieldworkTree,
  type FieldworkImage,
  type FieldworkDb,
  type FieldworkDraft,
  type FieldworkCapture,
  type FieldworkConflict,
  type Identifier,
  inOrder,
  isSurveyTable,
  readFrom,
  type Sub,
  type ObjectCapture,
  personRange,
} from './fieldwork-db.ts'
import { objectViewOf, type ObjectView } from './survey-capture.ts'

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
    if (tree?.tabelle !== undefined || capture?.tabelle !== undefined) return null
    const treeView = treeViewOf(tree, capture)
    return treeView === null
      ? null
      : { treeView, baum: tree, capture, conflict: conflict as FieldworkConflict | undefined }
  })

export interface ObjectSituation {
  readonly view: ObjectView
  readonly object: FieldworkObject | undefined
  readonly capture: ObjectCapture | undefined
  readonly conflict: FieldworkConflict<SurveyRow> | undefined
}
/** A survey object; null if this device has none of that kennung. */
export const fetchObject = (
  db: FieldworkDb,
  sub: Sub,
  identifier: Identifier,
): Promise<ObjectSituation | null> =>
  readFrom(async () => {
    const tx = db.transaction(['baeume', 'erfassungen', 'konflikte'])
    const [known, waiting, conflict] = await Promise.all([
      tx.objectStore('baeume').get([sub, identifier]),
      tx.objectStore('erfassungen').get([sub, identifier]),
      tx.objectStore('konflikte').get([sub, identifier]),
    ])
    const object = isObject(known) ? known : undefined
    const capture = isObject(waiting) ? waiting : undefined
    const view = objectViewOf(object, capture)
    return view === null
      ? null
      : { view, object, capture, conflict: conflict as FieldworkConflict<SurveyRow> | undefined }
  })

/** All objects of a customer's survey as the person on this device sees them. */
export const fetchObjectViews = (db: FieldworkDb, sub: Sub, idHQ: number): Promise<ObjectView[]> =>
  readFrom(async () => {
    const tx = db.transaction(['baeume', 'erfassungen'])
    const [known, waiting] = await Promise.all([
      tx.objectStore('baeume').index('betrieb').getAll([sub, idHQ]),
      tx.objectStore('erfassungen').index('betrieb').getAll([sub, idHQ]),
    ])
    const both = new Map<Identifier, [FieldworkObject | undefined, ObjectCapture | undefined]>()
    for (const one of known) if (isObject(one)) both.set(one.kennung, [one, undefined])
    for (const one of waiting) if (isObject(one)) both.set(one.kennung, [both.get(one.kennung)?.[0], one])
    return Array.from(both.values(), ([object, capture]) => objectViewOf(object, capture)!)
  })

/** All trees of a holding as the person on this device sees them. */
export const fetchTreeViews = (db: FieldworkDb, sub: Sub, idHQ: number): Promise<TreeView[]> =>
  readFrom(async () => {
    const tx = db.transaction(['baeume', 'erfassungen'])
    const [trees, captures] = await Promise.all([
      tx.objectStore('baeume').index('betrieb').getAll([sub, idHQ]),
      tx.objectStore('erfassungen').index('betrieb').getAll([sub, idHQ]),
    ])
    const waiting = new Map(captures.filter(isTree).map((one) => [one.kennung, one]))
    const known = trees.filter(isTree).map((tree) => {
      const capture = waiting.get(tree.kennung)
      waiting.delete(tree.kennung)
      return treeViewOf(tree, capture)
    })
    return [...known, ...Array.from(waiting.values(), (one) => treeViewOf(undefined, one))].filter(
      (treeView) => treeView !== null,
    )
  })

const isTree = <T extends { tabelle?: unknown }>(one: T): one is Extract<T, { tabelle?: undefined }> =>
  one.tabelle === undefined
const isObject = <T extends { tabelle?: EntryTable }>(
  one: T | undefined,
): one is Exclude<T, { tabelle?: undefined } | { tabelle: 'grenzvorschlag' }> =>
  one !== undefined && isSurveyTable(one.tabelle)

/** Null if it waits here no more. */
export const fetchBorder = (db: FieldworkDb, sub: Sub, identifier: Identifier): Promise<BorderEntry | null> =>
  readFrom(async () => {
    const found = await db.get('erfassungen', [sub, identifier])
    return found?.tabelle === 'grenzvorschlag' ? found : null
  })

/** A photo without its bytes, for lists. */
export type ImageRow = Omit<FieldworkImage, 'original'>
export interface Queue {
  readonly erfassungen: readonly AnyCapture[]
  readonly bilder: readonly ImageRow[]
  readonly konflikte: readonly FieldworkConflict<Habitatbaum | SurveyRow | BorderRow>[]
  /** Server state of the trees and objects that captures and photos belong to. */
  readonly baeume: ReadonlyMap<Identifier, FieldworkTree | FieldworkObject>
}
export const fetchQueue = (db: FieldworkDb, sub: Sub): Promise<Queue> =>
  readFrom(async () => {
    const tx = db.transaction(['erfassungen', 'bilder', 'konflikte', 'baeume'])
    const own = personRange(sub)
    const pictures: ImageRow[] = []
    const reading = (async () => {
      for await (const { value } of tx.objectStore('bilder').iterate(own)) {
        const { original: _original, ...row } = value
        if (row.stand !== 'entwurf') pictures.push(row)
      }
    })()
    const [captures, conflicts] = await Promise.all([
      tx.objectStore('erfassungen').getAll(own),
      tx.objectStore('konflikte').getAll(own),
      reading,
    ])
    const trees = new Map<Identifier, FieldworkTree | FieldworkObject>()
    for (const identifier of new Set([
      ...captures.map((one) => one.kennung),
      ...pictures.map(({ baum }) => baum),
    ])) {
      const tree = await tx.objectStore('baeume').get([sub, identifier])
      if (tree !== undefined && tree.tabelle !== 'grenzvorschlag') trees.set(identifier, tree)
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
