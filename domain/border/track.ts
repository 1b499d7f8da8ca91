// A track walked along a border: its points as they were taken, and as one text that devices keep and send.
import { isMeasured, type MeasuredFix } from '../gnss/fix.ts'

/** spur: while walking. punkt: measured standing still. karte: set on the map. */
export type PointKind = 'spur' | 'punkt' | 'karte'
export interface TrackPoint {
  /** Degrees, WGS 84. */
  readonly lon: number
  readonly lat: number
  readonly kind: PointKind
  /** Metres; null for a point set on the map. */
  readonly accuracy: number | null
  /** Null: from the device's own position, or set on the map. */
  readonly fix: MeasuredFix | null
  /** The accuracy was made from HDOP. */
  readonly estimated: boolean
  /** Seconds since 1970 by the receiver; null if it has no calendar. */
  readonly time: number | null
}

/** A border of ten kilometres, and more than a day of walking would take the device's breath. */
export const MOST_TRACK_POINTS = 10_000
/** Walked fixes coarser than this do not describe a border. */
export const COARSEST_M = 25
/** So far apart are walked points at least, in metres; an RTK receiver tells nearer ones apart. */
export const stepOf = (accuracy: number): number => (accuracy <= 0.1 ? 0.3 : 1)

const KINDS: readonly PointKind[] = ['spur', 'punkt', 'karte']
const orDash = (value: string | number | null): string => (value === null ? '-' : String(value))

/** 'lon lat kind accuracy fix estimated time;…', with '-' for what is not known. */
export const trackText = (points: readonly TrackPoint[]): string =>
  points
    .map(({ lon, lat, kind, accuracy, fix, estimated, time }) =>
      [
        lon.toFixed(8),
        lat.toFixed(8),
        kind,
        orDash(accuracy),
        orDash(fix),
        estimated ? 1 : 0,
        orDash(time),
      ].join(' '),
    )
    .join(';')

const numberOf = (text: string | undefined): number | null =>
  text === undefined || text === '-' || !Number.isFinite(Number(text)) ? null : Number(text)

/** Leaves out what is no point. */
export const parseTrack = (text: string): TrackPoint[] =>
  text.split(';').flatMap((one) => {
    const [lon, lat, kind = '', accuracy, fix = '', estimated, time] = one.split(' ')
    const [x, y] = [numberOf(lon), numberOf(lat)]
    const known = KINDS.find((other) => other === kind)
    if (x === null || y === null || known === undefined) return []
    return [
      {
        lon: x,
        lat: y,
        kind: known,
        accuracy: numberOf(accuracy),
        fix: isMeasured(fix) ? fix : null,
        estimated: estimated === '1',
        time: numberOf(time),
      },
    ]
  })

export interface TrackQuality {
  /** Metres, of the points that were measured; null if none was. */
  readonly mean: number | null
  readonly worst: number | null
}
export function qualityOf(points: readonly TrackPoint[]): TrackQuality {
  const all = points.flatMap(({ accuracy }) => (accuracy === null ? [] : [accuracy]))
  if (all.length === 0) return { mean: null, worst: null }
  return { mean: all.reduce((sum, one) => sum + one, 0) / all.length, worst: Math.max(...all) }
}
