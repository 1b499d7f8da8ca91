// What a camera wrote into a photo, as far as it is credible: position, direction and time. Tags are as in
// the file: numbers as numbers or lists of numbers, words as text.

export interface ExifDetails {
  /** Degrees, WGS 84; null without a fix. */
  readonly lon: number | null
  readonly lat: number | null
  /** Metres above sea level. */
  readonly hoehe_m: number | null
  /**
   * Degrees clockwise from north, 0 to below 360, one decimal; magnetic north if the camera has nothing
   * better.
   */
  readonly richtung: number | null
  /** ISO text in UTC. */
  readonly aufgenommen_am: string | null
}
export type ExifTags = Readonly<Record<string, unknown>>

export function exifDetails(tags: ExifTags, now: Date): ExifDetails {
  const place = placeOf(tags)
  const height = number(tags['GPSAltitude'])
  const below = number(tags['GPSAltitudeRef']) === 1
  return {
    lon: place?.[0] ?? null,
    lat: place?.[1] ?? null,
    // A larger value, beyond the highest mountain or the lowest pit, is a device error.
    hoehe_m:
      place === null || height === null || height > 9_000
        ? null
        : Math.round((below ? -height : height) * 10) / 10,
    richtung: directionOf(tags),
    aufgenommen_am: momentOf(tags, now),
  }
}

function number(value: unknown): number | null {
  const one: unknown = isList(value) ? value[0] : value
  return typeof one === 'number' && Number.isFinite(one) ? one : null
}
const isList = (value: unknown): value is ArrayLike<unknown> =>
  typeof value === 'object' && value !== null && 'length' in value
const word = (value: unknown): string => (typeof value === 'string' ? value.replaceAll('\0', '').trim() : '')

/** Degrees, minutes, seconds; any of them may be a fraction, and the latter two may be missing. */
function degreesOf(value: unknown): number | null {
  const parts = isList(value) && typeof value !== 'string' ? Array.from(value) : [value]
  if (
    parts.length === 0 ||
    parts.length > 3 ||
    !parts.every((part) => typeof part === 'number' && Number.isFinite(part) && part >= 0)
  )
    return null
  const [degrees = 0, minutes = 0, seconds = 0] = parts as number[]
  return minutes > 60 || seconds > 60 ? null : degrees + minutes / 60 + seconds / 3600
}

function placeOf(tags: ExifTags): readonly [lon: number, lat: number] | null {
  const [lon, lat] = [degreesOf(tags['GPSLongitude']), degreesOf(tags['GPSLatitude'])]
  if (lon === null || lat === null || lon > 180 || lat > 90) return null
  // The receiver reports no fix, or implies it with the position 0, 0.
  if (word(tags['GPSStatus']).toUpperCase() === 'V' || (lon < 1e-6 && lat < 1e-6)) return null
  const [east, north] = [
    word(tags['GPSLongitudeRef']).toUpperCase(),
    word(tags['GPSLatitudeRef']).toUpperCase(),
  ]
  // Without the hemispheres there are four possible positions.
  if (!['E', 'W'].includes(east) || !['N', 'S'].includes(north)) return null
  return [east === 'W' ? -lon : lon, north === 'S' ? -lat : lat]
}

function directionOf(tags: ExifTags): number | null {
  const degrees = number(tags['GPSImgDirection'])
  if (degrees === null || degrees < 0 || degrees > 360) return null
  return (Math.round(degrees * 10) % 3600) / 10
}

const QUARTER = 15 * 60_000
/** Tolerance between clocks. */
const LATE = 5 * 60_000
const FIRST = Date.UTC(1990, 0, 1)
const DAY = 86_400_000

/**
 * The camera's clock has no time zone. Uses the zone the camera states, otherwise German time unless the
 * satellite time of the same photo contradicts it; uses the satellite time alone if the camera's clock is
 * missing.
 */
function momentOf(tags: ExifTags, now: Date): string | null {
  const clock =
    wallTime(tags['DateTimeOriginal']) ?? wallTime(tags['CreateDate']) ?? wallTime(tags['DateTimeDigitized'])
  const satellites = satelliteTime(tags)
  const moment =
    clock === null ? satellites : clock - (zoneOf(tags) ?? zoneBy(clock, satellites) ?? germanZone(clock))
  // A clock that was never set starts before this, one that was set wrongly runs ahead.
  return moment === null || moment < FIRST || moment > now.getTime() + DAY
    ? null
    : new Date(moment).toISOString()
}

/** "2026:05:01 12:30:00", as if it were UTC. */
function wallTime(value: unknown): number | null {
  const found = /^(\d{4})[:.-](\d\d)[:.-](\d\d)[ T](\d\d):(\d\d):(\d\d)/.exec(word(value))
  if (found === null) return null
  const [year, month, day, hour, minute, second] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  const same =
    at.getUTCMonth() === month - 1 &&
    at.getUTCDate() === day &&
    at.getUTCHours() === hour &&
    at.getUTCMinutes() === minute
  return same && second < 60 ? at.getTime() : null
}

/** "+02:00" of the photo, or of the camera. */
function zoneOf(tags: ExifTags): number | null {
  for (const name of ['OffsetTimeOriginal', 'OffsetTimeDigitized', 'OffsetTime']) {
    const text = word(tags[name])
    if (text === 'Z') return 0
    const found = /^([+-])(\d\d):?([0-5]\d)$/.exec(text)
    if (found === null || Number(found[2]) > 14) continue
    return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3])) * 60_000
  }
  return null
}

function satelliteTime(tags: ExifTags): number | null {
  const day = /^(\d{4})[:.-](\d\d)[:.-](\d\d)$/.exec(word(tags['GPSDateStamp']))
  const time = tags['GPSTimeStamp']
  if (day === null) return null
  const parts =
    typeof time === 'string'
      ? time.split(':').map(Number)
      : isList(time)
        ? Array.from(time as ArrayLike<number>)
        : []
  if (
    parts.length !== 3 ||
    !parts.every((part, at) => Number.isFinite(part) && part >= 0 && part < [24, 60, 61][at]!)
  )
    return null
  const two = (part: number) => String(Math.floor(part)).padStart(2, '0')
  return wallTime(
    `${day[1]}:${day[2]}:${day[3]} ${two(parts[0]!)}:${two(parts[1]!)}:${two(Math.min(59, parts[2]!))}`,
  )
}

/**
 * A fix is never later than the photo, but may be hours older. So German time applies unless it would put the
 * photo before its fix, as with a clock left on winter time or set to another country; then the difference
 * gives the zone. Null if the difference matches no zone, or German time fits.
 */
function zoneBy(clock: number, satellites: number | null): number | null {
  if (satellites === null || clock - germanZone(clock) >= satellites - LATE) return null
  const zone = Math.round((clock - satellites) / QUARTER) * QUARTER
  return Math.abs(zone) <= 14 * 60 * 60_000 && Math.abs(clock - satellites - zone) <= LATE ? zone : null
}

/**
 * Summer time from the last Sunday of March to that of October, changing at one o'clock UTC. Of the repeated
 * hour, the first is used.
 */
function germanZone(clock: number): number {
  const year = new Date(clock).getUTCFullYear()
  const lastSunday = (month: number): number => {
    const last = new Date(Date.UTC(year, month + 1, 0))
    return last.getTime() - last.getUTCDay() * DAY + 60 * 60_000
  }
  const summer = 2 * 60 * 60_000
  const moment = clock - summer
  return moment >= lastSunday(2) && moment < lastSunday(9) ? summer : 60 * 60_000
}
