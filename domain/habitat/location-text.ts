// A position as copied from a map, a receiver or a mail: degrees in three notations, or metres of a
// coordinate system.
import { parsePair } from '../georef/coordinate.ts'

export type LocationText =
  | { readonly art: 'grad'; readonly lat: number; readonly lon: number }
  | { readonly art: 'meter'; readonly epsg: number; readonly ost: number; readonly nord: number }

/** Latitudes and longitudes in and around Germany do not overlap, so their order does not matter. */
const isLat = (value: number): boolean => value >= 45 && value <= 57
const isLon = (value: number): boolean => value >= 3 && value <= 18
const rounded = (grad: number): number => Math.round(grad * 1e7) / 1e7

function degreePair(first: number, second: number): LocationText | null {
  const [lat, lon] = isLat(first) ? [first, second] : [second, first]
  return isLat(lat) && isLon(lon) ? { art: 'grad', lat: rounded(lat), lon: rounded(lon) } : null
}

/** 51°07'23,4" N · N 51° 07.39' · 51,1231° Nord: degrees, then minutes and seconds if any. */
const ANGLE = new RegExp(
  [
    String.raw`([NSEOW])?\s*(\d{1,3}(?:[.,]\d+)?)\s*°\s*`,
    String.raw`(?:(\d{1,2}(?:[.,]\d+)?)\s*['’′]\s*)?`,
    String.raw`(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["”″]|['’′]{2})\s*)?([NSEOW])?`,
  ].join(''),
  'giu',
)
function anglePair(text: string): LocationText | null {
  // Words for the directions become letters; E and O both mean east.
  const plain = text.replaceAll(/\bnord\b/giu, 'N').replaceAll(/\b(?:ost|east)\b/giu, 'E')
  const found = [...plain.matchAll(ANGLE)]
  if (found.length !== 2) return null
  // A letter between the two belongs to one of them: leading letters only count if both numbers have one.
  const leading = found.every(([, before]) => before !== undefined)
  const read = found.map(([, before, grad, minutes = '0', seconds = '0', after]) => {
    const [g, m, s] = [grad!, minutes, seconds].map((part) => Number(part.replace(',', '.')))
    if (m! >= 60 || s! >= 60) return null
    return { wert: g! + m! / 60 + s! / 3600, direction: (leading ? before : after)?.toUpperCase() }
  })
  const [one, other] = read
  if (
    !one ||
    !other ||
    [one.direction, other.direction].some((direction) => direction === 'S' || direction === 'W')
  )
    return null
  if (one.direction === 'N' && !isLat(one.wert)) return null
  return degreePair(one.wert, other.wert)
}

/** 51.123 N, 9.234 E · N51.123 E9.234: letters without a degree sign. */
function letterPair(text: string): LocationText | null {
  const parts = [...text.matchAll(/([NEO])\s*(\d{1,2}(?:[.,]\d+)?)|(\d{1,2}(?:[.,]\d+)?)\s*([NEO])/giu)]
  if (parts.length !== 2 || parts.some(([, , before, after]) => (before ?? after) === undefined)) return null
  const [lat, lon] = ['N', 'EO'].map((letters) => {
    const hit = parts.find(([, before, , , after]) =>
      letters.includes((before ?? after ?? '?').toUpperCase()),
    )
    const value = hit?.[2] ?? hit?.[3]
    return value === undefined ? Number.NaN : Number(value.replace(',', '.'))
  })
  return isLat(lat!) && isLon(lon!) ? { art: 'grad', lat: rounded(lat!), lon: rounded(lon!) } : null
}

const UTM: Readonly<Record<string, number>> = { 31: 25_831, 32: 25_832, 33: 25_833 }
/** With the zone in front of the easting. */
const UTM_WITH_ZONE: Readonly<Record<string, number>> = { 32: 4647, 33: 5650 }
const S42_83: readonly number[] = [2397, 2398, 2399]

/**
 * The system of a pair of metres, as far as the easting shows it; `usual` decides between those that look
 * alike.
 */
function systemOf(east: number, usual: number): number | null {
  if (east >= 30_000_000) return UTM_WITH_ZONE[String(Math.floor(east / 1_000_000))] ?? null
  const zone = Math.floor(east / 1_000_000)
  if (zone >= 2 && zone <= 5) {
    const alike = S42_83.includes(usual) && usual - 2394 === zone
    return alike ? usual : 31_464 + zone
  }
  if (zone !== 0 || east < 100_000) return null
  return Object.values(UTM).includes(usual) ? usual : null
}
const isNorthing = (north: number): boolean => north > 5_000_000 && north < 6_400_000

function metrePair(text: string, usual: number): LocationText | null {
  const zoned = /^\s*(?:UTM\s*)?(?:zone\s*)?(3[123])\s*([N-U])?[\s,;:]+(.+)$/iu.exec(text)
  const zone = zoned === null ? undefined : UTM[zoned[1]!]
  const words = (zoned?.[3] ?? text).replaceAll(
    /(?:^|\s)(?:ostwert|nordwert|rechtswert|hochwert|ost|nord|east|north|[eonrh])\s*[:=]?\s*(?=\d)/giu,
    ' ',
  )
  const pair = parsePair(words.replaceAll(/(?<=\d)\s*(?:m|mE|mN)\b/gu, '').trim())
  if (pair === null) return null
  // The northing is the larger number, unless the zone is in front of the easting.
  const [east, north] = isNorthing(pair[1])
    ? pair
    : isNorthing(pair[0])
      ? [pair[1], pair[0]]
      : [Number.NaN, Number.NaN]
  const epsg = zone ?? systemOf(east, usual)
  return Number.isFinite(east) && epsg !== null ? { art: 'meter', epsg, ost: east, nord: north } : null
}

/**
 * Null: not a position, or one far from here.
 * @param usual the system of metres that do not name one
 */
export function parseLocation(text: string, usual: number): LocationText | null {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[\s\u00a0\u202f]+/gu, ' ')
    .trim()
  if (plain === '' || plain.length > 200) return null
  if (plain.includes('°')) return anglePair(plain)
  const meter = metrePair(plain, usual)
  if (meter !== null) return meter
  const lettered = letterPair(plain)
  if (lettered !== null) return lettered
  const pair = parsePair(plain)
  return pair === null ? null : degreePair(pair[0], pair[1])
}
