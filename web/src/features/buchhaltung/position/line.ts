// A line in the editor: numbers stay as typed, so that nothing typed or pasted is lost; faults describe what
// is wrong with them.
import type { PositionKind, TaxCategory } from '#domain/beleg.ts'
import {
  decimal,
  type NumberInputFault,
  formatDecimal,
  formatGerman,
  parseNumberInput,
  sign,
} from '#domain/geld.ts'
import type { PositionBasis } from '#domain/rechnung.ts'
import { parseDay } from '../../../ui/parse-day.ts'

/** A line as procedures take and return it. */
export interface PositionValues {
  readonly id: number | null
  readonly art: PositionKind
  readonly bez: string
  readonly anzahl: string
  readonly einheit: string
  readonly ep: string
  readonly rabatt_prozent: string
  readonly ust_satz: string | null
  readonly kategorie: TaxCategory | null
  readonly steuergrund: string
  readonly erl_titel: string
  readonly erl: string
  readonly erl_on: boolean
  readonly le_date: string | null
  readonly le_date_bis: string | null
  readonly angebot_position_id: number | null
  readonly gewaehlt: boolean
}

/** All texts as typed. */
export interface TableRow {
  /** Not stored; stays the same when the line moves. */
  readonly key: number
  readonly id: number | null
  readonly art: string
  readonly bez: string
  readonly anzahl: string
  readonly einheit: string
  readonly ep: string
  readonly rabatt_prozent: string
  /** Empty: the document's rate. */
  readonly ust_satz: string
  /** Empty: derived from the rate. */
  readonly kategorie: string
  readonly steuergrund: string
  readonly erl_titel: string
  readonly erl: string
  readonly erl_on: boolean
  readonly le_date: string
  readonly le_date_bis: string
  readonly angebot_position_id: number | null
  readonly gewaehlt: boolean
}
/** The editable fields. */
export type DataField = Exclude<keyof TableRow, 'key' | 'id' | 'angebot_position_id' | 'erl_on' | 'gewaehlt'>

let last = 0
export const newKey = (): number => {
  last += 1
  return last
}

const EMPTY: Omit<TableRow, 'key'> = {
  id: null,
  art: 'position',
  bez: '',
  anzahl: '1',
  einheit: '',
  ep: '',
  rabatt_prozent: '',
  ust_satz: '',
  kategorie: '',
  steuergrund: '',
  erl_titel: '',
  erl: '',
  erl_on: true,
  le_date: '',
  le_date_bis: '',
  angebot_position_id: null,
  gewaehlt: false,
}
export const emptyLine = (given: Partial<TableRow> = {}): TableRow => ({ ...EMPTY, ...given, key: newKey() })
const FIELDS = Object.keys(EMPTY) as (keyof typeof EMPTY)[]

/** Whether nothing was entered; such a line is not saved. */
export const isBlankLine = (row: TableRow): boolean =>
  row.id === null && FIELDS.every((field) => row[field] === EMPTY[field])
/** Whether both say the same, apart from the number that saving gives. */
export const sameLine = (one: TableRow, other: TableRow): boolean =>
  FIELDS.every((field) => field === 'id' || one[field] === other[field])
/** The lines to save, in order. */
export const filledLines = (rows: readonly TableRow[]): TableRow[] => rows.filter((row) => !isBlankLine(row))

export const KINDS: readonly PositionKind[] = ['position', 'optional', 'alternativ', 'ueberschrift']
export const isPositionKind = (text: string): text is PositionKind =>
  (KINDS as readonly string[]).includes(text)
const KIND_NAMES: Readonly<Record<string, PositionKind>> = {
  position: 'position',
  pos: 'position',
  normal: 'position',
  optional: 'optional',
  option: 'optional',
  alternativ: 'alternativ',
  alternative: 'alternativ',
  überschrift: 'ueberschrift',
  ueberschrift: 'ueberschrift',
  titel: 'ueberschrift',
  heading: 'ueberschrift',
}
/** The kind named by a typed text; the text itself if it names none. */
export const parseKind = (text: string): string =>
  text.trim() === '' ? 'position' : (KIND_NAMES[text.trim().toLowerCase()] ?? text.trim())

interface Figure {
  readonly decimals: number
  readonly integerDigits: number
  readonly allowNegative: boolean
  readonly atLeast: number
}
/** numeric(12,3), numeric(14,4) below 10^10, numeric(5,2). */
export const NUMBERS = {
  anzahl: { decimals: 3, integerDigits: 9, allowNegative: true, atLeast: 0 },
  ep: { decimals: 4, integerDigits: 10, allowNegative: true, atLeast: 2 },
  rabatt_prozent: { decimals: 2, integerDigits: 3, allowNegative: true, atLeast: 0 },
  ust_satz: { decimals: 2, integerDigits: 2, allowNegative: false, atLeast: 0 },
} as const satisfies Readonly<Record<string, Figure>>
export type NumberField = keyof typeof NUMBERS
export const isNumberField = (field: string): field is NumberField => Object.hasOwn(NUMBERS, field)

export const LENGTHS: Readonly<Partial<Record<DataField, number>>> = {
  bez: 500,
  einheit: 20,
  erl_titel: 200,
  erl: 5000,
  steuergrund: 200,
}

export type CellFault = NumberInputFault | 'prozent' | 'art' | 'tag' | 'tag_reihenfolge' | 'zu_lang'

function numberFaultOf(field: NumberField, text: string): CellFault | null {
  if (text.trim() === '') return field === 'anzahl' ? 'fehlt' : null
  const value = parseNumberInput(text, NUMBERS[field])
  if (typeof value === 'string') return value
  return field === 'rabatt_prozent' && (value.wert > 10_000n || value.wert < -10_000n) ? 'prozent' : null
}

/** What is wrong with a field of a line. For headings only the text is checked. */
export function cellFault(row: TableRow, field: DataField): CellFault | null {
  const text = row[field]
  const most = LENGTHS[field]
  if (most !== undefined && [...text].length > most) return 'zu_lang'
  if (field === 'art') return isPositionKind(text) ? null : 'art'
  if (row.art === 'ueberschrift') return null
  if (isNumberField(field)) return numberFaultOf(field, text)
  if (field !== 'le_date' && field !== 'le_date_bis') return null
  if (text.trim() === '') return null
  const day = parseDay(text)
  if (day === null) return 'tag'
  const from = parseDay(row.le_date)
  return field === 'le_date_bis' && from !== null && day < from ? 'tag_reihenfolge' : null
}
export const ALL_FIELDS: readonly DataField[] = [
  'art',
  'bez',
  'anzahl',
  'einheit',
  'ep',
  'rabatt_prozent',
  'ust_satz',
  'kategorie',
  'steuergrund',
  'erl_titel',
  'erl',
  'le_date',
  'le_date_bis',
]
const faultsByLine = new WeakMap<TableRow, Readonly<Partial<Record<DataField, CellFault>>>>()
/** Cached by line, because lines are immutable. */
export function lineFaults(row: TableRow): Readonly<Partial<Record<DataField, CellFault>>> {
  const known = faultsByLine.get(row)
  if (known) return known
  const found = Object.fromEntries(
    ALL_FIELDS.flatMap((field) => (cellFault(row, field) ? [[field, cellFault(row, field)]] : [])),
  )
  faultsByLine.set(row, found)
  return found
}
export const hasFaults = (rows: readonly TableRow[]): boolean =>
  rows.some((row) => !isBlankLine(row) && Object.keys(lineFaults(row)).length > 0)

/** Formats a valid number; anything else stays as typed. */
export function tidyCell(field: DataField, text: string): string {
  if (field === 'art') return parseKind(text)
  if (!isNumberField(field)) return field === 'erl' ? text : text.normalize('NFC').trim()
  const value = parseNumberInput(text, NUMBERS[field])
  if (typeof value === 'string') return text.trim()
  if (field === 'rabatt_prozent' && sign(value) === 0) return ''
  return formatGerman(value, { atLeast: NUMBERS[field].atLeast })
}

/** The number as sent to the server; an invalid one counts as 0 until it is corrected. */
function wireNumber(field: NumberField, text: string): string {
  const value = parseNumberInput(text, NUMBERS[field])
  return typeof value === 'string' ? '0' : formatDecimal(value)
}
const germanNumber = (field: NumberField, text: string): string =>
  formatGerman(decimal(text), { atLeast: NUMBERS[field].atLeast })
const germanDay = (day: string | null): string => (day === null ? '' : day.split('-').toReversed().join('.'))

const basisByLine = new WeakMap<TableRow, PositionBasis>()
/** Input for the sums of domain/rechnung.ts. */
export function positionBasis(row: TableRow): PositionBasis {
  const known = basisByLine.get(row)
  if (known) return known
  const made: PositionBasis = {
    art: isPositionKind(row.art) ? row.art : 'position',
    anzahl: wireNumber('anzahl', row.anzahl),
    ep: wireNumber('ep', row.ep),
    rabatt_prozent: numberFaultOf('rabatt_prozent', row.rabatt_prozent)
      ? '0'
      : wireNumber('rabatt_prozent', row.rabatt_prozent),
    ust_satz:
      row.ust_satz.trim() === '' || numberFaultOf('ust_satz', row.ust_satz)
        ? null
        : wireNumber('ust_satz', row.ust_satz),
    kategorie: row.kategorie === '' ? null : (row.kategorie as TaxCategory),
    steuergrund: row.steuergrund,
    gewaehlt: row.gewaehlt,
  }
  basisByLine.set(row, made)
  return made
}

/** For saving; expects lines without faults. */
export function positionValues(row: TableRow): PositionValues {
  const { anzahl, ep, rabatt_prozent, ust_satz, kategorie, art } = positionBasis(row)
  return {
    id: row.id,
    art,
    bez: row.bez,
    anzahl: formatTo(anzahl, 3),
    einheit: row.einheit,
    ep: formatTo(ep, 4),
    rabatt_prozent: formatTo(rabatt_prozent, 2),
    ust_satz: ust_satz === null ? null : formatTo(ust_satz, 2),
    kategorie,
    steuergrund: row.steuergrund,
    erl_titel: row.erl_titel,
    erl: row.erl,
    erl_on: row.erl_on,
    le_date: parseDay(row.le_date),
    le_date_bis: parseDay(row.le_date_bis),
    angebot_position_id: row.angebot_position_id,
    gewaehlt: row.gewaehlt,
  }
}
const formatTo = (text: string, places: number): string => {
  const value = decimal(text)
  return formatDecimal({
    wert: value.wert * 10n ** BigInt(Math.max(0, places - value.decimals)),
    decimals: Math.max(places, value.decimals),
  })
}

export const rowOf = (row: PositionValues): TableRow =>
  emptyLine({
    id: row.id,
    art: row.art,
    bez: row.bez,
    anzahl: germanNumber('anzahl', row.anzahl),
    einheit: row.einheit,
    ep: germanNumber('ep', row.ep),
    rabatt_prozent: tidyCell('rabatt_prozent', germanNumber('rabatt_prozent', row.rabatt_prozent)),
    ust_satz: row.ust_satz === null ? '' : germanNumber('ust_satz', row.ust_satz),
    kategorie: row.kategorie ?? '',
    steuergrund: row.steuergrund,
    erl_titel: row.erl_titel,
    erl: row.erl,
    erl_on: row.erl_on,
    le_date: germanDay(row.le_date),
    le_date_bis: germanDay(row.le_date_bis),
    angebot_position_id: row.angebot_position_id,
    gewaehlt: row.gewaehlt,
  })

const textByLine = new WeakMap<TableRow, string>()
function printLine(row: TableRow): string {
  const known = textByLine.get(row)
  if (known !== undefined) return known
  const made = JSON.stringify(
    Object.fromEntries(
      FIELDS.filter((field) => row[field] !== EMPTY[field]).map((field) => [field, row[field]]),
    ),
  )
  textByLine.set(row, made)
  return made
}
/**
 * The last printed text: it is parsed again on every change of the form, and its lines already have their
 * faults cached.
 */
let lastText = '[]'
let lastLines: readonly TableRow[] = []
/** All lines as one string, as forms store it: per line, only what differs from an empty one. */
export function printLines(rows: readonly TableRow[]): string {
  lastLines = filledLines(rows)
  lastText = `[${lastLines.map(printLine).join(',')}]`
  return lastText
}
/** Parses it; a text in another format yields no lines. */
export function parseLines(text: string): readonly TableRow[] {
  if (text === lastText) return lastLines
  try {
    const rows: unknown = JSON.parse(text === '' ? '[]' : text)
    if (!Array.isArray(rows)) return []
    return rows.map((row: Record<string, unknown>) =>
      emptyLine(
        Object.fromEntries(
          FIELDS.filter(
            (field) =>
              Object.hasOwn(row, field) &&
              (EMPTY[field] === null || typeof row[field] === typeof EMPTY[field]),
          ).map((field) => [field, row[field]]),
        ) as Partial<TableRow>,
      ),
    )
  } catch {
    return []
  }
}
