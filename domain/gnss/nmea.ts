// Fixes of a GNSS receiver that speaks NMEA 0183: the sentences of one moment (GGA, RMC, GST, GSA) become one fix.
// What was weighed instead: docs/decisions/gnss.md.
import { estimatedAccuracy, FIX_TYPES, type FixType, type GnssFix } from './fix.ts'
import { type LineCounts, NmeaLines, type Sentence } from './nmea-lines.ts'

/** GPS, GLONASS, Galileo, BeiDou (two spellings), several at once, QZSS, NavIC. */
const TALKERS: readonly string[] = ['GP', 'GL', 'GA', 'GB', 'BD', 'GN', 'GQ', 'GI']
const DAY_MS = 86_400_000

/** Sentences that carry the time of their fix. */
type Timed = 'GGA' | 'RMC' | 'GST'
type Place = Pick<GnssFix, 'lon' | 'lat'>
interface Gga extends Place, Pick<GnssFix, 'hdop' | 'satellites' | 'correctionAge' | 'orthometric'> {
  readonly type: FixType
  /** Metres between geoid and ellipsoid. */
  readonly separation: number | null
}
interface Rmc extends Place {
  readonly valid: boolean
  readonly type: FixType
}
interface Gst {
  readonly accuracy: number | null
  readonly heightAccuracy: number | null
}
interface Epoch {
  /** Milliseconds since midnight UTC. */
  readonly clock: number
  readonly heard: Set<Timed>
  gga?: Gga
  rmc?: Rmc
  gst?: Gst
}

export class NmeaReader {
  readonly #lines = new NmeaLines()
  #epoch: Epoch | null = null
  /** The fix of this moment was given. */
  #given = false
  /** What the moment before consisted of: with the last of it, a fix is complete. */
  #usual: ReadonlySet<Timed> | null = null
  /** Midnight of the receiver's day, and the time at which it said so. */
  #day: { readonly midnight: number; readonly clock: number } | null = null
  #hdop: number | null = null
  #isFlat = false

  get counts(): LineCounts {
    return this.#lines.counts
  }

  /**
   * The fixes that are complete with these bytes. A fix is complete with the last sentence that belonged to the
   * one before, otherwise with the first of the next moment.
   */
  push(bytes: Uint8Array): GnssFix[] {
    const fixes: GnssFix[] = []
    for (const sentence of this.#lines.push(bytes)) this.#take(sentence, fixes)
    return fixes
  }

  #take({ talker, kind, fields }: Sentence, fixes: GnssFix[]) {
    if (!TALKERS.includes(talker)) return
    if (kind === 'GSA') {
      this.#isFlat = fields[1] === '2'
      this.#hdop = numberOf(fields[15])
    } else if (kind === 'ZDA') this.#takeDay(clockOf(fields[0]), dayOf(fields.slice(1, 4).join('')))
    else if (kind === 'GGA' || kind === 'RMC' || kind === 'GST') {
      const clock = clockOf(fields[0])
      // A receiver that was just switched on has no time and so no fix.
      if (clock === null) return
      // Before its first fix, a receiver tells the day that it was made with.
      if (kind === 'RMC' && fields[1] === 'A') this.#takeDay(clock, dayOf(fields[8]))
      this.#takeTimed(kind, clock, fields, fixes)
    }
  }
  #takeTimed(kind: Timed, clock: number, fields: readonly string[], fixes: GnssFix[]) {
    if (this.#epoch?.clock !== clock) {
      this.#give(fixes)
      this.#usual = this.#epoch?.heard ?? null
      this.#epoch = { clock, heard: new Set() }
      this.#given = false
    }
    const epoch = this.#epoch!
    epoch.heard.add(kind)
    if (kind === 'GGA') epoch.gga = ggaOf(fields)
    else if (kind === 'RMC') epoch.rmc = rmcOf(fields)
    else epoch.gst = gstOf(fields)
    if (this.#usual !== null && [...this.#usual].every((one) => epoch.heard.has(one))) this.#give(fixes)
  }
  #takeDay(clock: number | null, midnight: number | null) {
    if (clock !== null && midnight !== null) this.#day = { midnight, clock }
  }

  #give(fixes: GnssFix[]) {
    const epoch = this.#epoch
    if (epoch === null || this.#given || (epoch.gga === undefined && epoch.rmc === undefined)) return
    this.#given = true
    fixes.push(this.#fixOf(epoch))
  }
  #fixOf({ clock, gga, rmc, gst }: Epoch): GnssFix {
    const place = gga ?? rmc!
    const { lon, lat } = place
    // RMC has its own warning: limits of accuracy exceeded.
    const type = lon === null || lat === null || rmc?.valid === false ? 'none' : place.type
    const isThere = type !== 'none'
    const hdop = gga?.hdop ?? this.#hdop
    const said = isThere ? (gst?.accuracy ?? null) : null
    const height = isThere && !this.#isFlat ? (gga?.orthometric ?? null) : null
    const separation = gga?.separation ?? null
    return {
      type,
      lon: isThere ? lon : null,
      lat: isThere ? lat : null,
      accuracy: said ?? estimatedAccuracy(type, hdop),
      estimated: said === null,
      ellipsoidal: height === null || separation === null ? null : round4(height + separation),
      orthometric: height,
      heightAccuracy: height === null ? null : (gst?.heightAccuracy ?? null),
      satellites: gga?.satellites ?? null,
      hdop,
      correctionAge: gga?.correctionAge ?? null,
      time: this.#timeOf(clock),
    }
  }
  /** The day was said at another time of day: past midnight it is the next one. */
  #timeOf(clock: number): number | null {
    if (this.#day === null) return null
    const { midnight, clock: saidAt } = this.#day
    const ahead = clock - saidAt
    return midnight + clock + (ahead < -DAY_MS / 2 ? DAY_MS : ahead > DAY_MS / 2 ? -DAY_MS : 0)
  }
}

const round4 = (value: number): number => Math.round(value * 1e4) / 1e4

function ggaOf(fields: readonly string[]): Gga {
  const [, lat, north, lon, east, quality = '', satellites, hdop, height, metres, separation, also, age] =
    fields
  return {
    ...placeOf(lat, north, lon, east),
    type: /^[0-8]$/.test(quality) ? FIX_TYPES[Number(quality)]! : 'none',
    satellites: wholeOf(satellites),
    hdop: numberOf(hdop),
    orthometric: metres === 'M' ? within(numberOf(height), -1_000, 20_000) : null,
    separation: also === 'M' ? within(numberOf(separation), -150, 150) : null,
    correctionAge: numberOf(age),
  }
}
/** By the mode indicator, which receivers before NMEA 2.3 do not send. */
const MODES: Readonly<Record<string, FixType>> = {
  A: 'gnss',
  D: 'dgps',
  P: 'pps',
  R: 'rtk_fixed',
  F: 'rtk_float',
  E: 'estimated',
  M: 'manual',
  S: 'simulated',
  N: 'none',
}
function rmcOf(fields: readonly string[]): Rmc {
  const [, status, lat, north, lon, east] = fields
  const mode = fields[11] ?? ''
  return {
    ...placeOf(lat, north, lon, east),
    valid: status === 'A',
    type: mode === '' ? 'gnss' : (MODES[mode] ?? 'none'),
  }
}
function gstOf(fields: readonly string[]): Gst {
  const [north, east] = [numberOf(fields[5]), numberOf(fields[6])]
  return {
    // Both directions together, as accuracy is stated everywhere else here.
    accuracy: north === null || east === null ? null : within(Math.hypot(north, east), 1e-4, 100_000),
    heightAccuracy: within(numberOf(fields[7]), 1e-4, 100_000),
  }
}

const within = (value: number | null, least: number, most: number): number | null =>
  value !== null && value >= least && value <= most ? value : null
function numberOf(text = ''): number | null {
  return /^-?(?:\d{1,9}(?:\.\d{0,12})?|\.\d{1,12})$/.test(text) ? Number(text) : null
}
const wholeOf = (text = ''): number | null => (/^\d{1,3}$/.test(text) ? Number(text) : null)

/** ddmm.mmmm and dddmm.mmmm. */
function placeOf(lat = '', north = '', lon = '', east = ''): Place {
  const found = { lat: degreesOf(lat, 2, 90), lon: degreesOf(lon, 3, 180) }
  if (found.lat === null || found.lon === null || !/^[NS]$/.test(north) || !/^[EW]$/.test(east))
    return { lon: null, lat: null }
  return { lat: north === 'S' ? -found.lat : found.lat, lon: east === 'W' ? -found.lon : found.lon }
}
function degreesOf(text: string, digits: number, most: number): number | null {
  if (!/^\d{4,5}(?:\.\d{0,12})?$/.test(text) || (text.split('.')[0] ?? '').length !== digits + 2) return null
  const [degrees, minutes] = [Number(text.slice(0, digits)), Number(text.slice(digits))]
  const value = degrees + minutes / 60
  return minutes < 60 && value <= most ? value : null
}

/** hhmmss.ss as milliseconds since midnight; a leap second is the last of its minute. */
function clockOf(text = ''): number | null {
  const [, hours, minutes, seconds] = /^(\d{2})(\d{2})(\d{2}(?:\.\d{0,6})?)$/.exec(text) ?? []
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds)]
  if (!(h < 24 && m < 60 && s < 61)) return null
  return h * 3_600_000 + m * 60_000 + Math.round(Math.min(s, 59.999) * 1_000)
}
/** ddmmyy or ddmmyyyy as the milliseconds of its midnight. */
function dayOf(text = ''): number | null {
  const [, day, month, year] = /^(\d{2})(\d{2})(\d{2}|\d{4})$/.exec(text) ?? []
  if (day === undefined || month === undefined || year === undefined) return null
  const full = year.length === 4 ? Number(year) : 2_000 + Number(year)
  const midnight = Date.UTC(full, Number(month) - 1, Number(day))
  const back = new Date(midnight)
  if (back.getUTCDate() !== Number(day) || back.getUTCMonth() !== Number(month) - 1) return null
  const right = midnight < WRITTEN ? midnight + WEEKS_MS : midnight
  return right >= WRITTEN && full < 2_080 ? right : null
}
/** No receiver is read before this was written; the week number of old ones restarts after 1,024. */
const WRITTEN = Date.UTC(2026, 0, 1)
const WEEKS_MS = 1_024 * 7 * DAY_MS
