// Tables as an Excel workbook (Office Open XML), one sheet each: the parts of the archive as text, which
// browser and server pack in their own way. Texts become neutral text cells: nothing in them is taken for a
// formula, here or in a CSV saved from it.
import { neutralText } from './spreadsheet.ts'

/** Typed values, so that a number stays a number in every format. */
export type SheetCell = string | number | boolean | null | Day | Moment
/** A calendar day, ISO. */
export interface Day {
  readonly day: string
}
/** A point in time, ISO with time zone. */
export interface Moment {
  readonly moment: string
}
export interface Sheet {
  /** At most 31 characters. */
  readonly name: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly SheetCell[])[]
}
export interface XlsxPart {
  readonly name: string
  /** In pieces, so that a large sheet need not be one string. */
  readonly texts: readonly string[]
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
export const XLSX_TYPE = `${SHEET_TYPE}.sheet`

/** Indexes in cellXfs of STYLES. */
const STYLE = { text: 1, head: 2, day: 3, moment: 4 } as const
// "@" keeps 01067 a text when somebody edits the cell.
const STYLES =
  `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2">` +
  '<numFmt numFmtId="164" formatCode="dd.mm.yyyy"/>' +
  '<numFmt numFmtId="165" formatCode="dd.mm.yyyy hh:mm"/></numFmts><fonts count="2"><font>' +
  '<sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font>' +
  '</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill>' +
  '<patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>' +
  '<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/>' +
  '<xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" applyFont="1" ' +
  'applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>'

/**
 * XML allows no control characters and no lone surrogates; Excel reads _x0041_ as A; a cell holds 32,767
 * characters.
 */
const xmlText = (text: string): string =>
  text
    .slice(0, 32_767)
    .replaceAll(/[\p{Cs}\ufffe\uffff]/gu, '')
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, '')
    .replaceAll(/_(?=x[0-9a-fA-F]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // A bare carriage return would be read as a line feed.
    .replaceAll('\r', '&#13;')

/** 0 → A, 26 → AA */
export function columnName(at: number): string {
  const rest = Math.floor(at / 26)
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (at % 26))
}

const textCell = (address: string, text: string, style: number): string =>
  `<c r="${address}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(neutralText(text))}</t></is></c>`

/**
 * Days since 30 December 1899, as Excel counts. Excel has no time zones, so the person's local time is
 * written.
 */
const serial = (utcMs: number): number => utcMs / 86_400_000 + 25_569
function daySerial(iso: string): number {
  return serial(Date.parse(`${iso}T00:00:00Z`))
}
function momentSerial(iso: string): number {
  const time = new Date(iso)
  return serial(
    Date.UTC(
      time.getFullYear(),
      time.getMonth(),
      time.getDate(),
      time.getHours(),
      time.getMinutes(),
      time.getSeconds(),
    ),
  )
}

/** A cell at its address; an empty string for an empty cell. */
export function sheetCell(address: string, cell: SheetCell): string {
  if (cell === null || cell === '') return ''
  if (typeof cell === 'string') return textCell(address, cell, STYLE.text)
  if (typeof cell === 'boolean') return `<c r="${address}" t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'number') return Number.isFinite(cell) ? `<c r="${address}"><v>${cell}</v></c>` : ''
  const isDay = 'day' in cell
  const value = isDay ? daySerial(cell.day) : momentSerial(cell.moment)
  return Number.isFinite(value)
    ? `<c r="${address}" s="${isDay ? STYLE.day : STYLE.moment}"><v>${value}</v></c>`
    : ''
}

const widthOf = (cell: SheetCell): number =>
  typeof cell === 'string'
    ? cell.length
    : typeof cell === 'object' && cell !== null
      ? 'day' in cell
        ? 10
        : 16
      : 8

function columnsXml({ head, rows }: Sheet): string {
  const sample = rows.slice(0, 500)
  const widths = head.map((title, at) =>
    Math.min(60, Math.max(title.length, ...sample.map((row) => widthOf(row[at] ?? null))) + 2),
  )
  const columns = widths.map(
    (width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  return `<cols>${columns.join('')}</cols>`
}

const FROZEN_HEAD =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" ' +
  'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'

/** The sheet in pieces, one per row. */
function sheetTexts(table: Sheet): string[] {
  const names = table.head.map((_, at) => columnName(at))
  const row = (nr: number, cells: readonly string[]) => `<row r="${nr}">${cells.join('')}</row>`
  return [
    `${XML}<worksheet xmlns="${MAIN}">${FROZEN_HEAD}${columnsXml(table)}<sheetData>`,
    row(
      1,
      table.head.map((title, at) => textCell(`${names[at]}1`, title, STYLE.head)),
    ),
    ...table.rows.map((cells, index) =>
      row(
        index + 2,
        cells.map((cell, at) => sheetCell(`${names[at]}${index + 2}`, cell)),
      ),
    ),
    '</sheetData></worksheet>',
  ]
}

/** Excel refuses these characters in the name of a sheet. */
const sheetName = (name: string): string =>
  xmlText(
    name
      .replaceAll(/[\\/?*[\]:]/g, ' ')
      .slice(0, 31)
      .trim() || 'Tabelle',
  )

export function xlsxParts(sheetList: readonly Sheet[]): XlsxPart[] {
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
  const relations = (...list: string[]) =>
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`
  const part = (name: string, type: string) =>
    `<Override PartName="/xl/${name}" ContentType="${SHEET_TYPE}.${type}+xml"/>`
  const sheets = sheetList.map((singleSheet, at) => ({ singleSheet, nr: at + 1 }))
  const types = [
    `${XML}<Types xmlns="${PACKAGE}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    part('workbook.xml', 'sheet.main'),
    ...sheets.map(({ nr }) => part(`worksheets/sheet${nr}.xml`, 'worksheet')),
    part('styles.xml', 'styles'),
    '</Types>',
  ].join('')
  const workbook = [
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>`,
    ...sheets.map(
      ({ singleSheet, nr }) =>
        `<sheet name="${sheetName(singleSheet.name)}" sheetId="${nr}" r:id="rId${nr}"/>`,
    ),
    '</sheets></workbook>',
  ].join('')
  return [
    { name: '[Content_Types].xml', texts: [types] },
    { name: '_rels/.rels', texts: [relations(relation(1, 'officeDocument', 'xl/workbook.xml'))] },
    { name: 'xl/workbook.xml', texts: [workbook] },
    {
      name: 'xl/_rels/workbook.xml.rels',
      texts: [
        relations(
          ...sheets.map(({ nr }) => relation(nr, 'worksheet', `worksheets/sheet${nr}.xml`)),
          relation(sheets.length + 1, 'styles', 'styles.xml'),
        ),
      ],
    },
    { name: 'xl/styles.xml', texts: [STYLES] },
    ...sheets.map(({ singleSheet, nr }) => ({
      name: `xl/worksheets/sheet${nr}.xml`,
      texts: sheetTexts(singleSheet),
    })),
  ]
}
