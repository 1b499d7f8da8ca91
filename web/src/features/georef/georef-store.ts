// What the georeferencer shows and its transitions: the points with their history, the selection, what is
// switched on. Whatever moves a map is not in here.
import {
  type Action,
  advance,
  type GeorefSession,
  type KartePlace,
  type NewPoint,
  type Point,
  redo,
  type ScanPlace,
  sessionOf,
  type State,
  type Values,
  undone,
} from '#domain/georef/session.ts'
import type { ControlPoint } from '#domain/georef/transform.ts'
import { t } from '../../ui/text.ts'
import { createStore, type Store } from '../../ui/store.ts'
import { actionText } from './georef-words.ts'
import type { Place } from './ol-points.ts'

export type OpenWindow =
  | { art: 'punkt'; id: number | null }
  | { art: 'einlesen' }
  | { art: 'gitter' }
  | { art: 'staende' }
  | null

export interface SurfacePointer {
  readonly where: 'scan' | 'karte'
  readonly ort: Place
}
export interface OverlayChoice {
  readonly an: boolean
  /** Per cent. */
  readonly opacity: number
  /** Per cent of the pane, from its left edge. */
  readonly swipePercent: number
}
export interface GeorefState {
  readonly session: GeorefSession
  /** Id of the selected point. */
  readonly gewaehlt: number | null
  /** Whether a click sets a point. */
  readonly placing: boolean
  readonly openWindow: OpenWindow
  /** For screen readers. */
  readonly announcement: string
  readonly overlayChoice: OverlayChoice
  readonly resultShown: boolean
  readonly bestandShown: boolean
  /** Whether a click in the scan jumps to the crossing of the grid beside it. */
  readonly gridSnap: boolean
  readonly pointer: SurfacePointer | null
}
export type GeorefStore = Store<GeorefState>

export const georefStore = (start: State): GeorefStore =>
  createStore<GeorefState>({
    session: sessionOf(start),
    gewaehlt: null,
    placing: start.punkte.length === 0,
    openWindow: null,
    announcement: '',
    overlayChoice: { an: true, opacity: 60, swipePercent: 100 },
    resultShown: false,
    bestandShown: false,
    gridSnap: false,
    pointer: null,
  })

export const standOf = ({ session }: GeorefState): State => session.present
export const chosenPoint = ({ session, gewaehlt }: GeorefState): Point | null =>
  session.present.punkte.find(({ id }) => id === gewaehlt) ?? null

/** Changes the points; the actions of one drag form one step to undo. */
export function perform(now: GeorefState, action: Action, dragKey: string | null = null): GeorefState {
  const session = advance(now.session, action, dragKey)
  return session === now.session ? now : { ...now, session }
}
export function undo(now: GeorefState): GeorefState {
  const last = now.session.past.at(-1)
  if (last === undefined) return now
  const announcement = t('Zurückgenommen: {what}', { what: actionText(last.action) })
  return { ...now, session: undone(now.session), announcement }
}
export function redoNext(now: GeorefState): GeorefState {
  const next = now.session.future.at(-1)
  if (next === undefined) return now
  const announcement = t('Wiederholt: {what}', { what: actionText(next.action) })
  return { ...now, session: redo(now.session), announcement }
}
/** Drops one thing at a time: an incomplete point, the mode of setting points, the selection. */
export function cancel(now: GeorefState): GeorefState {
  if (standOf(now).half !== null) return perform(now, { art: 'halb_weg' })
  return now.placing ? { ...now, placing: false } : { ...now, gewaehlt: null }
}

export const placeOnScan = (now: GeorefState, ort: ScanPlace): GeorefState =>
  standOf(now).half?.karte
    ? placed(now, { art: 'scan', ort })
    : begun(now, { art: 'scan', ort }, t('Ort im Scan gesetzt. Jetzt denselben Ort auf der Karte.'))
export const placeOnKarte = (now: GeorefState, ort: KartePlace): GeorefState =>
  standOf(now).half?.scan
    ? placed(now, { art: 'karte', ort })
    : begun(now, { art: 'karte', ort }, t('Ort auf der Karte gesetzt. Jetzt denselben Ort im Scan.'))
/** A point typed by its figures. */
export const addPoint = (now: GeorefState, point: NewPoint): GeorefState => placed(now, { art: 'neu', point })

const begun = (now: GeorefState, action: Action, announcement: string): GeorefState => ({
  ...perform(now, action),
  gewaehlt: null,
  announcement,
})
/** Completes a point, which is selected then. */
const placed = (now: GeorefState, action: Action): GeorefState => ({
  ...perform(now, action),
  gewaehlt: standOf(now).naechste,
  announcement: t('Punkt {nr} gesetzt.', { nr: standOf(now).punkte.length + 1 }),
})

export const removePoints = (now: GeorefState, ids: readonly number[]): GeorefState => ({
  ...perform(now, { art: 'loeschen', ids }),
  gewaehlt: null,
  announcement: t('Punkt gelöscht. Strg+Z holt ihn zurück.'),
})

/** Points of a file or of an earlier state; what was selected is gone. */
export interface LoadedPoints {
  readonly punkte: readonly NewPoint[]
  readonly werte: Partial<Values>
  readonly isAppended?: boolean
}
export const loadPoints = (now: GeorefState, loaded: LoadedPoints): GeorefState => ({
  ...perform(now, { art: 'laden', ...loaded }),
  gewaehlt: null,
})

/**
 * Points are stored to a thousandth of a pixel and a tenth of a millimetre: finer than any hand, and still
 * readable.
 */
export const rounded = (value: number, places: number): number => Number(value.toFixed(places))
const roundPixel = (value: number): number => rounded(value, 3)
/** The scan's view has its rows upwards. */
export const scanPlaceOf = ([x, y]: Place): ScanPlace => ({ spalte: roundPixel(x), zeile: roundPixel(-y) })

/** Moves what was just set in the scan, open half or point, to the crossing found beside it. */
export function moveToCrossing(now: GeorefState, from: ScanPlace, to: ScanPlace): GeorefState {
  const isThere = ({ spalte, zeile }: ScanPlace): boolean => spalte === from.spalte && zeile === from.zeile
  const { half, punkte } = standOf(now)
  const point = punkte.find(isThere)
  const moved =
    half?.scan && isThere(half.scan)
      ? perform(now, { art: 'scan', ort: to })
      : point === undefined
        ? now
        : perform(now, { art: 'verschieben', id: point.id, ort: to })
  return moved === now ? now : { ...moved, announcement: t('Auf das Gitterkreuz gesprungen.') }
}

/** Moves the selected point, or the open half of one, by pixels of the scan. */
export function nudge(now: GeorefState, right: number, down: number): GeorefState {
  const moved = ({ spalte, zeile }: ScanPlace): ScanPlace => ({
    spalte: roundPixel(spalte + right),
    zeile: roundPixel(zeile + down),
  })
  const point = chosenPoint(now)
  if (point !== null)
    return perform(now, { art: 'verschieben', id: point.id, ort: moved(point) }, `schub ${point.id}`)
  const { half } = standOf(now)
  return half?.scan ? perform(now, { art: 'scan', ort: moved(half.scan) }, 'schub halb') : now
}

/** Centre of the magnifier and its label: the selected point, an incomplete one, or the pointer's place. */
export function magnified(now: GeorefState): { readonly center: Place | null; readonly was: string | null } {
  const { punkte, half } = standOf(now)
  const point = chosenPoint(now)
  if (point !== null)
    return {
      center: [point.spalte, -point.zeile],
      was: t('Punkt {nr}', { nr: punkte.indexOf(point) + 1 }),
    }
  if (half?.scan) return { center: [half.scan.spalte, -half.scan.zeile], was: t('neuer Punkt') }
  return { center: now.pointer?.where === 'scan' ? now.pointer.ort : null, was: null }
}

/** The same places in another coordinate system. */
export function changeSystem(
  now: GeorefState,
  epsg: number,
  convert: (place: readonly [number, number]) => readonly [number, number],
): GeorefState {
  const { punkte, half } = standOf(now)
  const moved = ({ ost, nord }: Pick<ControlPoint, 'ost' | 'nord'>): KartePlace => {
    const [east, north] = convert([ost, nord])
    return { ost: east, nord: north }
  }
  return perform(now, {
    art: 'system',
    epsg,
    orte: punkte.map(moved),
    half: half?.karte ? moved(half.karte) : null,
  })
}
