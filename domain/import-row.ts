// One row of an import file: its cells become the values of a customer and a headquarters, or faults.
import { type ColumnsWith, columnsWith, mapColumns, type RowOf } from './fields.ts'
import { hqField } from './hq-fields.ts'
import { KUNDE_FIELDS, kundeField } from './kunde-fields.ts'
import { germanName, placesOf, placeFits, type PlzTable, proposeAddress, restorePlz } from './address.ts'
import { bundeslaenderOf } from './address-bundesland.ts'
import { isPostcode, normalizePostcode, postcodeExample } from './countries.ts'
import { type FaultKind, type Fault, makeFault } from './import-faults.ts'
import {
  type FieldKey,
  fieldOf,
  HQ_IMPORT_COLUMNS,
  type HqColumns,
  type HqImportColumn,
  KUNDE_IMPORT_COLUMNS,
  type KundeImportColumn,
  type Mapping,
} from './import-fields.ts'
import {
  type Cell,
  cellText,
  hasControlCharacter,
  isExcelError,
  isFormula,
  isPhone,
  parseBoolean,
  parseCountryCell,
  parseDate,
  parseEpsg,
  parseGender,
  parseLand,
  parseNumber,
} from './import-values.ts'

type Kunde = RowOf<typeof KUNDE_FIELDS>
type RequiredColumn = ColumnsWith<typeof KUNDE_FIELDS, 'missing'>
const REQUIRED = columnsWith(KUNDE_FIELDS, 'missing')

/** Null: the file has no value for it. */
export type KundeImportValues = {
  readonly [C in KundeImportColumn]: Kunde[C] | (C extends RequiredColumn ? never : null)
}
/** An area is decimal text. */
export type HqImportValues = {
  readonly [C in HqImportColumn]: HqColumns[C]['kind'] extends 'boolean'
    ? boolean
    : string | (HqColumns[C] extends { nullable: true } ? null : never)
}

export interface TableRow {
  readonly zeile: number
  readonly kunde: KundeImportValues
  readonly hq: HqImportValues
}
/** A value that would improve the row; applied on click, never automatically. */
export interface Suggestion {
  readonly zeile: number
  readonly feld: FieldKey
  readonly wert: string
}

export interface RowContext {
  readonly mapping: Mapping
  readonly plz: PlzTable
  readonly now: Date
  readonly faults: Fault[]
  readonly suggestions: Suggestion[]
}

/**
 * Hectares. No single owner in Germany has a holding much larger than 100,000; the database column ends below
 * a million.
 */
const AREA_UNUSUAL = 150_000
const AREA_LIMIT = 1_000_000

type Value = string | number | boolean | null

export function readRow(cells: readonly Cell[], row: number, context: RowContext): TableRow {
  const values: Partial<Record<FieldKey, Value>> = {}
  const failed = new Set<FieldKey>()
  const fault = (field: FieldKey, art: FaultKind, details?: Record<string, string | number>) => {
    failed.add(field)
    context.faults.push(makeFault(row, field, art, details))
  }
  const read = (key: FieldKey, column: number): void => {
    const country = typeof values.land === 'string' ? values.land : 'DE'
    values[key] = readCell(key, cells[column], { ...context, country }, (art, details) =>
      fault(key, art, details),
    )
  }
  // The country first: what a postcode looks like depends on it.
  const at = context.mapping.indexOf('land')
  if (at >= 0) read('land', at)
  context.mapping.forEach((key, column) => {
    if (key !== null && key !== 'land') read(key, column)
  })
  const text = (key: FieldKey) => (values[key] as string | null | undefined) ?? null
  const mayLack = isPostcode(text('land') ?? 'DE', '')
  for (const key of REQUIRED)
    if (text(key) === null && !failed.has(key) && !(key === 'plz' && mayLack)) fault(key, `${key}_fehlt`)
  checkAddress(
    row,
    {
      plz: text('plz'),
      ort: text('ort'),
      land: text('bundesland'),
      country: text('land'),
      given: cells,
      failed,
    },
    context,
    fault,
  )
  const name = text('name') ?? ''
  if (text('sHQ') === null && !failed.has('sHQ') && context.mapping.includes('sHQ') && name !== '')
    fault('sHQ', 'hq_name_fehlt')
  return { zeile: row, kunde: kundeOf(values, name), hq: hqOf(values, name) }
}

type Report = (art: FaultKind, details?: Record<string, string | number>) => void

/** The value of one cell; null if it is empty or faulty. */
function readCell(
  key: FieldKey,
  cell: Cell,
  { now, country }: Pick<RowContext, 'now'> & { readonly country: string },
  report: Report,
): Value {
  const text = cellText(cell)
  if (text === '') return null
  const { kind, longest } = fieldOf(key)
  // Code points, as the database counts.
  if (text.length > longest && kind !== 'plz' && kind !== 'country' && [...text].length > longest) {
    report('text_zu_lang', { laenge: [...text].length, laengste: longest })
    return null
  }
  const art = hasControlCharacter(text) ? 'steuerzeichen' : isExcelError(text) ? 'excel_fehler' : null
  if (art !== null) {
    report(art, { wert: text })
    return null
  }
  switch (kind) {
    case 'line':
      return isFormula(text) ? refuse('formel') : text
    case 'phone':
      return isPhone(text) ? text : refuse(isFormula(text) ? 'formel' : 'telefon_ungueltig')
    case 'plz':
      return readPostcode(country, text, report)
    case 'country':
      return parseCountryCell(cell) ?? refuse('land_unbekannt')
    case 'land':
      return parseLand(cell) ?? refuse('bundesland_unbekannt')
    case 'epsg':
      return parseEpsg(cell) ?? refuse('epsg_unbekannt')
    case 'gender':
      return parseGender(cell) ?? refuse('anrede_unbekannt')
    case 'boolean':
      return parseBoolean(cell) ?? refuse('ja_nein_ungueltig')
    case 'date':
      return readDate(key, cell, now, report)
    case 'area':
      return readArea(cell, report)
  }
  function refuse(refusal: FaultKind): null {
    report(refusal, { wert: text })
    return null
  }
}

function readPostcode(country: string, text: string, report: Report): string | null {
  const plz = normalizePostcode(country, text)
  if (isPostcode(country, plz)) return plz
  if (country === 'DE') report('plz_format', { wert: text })
  else report('plz_ausland', { wert: text, beispiel: postcodeExample(country) ?? '1234' })
  return null
}

function readDate(key: FieldKey, cell: Cell, now: Date, report: Report): string | null {
  const date = parseDate(cell)
  if (date === null) {
    report('datum_ungueltig', { wert: cellText(cell) })
    return null
  }
  // Plans are made for ten to twenty years; the subsidy exists since 2022.
  const earliest = key === 'kawm_approval_date' ? 2022 : 1950
  const year = Number(date.slice(0, 4))
  if (year < earliest || year > now.getUTCFullYear() + 20)
    report('datum_auffaellig', { wert: cellText(cell) })
  return date
}

function readArea(cell: Cell, report: Report): string | null {
  const area = parseNumber(cell)
  const refuse = (art: FaultKind): null => {
    report(art, { wert: cellText(cell) })
    return null
  }
  if (area === null) return refuse('zahl_ungueltig')
  if (Number(area) < 0) return refuse('flaeche_negativ')
  if (Number(area) >= AREA_LIMIT) return refuse('flaeche_zu_gross')
  if (Number(area) > AREA_UNUSUAL) report('flaeche_auffaellig', { wert: cellText(cell) })
  return area
}

interface Address {
  readonly plz: string | null
  readonly ort: string | null
  /** Bundesland */
  readonly land: string | null
  /** Null: Germany. */
  readonly country: string | null
  readonly given: readonly Cell[]
  readonly failed: ReadonlySet<FieldKey>
}

/** Checks that PLZ, Ort and Bundesland belong together, and collects suggestions. */
function checkAddress(
  row: number,
  { plz, ort, land, country, given, failed }: Address,
  context: RowContext,
  fault: (field: FieldKey, art: FaultKind, details?: Record<string, string | number>) => void,
) {
  const propose = (field: FieldKey, wert: string) =>
    context.suggestions.push({ zeile: row, feld: field, wert })
  // Directory and states are those of Germany.
  if (country !== null && country !== 'DE') {
    if (land !== null) fault('bundesland', 'bundesland_ausland', { wert: land })
    return
  }
  if (plz === null) {
    const restored = restorePlz(cellText(given[context.mapping.indexOf('plz')]))
    if (restored !== null && placesOf(context.plz, restored).length > 0) propose('plz', restored)
    return
  }
  const proposal = proposeAddress(context.plz, plz)
  if (proposal === null) return fault('plz', 'plz_unbekannt', { wert: plz })
  if (ort !== null && !placeFits(context.plz, plz, ort)) {
    fault('ort', 'ort_passt_nicht', { wert: ort, orte: namesOf(context.plz, plz) })
    if (proposal.ort !== null) propose('ort', proposal.ort)
  } else if (ort === null && proposal.ort !== null && failed.has('ort')) propose('ort', proposal.ort)
  const states: readonly string[] = bundeslaenderOf(plz)
  if (land !== null && !states.includes(land))
    fault('bundesland', 'bundesland_widerspricht', { wert: land, land: states.join(' oder ') })
  if (proposal.bundesland !== null && proposal.bundesland !== land) propose('bundesland', proposal.bundesland)
}
function namesOf(table: PlzTable, plz: string): string {
  const names = placesOf(table, plz).map(germanName)
  return names.length > 6
    ? `${names.slice(0, 6).join(', ')} und ${names.length - 6} weitere`
    : names.join(', ')
}

function kundeOf(values: Partial<Record<FieldKey, Value>>, name: string): KundeImportValues {
  const valueOf = (column: KundeImportColumn) =>
    values[column] ?? (kundeField(column).missing === undefined ? null : '')
  const street = [values.strasse, values.hausnummer].filter((part) => part !== null && part !== undefined)
  return {
    ...mapColumns(KUNDE_IMPORT_COLUMNS, valueOf),
    name,
    strasse: street.join(' '),
  } as KundeImportValues
}

function hqOf(values: Partial<Record<FieldKey, Value>>, name: string): HqImportValues {
  const valueOf = (column: HqImportColumn) => {
    const { kind, initial } = hqField(column)
    return values[column] ?? (kind === 'boolean' ? initial === true : null)
  }
  return { ...mapColumns(HQ_IMPORT_COLUMNS, valueOf), sHQ: values.sHQ ?? name } as HqImportValues
}

/** Whether a row is empty in all mapped columns. */
export const isEmptyRow = (cells: readonly Cell[], mapping: Mapping): boolean =>
  mapping.every((key, column) => key === null || cellText(cells[column]) === '')
