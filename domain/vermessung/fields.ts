// Kinds of survey objects, their fields, and which columns of other people's data contain them.
import { lengthUnitOf, type LengthUnit, withoutUnit } from './length-unit.ts'

export const TABLES = ['draenage', 'ausmuendung', 'schacht', 'schlucker', 'einlauf'] as const
export type Table = (typeof TABLES)[number]
export const isTable = (text: unknown): text is Table => (TABLES as readonly unknown[]).includes(text)

/** What a layer of a file contains; ohne: rows without a location. */
export type LayerKind = 'punkt' | 'linie' | 'flaeche' | 'ohne'

/** wahl: one of the kinds of solutions (FIX in domain/habitat/choices.ts). */
export type FieldKind = 'text' | 'ja_nein' | 'ganz' | 'zahl' | 'tag' | 'wahl'
export interface DataField {
  readonly name: string
  readonly art: FieldKind
  /** Maximum length of text. */
  readonly laengste?: number
  readonly atLeast?: number
  readonly atMost?: number
  /** Decimal places that are kept. */
  readonly decimals?: number
  /** Of a length; other units in headings and cells are converted. */
  readonly einheit?: LengthUnit
  /** Drains only. */
  readonly only?: 'draenage'
  /** Column names for this field, folded (`foldText`), the most certain first. */
  readonly spalten: readonly string[]
}

/** The limits match db/migrations/0025_vermessung.sql. */
export const ALL_FIELDS: readonly DataField[] = [
  {
    name: 'schluessel',
    art: 'text',
    laengste: 100,
    spalten: [
      'schluessel',
      'key',
      'objektid',
      'objid',
      'objnr',
      'objektnr',
      'kennung',
      'uuid',
      'id',
      'nr',
      'nummer',
      'bezeichnung',
      'name',
    ],
  },
  {
    name: 'vermessen',
    art: 'ja_nein',
    spalten: ['vermessen', 'eingemessen', 'einmessung', 'verm', 'lagestatus', 'surveyed'],
  },
  {
    name: 'erfq',
    art: 'text',
    laengste: 100,
    spalten: ['erfq', 'erfassungsquelle', 'quelle', 'herkunft', 'erfassung', 'source'],
  },
  {
    name: 'qdt',
    art: 'text',
    laengste: 100,
    spalten: ['qdt', 'qualitaet', 'datenqualitaet', 'aop', 'quality'],
  },
  { name: 'art', art: 'text', laengste: 100, spalten: ['art', 'typ', 'objektart', 'klasse', 'type', 'kind'] },
  {
    name: 'dn',
    art: 'ganz',
    einheit: 'mm',
    atLeast: 1,
    atMost: 10_000,
    spalten: ['dn', 'nennweite', 'durchmesser', 'diameter', 'dnmm', 'nw'],
  },
  { name: 'material', art: 'text', laengste: 100, spalten: ['material', 'werkstoff', 'mat', 'rohrmaterial'] },
  {
    name: 'hoehe',
    art: 'zahl',
    einheit: 'm',
    atLeast: -500,
    atMost: 9_000,
    decimals: 3,
    spalten: [
      'hoehe',
      'deckelhoehe',
      'gelaendehoehe',
      'dh',
      'gok',
      'hoehenn',
      'hoehenhn',
      'z',
      'elevation',
      'anfangshoehe',
    ],
  },
  {
    name: 'sohlhoehe',
    art: 'zahl',
    einheit: 'm',
    atLeast: -500,
    atMost: 9_000,
    decimals: 3,
    spalten: ['sohlhoehe', 'sohle', 'sh', 'rohrsohle', 'rs', 'sohlhoehenhn', 'endhoehe'],
  },
  {
    name: 'tiefe',
    art: 'zahl',
    einheit: 'm',
    atLeast: 0,
    atMost: 1_000,
    decimals: 3,
    spalten: ['tiefe', 'verlegetiefe', 'draentiefe', 'depth'],
  },
  {
    name: 'gefaelle',
    art: 'zahl',
    atLeast: -100,
    atMost: 100,
    decimals: 3,
    only: 'draenage',
    spalten: ['gefaelle', 'neigung', 'slope', 'gefaelleprozent'],
  },
  {
    name: 'abstand',
    art: 'zahl',
    einheit: 'm',
    atLeast: 0,
    atMost: 999_999,
    decimals: 2,
    only: 'draenage',
    spalten: ['abstand', 'draenabstand', 'saugerabstand', 'spacing'],
  },
  {
    name: 'baujahr',
    art: 'ganz',
    atLeast: 1_700,
    atMost: 2_100,
    spalten: ['baujahr', 'jahr', 'bauj', 'year'],
  },
  {
    name: 'plan_nr',
    art: 'text',
    laengste: 100,
    spalten: ['plannr', 'plan', 'plannummer', 'regnr', 'blatt', 'karte', 'bestandsplan'],
  },
  { name: 'zustand', art: 'text', laengste: 100, spalten: ['zustand', 'status', 'bauzustand', 'condition'] },
  {
    name: 'letzte_kontrolle',
    art: 'tag',
    spalten: [
      'letztekontrolle',
      'kontrolle',
      'letztepruefung',
      'pruefdatum',
      'inspektion',
      'letztekon',
      'letzteko',
    ],
  },
  {
    name: 'eigentuemer',
    art: 'text',
    laengste: 200,
    spalten: ['eigentuemer', 'eigentueme', 'unterhaltungspflichtiger', 'betreiber', 'owner'],
  },
  {
    name: 'genauigkeit_cm',
    art: 'zahl',
    einheit: 'cm',
    atLeast: 0,
    atMost: 9_999_999,
    decimals: 1,
    spalten: ['genauigkeitcm', 'genauigkeit', 'genauigkei', 'lagegenauigkeit'],
  },
  {
    name: 'lage_fix',
    art: 'wahl',
    spalten: ['lagefix', 'fixtyp', 'fixtype', 'fix', 'loesung', 'loesungsart'],
  },
  {
    name: 'genauigkeit_geschaetzt',
    art: 'ja_nein',
    spalten: ['genauigkeitgeschaetzt', 'geschaetzt'],
  },
  {
    name: 'datum',
    art: 'tag',
    spalten: [
      'datum',
      'erfassungsdatum',
      'messdatum',
      'vermessungsdatum',
      'aufnahmedatum',
      'erfdatum',
      'date',
    ],
  },
  {
    name: 'bemerkung',
    art: 'text',
    laengste: 2_000,
    spalten: ['bemerkung', 'bemerkunge', 'bemerkungen', 'bem', 'kommentar', 'notiz', 'anmerkung', 'remark'],
  },
]
export const fieldsOf = (table: Table): readonly DataField[] =>
  ALL_FIELDS.filter(({ only }) => only === undefined || only === table)

/** Lower case, umlauts written out, only letters and digits. */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]/g, '')

const TABLE_NAMES: Readonly<Record<Table, RegExp>> = {
  draenage: /dra?en|drain|sauger|sammler|leitung|rohr/,
  ausmuendung: /ausm|auslau|outfall|muendung/,
  schacht: /schacht|schaecht|manhole|^scha/,
  schlucker: /schluck|gully|^schl/,
  einlauf: /einl|inlet/,
}
/** Which kind of object a layer contains, by its name and geometry; null if neither shows it. */
export function tableOf(name: string, geometry: LayerKind | null): Table | null {
  if (geometry === 'flaeche' || geometry === 'ohne') return null
  const folded = foldText(name)
  const found = TABLES.filter(
    (table) =>
      TABLE_NAMES[table].test(folded) &&
      (geometry === null || (geometry === 'linie') === (table === 'draenage')),
  )
  if (found.length === 1) return found[0]!
  return found.length === 0 && geometry === 'linie' ? 'draenage' : null
}

/** Field → column. Each column is used for one field. */
export function matchColumns(
  fields: readonly DataField[],
  columns: readonly string[],
): Record<string, string> {
  const folded = columns.map((column) => [column, foldText(column), foldText(withoutUnit(column))] as const)
  const taken = new Set<string>()
  const all: Record<string, string> = {}
  for (const field of fields) {
    for (const name of field.spalten) {
      const free = folded.filter(([column]) => !taken.has(column))
      const hit =
        free.find(([, text]) => text === name) ??
        (field.einheit === undefined ? undefined : free.find(([, , bare]) => bare === name))
      if (hit === undefined) continue
      all[field.name] = hit[0]
      taken.add(hit[0])
      break
    }
  }
  const numbered = columns.filter((column) => NUMBERED.test(column))
  const last = (column: string): number => Number(NUMBERED.test(column))
  for (const [column, text] of folded.toSorted(([a], [b]) => last(a) - last(b))) {
    if (column.length !== SHAPEFILE_NAME || taken.has(column)) continue
    const stem = stemOf(column)
    const meant = fields.filter(
      ({ name, spalten }) => all[name] === undefined && spalten.some((one) => one.startsWith(stem)),
    )
    // The first of several keeps its name, as far as it fits, and the others are numbered in their order.
    const others = numbered.filter((one) => one !== column && text.startsWith(stemOf(one)))
    if (meant.length === 1 || (meant.length > 1 && meant.length === others.length + 1))
      all[meant[0]!.name] = column
  }
  return all
}
/** Shapefiles cut names after ten letters, and number those that would then be the same. */
const SHAPEFILE_NAME = 10
const NUMBERED = /_\d$/
const stemOf = (column: string): string => foldText(column.replace(NUMBERED, ''))

/** Columns of lengths in another unit than their field, by their headings. */
export const convertedColumns = (
  fields: readonly DataField[],
  mapping: Readonly<Record<string, string | undefined>>,
): string[] =>
  fields.flatMap(({ name, einheit }) => {
    const unit = lengthUnitOf(mapping[name] ?? '')
    return einheit === undefined || unit === null || unit === einheit ? [] : [mapping[name]!]
  })

/**
 * A column in which programs number the rows of each file from 1: the same number is another object in another
 * file. Such a key is only taken when a person chooses it.
 */
export const isRowNumber = (column: string): boolean =>
  /^(?:(?:ogc|ogr|orig|in|near|join|target)?fid|objectid|gid|oid|rowid|pkuid)\d*$/.test(foldText(column))

export const mappingOf = (table: Table, columns: readonly string[]): Record<string, string> =>
  matchColumns(fieldsOf(table), columns)

/** The zone in which a customer's survey is stored; the same as maps.vermessung_epsg. */
export function zoneOf(epsg: number, bundesland: string | null): 25832 | 25833 {
  if ([25833, 5650, 31469, 2398, 2399].includes(epsg)) return 25833
  if ([25831, 25832, 4647, 31466, 31467, 31468, 2397].includes(epsg)) return 25832
  return ['Berlin', 'Brandenburg', 'Mecklenburg-Vorpommern', 'Sachsen'].includes(bundesland ?? '')
    ? 25833
    : 25832
}
