// Editing the control points of a plan: the possible actions, with undo and redo. Pure; used alike by
// screens, drafts and tests.
import { haveSameUnit } from '../epsg.ts'
import type { GeorefType, ControlPoint } from './transform.ts'

export interface Point extends ControlPoint {
  /** Unique in this session; people see the position in the list instead. */
  readonly id: number
  readonly enable: boolean
}
export type ScanPlace = Pick<ControlPoint, 'spalte' | 'zeile'>
export type KartePlace = Pick<ControlPoint, 'ost' | 'nord'>
/** One side of a point whose other side is still to be set. */
export type HalfPoint =
  | { readonly scan: ScanPlace; readonly karte: null }
  | { readonly scan: null; readonly karte: KartePlace }

export interface Values {
  readonly typ: GeorefType
  readonly epsg: number
  /** Map units per pixel of the result; null: the resolution of the scan. */
  readonly res: number | null
  readonly label: string | null
}
export interface State extends Values {
  readonly punkte: readonly Point[]
  readonly half: HalfPoint | null
  /** Id of the next point. */
  readonly naechste: number
}

export type NewPoint = ControlPoint & { readonly enable?: boolean }
export type Action =
  | { readonly art: 'scan'; readonly ort: ScanPlace }
  | { readonly art: 'karte'; readonly ort: KartePlace }
  | { readonly art: 'halb_weg' }
  | { readonly art: 'neu'; readonly point: NewPoint }
  | { readonly art: 'verschieben'; readonly id: number; readonly ort: Partial<ControlPoint> }
  | { readonly art: 'loeschen'; readonly ids: readonly number[] }
  | { readonly art: 'benutzen'; readonly ids: readonly number[]; readonly enable: boolean }
  | { readonly art: 'werte'; readonly werte: Partial<Values> }
  /** Another coordinate system: the same places in its coordinates, one per point, and the open half. */
  | {
      readonly art: 'system'
      readonly epsg: number
      readonly orte: readonly KartePlace[]
      readonly half: KartePlace | null
    }
  /** Points of a file or of an earlier state, replacing the existing ones or appended to them. */
  | {
      readonly art: 'laden'
      readonly punkte: readonly NewPoint[]
      readonly werte?: Partial<Values>
      readonly isAppended?: boolean
    }

export const stateOf = (values: Values, points: readonly NewPoint[]): State => ({
  ...values,
  punkte: points.map((point, index) => pointOf(point, index + 1)),
  half: null,
  naechste: points.length + 1,
})
const pointOf = ({ ost, nord, spalte, zeile, enable = true }: NewPoint, id: number): Point => ({
  id,
  ost,
  nord,
  spalte,
  zeile,
  enable,
})

/** The state afterwards; the same object if nothing changes. */
export function act(stand: State, action: Action): State {
  switch (action.art) {
    case 'scan':
      return stand.half?.karte
        ? append({ ...stand, half: null }, [{ ...stand.half.karte, ...action.ort }])
        : { ...stand, half: { scan: action.ort, karte: null } }
    case 'karte':
      return stand.half?.scan
        ? append({ ...stand, half: null }, [{ ...stand.half.scan, ...action.ort }])
        : { ...stand, half: { scan: null, karte: action.ort } }
    case 'halb_weg':
      return stand.half === null ? stand : { ...stand, half: null }
    case 'neu':
      return append({ ...stand, half: null }, [action.point])
    case 'verschieben':
      return changed(stand, [action.id], (point) =>
        isSame(point, action.ort) ? point : { ...point, ...action.ort },
      )
    case 'benutzen':
      return changed(stand, action.ids, (point) =>
        point.enable === action.enable ? point : { ...point, enable: action.enable },
      )
    case 'loeschen': {
      const points = stand.punkte.filter(({ id }) => !action.ids.includes(id))
      return points.length === stand.punkte.length ? stand : { ...stand, punkte: points }
    }
    case 'werte':
      return isSame(stand, action.werte) ? stand : withValues(stand, action.werte)
    case 'system':
      if (action.orte.length !== stand.punkte.length) return stand
      return {
        ...withValues(stand, { epsg: action.epsg }),
        punkte: stand.punkte.map((point, index) => ({ ...point, ...action.orte[index]! })),
        half: stand.half?.karte ? action.half && { scan: null, karte: action.half } : stand.half,
      }
    case 'laden': {
      const before = action.isAppended ? stand : { ...stand, punkte: [], half: null }
      return append(withValues(before, action.werte), action.punkte)
    }
  }
}
/** A resolution of 0.25 m is not one of 0.25 degrees: a new unit begins with the resolution of the scan. */
const withValues = (stand: State, { epsg = stand.epsg, ...others }: Partial<Values> = {}): State => ({
  ...stand,
  epsg,
  res: haveSameUnit(stand.epsg, epsg) ? stand.res : null,
  ...others,
})
const isSame = <T extends object>(whole: T, part: Partial<T>): boolean =>
  (Object.keys(part) as (keyof T)[]).every((key) => Object.is(whole[key], part[key]))

const append = (stand: State, added: readonly NewPoint[]): State => ({
  ...stand,
  punkte: [...stand.punkte, ...added.map((point, index) => pointOf(point, stand.naechste + index))],
  naechste: stand.naechste + added.length,
})
function changed(stand: State, ids: readonly number[], change: (point: Point) => Point): State {
  const points = stand.punkte.map((point) => (ids.includes(point.id) ? change(point) : point))
  return points.every((point, index) => point === stand.punkte[index]) ? stand : { ...stand, punkte: points }
}

/** Complete points in use, as a fit takes them. */
export const usedPoints = ({ punkte }: Pick<State, 'punkte'>): readonly Point[] =>
  punkte.filter(({ enable }) => enable)

/**
 * States share whatever did not change between them, so keeping complete states is cheap and undo is never
 * partial.
 */
export interface GeorefSession {
  readonly present: State
  readonly past: readonly Step[]
  readonly future: readonly Step[]
}
export interface Step {
  readonly action: Action
  /** In the past, the state before the action; in the future, the state after it. */
  readonly stand: State
  /** Actions of one drag or one run of the arrow keys form one step. */
  readonly dragKey: string | null
}
/** Maximum number of steps that can be undone. */
export const STEPS = 500

export const sessionOf = (stand: State): GeorefSession => ({ present: stand, past: [], future: [] })

export function advance(
  session: GeorefSession,
  action: Action,
  dragKey: string | null = null,
): GeorefSession {
  const present = act(session.present, action)
  if (present === session.present) return session
  const last = session.past.at(-1)
  if (dragKey !== null && last?.dragKey === dragKey && session.future.length === 0)
    return { ...session, present }
  return {
    present,
    past: [...session.past, { action, stand: session.present, dragKey }].slice(-STEPS),
    future: [],
  }
}
export function undone(session: GeorefSession): GeorefSession {
  const last = session.past.at(-1)
  if (last === undefined) return session
  return {
    present: last.stand,
    past: session.past.slice(0, -1),
    future: [...session.future, { ...last, stand: session.present }],
  }
}
export function redo(session: GeorefSession): GeorefSession {
  const next = session.future.at(-1)
  if (next === undefined) return session
  return {
    present: next.stand,
    future: session.future.slice(0, -1),
    past: [...session.past, { ...next, stand: session.present }],
  }
}

/** The saved part of a state, compared to tell whether there is something to save. */
export const savedOf = ({ punkte, typ, epsg, res, label }: State): string =>
  JSON.stringify([
    punkte.map(({ ost, nord, spalte, zeile, enable }) => [ost, nord, spalte, zeile, enable]),
    typ,
    epsg,
    res,
    label,
  ])

/**
 * How two sets of points differ, to help people choose between them: points are the same if all four
 * coordinates are.
 */
export function differenceOf(
  first: readonly NewPoint[],
  others: readonly NewPoint[],
): { readonly onlyFirst: number; readonly onlyOther: number; readonly both: number } {
  const key = ({ ost, nord, spalte, zeile, enable = true }: NewPoint) =>
    [ost, nord, spalte, zeile, enable].join()
  const left = first.map(key)
  const counts = new Map<string, number>()
  for (const one of left) counts.set(one, (counts.get(one) ?? 0) + 1)
  let both = 0
  for (const one of others.map(key)) {
    const rest = counts.get(one) ?? 0
    if (rest === 0) continue
    counts.set(one, rest - 1)
    both++
  }
  return { onlyFirst: first.length - both, onlyOther: others.length - both, both }
}
