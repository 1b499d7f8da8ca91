// What a received file is and says: an e-invoice as XML, a PDF with one inside, or a plain PDF.
import { checkInvoice } from '#domain/eingang/check.ts'
import { createFaultList, type InvoiceFault, quoted } from '#domain/eingang/fault.ts'
import { headOf, type InvoiceHead } from '#domain/eingang/head.ts'
import { type InvoiceGroup, groupOf, type ReadInvoice, term } from '#domain/eingang/invoice.ts'
import type { Recipient } from '#domain/eingang/recipient.ts'
import { type Attachment, attachmentsOf, NoInvoiceFault, readInvoice } from '#domain/eingang/read-invoice.ts'
import { XmlFault, type XmlTree } from '#domain/xml-tree.ts'
import type { EingangFormat } from '#contract/eingang.ts'
import { decodeText } from './decode-text.ts'
import { FileFault } from './file-fault.ts'
import { parseXml } from '../parse-xml.ts'
import { readPdf } from './pdf-attachments.ts'

export interface ReadFile {
  readonly format: EingangFormat
  /** The rules that the file says it follows (BT-24). */
  readonly profil: string | null
  readonly head: InvoiceHead | null
  readonly invoice: InvoiceGroup | null
  readonly faults: readonly InvoiceFault[]
}

/** Under which names the XML is attached: Factur-X and ZUGFeRD 2.1, 2.0, 1.0, XRechnung in a PDF, Order-X is none. */
const XML_NAMES = ['factur-x.xml', 'xrechnung.xml', 'zugferd-invoice.xml']

/** Its mark may stand behind other bytes (ISO 32000-1, 7.5.2), but not in an XML file that speaks of it. */
const isPdf = (bytes: Buffer): boolean => {
  const start = bytes.toString('latin1', 0, 1024)
  return start.includes('%PDF-') && !/^[^%]{0,3}\s*</.test(start)
}
/** An element or a declaration is the first thing in it, in whatever encoding. */
const looksLikeXml = (bytes: Buffer): boolean =>
  // oxlint-disable-next-line no-control-regex -- UTF-16 has a zero beside each letter
  /^(?:\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)?[\s\0]*<[?!A-Za-z\0]/.test(bytes.toString('latin1', 0, 1024))

function faultOf(error: unknown): FileFault {
  if (error instanceof FileFault) return error
  if (error instanceof NoInvoiceFault)
    return new FileFault(error.code === 'fremd' ? 'eingang_fremd' : 'eingang_zugferd_1')
  if (error instanceof XmlFault)
    return new FileFault(
      error.code === 'dtd' ? 'eingang_dtd' : error.code === 'tief' ? 'eingang_umfang' : 'eingang_xml',
    )
  throw error
}

function treeOf(bytes: Buffer): XmlTree {
  if (!looksLikeXml(bytes)) throw new FileFault('eingang_art')
  return parseXml(decodeText(bytes))
}

const profileOf = ({ invoice }: ReadInvoice): string | null =>
  quoted(term(groupOf(invoice, 'BG-2'), 'BT-24')) || null

const readable = (format: EingangFormat, read: ReadInvoice, self: Recipient | null): ReadFile => ({
  format,
  profil: profileOf(read),
  head: headOf(read.invoice, self),
  invoice: read.invoice,
  faults: checkInvoice(read, self),
})

/** The XML inside; null: a plain PDF. Says why something that looks like an invoice was not read. */
function xmlOfPdf(bytes: Buffer): { tree: XmlTree | null; xml?: Buffer; faults: InvoiceFault[] } {
  const list = createFaultList()
  const { attachments, isEncrypted, isActive, broken } = readPdf(bytes)
  if (isActive)
    list.hint(
      'pdf_aktiv',
      'BG-0',
      'Das PDF enthält Skripte oder startet Programme. Bitte öffnen Sie es mit Vorsicht.',
    )
  if (isEncrypted)
    list.hint(
      'pdf_passwort',
      'BG-0',
      'Das PDF ist verschlüsselt. Ob eine E-Rechnung darin steckt, ist deshalb nicht zu sehen.',
    )
  for (const name of broken)
    list.hint('pdf_anlage', 'BG-0', `Diese Anlage des PDF ist beschädigt oder zu groß: „${quoted(name)}“.`)
  const found = attachments.filter(({ name }) => XML_NAMES.includes(name.toLowerCase()))
  if (found.length > 1)
    list.fault(
      'pdf_mehrere',
      'BG-0',
      'Im PDF stecken mehrere E-Rechnungen. Welche gilt, ist nicht zu erkennen; keine wurde gelesen.',
    )
  const [only] = found
  if (only === undefined || found.length > 1) return { tree: null, faults: list.faults }
  try {
    return { tree: treeOf(only.bytes), xml: only.bytes, faults: list.faults }
  } catch (error) {
    unreadable(list.fault, only.name, faultOf(error))
    return { tree: null, faults: list.faults }
  }
}

function unreadable(
  put: ReturnType<typeof createFaultList>['fault'],
  name: string,
  { code }: FileFault,
): void {
  if (code === 'eingang_zugferd_1')
    put(
      'pdf_zugferd_1',
      'BG-0',
      'Die Anlage des PDF ist ZUGFeRD 1.0 und damit keine E-Rechnung. Es gilt, was im PDF zu lesen ist.',
    )
  else put('pdf_xml', 'BG-0', `Die E-Rechnung im PDF ist nicht zu lesen: „${quoted(name)}“.`)
}

function readPdfFile(bytes: Buffer, self: Recipient | null): ReadFile {
  const { tree, faults } = xmlOfPdf(bytes)
  const plain: ReadFile = { format: 'pdf', profil: null, head: null, invoice: null, faults }
  if (tree === null) return plain
  try {
    const read = readable('zugferd', readInvoice(tree), self)
    return { ...read, faults: [...faults, ...read.faults] }
  } catch (error) {
    const list = createFaultList()
    list.faults.push(...faults)
    unreadable(list.fault, 'XML', faultOf(error))
    return { ...plain, faults: list.faults }
  }
}

/** @throws FileFault */
export function readFile(bytes: Buffer, self: Recipient | null): ReadFile {
  if (bytes.length === 0) throw new FileFault('eingang_leer')
  if (isPdf(bytes)) return readPdfFile(bytes, self)
  try {
    const read = readInvoice(treeOf(bytes))
    return readable(read.syntax, read, self)
  } catch (error) {
    throw faultOf(error)
  }
}

/** An embedded document of the invoice (BG-24), counted from 1 among those that have content. @throws FileFault */
export function readAttachment(bytes: Buffer, index: number): Attachment | null {
  try {
    const tree = isPdf(bytes) ? xmlOfPdf(bytes).tree : treeOf(bytes)
    return tree === null ? null : (attachmentsOf(tree)[index - 1] ?? null)
  } catch (error) {
    throw faultOf(error)
  }
}

/** The e-invoice inside a PDF, as it was put there; null: none that can be read. */
export const readXml = (bytes: Buffer): Buffer | null => (isPdf(bytes) ? (xmlOfPdf(bytes).xml ?? null) : null)
