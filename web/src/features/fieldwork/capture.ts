// One tree waiting to be sent: how it is built, what is sent, and how each answer changes it. Pure: no
// storage, no network, no clock.
import { FIRST_VALUES, toTreeValues } from '../../record/habitat/habitat-form.ts'
import { TREE_INPUTS, type TreeField } from '#domain/habitatbaum-fields.ts'
import type { Habitatbaum, HabitatCapture, HabitatSyncAnswer, InspectionCapture } from '#contract/habitat.ts'
import { type Tree, treeOf, type TreeValues, rowOf } from '../../record/habitat/tree.ts'
import type {
  CaptureState,
  FieldworkTree,
  FieldworkCapture,
  FieldworkConflict,
  Identifier,
  Sub,
} from './fieldwork-db.ts'

/** Fields that belong together: anyone who changes one has seen all of the group. */
const GROUPS: readonly (readonly TreeField[])[] = [
  ['lon', 'lat', 'genauigkeit_m', 'lage_methode', 'lage_zeit'],
  ['art', 'art_text'],
  ['markierung_art', 'markierung_datum'],
  ['verlust_datum', 'verlust_grund'],
]
const groupOf = (field: TreeField): readonly TreeField[] =>
  GROUPS.find((group) => group.includes(field)) ?? [field]
const fieldsOf = (values: Partial<TreeValues>): TreeField[] =>
  TREE_INPUTS.filter((field) => Object.hasOwn(values, field))

export const valuesOf = (tree: Habitatbaum): TreeValues => {
  const made = treeOf(tree)
  return Object.fromEntries(TREE_INPUTS.map((field) => [field, made[field] ?? null])) as unknown as TreeValues
}
/** The values being sent, in the shape of forms. */
function valuesUnderway({ unterwegs }: FieldworkCapture): Partial<TreeValues> {
  if (unterwegs === null) return {}
  const made = treeOf({ strukturen: [], ...unterwegs } as unknown as Habitatbaum)
  return Object.fromEntries(
    TREE_INPUTS.filter((field) => Object.hasOwn(unterwegs, field)).map((field) => [
      field,
      made[field] ?? null,
    ]),
  ) as Partial<TreeValues>
}
/** All values from this device that the server has not confirmed. */
export const ownValues = (capture: FieldworkCapture): Partial<TreeValues> => ({
  ...valuesUnderway(capture),
  ...capture.werte,
})
export const ownInspections = ({ unterwegs, kontrollen }: FieldworkCapture): InspectionCapture[] => [
  ...(unterwegs?.kontrollen ?? []),
  ...kontrollen,
]

/** A tree as the person on this device sees it: the server's state with pending changes on top. */
export interface TreeView {
  readonly kennung: Identifier
  readonly idHQ: number
  /** The server's id; null if it does not know the tree yet. */
  readonly id: number | null
  readonly werte: TreeValues
  /** Null if nothing is pending. */
  readonly stand: CaptureState | null
}
export function treeViewOf(
  tree: FieldworkTree | undefined,
  capture: FieldworkCapture | undefined,
): TreeView | null {
  const server = tree?.baum ?? capture?.basis ?? null
  const found = tree ?? capture
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
const EMPTY: TreeValues = toTreeValues(FIRST_VALUES)

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

/** Initial state of a photo that was not sent yet. */
export const unsent = (present: string) => ({
  upload: null,
  gesendet: 0,
  versuche: 0,
  fehler: null,
  regel: null,
  seit: present,
})

export const captureNew = (who: Who, values: TreeValues): FieldworkCapture => ({
  ...newCapture(who),
  werte: values,
})

/** The tree as the person saw it when the form was opened. */
export interface Viewed {
  /** Version of the server's tree; null if it did not know the tree yet. */
  readonly version: number | null
  readonly werte: TreeValues
}
export interface Change {
  readonly werte?: Partial<TreeValues>
  readonly kontrollen?: readonly InspectionCapture[]
  /** Left out if the change does not depend on the other fields, such as a check-up. */
  readonly viewed?: Viewed
}
/**
 * Applies a change to a tree known to the server or to a pending one. Null if nothing remains to send,
 * because everything was set back.
 */
export function applyChange(
  existing: FieldworkCapture | undefined,
  tree: FieldworkTree | undefined,
  who: Who,
  { werte = {}, kontrollen = [], viewed }: Change,
): FieldworkCapture | null {
  const before = existing ?? { ...newCapture(who), ...baselineOf(tree, viewed) }
  const made = { ...before.werte, ...werte }
  if (before.basis !== null) {
    const basis = valuesOf(before.basis)
    const sent = valuesUnderway(before)
    for (const field of fieldsOf(made))
      if (!Object.hasOwn(sent, field) && made[field] === basis[field]) delete made[field]
  }
  const after: FieldworkCapture = {
    ...before,
    werte: made,
    kontrollen: [...before.kontrollen, ...kontrollen],
    // A refused capture is retried once it was edited; the other two states need an explicit decision.
    stand: before.stand === 'abgelehnt' ? 'wartet' : before.stand,
    geaendert_am: who.present,
  }
  return isEmpty(after) ? null : after
}
/**
 * What a change is compared with. If a sync brought a newer tree while the form was open, the person has not
 * seen that one.
 */
function baselineOf(
  tree: FieldworkTree | undefined,
  viewed: Viewed | undefined,
): Pick<FieldworkCapture, 'version' | 'basis'> {
  if (tree === undefined) return { version: null, basis: null }
  if (viewed === undefined) return { version: tree.baum.version, basis: tree.baum }
  // Seen as new and sent since then: version 1 is what the person saw, unless somebody else changed the tree
  // already. 0 is no version: the server then reports who changed what.
  const version = viewed.version ?? (tree.baum.version === 1 ? 1 : 0)
  return { version, basis: { ...tree.baum, ...rowOf(viewed.werte) } }
}
const isEmpty = ({ version, unterwegs, werte, kontrollen }: FieldworkCapture): boolean =>
  version !== null && unterwegs === null && kontrollen.length === 0 && fieldsOf(werte).length === 0

/** Prepares a capture for sending: what is sent stays unchanged until it is answered. */
export function begin(capture: FieldworkCapture): FieldworkCapture & { unterwegs: HabitatCapture } {
  const { kennung, version, idHQ, werte, kontrollen, versuche } = capture
  const underway = capture.unterwegs ?? {
    kennung,
    version,
    ...(version === null && { idHQ }),
    ...rowOf(werte),
    ...(kontrollen.length > 0 && { kontrollen }),
  }
  const fresh = capture.unterwegs === null
  return {
    ...capture,
    unterwegs: underway,
    werte: fresh ? {} : werte,
    kontrollen: fresh ? [] : kontrollen,
    versuche: versuche + 1,
  }
}

export interface Consequence {
  /** Null if nothing is pending any more. */
  readonly capture: FieldworkCapture | null
  /** The tree as the server has it; null if it has none; undefined if it did not say. */
  readonly baum: Habitatbaum | null | undefined
  readonly conflict: FieldworkConflict | null
}

/** Applies the server's answer; `capture` is the current one and may have changed since sending. */
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
  // The check-ups that were sent are stored with the tree in any case.
  if (ergebnis === 'konflikt')
    return against(
      { ...zurueck, kontrollen: capture.kontrollen },
      capture.basis === null ? null : valuesOf(capture.basis),
      baum,
      present,
    )
  // Accepted. Changes since then were made by somebody who saw the tree including the accepted values.
  const viewed = capture.basis === null ? null : valuesOf(capture.basis)
  const seen = { ...(viewed ?? valuesOf(baum)), ...valuesUnderway(capture) }
  return against({ ...answered, unterwegs: null }, seen, baum, present)
}

/**
 * Compares own changes with the server's current tree. If both changed the same group, somebody has to
 * decide; otherwise the own changes apply on top.
 */
function against(
  capture: FieldworkCapture,
  viewed: TreeValues | null,
  server: Habitatbaum,
  present: string,
): Consequence {
  const theirs = valuesOf(server)
  const values: Partial<TreeValues> = { ...capture.werte }
  for (const field of fieldsOf(values)) if (values[field] === theirs[field]) delete values[field]
  const disputed = fieldsOf(values).some((field) =>
    groupOf(field).some((neighbour) => viewed === null || viewed[neighbour] !== theirs[neighbour]),
  )
  if (disputed)
    return {
      capture: { ...capture, werte: values, stand: 'konflikt' },
      baum: server,
      conflict: { sub: capture.sub, kennung: capture.kennung, server, am: present },
    }
  const after: FieldworkCapture = {
    ...capture,
    werte: values,
    version: server.version,
    basis: server,
    stand: 'wartet',
  }
  return { capture: isEmpty(after) ? null : after, baum: server, conflict: null }
}

/**
 * Applies the person's decision: `gewaehlt` are the own values to keep over the server's. Null if the
 * server's tree is taken unchanged.
 */
export function decide(
  capture: FieldworkCapture,
  server: Habitatbaum,
  chosen: Partial<TreeValues>,
  present: string,
): FieldworkCapture | null {
  const theirs = valuesOf(server)
  const values: Partial<TreeValues> = { ...chosen }
  for (const field of fieldsOf(values)) if (values[field] === theirs[field]) delete values[field]
  const after: FieldworkCapture = {
    ...capture,
    werte: values,
    version: server.version,
    basis: server,
    stand: 'wartet',
    antwort: null,
    geaendert_am: present,
  }
  return isEmpty(after) ? null : after
}

/** Creates a deleted tree again as a new one, because the old kennung cannot be reused. */
export const recreate = (
  capture: FieldworkCapture,
  identifier: Identifier,
  inspections: readonly Identifier[],
  present: string,
): FieldworkCapture => ({
  ...newCapture({ sub: capture.sub, kennung: identifier, idHQ: capture.idHQ, present }),
  werte: { ...(capture.basis === null ? EMPTY : valuesOf(capture.basis)), ...ownValues(capture) },
  kontrollen: ownInspections(capture).map((inspection, at) => ({
    ...inspection,
    kennung: inspections[at] ?? inspection.kennung,
  })),
  seit: capture.seit,
  ...(capture.folge !== undefined && { folge: capture.folge }),
})

/** Both sides of a conflict in the shape ConflictDialog expects. */
export function sides(
  capture: FieldworkCapture,
  server: Habitatbaum,
): { base: TreeValues; mine: TreeValues; theirs: Tree } {
  const theirs = treeOf(server)
  const base = capture.basis === null ? valuesOf(server) : valuesOf(capture.basis)
  return { base, mine: { ...base, ...ownValues(capture) }, theirs }
}
