// A file of customers as an office would send it, made from sample data, with planted faults at known places.
// For tests and for trying out the import.
import writeExcelFile from 'write-excel-file/node'
import { FIELDS, type FieldKey } from '#domain/import-fields.ts'
import type { FaultKind } from '#domain/import-faults.ts'
import { makeRandom, type Random } from './random.ts'
import { generateSample, type Sample } from './sample.ts'
import type { SampleHq, SampleKunde } from './sample-rows.ts'

/** Values as they appear in a German CSV file. */
type Row = Record<(typeof COLUMNS)[number], string>

const COLUMNS = [
  'name',
  'name_zusatz',
  'strasse',
  'plz',
  'ort',
  'bundesland',
  'epsg',
  'ap_gender',
  'ap_vorname',
  'ap_nachname',
  'ap_tel',
  'sHQ',
  'fb_enabled',
  'dtFE',
  'dcFLAEHB',
  'fe_enabled',
  'basis_fe_enabled',
  'kawm_enabled',
  'kawm_area',
  'kawm_approval_date',
] as const satisfies readonly FieldKey[]

export interface Planted {
  readonly zeile: number
  readonly feld: FieldKey
  readonly art: FaultKind
}
export interface ImportFile {
  readonly headers: readonly string[]
  /** Rows as text, without the headings. */
  readonly rows: readonly (readonly string[])[]
  /** In the order of the rows. */
  readonly planted: readonly Planted[]
  /** Semicolons and CRLF; Windows-1252 as German Excel saves it, or UTF-8 with a byte order mark. */
  csv(encoding: 'windows-1252' | 'utf-8'): Uint8Array
  /** With areas as numbers and valid dates as dates, as a spreadsheet stores them. */
  xlsx(): Promise<Uint8Array>
}

type Plant = (row: Row, others: readonly Row[]) => void
/**
 * alone: the customer has only one row, so no other row contradicts it; second: a later row of a customer
 * with several.
 */
const PLANTS: readonly (readonly [
  art: FaultKind,
  feld: FieldKey,
  where: 'any' | 'alone' | 'second',
  plant: Plant,
])[] = [
  ['name_fehlt', 'name', 'any', (row) => (row.name = '')],
  ['strasse_fehlt', 'strasse', 'any', (row) => (row.strasse = '   ')],
  ['plz_format', 'plz', 'any', (row) => (row.plz = row.plz.slice(1))],
  ['plz_unbekannt', 'plz', 'alone', (row) => (row.plz = '00999')],
  ['ort_passt_nicht', 'ort', 'alone', (row) => (row.ort = 'Nirgendwo an der Ilse')],
  ['bundesland_unbekannt', 'bundesland', 'any', (row) => (row.bundesland = 'Tirol')],
  [
    'bundesland_widerspricht',
    'bundesland',
    'alone',
    (row) => (row.bundesland = row.bundesland === 'Saarland' ? 'Bayern' : 'Saarland'),
  ],
  ['epsg_unbekannt', 'epsg', 'any', (row) => (row.epsg = '2154')],
  ['telefon_ungueltig', 'ap_tel', 'any', (row) => (row.ap_tel = '3,02313E+10')],
  ['zahl_ungueltig', 'dcFLAEHB', 'any', (row) => (row.dcFLAEHB = 'ca. 250')],
  ['flaeche_negativ', 'dcFLAEHB', 'any', (row) => (row.dcFLAEHB = `-${row.dcFLAEHB}`)],
  ['datum_ungueltig', 'dtFE', 'any', (row) => (row.dtFE = '31.02.2015')],
  ['ja_nein_ungueltig', 'fe_enabled', 'any', (row) => (row.fe_enabled = 'unklar')],
  ['text_zu_lang', 'name_zusatz', 'any', (row) => (row.name_zusatz = 'Wald und Feld '.repeat(20))],
  ['steuerzeichen', 'ap_nachname', 'any', (row) => (row.ap_nachname = `${row.ap_nachname}\u0001`)],
  ['formel', 'ap_vorname', 'any', (row) => (row.ap_vorname = '=cmd|A1')],
  ['doppelt_in_datei', 'sHQ', 'second', (row, others) => Object.assign(row, others[0])],
  ['kunde_widerspruch', 'strasse', 'second', (row) => (row.strasse = 'Ganz Woanders 7')],
]

/** The kinds that are planted; each occurs about equally often. */
export const PLANTED_KINDS = PLANTS.map(([art]) => art)

/** XLSX cells cannot hold raw control characters; such a file contains only the other kinds. */
export function generateImportFile({
  rows,
  faults,
  seed,
  now,
}: {
  rows: number
  faults: number
  seed: number
  now: Date
}): ImportFile {
  const random = makeRandom(seed + 1)
  const sample = generateSample({ customers: Math.ceil(rows / 4), headquarters: rows, users: 0, seed, now })
  const table = tableOf(sample)
  const planted = plantFaults(table, faults, random)
  const headers = COLUMNS.map((key) => FIELDS[key].label)
  const texts = table.map((row) => COLUMNS.map((key) => row[key]))
  return {
    headers,
    rows: texts,
    planted,
    csv: (encoding) => toCsv([headers, ...texts], encoding),
    xlsx: () => toXlsx(headers, texts),
  }
}

function tableOf(sample: Sample): Row[] {
  const kunden = new Map(sample.kunde.map((kunde) => [kunde.client_id, kunde]))
  return sample.hq.map((hq, at) => rowOf(kunden.get(hq.client_id)!, hq, sample.kunde_hq[at]!))
}
const german = (decimal: string | null): string => {
  if (decimal === null) return ''
  const [whole = '', places] = String(Number(decimal)).split('.')
  return whole.replace(/\B(?=(\d{3})+$)/g, '.') + (places === undefined ? '' : `,${places}`)
}
const germanDate = (iso: string | null): string => (iso === null ? '' : iso.split('-').toReversed().join('.'))
const yesNo = (flag: boolean): string => (flag ? 'ja' : 'nein')

function rowOf(kunde: SampleKunde, hq: SampleHq, switches: Sample['kunde_hq'][number]): Row {
  return {
    name: kunde.name,
    name_zusatz: kunde.name_zusatz ?? '',
    strasse: kunde.strasse,
    plz: kunde.plz,
    ort: kunde.ort,
    bundesland: kunde.bundesland,
    epsg: String(kunde.epsg),
    ap_gender: kunde.ap_gender,
    ap_vorname: kunde.ap_vorname,
    ap_nachname: kunde.ap_nachname,
    ap_tel: kunde.ap_tel,
    sHQ: hq.sHQ,
    fb_enabled: yesNo(hq.fb_enabled),
    dtFE: germanDate(hq.dtFE),
    dcFLAEHB: german(hq.dcFLAEHB),
    fe_enabled: yesNo(switches.fe_enabled),
    basis_fe_enabled: yesNo(switches.basis_fe_enabled),
    kawm_enabled: yesNo(switches.kawm_enabled),
    kawm_area: german(switches.kawm_area),
    kawm_approval_date: germanDate(switches.kawm_approval_date),
  }
}

/** At most one fault per customer, so that none hides or causes another. */
function plantFaults(table: Row[], faults: number, random: Random): Planted[] {
  const groups = new Map<string, number[]>()
  table.forEach(({ name, plz }, at) =>
    groups.set(`${name}|${plz}`, [...(groups.get(`${name}|${plz}`) ?? []), at]),
  )
  const alone = [...groups.values()].filter((rows) => rows.length === 1)
  const several = [...groups.values()].filter((rows) => rows.length > 1)
  const pools = { alone: random.sample(alone, alone.length), second: random.sample(several, several.length) }
  const planted: Planted[] = []
  for (let nr = 0; nr < faults; nr++) {
    const [art, field, where, plant] = PLANTS[nr % PLANTS.length]!
    const rows = pools[where === 'any' ? 'second' : where].pop()
    if (rows === undefined) throw new Error(`not enough customers for ${faults} faults`)
    const at = where === 'second' ? rows[random.int(1, rows.length - 1)]! : random.pick(rows)
    plant(
      table[at]!,
      rows.map((other) => table[other]!),
    )
    planted.push({ zeile: at + 2, feld: field, art })
  }
  return planted.sort((a, b) => a.zeile - b.zeile)
}

function toCsv(lines: readonly (readonly string[])[], encoding: 'windows-1252' | 'utf-8'): Uint8Array {
  const quote = (text: string) => (/[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const text = lines.map((line) => line.map(quote).join(';')).join('\r\n')
  if (encoding === 'utf-8') return Buffer.from(`\uFEFF${text}\r\n`, 'utf8')
  // Latin-1 and Windows-1252 share the letters; other characters would be lost silently.
  if ([...text].some((sign) => sign > '\u00FF'))
    throw new Error('the sample has a sign that Windows-1252 has not')
  return Buffer.from(`${text}\r\n`, 'latin1')
}

async function toXlsx(headers: readonly string[], rows: readonly (readonly string[])[]): Promise<Uint8Array> {
  const cell = (text: string, column: number) => {
    const { kind } = FIELDS[COLUMNS[column]!]
    if (text === '') return null
    if (kind === 'area' && /^[\d.,]+$/.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
    const date = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text)
    const value = date && new Date(`${date[3]}-${date[2]}-${date[1]}T00:00:00Z`)
    if (kind === 'date' && value && value.getUTCDate() === Number(date[1]))
      return { value, format: 'dd.mm.yyyy' }
    return text.replaceAll('\u0001', '')
  }
  return writeExcelFile([[...headers], ...rows.map((row) => row.map(cell))]).toBuffer()
}
