// What a receiver says about one moment: where, how well, by which kind of solution, and when.

/** Kinds of solutions, as NMEA 0183 numbers them in GGA (0 to 8). */
export type FixType =
  | 'none'
  | 'gnss'
  | 'dgps'
  | 'pps'
  | 'rtk_fixed'
  | 'rtk_float'
  | 'estimated'
  | 'manual'
  | 'simulated'

export interface GnssFix {
  readonly type: FixType
  /** Degrees, WGS 84 or what the receiver's corrections refer to (mostly ETRS89). Null without a solution. */
  readonly lon: number | null
  readonly lat: number | null
  /** Metres; two thirds of fixes are within. Null if the receiver says nothing from which it follows. */
  readonly accuracy: number | null
  /** The accuracy is made from HDOP, because the receiver sends none. */
  readonly estimated: boolean
  /** Of the antenna, in metres above the ellipsoid; null if the receiver does not tell the geoid's. */
  readonly ellipsoidal: number | null
  /** Of the antenna, in metres above sea level by the geoid that the receiver has. */
  readonly orthometric: number | null
  /** Metres; null without GST. */
  readonly heightAccuracy: number | null
  readonly satellites: number | null
  readonly hdop: number | null
  /** Seconds since the last corrections arrived; null without any. */
  readonly correctionAge: number | null
  /** Milliseconds since 1970 by the receiver's clock; null before it knows the day. */
  readonly time: number | null
}

/** By the digit in GGA. */
export const FIX_TYPES: readonly FixType[] = [
  'none',
  'gnss',
  'dgps',
  'pps',
  'rtk_fixed',
  'rtk_float',
  'estimated',
  'manual',
  'simulated',
]

/** Solutions that measure something, the best last: what is kept with a point. */
export const MEASURED = ['estimated', 'gnss', 'pps', 'dgps', 'rtk_float', 'rtk_fixed'] as const
export type MeasuredFix = (typeof MEASURED)[number]
export const isMeasured = (type: string): type is MeasuredFix =>
  (MEASURED as readonly string[]).includes(type)

/** The least good of several. */
export const worstOf = (types: readonly MeasuredFix[]): MeasuredFix | null =>
  MEASURED.find((type) => types.includes(type)) ?? null

/**
 * Metres of error per unit of HDOP, rather too much than too little: usual values for the open sky, doubled
 * for crowns above. Only used where the receiver gives no accuracy of its own.
 */
const METRES_PER_HDOP: Readonly<Record<FixType, number | null>> = {
  none: null,
  gnss: 5,
  dgps: 2.5,
  pps: 2.5,
  rtk_fixed: 0.05,
  rtk_float: 0.5,
  estimated: 20,
  manual: null,
  simulated: null,
}
export const estimatedAccuracy = (type: FixType, hdop: number | null): number | null => {
  const perHdop = METRES_PER_HDOP[type]
  // 99.99 and above stands for "unknown".
  return perHdop === null || hdop === null || hdop <= 0 || hdop >= 99 ? null : perHdop * hdop
}
