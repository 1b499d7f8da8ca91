// One row of an import file: its cells become the values of a customer and a headquarters, or faults.
import { germanName, placesOf, placeFits, type PlzTable, proposeAddress, restorePlz } from './address.ts'
import { type Bundesland, bundeslaenderOf } from './address-bundesland.ts'
import { type FaultKind, type Fault, makeFault } from './import-faults.ts'
import { type FieldKey, fieldOf, type Mapping } from './import-fields.ts'
import {
  type Cell,
  cellText,
  hasControlCharacter,
  isExcelError,
  isFormula,
  isPhone,
  parseBoolean,
  parseDate,
  parseEpsg,
  parseGender,
  parseLand,
  parseNumber,
} from './import-values.ts'

/** Null: the file has no value for it. */
export interface KundeImportValues {
  readonly name: string
  readonly name_zusatz: string | null
  readonly strasse: string
  readonly plz: string
  readonly ort: string
  readonly bundesland: Bundesland | null
  readonly epsg: number | null
  readonly ap_gender: 'Herr' | 'Frau' | 'divers' | null
  readonly ap_vorname: string | null
  readonly ap_nachname: string | null
  readonly ap_tel: string | null
}
export interface HqImportValues {
  readonly sHQ: string
  readonly fb_enabled: boolean
  readonly dtFE: string | null
  /** Hectares as decimal text. */
  readonly dcFLAEHB: string | null
  readonly fe_enabled: boolean
  readonly basis_fe_enabled: boolean
  readonly kawm_enabled: boolean
  readonly kawm_area: string | null
  readonly kawm_approval_date: string | null
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

export function readRow(cells: readonly Cell[], zeile: number, context: RowContext): TableRow {
  const values: Partial<Record<FieldKey, Value>> = {}
  const failed = new Set<FieldKey>()
  const fault = (feld: FieldKey, art: FaultKind, angaben?: Record<string, string | number>) => {
    failed.add(feld)
    context.faults.push(makeFault(zeile, feld, art, angaben))
  }
  context.mapping.forEach((key, column) => {
    if (key !== null)
      values[key] = readCell(key, cells[column], context.now, (art, angaben) => fault(key, art, angaben))
  })
  const text = (key: FieldKey) => (values[key] as string | null | undefined) ?? null
  for (const key of ['name', 'strasse', 'plz', 'ort'] as const)
    if (text(key) === null && !failed.has(key)) fault(key, `${key}_fehlt`)
  checkAddress(
    zeile,
    { plz: text('plz'), ort: text('ort'), land: text('bundesland'), given: cells, failed },
    context,
    fault,
  )
  const name = text('name') ?? ''
  if (text('sHQ') === null && !failed.has('sHQ') && context.mapping.includes('sHQ') && name !== '')
    fault('sHQ', 'hq_name_fehlt')
  return { zeile, kunde: kundeOf(values, name), hq: hqOf(values, name) }
}

type Report = (art: FaultKind, angaben?: Record<string, string | number>) => void

/** The value of one cell; null if it is empty or faulty. */
function readCell(key: FieldKey, cell: Cell, now: Date, report: Report): Value {
  const text = cellText(cell)
  if (text === '') return null
  const { kind, longest } = fieldOf(key)
  // Code points, as the database counts.
  if (text.length > longest && kind !== 'plz' && [...text].length > longest) {
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
      return /^[0-9]{5}$/.test(text) ? text : refuse('plz_format')
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
  readonly land: string | null
  readonly given: readonly Cell[]
  readonly failed: ReadonlySet<FieldKey>
}

/** Checks that PLZ, Ort and Bundesland belong together, and collects suggestions. */
function checkAddress(
  zeile: number,
  { plz, ort, land, given, failed }: Address,
  context: RowContext,
  fault: (feld: FieldKey, art: FaultKind, angaben?: Record<string, string | number>) => void,
) {
  const propose = (feld: FieldKey, wert: string) => context.suggestions.push({ zeile, feld, wert })
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
  const laender: readonly string[] = bundeslaenderOf(plz)
  if (land !== null && !laender.includes(land))
    fault('bundesland', 'bundesland_widerspricht', { wert: land, land: laender.join(' oder ') })
  if (proposal.bundesland !== null && proposal.bundesland !== land) propose('bundesland', proposal.bundesland)
}
function namesOf(table: PlzTable, plz: string): string {
  const names = placesOf(table, plz).map(germanName)
  return names.length > 6
    ? `${names.slice(0, 6).join(', ')} und ${names.length - 6} weitere`
    : names.join(', ')
}

function kundeOf(values: Partial<Record<FieldKey, Value>>, name: string): KundeImportValues {
  const text = (key: FieldKey) => (values[key] as string | null | undefined) ?? null
  return {
    name,
    name_zusatz: text('name_zusatz'),
    strasse: [text('strasse'), text('hausnummer')].filter((part) => part !== null).join(' '),
    plz: text('plz') ?? '',
    ort: text('ort') ?? '',
    bundesland: text('bundesland') as Bundesland | null,
    epsg: (values.epsg as number | null | undefined) ?? null,
    ap_gender: text('ap_gender') as KundeImportValues['ap_gender'],
    ap_vorname: text('ap_vorname'),
    ap_nachname: text('ap_nachname'),
    ap_tel: text('ap_tel'),
  }
}

function hqOf(values: Partial<Record<FieldKey, Value>>, name: string): HqImportValues {
  const text = (key: FieldKey) => (values[key] as string | null | undefined) ?? null
  return {
    sHQ: text('sHQ') ?? name,
    fb_enabled: (values.fb_enabled as boolean | null | undefined) ?? true,
    dtFE: text('dtFE'),
    dcFLAEHB: text('dcFLAEHB'),
    fe_enabled: values.fe_enabled === true,
    basis_fe_enabled: values.basis_fe_enabled === true,
    kawm_enabled: values.kawm_enabled === true,
    kawm_area: text('kawm_area'),
    kawm_approval_date: text('kawm_approval_date'),
  }
}

/** Whether a row is empty in all mapped columns. */
export const isEmptyRow = (cells: readonly Cell[], mapping: Mapping): boolean =>
  mapping.every((key, column) => key === null || cellText(cells[column]) === '')
