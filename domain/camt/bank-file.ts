// A file from the bank, independent of who unpacks and parses it: a statement in CAMT.053 or MT940, or an
// archive of them. For any other format, the fault names it and where to find the right file.
import { isMt940, readMt940 } from '../mt940/read-mt940.ts'
import { XmlFault, type XmlTree } from '../xml-tree.ts'
import { readCamt } from './read-camt.ts'
import { CamtFault, type CamtFaultCode, type CamtStatement } from './statement.ts'

export const MAX_BYTES = 20 * 1024 * 1024
const MAX_FILES = 500

export type StatementFaultCode =
  | CamtFaultCode
  | 'datei_leer'
  | 'gross'
  | 'gemischt'
  | 'pdf'
  | 'csv'
  | 'csv_gross'
  | 'csv_kaputt'
  | 'csv_leer'
  | 'tabelle'
  | 'html'
  | 'unbekannt'
  | 'kodierung'
  | 'xml'
  | 'dtd'
  | 'tief'
  | 'archiv'
  | 'archiv_geschuetzt'
  | 'archiv_leer'
/** `datei` names the file within an archive; empty otherwise. */
export interface StatementFaultValues {
  readonly code: StatementFaultCode
  readonly was: string
  readonly datei: string
}
export class StatementFault extends Error {
  override readonly name = 'StatementFault'
  readonly werte: StatementFaultValues
  constructor(code: StatementFaultCode, was = '', file = '') {
    super(code)
    this.werte = { code, was, datei: file }
  }
}

type Bytes = Uint8Array<ArrayBuffer>
export interface BankFileTools {
  /** Null if the bytes are not of this encoding. */
  decode(bytes: Uint8Array, label: string): string | null
  /** @throws XmlFault */
  parseXml(xml: string): XmlTree
  /** @throws StatementFault for an archive that cannot be unpacked */
  unpack(
    bytes: Bytes,
    wanted: (name: string) => boolean,
  ): Promise<readonly { readonly name: string; readonly data: Uint8Array }[]>
}

const startsWith = (bytes: Uint8Array, start: readonly number[]) =>
  start.every((byte, at) => bytes[at] === byte)
const ascii = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0))

function decodeAs(tools: BankFileTools, bytes: Uint8Array, label: string): string {
  const text = tools.decode(bytes, label)
  if (text === null) throw new StatementFault('kodierung', label)
  return text
}
/** Bytes as letters, for what is ASCII anyway. */
const headOf = (bytes: Uint8Array, most: number): string =>
  Array.from(bytes.subarray(0, most), (byte) => String.fromCharCode(byte)).join('')

/** Encoding from the byte order mark, else from the XML declaration, else UTF-8. */
function decode(tools: BankFileTools, bytes: Uint8Array): string {
  if (startsWith(bytes, [0xff, 0xfe])) return decodeAs(tools, bytes, 'utf-16le')
  if (startsWith(bytes, [0xfe, 0xff])) return decodeAs(tools, bytes, 'utf-16be')
  const head = headOf(bytes, 200)
  return decodeAs(
    tools,
    bytes,
    /^(?:\u00EF\u00BB\u00BF)?\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1] ?? 'utf-8',
  )
}

/** Text that names no encoding: UTF-8 if its bytes are, otherwise that of German Windows. */
const decodePlain = (tools: BankFileTools, bytes: Uint8Array): string =>
  tools.decode(bytes, 'utf-8') ?? decodeAs(tools, bytes, 'windows-1252')

/** Names the format it looks like, if it is neither. */
function refuseOther(text: string): never {
  const head = text.slice(0, 4000)
  if (/^[^\n<]*(?:[;\t][^\n;\t<]*){2,}\r?$/m.test(head) || /^(?:[^\n,<]*,){2,}/m.test(head))
    throw new StatementFault('csv')
  throw new StatementFault('unbekannt')
}

function readOne(tools: BankFileTools, bytes: Uint8Array): CamtStatement[] {
  if (bytes.length === 0) throw new StatementFault('datei_leer')
  if (startsWith(bytes, ascii('%PDF'))) throw new StatementFault('pdf')
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) throw new StatementFault('tabelle')
  const head = headOf(bytes, 4000)
  if (isMt940(head.replace('\u00EF\u00BB\u00BF', ''))) return readMt940(decodePlain(tools, bytes))
  const text =
    /^\s*</.test(head.replace('\u00EF\u00BB\u00BF', '')) || bytes[0]! >= 0xfe
      ? decode(tools, bytes)
      : decodePlain(tools, bytes)
  if (text.trim() === '') throw new StatementFault('datei_leer')
  if (/^\s*<(?:!doctype\s+html|html)\b/i.test(text)) throw new StatementFault('html')
  if (!/^\s*</.test(text)) refuseOther(text)
  return readCamt(tools.parseXml(text.replace(/^\s+(?=<\?xml)/, '')))
}

function named(error: unknown, file: string): StatementFault {
  if (error instanceof StatementFault) return new StatementFault(error.werte.code, error.werte.was, file)
  if (error instanceof CamtFault) return new StatementFault(error.code, error.was, file)
  if (error instanceof XmlFault) return new StatementFault(error.code, String(error.zeile), file)
  throw error
}

/** All statements of the file. Throws StatementFault. */
export async function readStatements(tools: BankFileTools, bytes: Bytes): Promise<CamtStatement[]> {
  let file = ''
  try {
    if (bytes.length > MAX_BYTES) throw new StatementFault('gross')
    if (!startsWith(bytes, [0x50, 0x4b])) return readOne(tools, bytes)
    const entries = await tools.unpack(
      bytes,
      (name) => !name.endsWith('/') && !/(?:^|\/)(?:\.|__MACOSX\/)/.test(name),
    )
    if (entries.some(({ name }) => name.toLowerCase() === 'xl/workbook.xml' || name === 'mimetype'))
      throw new StatementFault('tabelle')
    const files = entries
      .filter(({ name }) => /\.(?:xml|camt|053|sta|mt940|940|swi|txt)$/i.test(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    if (files.length === 0 || files.length > MAX_FILES) throw new StatementFault('archiv_leer')
    return files.flatMap(({ name, data }) => {
      file = name
      return readOne(tools, data)
    })
  } catch (error) {
    throw named(error, file)
  }
}
