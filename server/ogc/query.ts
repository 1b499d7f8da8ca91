// The parameters of a request for features, checked one by one. An unknown one is refused, as the standard
// demands: a misspelt filter would otherwise return everything.
import { Refusal } from '#server/errors.ts'
import type { Column } from './columns.ts'
import type { Collection } from './collections.ts'
import { type Filter, parseCql2, readInstant } from './cql2.ts'
import { type Crs, DEFAULT_CRS, readCrs } from './crs.ts'
import { boxOf } from './places.ts'

export const MOST_FEATURES = 10_000
const USUAL_FEATURES = 1_000

export interface FeatureQuery {
  readonly limit: number
  /** Only features with a higher number: the place where a page ended. */
  readonly after: string | null
  readonly bbox: { readonly numbers: readonly number[]; readonly crs: Crs } | null
  readonly crs: Crs
  readonly filter: Filter | null
  readonly filterCrs: Crs
  /** Null for all. */
  readonly properties: readonly string[] | null
  readonly equal: readonly { readonly column: Column; readonly text: string }[]
  readonly time: { readonly from: string | null; readonly to: string | null } | null
}

type Given = ReadonlyMap<string, string>

/** The second is the name of the drafts, the only one that GDAL asks in. */
export const FILTER_LANGUAGES = ['cql2-text', 'cql-text'] as const

const KNOWN: ReadonlySet<string> = new Set([
  'f',
  'limit',
  'after',
  'bbox',
  'bbox-crs',
  'crs',
  'datetime',
  'filter',
  'filter-lang',
  'filter-crs',
  'properties',
])

/** @throws Refusal 400 for a parameter that comes twice */
export function readPairs(query: unknown): Given {
  const given = new Map<string, string>()
  for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
    if (typeof value !== 'string')
      throw new Refusal('bad_value', `${name}: Dieser Parameter ist mehrfach angegeben.`)
    if (value.includes('\0')) throw new Refusal('bad_value', `${name}: Dieser Wert ist ungültig.`)
    given.set(name, value)
  }
  return given
}

/** @throws Refusal 400 if there is anything but these */
export function allowOnly(given: Given, names: readonly string[]): void {
  for (const name of given.keys()) if (!names.includes(name)) throw unknown(name)
}
const unknown = (name: string): Refusal =>
  new Refusal('bad_value', `${name.slice(0, 60)}: Diesen Parameter gibt es hier nicht.`)

const crsOf = (given: Given, name: string): Crs => {
  const value = given.get(name)
  return value === undefined ? DEFAULT_CRS : readCrs(value, name)
}

export function readFeatureQuery(
  collection: Collection,
  columns: ReadonlyMap<string, Column>,
  query: unknown,
): FeatureQuery {
  const given = readPairs(query)
  const equal = [...given].flatMap(([name, text]) => {
    if (KNOWN.has(name)) return []
    const column = columns.get(name)
    if (column === undefined || column.type === 'json') throw unknown(name)
    return [{ column, text }]
  })
  const language = given.get('filter-lang')
  if (language !== undefined && !(FILTER_LANGUAGES as readonly string[]).includes(language))
    throw new Refusal('bad_value', 'filter-lang: Hier wird nur cql2-text verstanden.')
  const filter = given.get('filter')
  return {
    limit: limitOf(given.get('limit')),
    after: afterOf(given.get('after')),
    bbox: bboxOf(given.get('bbox'), crsOf(given, 'bbox-crs')),
    crs: crsOf(given, 'crs'),
    filter: filter === undefined || filter.trim() === '' ? null : parseCql2(filter),
    filterCrs: crsOf(given, 'filter-crs'),
    properties: propertiesOf(given.get('properties'), columns),
    equal,
    time: timeOf(given.get('datetime'), collection),
  }
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return USUAL_FEATURES
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Refusal('bad_value', `limit: Erwartet wird eine Zahl von 1 bis ${MOST_FEATURES}.`)
  return Math.min(Number(text), MOST_FEATURES)
}
function afterOf(text: string | undefined): string | null {
  if (text === undefined) return null
  if (!/^\d{1,18}$/.test(text))
    throw new Refusal('bad_value', 'after: Bitte folgen Sie dem Verweis „next“ der letzten Antwort.')
  return text
}
function bboxOf(text: string | undefined, crs: Crs): FeatureQuery['bbox'] {
  if (text === undefined) return null
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  if (numbers.length !== 4 && numbers.length !== 6)
    throw new Refusal('bad_value', 'bbox: Erwartet werden vier Zahlen, West, Süd, Ost und Nord.')
  boxOf(numbers, crs)
  return { numbers, crs }
}
function propertiesOf(
  text: string | undefined,
  columns: ReadonlyMap<string, Column>,
): readonly string[] | null {
  if (text === undefined) return null
  const names = text === '' ? [] : text.split(',')
  for (const name of names)
    if (!columns.has(name))
      throw new Refusal('bad_value', `properties: Die Eigenschaft „${name.slice(0, 60)}“ gibt es hier nicht.`)
  return [...new Set(names)]
}
function timeOf(text: string | undefined, { time }: Collection): FeatureQuery['time'] {
  if (text === undefined) return null
  const ends = text.split('/')
  const wrong = (end: string) =>
    new Refusal(
      'bad_value',
      `datetime: „${end.slice(0, 60)}“ ist kein Zeitpunkt. Erwartet wird ein Tag (2026-05-31), ein Zeitpunkt oder ` +
        'eine Spanne a/b.',
    )
  const read = (end: string): string | null => {
    if (end === '' || end === '..') return null
    const instant = readInstant(end)
    if (instant === null) throw wrong(end)
    return instant.value
  }
  const [from, to = from] = ends.map(read)
  if (ends.length > 2 || (ends.length === 1 && from === null)) throw wrong(text)
  // Features without a time match every time.
  return time === null ? null : { from: from ?? null, to: to ?? null }
}
