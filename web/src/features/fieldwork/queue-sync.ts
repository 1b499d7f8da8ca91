// What the sync reads of the queue, and how it settles what the server answered. Each function is one
// transaction.
import type { Habitatbaum, HabitatCapture } from '#contract/habitat.ts'
import type { BorderCapture, BorderRow } from '#contract/border.ts'
import type { SurveyCapture, SurveyRow } from '#contract/vermessung.ts'
import type { AnswerOf } from './capture-rules.ts'
import {
  type AnyCapture,
  type FieldworkBorder,
  type FieldworkDb,
  type FieldworkObject,
  type FieldworkTree,
  type FieldworkConflict,
  type FieldworkImage,
  type Identifier,
  inOrder,
  isSurveyTable,
  personRange,
  readFrom,
  type Sub,
  write,
} from './fieldwork-db.ts'
import type { ImageRow } from './queue-read.ts'
import { changing } from './queue-watch.ts'
import { rulesOf } from './survey-capture.ts'

/** What is sent at once is of one kind, because each kind has its own procedure. */
export type Sendable = HabitatCapture | SurveyCapture | BorderCapture
export type AnyAnswer = AnswerOf<Habitatbaum | SurveyRow | BorderRow>

/**
 * The next captures of one kind to send, longest waiting first; `skipped` ones had enough attempts. Borders come
 * after everything else, small ones first: over a weak line a long track must not hold up a hundred trees.
 */
export const beginCaptures = (
  db: FieldworkDb,
  sub: Sub,
  most: number,
  skipped: ReadonlySet<Identifier>,
): Promise<Sendable[]> =>
  write(db, ['erfassungen'], async (tx) => {
    const store = tx.objectStore('erfassungen')
    const waiting = (await store.getAll(personRange(sub)))
      .filter(({ stand, kennung }) => stand === 'wartet' && !skipped.has(kennung))
      .toSorted((a, b) => weightOf(a) - weightOf(b) || inOrder(a, b))
    const next = waiting
      .filter((one) => kindOf(one) === kindOf(waiting[0]!))
      .slice(0, waiting[0]?.tabelle === 'grenzvorschlag' ? MOST_BORDERS : most)
      .map((one) => rulesOf(one).begin(one))
    await Promise.all(next.map((one) => store.put(one)))
    return next.map(({ unterwegs }) => unterwegs as Sendable)
  })
const kindOf = ({ tabelle }: AnyCapture): string => (isSurveyTable(tabelle) ? 'objekt' : (tabelle ?? 'baum'))
const weightOf = ({ tabelle, werte, unterwegs }: AnyCapture): number =>
  tabelle === 'grenzvorschlag' ? JSON.stringify(unterwegs ?? werte).length : 0
/** Each has a track of up to 700 kB. */
const MOST_BORDERS = 1

export interface Settled {
  readonly fertig: number
  readonly konflikte: number
  readonly abgelehnt: number
}
/** Applies the answers, in the same sequence as the captures sent. */
export const settleAnswers = (
  db: FieldworkDb,
  sub: Sub,
  answers: readonly AnyAnswer[],
  present: Date,
): Promise<Settled> =>
  changing(
    write(db, ['erfassungen', 'baeume', 'konflikte', 'bilder'], async (tx) => {
      const captures = tx.objectStore('erfassungen')
      const trees = tx.objectStore('baeume')
      let [done, conflicts, declined] = [0, 0, 0]
      for (const answer of answers) {
        const identifier = answer.kennung!
        const before = await captures.get([sub, identifier])
        // Another window has already applied this answer.
        if (before?.unterwegs == null) continue
        const { capture, baum, conflict } = rulesOf(before).afterAnswer(before, answer, present.toISOString())
        await (capture === null ? captures.delete([sub, identifier]) : captures.put(capture))
        await (conflict === null
          ? tx.objectStore('konflikte').delete([sub, identifier])
          : tx
              .objectStore('konflikte')
              .put(conflict as FieldworkConflict<Habitatbaum | SurveyRow | BorderRow>))
        if (baum === null) await trees.delete([sub, identifier])
        else if (baum !== undefined) {
          const known = await trees.get([sub, identifier])
          const { idHQ, tabelle } = before
          await trees.put({
            sub,
            kennung: identifier,
            idHQ,
            baum,
            bilder: known?.bilder ?? 0,
            ...(tabelle && { tabelle }),
          } as FieldworkTree | FieldworkObject | FieldworkBorder)
        }
        // Deleted as the person asked, who read that its photos go with it.
        if (answer.ergebnis === 'entfernt')
          for (const key of await tx.objectStore('bilder').index('baum').getAllKeys([sub, identifier]))
            await tx.objectStore('bilder').delete(key)
        if (capture === null) done++
        else if (capture.stand === 'konflikt' || capture.stand === 'geloescht') conflicts++
        else if (capture.stand === 'abgelehnt') declined++
      }
      return { fertig: done, konflikte: conflicts, abgelehnt: declined }
    }),
  )

/** Photos whose tree is on the server, longest waiting first. */
export const fetchSendable = (db: FieldworkDb, sub: Sub): Promise<ImageRow[]> =>
  readFrom(async () => {
    const tx = db.transaction(['bilder', 'erfassungen'])
    const captures = await tx.objectStore('erfassungen').getAll(personRange(sub))
    const withoutTree = new Set(
      captures
        .filter(({ version, stand }) => version === null || stand === 'geloescht')
        .map((one) => one.kennung),
    )
    const rows: ImageRow[] = []
    for (const stand of ['gesendet', 'wartet'] as const)
      for await (const { value } of tx.objectStore('bilder').index('stand').iterate([sub, stand])) {
        const { original: _original, ...row } = value
        if (!withoutTree.has(row.baum)) rows.push(row)
      }
    return rows.toSorted(inOrder)
  })
export const fetchImage = (
  db: FieldworkDb,
  sub: Sub,
  identifier: Identifier,
): Promise<FieldworkImage | undefined> => readFrom(() => db.get('bilder', [sub, identifier]))

/** Stores upload progress. Does nothing if the photo was discarded meanwhile. */
export const rememberImageState = (
  db: FieldworkDb,
  sub: Sub,
  identifier: Identifier,
  change: Partial<Pick<FieldworkImage, 'stand' | 'upload' | 'gesendet' | 'versuche' | 'fehler' | 'regel'>>,
): Promise<void> =>
  write(db, ['bilder'], async (tx) => {
    const picture = await tx.objectStore('bilder').get([sub, identifier])
    if (picture !== undefined) await tx.objectStore('bilder').put({ ...picture, ...change })
  })

/** The server confirmed the photo with the same SHA-256; only now are its bytes deleted from the device. */
export const settleImage = (
  db: FieldworkDb,
  sub: Sub,
  { kennung, sha256 }: { kennung: Identifier; sha256: string },
): Promise<boolean> =>
  changing(
    write(db, ['bilder', 'baeume'], async (tx) => {
      const picture = await tx.objectStore('bilder').get([sub, kennung])
      if (picture === undefined || picture.sha256 !== sha256) return false
      await tx.objectStore('bilder').delete([sub, kennung])
      const tree = await tx.objectStore('baeume').get([sub, picture.baum])
      if (tree !== undefined) await tx.objectStore('baeume').put({ ...tree, bilder: tree.bilder + 1 })
      return true
    }),
  )
