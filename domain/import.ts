// Import of customers with their headquarters: each row is one headquarters with its customer's data. Returns
// what would be created and everything wrong with it. The database decides again (app.a_import_kunden); this
// is for the preview. Rows and cells: import-row.ts, import-values.ts.
import { bundeslandOf, epsgOf } from './address-bundesland.ts'
import type { PlzTable } from './address.ts'
import { isPostcode } from './countries.ts'
import { type Fault, type FaultKind, makeFault } from './import-faults.ts'
import { type FieldKey, fieldOf, type Mapping } from './import-fields.ts'
import type { Cell } from './import-values.ts'
import {
  type HqImportValues,
  isEmptyRow,
  type KundeImportValues,
  readRow,
  type Suggestion,
  type TableRow,
} from './import-row.ts'

/** What to do with rows that already exist: import nothing at all, or skip them. */
export type Duplicates = 'anhalten' | 'ueberspringen'

export interface KnownKunde {
  readonly client_id: number
  readonly name: string
}

export interface ImportInput {
  /** Without the headings. */
  readonly rows: readonly (readonly Cell[])[]
  /** The spreadsheet's number of the first row; usually 2. */
  readonly firstRow: number
  readonly mapping: Mapping
  readonly plz: PlzTable
  readonly now: Date
  readonly doppelte: Duplicates
  /** Customers already in the database, by kundeKey. */
  readonly vorhanden: ReadonlyMap<string, KnownKunde>
}

export interface ImportKunde {
  readonly schluessel: string
  readonly werte: KundeImportValues & { readonly epsg: number }
  readonly forstbetriebe: readonly { readonly zeile: number; readonly werte: HqImportValues }[]
}

export interface ImportCheck {
  readonly kunden: readonly ImportKunde[]
  /** Number of rows that are not empty. */
  readonly zeilen: number
  /** In the order of the rows. */
  readonly faults: readonly Fault[]
  readonly suggestions: readonly Suggestion[]
  /** Rows skipped as duplicates. */
  readonly uebersprungen: readonly number[]
  /** Import is blocked: there is a fault other than a warning, or nothing to import. */
  readonly gesperrt: boolean
}

/**
 * Key of a name according to DIN 5007-1 without blanks; the same as replace(search.sort_key(name), ' ', '')
 * in SQL (both are tested with import-key.cases.json).
 */
export function nameKey(name: string): string {
  let key = ''
  for (const letter of name.toLowerCase()) {
    const plain = PLAIN[letter] ?? letter
    if (/^[a-z0-9]+$/.test(plain)) key += plain
  }
  return key
}
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ...Object.fromEntries(
    [...'äöüáàâéèêíìîóòôúùûñç'].map((letter, at) => [letter, 'aouaaaeeeiiiooouuunc'[at]!]),
  ),
}

/** Two rows, or a row and a customer in the database, are the same customer if name and PLZ match. */
export const kundeKey = (name: string, plz: string): string => `${nameKey(name)}|${plz}`

interface Group {
  readonly schluessel: string
  readonly zeile: number
  werte: KundeImportValues
  readonly forstbetriebe: TableRow[]
  readonly hqs: Map<string, number>
}

export function checkImport(input: ImportInput): ImportCheck {
  const faults: Fault[] = []
  const suggestions: Suggestion[] = []
  const skipped = new Set<number>()
  const groups = new Map<string, Group>()
  let rows = 0
  const context = { mapping: input.mapping, plz: input.plz, now: input.now, faults, suggestions }
  input.rows.forEach((cells, at) => {
    if (isEmptyRow(cells, input.mapping)) return
    rows += 1
    const row = readRow(cells, input.firstRow + at, context)
    // Without name and PLZ there is nothing to compare; the row already has its fault.
    const { name, plz, land } = row.kunde
    if (name === '' || (plz === '' && !isPostcode(land ?? 'DE', ''))) return
    addRow(row, groups, input, faults, skipped)
  })
  faults.sort((a, b) => a.zeile - b.zeile)
  const kunden = [...groups.values()].filter((group) => group.forstbetriebe.length > 0).map(finish)
  const blocked = kunden.length === 0 || faults.some(({ stufe }) => stufe === 'fehler')
  return { kunden, zeilen: rows, faults, suggestions, uebersprungen: [...skipped], gesperrt: blocked }
}

function addRow(
  row: TableRow,
  groups: Map<string, Group>,
  input: ImportInput,
  faults: Fault[],
  skipped: Set<number>,
): void {
  const importKey = kundeKey(row.kunde.name, row.kunde.plz)
  const duplicate = (field: FieldKey, art: FaultKind, details: Record<string, string | number>) => {
    const fault = makeFault(row.zeile, field, art, details)
    const skip = input.doppelte === 'ueberspringen'
    faults.push(skip ? { ...fault, stufe: 'warnung' } : fault)
    if (skip) skipped.add(row.zeile)
    return skip
  }
  const existing = input.vorhanden.get(importKey)
  if (
    existing !== undefined &&
    duplicate('name', 'kunde_vorhanden', { name: existing.name, client_id: existing.client_id })
  )
    return
  const group = groups.get(importKey)
  const hq = nameKey(row.hq.sHQ)
  if (group === undefined) {
    groups.set(importKey, {
      schluessel: importKey,
      zeile: row.zeile,
      werte: row.kunde,
      forstbetriebe: [row],
      hqs: new Map([[hq, row.zeile]]),
    })
    return
  }
  const earlier = group.hqs.get(hq)
  if (earlier !== undefined && duplicate('sHQ', 'doppelt_in_datei', { zeile: earlier })) return
  merge(group, row, faults)
  group.hqs.set(hq, earlier ?? row.zeile)
  group.forstbetriebe.push(row)
}

const digits = (text: string): string => text.replace(/[^0-9+]/g, '')

/** Small spelling differences are ignored in lines of text, such as names; everything else must be equal. */
function same(field: FieldKey, a: string | number, b: string | number): boolean {
  if (a === b) return true
  const { kind } = fieldOf(field)
  if (kind === 'line') return nameKey(String(a)) === nameKey(String(b))
  return kind === 'phone' && digits(String(a)) === digits(String(b))
}

/** The rows of one customer must agree; a value missing in one may come from another. */
function merge(group: Group, row: TableRow, faults: Fault[]): void {
  const merged: Record<string, string | number | null> = { ...group.werte }
  for (const [field, wert] of Object.entries(row.kunde) as [FieldKey, string | number | null][]) {
    const known = merged[field]
    if (wert === null || wert === '') continue
    if (known === null || known === undefined || known === '') merged[field] = wert
    else if (!same(field, known, wert))
      faults.push(
        makeFault(row.zeile, field, 'kunde_widerspruch', { zeile: group.zeile, anders: known, wert }),
      )
  }
  group.werte = merged as unknown as KundeImportValues
}

function finish({ schluessel, werte, forstbetriebe }: Group): ImportKunde {
  // If the file names no system, use the one of the Land's surveying offices.
  const home = werte.land === null || werte.land === 'DE'
  const epsg = werte.epsg ?? epsgOf(werte.bundesland ?? (home ? bundeslandOf(werte.plz) : null))
  return {
    schluessel,
    werte: { ...werte, epsg },
    forstbetriebe: forstbetriebe.map(({ zeile, hq }) => ({ zeile, werte: hq })),
  }
}

export interface UploadRow {
  readonly zeile: number
  readonly werte: KundeImportValues & HqImportValues
}

/** What is sent to the database: every headquarters with the merged data of its customer. */
export const uploadRows = ({ kunden }: Pick<ImportCheck, 'kunden'>): UploadRow[] =>
  kunden.flatMap(({ werte, forstbetriebe }) =>
    forstbetriebe.map((hq) => ({ zeile: hq.zeile, werte: { ...werte, ...hq.werte } })),
  )

/** Writes suggestions into the rows; columns missing in the file are added. */
export function applySuggestions(
  input: Pick<ImportInput, 'rows' | 'firstRow' | 'mapping'>,
  suggestions: readonly Suggestion[],
): { rows: readonly (readonly Cell[])[]; mapping: Mapping } {
  const mapping = [...input.mapping]
  const rows = [...input.rows]
  for (const { zeile, feld, wert } of suggestions) {
    const column = mapping.includes(feld) ? mapping.indexOf(feld) : mapping.push(feld) - 1
    const cells = [...(rows[zeile - input.firstRow] ?? [])]
    cells[column] = wert
    rows[zeile - input.firstRow] = cells
  }
  return { rows, mapping }
}
