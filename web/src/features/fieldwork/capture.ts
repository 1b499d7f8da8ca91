// A tree waiting to be sent (capture-rules.ts): its fields, what is sent, and how the person sees it.
import { FIRST_VALUES, toTreeValues } from '../../record/habitat/habitat-form.ts'
import { TREE_INPUTS, type TreeField } from '#domain/habitatbaum-fields.ts'
import type { Habitatbaum, HabitatCapture } from '#contract/habitat.ts'
import { type Tree, treeOf, type TreeValues, rowOf } from '../../record/habitat/tree.ts'
import { CaptureRules, emptyEntry, type ViewedAs, type Who } from './capture-rules.ts'
import type { CaptureState, FieldworkTree, FieldworkCapture, Identifier } from './fieldwork-db.ts'

/** Sent with every place: what is left out, the server takes for unknown. */
const SAID_OF_PLACE = ['lage_fix', 'genauigkeit_geschaetzt'] as const
const GROUPS: readonly (readonly TreeField[])[] = [
  ['lon', 'lat', 'genauigkeit_m', 'lage_methode', 'lage_zeit', ...SAID_OF_PLACE],
  ['art', 'art_text'],
  ['markierung_art', 'markierung_datum'],
  ['verlust_datum', 'verlust_grund'],
]
const pick = (tree: Tree, fields: readonly TreeField[]): Partial<TreeValues> =>
  Object.fromEntries(fields.map((field) => [field, tree[field] ?? null])) as Partial<TreeValues>

export const valuesOf = (tree: Habitatbaum): TreeValues => pick(treeOf(tree), TREE_INPUTS) as TreeValues
const EMPTY: TreeValues = toTreeValues(FIRST_VALUES)

export const TREES = new CaptureRules<Habitatbaum, TreeValues, HabitatCapture, FieldworkCapture>({
  fields: TREE_INPUTS,
  groupOf: (field) => GROUPS.find((group) => group.includes(field)) ?? [field],
  valuesOf,
  valuesOfSent: (sent) =>
    pick(
      treeOf({ strukturen: [], ...sent } as unknown as Habitatbaum),
      TREE_INPUTS.filter((field) => Object.hasOwn(sent, field)),
    ),
  sentOf: ({ kennung, version, idHQ, basis, werte, kontrollen }) => ({
    kennung,
    version,
    ...(version === null && { idHQ }),
    ...(basis !== null && ('lon' in werte || 'lat' in werte) && rowOf(pick(treeOf(basis), SAID_OF_PLACE))),
    ...rowOf(werte),
    ...(kontrollen.length > 0 && { kontrollen }),
  }),
  seenAs: (tree, values) => ({ ...tree, ...rowOf(values) }),
  empty: EMPTY,
})

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
    werte: TREES.viewed(server, capture),
    stand: capture?.stand ?? null,
  }
}

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
  ...emptyEntry(who),
  werte: values,
})

/** The tree as the person saw it when the form was opened. */
export type Viewed = ViewedAs<TreeValues>

/** Both sides of a conflict in the shape ConflictDialog expects. */
export const sides = (
  capture: FieldworkCapture,
  server: Habitatbaum,
): { base: TreeValues; mine: TreeValues; theirs: Tree } => ({
  ...TREES.sides(capture, server),
  theirs: treeOf(server),
})
