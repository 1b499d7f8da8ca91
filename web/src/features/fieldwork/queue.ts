// The queue on the device: forms put captures in, the sync takes them out (queue-sync.ts). Each function is one
// transaction, so that a crash leaves either the old or the new state.
import type { InspectionCapture } from '#contract/habitat.ts'
import type { TreeValues } from '../../record/habitat/tree.ts'
import type { Table } from '#domain/vermessung/fields.ts'
import type { BorderValues } from '#contract/border.ts'
import { borderNew } from './border-capture.ts'
import { captureNew, type Viewed } from './capture.ts'
import { emptyEntry, type ViewedAs, type Who } from './capture-rules.ts'
import {
  type AnyCapture,
  type EntryTable,
  type FieldworkImage,
  type FieldworkDb,
  type FieldworkDraft,
  type FieldworkTx,
  type Identifier,
  isSurveyTable,
  nextNumber,
  personRange,
  write,
  type Sub,
} from './fieldwork-db.ts'
import { fetchDraft } from './queue-read.ts'
import { changing } from './queue-watch.ts'
import { rulesOf, surveyNew } from './survey-capture.ts'
import type { SurveyValues } from '../../record/kataster/survey-values.ts'

/* Written by forms */

/**
 * saveNew returns the kennung actually used: it differs from the form's if another window already saved the
 * same form.
 */
interface NewEntry {
  readonly sub: Sub
  readonly kennung: Identifier
  readonly idHQ: number
  /** The form's draft, deleted on saving. */
  readonly entwurf: string
  /** The kennung to use if the form's own was already saved. */
  readonly ersatz: Identifier
  readonly present: Date
}
export const saveNew = (
  db: FieldworkDb,
  { werte, ...entry }: NewEntry & { readonly werte: TreeValues },
): Promise<Identifier> => addEntry(db, entry, (who) => captureNew(who, werte))
export const saveNewObject = (
  db: FieldworkDb,
  { tabelle, werte, ...entry }: NewEntry & { readonly tabelle: Table; readonly werte: Partial<SurveyValues> },
): Promise<Identifier> => addEntry(db, entry, (who) => surveyNew(who, tabelle, werte))
export const saveNewBorder = (
  db: FieldworkDb,
  { werte, ...entry }: NewEntry & { readonly werte: BorderValues },
): Promise<Identifier> => addEntry(db, entry, (who) => borderNew(who, werte))

const addEntry = (
  db: FieldworkDb,
  { sub, kennung, idHQ, entwurf, ersatz, present }: NewEntry,
  make: (who: Who) => AnyCapture,
): Promise<Identifier> =>
  changing(
    write(db, ['erfassungen', 'baeume', 'bilder', 'entwuerfe', 'device'], async (tx) => {
      const captures = tx.objectStore('erfassungen')
      const spent =
        (await captures.getKey([sub, kennung])) !== undefined ||
        (await tx.objectStore('baeume').getKey([sub, kennung])) !== undefined
      const under = spent ? ersatz : kennung
      const capture = make({ sub, kennung: under, idHQ, present: present.toISOString() })
      await captures.add({ ...capture, folge: await nextNumber(tx) })
      await takeOverImages(tx, sub, { form: kennung, of: { ...capture, kennung: under } })
      await tx.objectStore('entwuerfe').delete([sub, entwurf])
      return under
    }),
  )

/** Of a tree or of a survey object. */
interface EntryChange {
  readonly sub: Sub
  readonly kennung: Identifier
  readonly werte?: Partial<TreeValues> | Partial<SurveyValues>
  readonly kontrollen?: readonly InspectionCapture[]
  readonly viewed?: Viewed | ViewedAs<SurveyValues>
  readonly entwurf?: string
  readonly present: Date
}
export const saveChange = (
  db: FieldworkDb,
  { sub, kennung, werte, kontrollen, viewed, entwurf, present }: EntryChange,
): Promise<void> =>
  changing(
    write(db, ['erfassungen', 'baeume', 'bilder', 'entwuerfe', 'device'], async (tx) => {
      const captures = tx.objectStore('erfassungen')
      const [before, tree] = await Promise.all([
        captures.get([sub, kennung]),
        tx.objectStore('baeume').get([sub, kennung]),
      ])
      const there = before ?? tree
      if (there === undefined) throw new Error('a change of something that is not on this device')
      const who = { sub, kennung, idHQ: there.idHQ, present: present.toISOString() }
      const fresh = { ...emptyEntry(who), ...(there.tabelle && { tabelle: there.tabelle }) } as AnyCapture
      const after = rulesOf(there).applyChange(before, tree?.baum, fresh, {
        ...(werte && { werte }),
        ...(kontrollen && { kontrollen }),
        ...(viewed && { viewed }),
      })
      await (after === null
        ? captures.delete([sub, kennung])
        : captures.put(before === undefined ? { ...after, folge: await nextNumber(tx) } : after))
      if (entwurf !== undefined) {
        await takeOverImages(tx, sub, { form: kennung, of: there })
        await tx.objectStore('entwuerfe').delete([sub, entwurf])
      }
    }),
  )

interface TakeOver {
  readonly form: Identifier
  /** What was saved. */
  readonly of: { readonly kennung: Identifier; readonly tabelle?: EntryTable }
}
/** Photos of a saved form become pending together with its tree or object; forms of borders have none. */
async function takeOverImages(tx: FieldworkTx, sub: Sub, { form, of: { kennung, tabelle } }: TakeOver) {
  const pictures = tx.objectStore('bilder')
  const drafts = (await pictures.index('baum').getAll([sub, form])).filter(({ stand }) => stand === 'entwurf')
  const saved = { baum: kennung, stand: 'wartet' as const, ...(isSurveyTable(tabelle) && { tabelle }) }
  await Promise.all(drafts.map((picture) => pictures.put({ ...picture, ...saved })))
}

/** Forms of something new; each holding and each customer's survey has its own. */
export type NewForm = 'neu' | 'neu-vermessung' | 'grenze'
export const draftName = (form: NewForm, idHQ: number): string => `${form} ${idHQ}`

/** The begun form of a holding. Earlier versions had one for all holdings, under the form's name alone. */
export async function fetchNewDraft(
  db: FieldworkDb,
  sub: Sub,
  form: NewForm,
  idHQ: number,
): Promise<FieldworkDraft | undefined> {
  const own = await fetchDraft(db, sub, draftName(form, idHQ))
  if (own !== undefined || (await fetchDraft(db, sub, form))?.idHQ !== idHQ) return own
  return write(db, ['entwuerfe'], async (tx) => {
    const drafts = tx.objectStore('entwuerfe')
    const old = await drafts.get([sub, form])
    if (old?.idHQ !== idHQ) return undefined
    const renamed = { ...old, name: draftName(form, idHQ) }
    await drafts.put(renamed)
    await drafts.delete([sub, form])
    return renamed
  })
}

export const rememberDraft = (db: FieldworkDb, draft: FieldworkDraft): Promise<void> =>
  write(db, ['entwuerfe'], async (tx) => {
    await tx.objectStore('entwuerfe').put(draft)
  })
/** Also deletes the form's photos; saved photos stay. */
export const discardDraft = (db: FieldworkDb, sub: Sub, name: string, tree: Identifier): Promise<void> =>
  changing(
    write(db, ['entwuerfe', 'bilder'], async (tx) => {
      await tx.objectStore('entwuerfe').delete([sub, name])
      for await (const cursor of tx.objectStore('bilder').index('baum').iterate([sub, tree]))
        if (cursor.value.stand === 'entwurf') await cursor.delete()
    }),
  )

export const rememberImage = (db: FieldworkDb, picture: FieldworkImage): Promise<void> =>
  changing(
    write(db, ['bilder', 'device', 'erfassungen', 'baeume', 'entwuerfe'], async (tx) => {
      const sequence = await nextNumber(tx)
      await tx
        .objectStore('bilder')
        .add({ ...picture, ...(await savedMeanwhile(tx, picture)), folge: sequence })
    }),
  )

/** What becomes of a form's photo if the form was saved before the photo was stored; otherwise nothing. */
async function savedMeanwhile(
  tx: FieldworkTx,
  { sub, baum, stand }: Pick<FieldworkImage, 'sub' | 'baum' | 'stand'>,
): Promise<Pick<FieldworkImage, 'stand' | 'tabelle'> | undefined> {
  if (stand !== 'entwurf') return undefined
  const saved =
    (await tx.objectStore('erfassungen').get([sub, baum])) ??
    (await tx.objectStore('baeume').get([sub, baum]))
  if (saved === undefined) return undefined
  // Open in another window too: there it is saved under its own kennung, with its photos.
  const drafts = await tx.objectStore('entwuerfe').getAll(personRange(sub))
  if (drafts.some(({ kennung }) => kennung === baum)) return undefined
  return { stand: 'wartet', ...(isSurveyTable(saved.tabelle) && { tabelle: saved.tabelle }) }
}

/** Earlier versions stored photos that were still being read on saving as of a form that is no more. */
export const freeDraftImages = (db: FieldworkDb, sub: Sub): Promise<void> =>
  changing(
    write(db, ['bilder', 'erfassungen', 'baeume', 'entwuerfe'], async (tx) => {
      for await (const cursor of tx.objectStore('bilder').index('stand').iterate([sub, 'entwurf'])) {
        const saved = await savedMeanwhile(tx, cursor.value)
        if (saved !== undefined) await cursor.update({ ...cursor.value, ...saved })
      }
    }),
  )
/** Deletes a photo the person does not want. */
export const discardImage = (db: FieldworkDb, sub: Sub, identifier: Identifier): Promise<void> =>
  changing(
    write(db, ['bilder'], async (tx) => {
      await tx.objectStore('bilder').delete([sub, identifier])
    }),
  )

/* Decided by the person */

/** `chosen`: own values to keep over the server's current ones; empty takes the server's row unchanged. */
export const resolveConflict = (
  db: FieldworkDb,
  sub: Sub,
  identifier: Identifier,
  chosen: Partial<TreeValues> | Partial<SurveyValues>,
  present: Date,
): Promise<void> =>
  changing(
    write(db, ['erfassungen', 'konflikte'], async (tx) => {
      const [capture, conflict] = await Promise.all([
        tx.objectStore('erfassungen').get([sub, identifier]),
        tx.objectStore('konflikte').get([sub, identifier]),
      ])
      // Already answered in another window.
      if (capture?.stand !== 'konflikt' || conflict === undefined) return
      const after = rulesOf(capture).decide(capture, conflict.server, chosen, present.toISOString())
      await (after === null
        ? tx.objectStore('erfassungen').delete([sub, identifier])
        : tx.objectStore('erfassungen').put(after))
      await tx.objectStore('konflikte').delete([sub, identifier])
    }),
  )

interface Recreation {
  readonly sub: Sub
  readonly kennung: Identifier
  readonly newId: () => Identifier
  readonly present: Date
}
/** Creates what was deleted again as a new one, with its photos. */
export const recreateDeleted = (
  db: FieldworkDb,
  { sub, kennung, newId, present }: Recreation,
): Promise<Identifier | null> =>
  changing(
    write(db, ['erfassungen', 'bilder', 'baeume'], async (tx) => {
      const captures = tx.objectStore('erfassungen')
      const old = await captures.get([sub, kennung])
      if (old?.stand !== 'geloescht') return null
      const fresh = newId()
      const inspections = rulesOf(old).ownInspections(old).map(newId)
      await captures.add(rulesOf(old).recreate(old, fresh, inspections, present.toISOString()))
      await captures.delete([sub, kennung])
      await tx.objectStore('baeume').delete([sub, kennung])
      for (const picture of await tx.objectStore('bilder').index('baum').getAll([sub, kennung])) {
        await tx.objectStore('bilder').delete([sub, picture.kennung])
        await tx.objectStore('bilder').add({
          ...picture,
          kennung: newId(),
          baum: fresh,
          stand: picture.stand === 'entwurf' ? 'entwurf' : 'wartet',
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
export const discardCapture = (db: FieldworkDb, sub: Sub, identifier: Identifier): Promise<boolean> =>
  changing(
    write(db, ['erfassungen', 'bilder', 'konflikte', 'baeume'], async (tx) => {
      const capture = await tx.objectStore('erfassungen').get([sub, identifier])
      if (capture === undefined) return true
      if (capture.unterwegs !== null) return false
      await tx.objectStore('erfassungen').delete([sub, identifier])
      await tx.objectStore('konflikte').delete([sub, identifier])
      const deleted = capture.stand === 'geloescht'
      if (deleted) await tx.objectStore('baeume').delete([sub, identifier])
      // Photos of a tree that continues to exist are kept.
      if (deleted || capture.version === null)
        for (const key of await tx.objectStore('bilder').index('baum').getAllKeys([sub, identifier]))
          await tx.objectStore('bilder').delete(key)
      return true
    }),
  )

/** Queues a refused item for the next sync, for example because a right was restored. */
export const retry = (db: FieldworkDb, sub: Sub, identifier: Identifier): Promise<void> =>
  changing(
    write(db, ['erfassungen', 'bilder'], async (tx) => {
      const capture = await tx.objectStore('erfassungen').get([sub, identifier])
      if (capture?.stand === 'abgelehnt')
        await tx.objectStore('erfassungen').put({ ...capture, stand: 'wartet' })
      const picture = await tx.objectStore('bilder').get([sub, identifier])
      if (picture?.stand === 'abgelehnt')
        await tx.objectStore('bilder').put({ ...picture, stand: 'wartet', fehler: null, regel: null })
    }),
  )
