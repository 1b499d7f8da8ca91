// What the map of a survey shows besides its objects: the tool and its measurement, what was found at a
// click, own plans, missing tiles.
import { OBJECT_KINDS, type ObjectKind } from '#contract/kataster-tile.ts'
import { createStore, type Store } from '../../ui/store.ts'
import type { Hit, MeasureKind, Measurement } from './ol-kataster.ts'
import type { PlanOverlay } from './PlanLayers.tsx'

export type Tool = 'zeigen' | MeasureKind
export interface KatasterState {
  readonly tool: Tool
  readonly measurement: Measurement | null
  /** Several objects at one place, to choose from. */
  readonly finding: readonly Hit[] | null
  /** Number of visible symbols and lines; null until the map is drawn. */
  readonly visible: number | null
  /** Number of tiles that did not arrive. */
  readonly missing: number
  readonly plans: readonly PlanOverlay[]
  readonly printOpen: boolean
}
export type KatasterStore = Store<KatasterState>

export const katasterStore = (): KatasterStore =>
  createStore<KatasterState>({
    tool: 'zeigen',
    measurement: null,
    finding: null,
    visible: null,
    missing: 0,
    plans: [],
    printOpen: false,
  })

export const stop = (now: KatasterState): KatasterState => ({ ...now, tool: 'zeigen', finding: null })
/** One object is selected at once; several are listed. */
export const showFinding = (now: KatasterState, objects: readonly Hit[]): KatasterState => ({
  ...now,
  finding: objects.length > 1 ? objects : null,
})
export const countVisible = (now: KatasterState, visible: number): KatasterState =>
  visible === now.visible ? now : { ...now, visible }

/** Hidden kinds as in the address: aus=schacht,einlauf. */
export const hiddenKindsOf = (text: string | undefined): ReadonlySet<ObjectKind> =>
  new Set(OBJECT_KINDS.filter((art) => (text ?? '').split(',').includes(art)))
export const hiddenText = (hidden: ReadonlySet<ObjectKind>, kind: ObjectKind, isShown: boolean): string =>
  OBJECT_KINDS.filter((one) => (one === kind ? !isShown : hidden.has(one))).join(',')

type Box = readonly [west: number, south: number, east: number, north: number]
/** Whether an object must be moved to: it is small on the map, or its middle is outside. */
export function isOutOfSight([w, s, e, n]: Box, shown: Box, metresPerPixel: number): boolean {
  const [west, south, east, north] = shown
  const [x, y] = [(w + e) / 2, (s + n) / 2]
  return metresPerPixel >= 5 || x < west || x > east || y < south || y > north
}
