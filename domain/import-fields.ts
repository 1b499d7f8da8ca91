// What an import file may contain: the fields of a customer and of its headquarters, the column headings
// people use, and the column mapping. All but the house number are declared with their columns (kunde-fields.ts,
// hq-fields.ts).
import { type ColumnsWith, columnsWith, type Kind, mapColumns, pickColumns } from './fields.ts'
import { HQ_FIELDS, HQ_INPUTS, SWITCH_FIELDS, SWITCH_INPUTS } from './hq-fields.ts'
import { KUNDE_FIELDS, kundeField } from './kunde-fields.ts'

interface ImportField {
  /** Whether the field belongs to the customer or to the headquarters in the row. */
  readonly of: 'kunde' | 'hq'
  readonly label: string
  readonly kind: ImportKind
  /** Characters */
  readonly longest: number
  readonly required?: boolean
  /** Headings people use, folded by foldHeader. */
  readonly aliases: string
}
export type ImportKind = Extract<
  Kind,
  'line' | 'phone' | 'plz' | 'land' | 'country' | 'epsg' | 'gender' | 'boolean' | 'date' | 'area'
>

/** The customer's columns that an import fills. */
export type KundeImportColumn = ColumnsWith<typeof KUNDE_FIELDS, 'import'>
export const KUNDE_IMPORT_COLUMNS = columnsWith(KUNDE_FIELDS, 'import')
/** Those of its headquarters and of their switches. */
const HQ_COLUMNS = { ...pickColumns(HQ_FIELDS, HQ_INPUTS), ...pickColumns(SWITCH_FIELDS, SWITCH_INPUTS) }
export type HqColumns = typeof HQ_COLUMNS
export type HqImportColumn = ColumnsWith<HqColumns, 'import'>
export const HQ_IMPORT_COLUMNS = columnsWith(HQ_COLUMNS, 'import')

type Declared = (typeof KUNDE_FIELDS)[KundeImportColumn] | HqColumns[HqImportColumn]
const importField = (
  of: ImportField['of'],
  { label, kind, longest, import: imported }: Declared,
  required: boolean,
): ImportField => ({
  of,
  label: 'label' in imported ? imported.label : label,
  kind,
  longest,
  required,
  aliases: imported.aliases,
})

/** Joined to the street. */
const HOUSE_NUMBER: ImportField = {
  of: 'kunde',
  label: 'Hausnummer',
  kind: 'line',
  longest: 20,
  aliases: 'hausnummer hausnr nr hnr',
}

export type FieldKey = KundeImportColumn | 'hausnummer' | HqImportColumn
export const FIELDS: Readonly<Record<FieldKey, ImportField>> = {
  ...mapColumns(KUNDE_IMPORT_COLUMNS, (column) =>
    importField('kunde', KUNDE_FIELDS[column], kundeField(column).missing !== undefined),
  ),
  hausnummer: HOUSE_NUMBER,
  // Without a name it gets the customer's.
  ...mapColumns(HQ_IMPORT_COLUMNS, (column) => importField('hq', HQ_COLUMNS[column], false)),
}
export const FIELD_KEYS: readonly FieldKey[] = [
  ...KUNDE_IMPORT_COLUMNS.flatMap((column) =>
    column === 'strasse' ? [column, 'hausnummer' as const] : [column],
  ),
  ...HQ_IMPORT_COLUMNS,
]
export const fieldOf = (key: FieldKey): ImportField => FIELDS[key]

/** Column by column: the field it contains, or null if it is ignored. */
export type Mapping = readonly (FieldKey | null)[]

/** 'Straße / Haus-Nr.' → 'strassehausnr': spelling differences do not make another heading. */
export function foldHeader(header: string): string {
  return header
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '')
}

const BY_ALIAS: ReadonlyMap<string, FieldKey> = new Map(
  FIELD_KEYS.flatMap((key) =>
    [key.toLowerCase().replace(/_/g, ''), ...FIELDS[key].aliases.split(' ')].map(
      (alias) => [alias, key] as const,
    ),
  ),
)
/** 'Land' is mostly a state; beside a separate column for that it is the country. */
const COUNTRY = 'land'

/**
 * The mapping that the headings suggest. Each field is assigned once: to the heading that names it exactly,
 * otherwise to one that starts with its name.
 */
export function proposeMapping(headers: readonly string[]): Mapping {
  const folded = headers.map(foldHeader)
  const mapping: (FieldKey | null)[] = folded.map(() => null)
  const free = (key: FieldKey) => !mapping.includes(key)
  const country = folded.includes('bundesland') ? folded.indexOf(COUNTRY) : -1
  if (country >= 0) mapping[country] = 'land'
  folded.forEach((header, column) => {
    const key = BY_ALIAS.get(header)
    if (key && mapping[column] === null && free(key)) mapping[column] = key
  })
  folded.forEach((header, column) => {
    if (mapping[column] !== null) return
    // Longest alias first: 'kawmflaechebewilligt' is the KAWM area and not the module.
    const alias = [...BY_ALIAS.keys()]
      .filter((known) => known.length >= 4 && header.startsWith(known))
      .toSorted((a, b) => b.length - a.length)[0]
    const key = alias === undefined ? undefined : BY_ALIAS.get(alias)
    if (key && free(key)) mapping[column] = key
  })
  return mapping
}

const KEY_COLUMNS = 60
const KEY_LENGTH = 30

/** Names of the columns, with numbers that distinguish identical headings ('Telefon', 'Telefon'). */
function columnNames(headers: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return headers.slice(0, KEY_COLUMNS).map((header) => {
    const name = foldHeader(header).slice(0, KEY_LENGTH)
    const nr = (seen.get(name) ?? 0) + 1
    seen.set(name, nr)
    return nr === 1 ? name : `${name}#${nr}`
  })
}

/** Key under which a mapping is remembered: the set of headings, in any order. */
export const headerKey = (headers: readonly string[]): string => columnNames(headers).toSorted().join('|')

/** A remembered mapping: heading → field. */
export type SavedMapping = Readonly<Record<string, FieldKey>>

export function saveMapping(headers: readonly string[], mapping: Mapping): SavedMapping {
  return Object.fromEntries(
    columnNames(headers).flatMap((name, column) => (mapping[column] ? [[name, mapping[column]]] : [])),
  )
}

/** A remembered mapping is checked again, because fields come and go between versions. */
export function restoreMapping(
  headers: readonly string[],
  saved: Readonly<Record<string, unknown>>,
): Mapping {
  const taken = new Set<FieldKey>()
  const names = columnNames(headers)
  return headers.map((_, column) => {
    const name = names[column]
    const key = FIELD_KEYS.find(
      (field) => name !== undefined && Object.hasOwn(saved, name) && field === saved[name],
    )
    if (key === undefined || taken.has(key)) return null
    taken.add(key)
    return key
  })
}

/** Required fields that no column is mapped to. */
export const missingFields = (mapping: Mapping): FieldKey[] =>
  FIELD_KEYS.filter((key) => fieldOf(key).required && !mapping.includes(key))
