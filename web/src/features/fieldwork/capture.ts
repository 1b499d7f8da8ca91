// One tree that waits to be sent: how it comes about, what goes to the server, and what becomes of it with each answer. Pure: no storage, no network, no clock.
import type { Habitatbaum, HabitatCapture, HabitatSyncAnswer, InspectionCapture } from '#contract/habitat.ts'
import { type Tree, treeOf, type TreeField, type TreeValues, rowOf } from '../../record/habitat/tree.ts'
import { TREE_FIELDS } from '../../record/habitat/habitat-form.ts'
import type {
  CaptureState,
  FieldworkTree,
  FieldworkCapture,
  FieldworkConflict,
  Identifier,
  Sub,
} from './fieldwork-db.ts'

/** What belongs together: whoever changes one of them has looked at all. */
const GROUPS: readonly (readonly TreeField[])[] = [
  ['lon', 'lat', 'genauigkeit_m', 'lage_methode'],
  ['art', 'art_text'],
  ['markierung_art', 'markierung_datum'],
  ['verlust_datum', 'verlust_grund'],
]
const groupOf = (feld: TreeField): readonly TreeField[] =>
  GROUPS.find((gruppe) => gruppe.includes(feld)) ?? [feld]
const fieldsOf = (werte: Partial<TreeValues>): TreeField[] =>
  TREE_FIELDS.filter((feld) => Object.hasOwn(werte, feld))

export const valuesOf = (baum: Habitatbaum): TreeValues => {
  const made = treeOf(baum)
  return Object.fromEntries(TREE_FIELDS.map((feld) => [feld, made[feld] ?? null])) as unknown as TreeValues
}
/** What is on its way, as forms have it. */
function valuesUnderway({ unterwegs }: FieldworkCapture): Partial<TreeValues> {
  if (unterwegs === null) return {}
  const made = treeOf({ strukturen: [], ...unterwegs } as unknown as Habitatbaum)
  return Object.fromEntries(
    TREE_FIELDS.filter((feld) => Object.hasOwn(unterwegs, feld)).map((feld) => [feld, made[feld] ?? null]),
  ) as Partial<TreeValues>
}
/** All that this device says of it and the server has not confirmed. */
export const ownValues = (capture: FieldworkCapture): Partial<TreeValues> => ({
  ...valuesUnderway(capture),
  ...capture.werte,
})
export const ownInspections = ({ unterwegs, kontrollen }: FieldworkCapture): InspectionCapture[] => [
  ...(unterwegs?.kontrollen ?? []),
  ...kontrollen,
]

/** A tree as the person on this device sees it: the server's state with what waits laid over it. */
export interface TreeView {
  readonly kennung: Identifier
  readonly idHQ: number
  /** The server's number; null: it does not know the tree yet. */
  readonly id: number | null
  readonly werte: TreeValues
  /** Null: nothing of it waits. */
  readonly stand: CaptureState | null
}
export function treeViewOf(
  baum: FieldworkTree | undefined,
  capture: FieldworkCapture | undefined,
): TreeView | null {
  const server = baum?.baum ?? capture?.basis ?? null
  const found = baum ?? capture
  if (found === undefined || (server === null && capture === undefined)) return null
  return {
    kennung: found.kennung,
    idHQ: found.idHQ,
    id: server?.id ?? null,
    werte: {
      ...(server === null ? EMPTY : valuesOf(server)),
      ...(capture === undefined ? {} : ownValues(capture)),
    },
    stand: capture?.stand ?? null,
  }
}
const EMPTY: TreeValues = {
  ...(Object.fromEntries(TREE_FIELDS.map((feld) => [feld, null])) as unknown as TreeValues),
  zustand: 'lebend',
  status: 'baum',
  strukturen: '',
  lage_methode: 'karte',
  kawm: true,
}

interface Who {
  readonly sub: Sub
  readonly kennung: Identifier
  readonly idHQ: number
  /** ISO */
  readonly present: string
}
const newCapture = ({ sub, kennung, idHQ, present }: Who): FieldworkCapture => ({
  sub,
  kennung,
  idHQ,
  version: null,
  basis: null,
  werte: {},
  kontrollen: [],
  stand: 'wartet',
  unterwegs: null,
  versuche: 0,
  antwort: null,
  seit: present,
  geaendert_am: present,
})

/** A photo of which nothing has been sent yet. */
export const unsent = (present: string) => ({
  upload: null,
  gesendet: 0,
  versuche: 0,
  fehler: null,
  regel: null,
  seit: present,
})

export const captureNew = (wer: Who, werte: TreeValues): FieldworkCapture => ({ ...newCapture(wer), werte })

/** The tree as it stood before the person when the form was opened. */
export interface Viewed {
  /** Of the server's tree; null: it did not know the tree yet. */
  readonly version: number | null
  readonly werte: TreeValues
}
export interface Change {
  readonly werte?: Partial<TreeValues>
  readonly kontrollen?: readonly InspectionCapture[]
  /** Left out: what is changed needs no look at the rest, such as a check-up. */
  readonly viewed?: Viewed
}
/** What was changed of a tree that the server has, or of one that waits already. Null: nothing of it waits any more, it was all set back. */
export function applyChange(
  vorhanden: FieldworkCapture | undefined,
  baum: FieldworkTree | undefined,
  wer: Who,
  { werte = {}, kontrollen = [], viewed }: Change,
): FieldworkCapture | null {
  const before = vorhanden ?? { ...newCapture(wer), ...baselineOf(baum, viewed) }
  const made = { ...before.werte, ...werte }
  if (before.basis !== null) {
    const basis = valuesOf(before.basis)
    const sent = valuesUnderway(before)
    for (const feld of fieldsOf(made))
      if (!Object.hasOwn(sent, feld) && made[feld] === basis[feld]) delete made[feld]
  }
  const after: FieldworkCapture = {
    ...before,
    werte: made,
    kontrollen: [...before.kontrollen, ...kontrollen],
    // What was refused is tried again once somebody has worked on it; the other two are answered by a choice of their own.
    stand: before.stand === 'abgelehnt' ? 'wartet' : before.stand,
    geaendert_am: wer.present,
  }
  return isEmpty(after) ? null : after
}
/** What a change is measured against. A sync may have brought a newer tree while the form was open: the person has not seen that one. */
function baselineOf(
  baum: FieldworkTree | undefined,
  viewed: Viewed | undefined,
): Pick<FieldworkCapture, 'version' | 'basis'> {
  if (baum === undefined) return { version: null, basis: null }
  if (viewed === undefined) return { version: baum.baum.version, basis: baum.baum }
  // Seen as new, and sent since: its first version holds what was seen, unless somebody was there already. 0 is no version: the server then tells who changed what.
  const version = viewed.version ?? (baum.baum.version === 1 ? 1 : 0)
  return { version, basis: { ...baum.baum, ...rowOf(viewed.werte) } }
}
const isEmpty = ({ version, unterwegs, werte, kontrollen }: FieldworkCapture): boolean =>
  version !== null && unterwegs === null && kontrollen.length === 0 && fieldsOf(werte).length === 0

/** Makes ready for the network: what is handed over is kept as it is until there is an answer. */
export function begin(capture: FieldworkCapture): FieldworkCapture & { unterwegs: HabitatCapture } {
  const { kennung, version, idHQ, werte, kontrollen, versuche } = capture
  const unterwegs = capture.unterwegs ?? {
    kennung,
    version,
    ...(version === null && { idHQ }),
    ...rowOf(werte),
    ...(kontrollen.length > 0 && { kontrollen }),
  }
  const fresh = capture.unterwegs === null
  return {
    ...capture,
    unterwegs,
    werte: fresh ? {} : werte,
    kontrollen: fresh ? [] : kontrollen,
    versuche: versuche + 1,
  }
}

export interface Consequence {
  /** Null: nothing of it waits any more. */
  readonly capture: FieldworkCapture | null
  /** The tree as the server has it; null: it has none. Undefined: it did not say. */
  readonly baum: Habitatbaum | null | undefined
  readonly conflict: FieldworkConflict | null
}

/** What follows from an answer to what was on its way; `capture` is as it is now, possibly changed since. */
export function afterAnswer(
  capture: FieldworkCapture,
  { ergebnis, baum, regel, feld }: HabitatSyncAnswer,
  present: string,
): Consequence {
  const answered: FieldworkCapture = { ...capture, antwort: { am: present, ergebnis, regel, feld } }
  const zurueck: FieldworkCapture = {
    ...answered,
    unterwegs: null,
    werte: ownValues(capture),
    kontrollen: ownInspections(capture),
  }
  if (ergebnis === 'abgelehnt')
    return { capture: { ...zurueck, stand: 'abgelehnt' }, baum: undefined, conflict: null }
  if (ergebnis === 'geloescht' || baum === null)
    return { capture: { ...zurueck, stand: 'geloescht' }, baum: null, conflict: null }
  // Check-ups that were sent are with the tree whatever became of the rest.
  if (ergebnis === 'konflikt')
    return against(
      { ...zurueck, kontrollen: capture.kontrollen },
      capture.basis === null ? null : valuesOf(capture.basis),
      baum,
      present,
    )
  // Taken. What was changed since was changed by somebody who saw the tree with what is now taken.
  const viewed = capture.basis === null ? null : valuesOf(capture.basis)
  const seen = { ...(viewed ?? valuesOf(baum)), ...valuesUnderway(capture) }
  return against({ ...answered, unterwegs: null }, seen, baum, present)
}

/** Own changes against the server's present tree. Where both changed the same somebody has to decide; else the own changes go on top of the other's. */
function against(
  capture: FieldworkCapture,
  viewed: TreeValues | null,
  server: Habitatbaum,
  present: string,
): Consequence {
  const theirs = valuesOf(server)
  const werte: Partial<TreeValues> = { ...capture.werte }
  for (const feld of fieldsOf(werte)) if (werte[feld] === theirs[feld]) delete werte[feld]
  const disputed = fieldsOf(werte).some((feld) =>
    groupOf(feld).some((neighbour) => viewed === null || viewed[neighbour] !== theirs[neighbour]),
  )
  if (disputed)
    return {
      capture: { ...capture, werte, stand: 'konflikt' },
      baum: server,
      conflict: { sub: capture.sub, kennung: capture.kennung, server, am: present },
    }
  const after: FieldworkCapture = {
    ...capture,
    werte,
    version: server.version,
    basis: server,
    stand: 'wartet',
  }
  return { capture: isEmpty(after) ? null : after, baum: server, conflict: null }
}

/** The person has chosen: `gewaehlt` is what of the own is to hold against the server's tree. Null: all of it is the server's. */
export function decide(
  capture: FieldworkCapture,
  server: Habitatbaum,
  gewaehlt: Partial<TreeValues>,
  present: string,
): FieldworkCapture | null {
  const theirs = valuesOf(server)
  const werte: Partial<TreeValues> = { ...gewaehlt }
  for (const feld of fieldsOf(werte)) if (werte[feld] === theirs[feld]) delete werte[feld]
  const after: FieldworkCapture = {
    ...capture,
    werte,
    version: server.version,
    basis: server,
    stand: 'wartet',
    antwort: null,
    geaendert_am: present,
  }
  return isEmpty(after) ? null : after
}

/** A tree that somebody deleted, once more as a new one: the number of the old one is spent. */
export const recreate = (
  capture: FieldworkCapture,
  kennung: Identifier,
  kontrollen: readonly Identifier[],
  present: string,
): FieldworkCapture => ({
  ...newCapture({ sub: capture.sub, kennung, idHQ: capture.idHQ, present }),
  werte: { ...(capture.basis === null ? EMPTY : valuesOf(capture.basis)), ...ownValues(capture) },
  kontrollen: ownInspections(capture).map((inspection, at) => ({
    ...inspection,
    kennung: kontrollen[at] ?? inspection.kennung,
  })),
  seit: capture.seit,
})

/** Both sides of a conflict as the dialog of records wants them. */
export function sides(
  capture: FieldworkCapture,
  server: Habitatbaum,
): { base: TreeValues; mine: TreeValues; theirs: Tree } {
  const theirs = treeOf(server)
  const base = capture.basis === null ? valuesOf(server) : valuesOf(capture.basis)
  return { base, mine: { ...base, ...ownValues(capture) }, theirs }
}
