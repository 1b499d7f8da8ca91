// Turns what people write into cells into values: German numbers, dates, yes and no. Pure; a value it cannot
// read is a fault, never a guess.
import { BUNDESLAENDER, type Bundesland, BUNDESLAND_OF_CODE } from './address-bundesland.ts'
import { parseCountry } from './countries.ts'
import { bareText } from './spreadsheet.ts'

/** A cell as delivered by CSV (text) or XLSX (typed). */
export type Cell = string | number | boolean | Date | null | undefined

/**
 * Text of a cell on one line: trimmed, inner runs of blanks and line breaks collapsed, invisible joiners
 * dropped.
 */
export function cellText(cell: Cell): string {
  if (typeof cell === 'string') return bareText(cell).replace(INVISIBLE, '').replace(BLANKS, ' ').trim()
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 10)
  return String(cell)
}
const INVISIBLE = /[\u00AD\u200B\u2060\uFEFF]/g
const BLANKS = /[\s\u00A0]+/g

/**
 * Control characters, and those that change the writing direction so that a text looks different from what it
 * is.
 */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/
export const hasControlCharacter = (text: string): boolean => CONTROL.test(text)

/** Spreadsheets would calculate it. A minus or plus before a number or a phone number does not count. */
export const isFormula = (text: string): boolean => /^(?:[=@]|[+-](?![\s\d(]))/.test(text)

export const isExcelError = (text: string): boolean =>
  /^#(?:N\/A|NV|NAME\??|REF!|BEZUG!|VALUE!|WERT!|DIV\/0!|NUM!|ZAHL!|NULL!)$/i.test(text)

/**
 * Decimal text with at most four places ('1234.5'), or null. 1.234 is more than one thousand, as a German
 * reads it; 12.5 can only have a decimal point.
 */
export function parseNumber(cell: Cell): string | null {
  if (typeof cell === 'number') return Number.isFinite(cell) ? decimalText(cell) : null
  const text = cellText(cell)
    .replace(/\s?(?:ha|hektar)$/i, '')
    .replace(/[ '’]/g, '')
    .replace(/^[−–]/, '-')
  if (/^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(text))
    return decimalText(Number(text.replaceAll('.', '').replace(',', '.')))
  if (/^[+-]?\d+(?:,\d+)?$/.test(text)) return decimalText(Number(text.replace(',', '.')))
  if (/^[+-]?\d+\.\d+$/.test(text)) return decimalText(Number(text))
  return null
}
function decimalText(value: number): string | null {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e12) return null
  const text = value.toFixed(4).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}

/** ISO date, or null. Two-digit years get the century that fits our records: 00 to 59 is 20xx. */
export function parseDate(cell: Cell): string | null {
  if (typeof cell === 'number') return fromSerial(cell)
  const text = cellText(cell)
  const german = /^(\d{1,2})[./-]\s?(\d{1,2})[./-]\s?(\d{4}|\d{2})$/.exec(text)
  if (german) return isoDate(fullYear(german[3]!), Number(german[2]), Number(german[1]))
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/.exec(text)
  if (iso) return isoDate(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  return null
}
const fullYear = (digits: string): number =>
  digits.length === 4 ? Number(digits) : Number(digits) + (Number(digits) < 60 ? 2000 : 1900)

function isoDate(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const real = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return real && year >= 1000 ? date.toISOString().slice(0, 10) : null
}

/**
 * Day number of a spreadsheet, counted from 30.12.1899. Below 20,000 (1954) it is more likely a year or an
 * area.
 */
function fromSerial(days: number): string | null {
  return Number.isInteger(days) && days >= 20_000 && days < 80_000
    ? new Date(Date.UTC(1899, 11, 30 + days)).toISOString().slice(0, 10)
    : null
}

const YES = new Set('ja j x wahr true 1 yes y aktiv ✓ ✔ an'.split(' '))
const NO = new Set('nein n falsch false 0 no inaktiv - – aus'.split(' '))

export function parseBoolean(cell: Cell): boolean | null {
  const text = cellText(cell).toLowerCase()
  if (YES.has(text)) return true
  return NO.has(text) ? false : null
}

const fold = (text: string): string =>
  text
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/[^a-z]/g, '')

const BUNDESLAND_BY_TEXT: ReadonlyMap<string, Bundesland> = new Map([
  ...BUNDESLAENDER.map((land) => [fold(land), land] as const),
  ...Object.entries(BUNDESLAND_OF_CODE).map(([code, land]) => [fold(code), land] as const),
  ['nrw', 'Nordrhein-Westfalen'],
  ['meckpomm', 'Mecklenburg-Vorpommern'],
  ['mecklenburg', 'Mecklenburg-Vorpommern'],
  ['rlp', 'Rheinland-Pfalz'],
  ['lsa', 'Sachsen-Anhalt'],
  ['bawue', 'Baden-Württemberg'],
  ['nds', 'Niedersachsen'],
])
export const parseLand = (cell: Cell): Bundesland | null =>
  BUNDESLAND_BY_TEXT.get(
    fold(cellText(cell).replace(/^(?:freistaat|land|freie (?:und )?hansestadt|hansestadt|de-)\s?/i, '')),
  ) ?? null

/** Code of a country, or its German name. */
export const parseCountryCell = (cell: Cell): string | null => parseCountry(cellText(cell))

/** The systems that app.kunde accepts: ETRS89/UTM, Gauß-Krüger on DHDN and S42/83, geographic, web. */
export const EPSG_CODES = [
  25831, 25832, 25833, 4647, 5650, 31466, 31467, 31468, 31469, 2397, 2398, 2399, 4258, 4326, 3857,
] as const
const EPSG_NAMES: ReadonlyMap<string, number> = new Map([
  ['utm31', 25831],
  ['utm32', 25832],
  ['utm33', 25833],
  ['gk2', 31466],
  ['gk3', 31467],
  ['gk4', 31468],
  ['gk5', 31469],
  ['wgs84', 4326],
])
export function parseEpsg(cell: Cell): number | null {
  const text = cellText(cell)
  const code = /^(?:epsg\s?:?\s?)?(\d{4,5})$/i.exec(text)?.[1]
  if (code !== undefined)
    return (EPSG_CODES as readonly number[]).includes(Number(code)) ? Number(code) : null
  const name = text
    .toLowerCase()
    .replace(/^etrs\s?(?:19)?89\s?[/ ]\s?/, '')
    .replace(/zone|[\s./-]/g, '')
    .replace(/n$/, '')
  return EPSG_NAMES.get(name) ?? null
}

const GENDERS: ReadonlyMap<string, 'Herr' | 'Frau' | 'divers'> = new Map([
  ...['herr', 'herrn', 'hr', 'm', 'maennlich'].map((word) => [word, 'Herr'] as const),
  ...['frau', 'fr', 'w', 'weiblich'].map((word) => [word, 'Frau'] as const),
  ...['divers', 'd'].map((word) => [word, 'divers'] as const),
])
export const parseGender = (cell: Cell): 'Herr' | 'Frau' | 'divers' | null =>
  GENDERS.get(fold(cellText(cell))) ?? null

/** 3 to 40 characters, as app.kunde checks it; '+49 341 …', '0341/12 34-5'. */
export const isPhone = (text: string): boolean => /^[0-9+()/ .-]{3,40}$/.test(text) && /\d{2}/.test(text)
