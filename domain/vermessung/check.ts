// One object of a file after the mapping of its columns: values as the database accepts them, or what is
// wrong with them.
import { FIX } from '../habitat/choices.ts'
import { hasControlCharacter, parseBoolean, parseDate } from '../import-values.ts'
import type { Conversion } from '../projection.ts'
import { type DataField, fieldsOf, foldText, type Table } from './fields.ts'
import { convertLength, lengthUnitOf, lengthUnitOfCell } from './length-unit.ts'
import {
  type Form,
  GeometryFault,
  type GeometryFaultCode,
  type Geometry,
  isHeight,
  isInGermany,
  knownEnds,
  lengthOfLine,
  placesOf,
  converted,
} from './geometry.ts'

export type ObjectFaultKind =
  | GeometryFaultCode
  | 'geometrie_punkt'
  | 'geometrie_linie'
  | 'ort_ausserhalb'
  | 'text_zu_lang'
  | 'steuerzeichen'
  | 'ja_nein_ungueltig'
  | 'zahl_ungueltig'
  | 'zahl_ausserhalb'
  | 'tag_ungueltig'
  | 'loesung_unbekannt'
  | 'schluessel_doppelt'
  | 'schluessel_fehlt'

/** nr counts the objects of a layer from 1, as QGIS shows rows. */
export interface Fault {
  readonly schicht: string
  readonly nr: number
  readonly feld: string
  readonly art: ObjectFaultKind
  /** The faulty value, shortened. */
  readonly wert: string
}

export type Values = Record<string, string | number | boolean | null>
export interface SurveyObject {
  readonly nr: number
  readonly geometrie: Geometry
  readonly werte: Values
}

/** As delivered by a reader. */
export interface RawObject {
  readonly nr: number
  /** null: from a table without geometry. */
  readonly geometrie: Form | GeometryFault | null
  readonly werte: Readonly<Record<string, unknown>>
}

export interface Layer {
  readonly name: string
  readonly tabelle: Table
  /** Field → column. */
  readonly felder: Readonly<Record<string, string>>
}

export type ImportMode = 'ersetzen' | 'ergaenzen'

class ValueFault extends Error {
  readonly art: ObjectFaultKind
  constructor(art: ObjectFaultKind) {
    super(art)
    this.art = art
  }
}

/** A value for a message, shortened. */
export const shown = (value: unknown): string => {
  const text =
    value instanceof Date
      ? value.toISOString()
      : typeof value === 'object'
        ? (JSON.stringify(value) ?? '')
        : String(value as string | number | boolean)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** Blanks, and words for "nothing" in other people's tables, count as empty. */
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'number' && Number.isNaN(value)) ||
  (typeof value === 'string' && /^\s*(?:null|<null>|n\/a|-)?\s*$/i.test(value))

function textOf(value: unknown, field: DataField): string {
  if (typeof value === 'object' && !(value instanceof Date)) throw new ValueFault('steuerzeichen')
  const raw =
    value instanceof Date ? value.toISOString().slice(0, 10) : String(value as string | number | boolean)
  const text =
    field.name === 'bemerkung'
      ? raw
          .trim()
          .replaceAll(/[ \t]*\r?\n/g, ' · ')
          .replaceAll('\t', ' ')
      : raw.trim().replaceAll(/\s+/g, ' ')
  if (hasControlCharacter(text)) throw new ValueFault('steuerzeichen')
  if (text.length > field.laengste!) throw new ValueFault('text_zu_lang')
  return text
}

const JA = /^(?:vermessen|eingemessen|surveyed|gemessen)$/i
const NO = /^(?:vermutet|nicht vermessen|unvermessen|angenommen|digitalisiert|assumed)$/i
function yesNoOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'bigint') return yesNoOf(Number(value))
  if (typeof value !== 'string' && typeof value !== 'number') throw new ValueFault('ja_nein_ungueltig')
  const text = String(value).trim()
  if (JA.test(text)) return true
  if (NO.test(text)) return false
  const found = /^[tf]$/i.test(text) ? text.toLowerCase() === 't' : parseBoolean(text)
  if (found === null) throw new ValueFault('ja_nein_ungueltig')
  return found
}

/**
 * 1.234,5 and 1234.5. In machine data 1.234 has a decimal point, it is not a thousand. A length is converted from
 * the unit behind it, else from that of the heading.
 */
export function numberOf(value: unknown, field: DataField, heading = ''): number {
  let number: number
  if (typeof value === 'number') number = value
  else if (typeof value === 'bigint') number = Number(value)
  else {
    const text = String(value as string)
      .trim()
      .replace(/^dn\s*/i, '')
      .replace(/\s*(?:mm|cm|dm|m|%|m ü\.? ?nhn?)$/i, '')
      .replace(/^[−–]/, '-')
    if (/^[+-]?\d{1,3}(?:\.\d{3})+,\d+$/.test(text))
      number = Number(text.replaceAll('.', '').replace(',', '.'))
    else if (/^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i.test(text)) number = Number(text.replace(',', '.'))
    else throw new ValueFault('zahl_ungueltig')
  }
  if (!Number.isFinite(number)) throw new ValueFault('zahl_ungueltig')
  if (field.einheit !== undefined) {
    const unit = (typeof value === 'string' ? lengthUnitOfCell(value) : null) ?? lengthUnitOf(heading)
    if (unit !== null) number = convertLength(number, unit, field.einheit)
  }
  if (field.art === 'ganz') {
    if (!Number.isInteger(number)) throw new ValueFault('zahl_ungueltig')
  } else number = Number(number.toFixed(field.decimals))
  if (number < (field.atLeast ?? -Infinity) || number > (field.atMost ?? Infinity))
    throw new ValueFault('zahl_ausserhalb')
  return number
}

function dayOf(value: unknown): string {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new ValueFault('tag_ungueltig')
    return value.toISOString().slice(0, 10)
  }
  const text = String(value as string).trim()
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  const found = parseDate(
    compact === null
      ? text.replaceAll('/', text.length > 4 && text[4] === '/' ? '-' : '.').replace(/[T ]\d{2}:\d{2}.*$/, '')
      : `${compact[1]}-${compact[2]}-${compact[3]}`,
  )
  if (found === null || found < '1700' || found > '2200') throw new ValueFault('tag_ungueltig')
  return found
}

/** The code of a kind of solution, by its name or by the digit of NMEA. */
function solutionOf(value: unknown): string {
  const folded = foldText(String(value as string | number))
  const found = Object.entries(FIX).find(
    ([code, { aliases }]) => foldText(code) === folded || aliases.split(' ').includes(folded),
  )
  if (found === undefined) throw new ValueFault('loesung_unbekannt')
  return found[0]
}

function fieldValueOf(value: unknown, field: DataField, heading: string): string | number | boolean | null {
  if (isEmpty(value)) return null
  switch (field.art) {
    case 'text': {
      const text = textOf(value, field)
      return text === '' ? null : text
    }
    case 'ja_nein':
      // So a shapefile says that neither is known, and up to 3.6 GDAL takes it along as a text.
      return value === '?' ? null : yesNoOf(value)
    case 'ganz':
    case 'zahl':
      return numberOf(value, field, heading)
    case 'wahl':
      return solutionOf(value)
    default:
      return dayOf(value)
  }
}

/** The values of one object by field, each from its column; a faulty value is reported and omitted. */
export function readValues(
  fields: readonly DataField[],
  assignment: Readonly<Record<string, string>>,
  rawFeature: Readonly<Record<string, unknown>>,
  tell: (field: string, art: ObjectFaultKind, wert: unknown) => void,
): Values {
  const values: Values = {}
  for (const field of fields) {
    const column = assignment[field.name]
    if (column === undefined) continue
    try {
      const read = fieldValueOf(rawFeature[column], field, column)
      if (read !== null) values[field.name] = read
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error
      tell(field.name, error.art, rawFeature[column])
    }
  }
  return values
}

export interface Checker {
  /** The object, or null if it has faults, which have been reported. */
  runCheck(rawFeature: RawObject): SurveyObject | null
}

/**
 * Checks the objects of one layer in sequence. `keys` are those of this kind of object, across all layers
 * that contain it.
 */
export function createChecker(
  layer: Layer,
  convert: Conversion,
  mode: ImportMode,
  keys: Set<string>,
  tell: (fault: Fault) => void,
): Checker {
  const fields = fieldsOf(layer.tabelle).filter(({ name }) => layer.felder[name] !== undefined)
  const fault = (nr: number, field: string, art: ObjectFaultKind, wert: unknown = ''): null => {
    tell({ schicht: layer.name, nr, feld: field, art, wert: shown(wert) })
    return null
  }
  function placed({ nr, geometrie }: RawObject): Geometry | null {
    if (geometrie === null) return fault(nr, 'geometrie', 'geometrie_leer')
    if (geometrie instanceof GeometryFault) return fault(nr, 'geometrie', geometrie.code)
    if (geometrie.art === 'flaeche') return fault(nr, 'geometrie', 'geometrie_art')
    if ((layer.tabelle === 'draenage') !== (geometrie.art === 'linie'))
      return fault(nr, 'geometrie', geometrie.art === 'linie' ? 'geometrie_punkt' : 'geometrie_linie')
    let there: Geometry
    try {
      there = converted(geometrie, convert)
    } catch {
      return fault(nr, 'geometrie', 'ort_ausserhalb', placesOf(geometrie)[0]?.join(' / '))
    }
    const outside = placesOf(there).findIndex((ort) => !isInGermany(ort))
    return outside < 0
      ? there
      : fault(nr, 'geometrie', 'ort_ausserhalb', placesOf(geometrie)[outside]?.join(' / '))
  }
  /** Heights of the geometry, where no column was chosen for them. */
  function heightsOf(there: Geometry): Values {
    const free = (field: string): boolean => layer.felder[field] === undefined
    if (there.art === 'punkt')
      return there.z !== null && isHeight(there.z) && free('hoehe')
        ? { hoehe: Number(there.z.toFixed(3)) }
        : {}
    const ends = knownEnds(there)
    if (ends === undefined || !ends.every(isHeight)) return {}
    // A drain's heights are those of its invert; water leaves it at the lower end.
    const low = Math.min(...ends)
    const slope = (100 * (Math.max(...ends) - low)) / lengthOfLine(there)
    return {
      ...(free('sohlhoehe') && { sohlhoehe: Number(low.toFixed(3)) }),
      ...(free('gefaelle') && slope <= 100 && { gefaelle: Number(slope.toFixed(3)) }),
    }
  }
  return {
    runCheck(rawFeature) {
      const there = placed(rawFeature)
      let sound = there !== null
      const values = readValues(fields, layer.felder, rawFeature.werte, (field, art, value) => {
        fault(rawFeature.nr, field, art, value)
        sound = false
      })
      if (there !== null) Object.assign(values, heightsOf(there))
      const key = values['schluessel']
      if (typeof key === 'string') {
        if (keys.has(key)) {
          fault(rawFeature.nr, 'schluessel', 'schluessel_doppelt', key)
          sound = false
        }
        keys.add(key)
      } else if (mode === 'ergaenzen') {
        fault(rawFeature.nr, 'schluessel', 'schluessel_fehlt')
        sound = false
      }
      return sound && there !== null ? { nr: rawFeature.nr, geometrie: there, werte: values } : null
    },
  }
}
