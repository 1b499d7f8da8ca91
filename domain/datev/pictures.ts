// The pictures of a batch: originals of received invoices in a package of DATEV's interface for documents
// (XML-Schnittstelle online, Document_v060), and how a line refers to its picture. docs/decisions/eingang.md
import { escapeXml } from '../e-rechnung/xml.ts'

/** What DATEV Unternehmen online takes: of one file, of a package, and how many. */
export const PICTURE_BYTES = 20_000_000
export const PACKAGE_BYTES = 465_000_000
export const PACKAGE_FILES = 4_999

export interface Picture {
  readonly eingang_id: number
  readonly nummer: string
  readonly kreditor: string
  readonly format: string
  readonly sha256: string
}

/**
 * By what the file is: the same one in the batch and in the package, whenever each is made, and the same file is
 * never two documents. A UUID of our own making (RFC 9562, version 8).
 */
export function pictureUuid(sha256: string): string {
  const hex = sha256.toUpperCase()
  const variant = '89AB'[Number.parseInt(hex[16] ?? '0', 16) % 4]!
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** For column 20. */
export const pictureLink = (sha256: string): string => `BEDI "${pictureUuid(sha256)}"`

/** Names of our own: what senders call their files may be no name elsewhere. */
export const pictureName = ({ eingang_id, format }: Pick<Picture, 'eingang_id' | 'format'>): string =>
  `Eingang-${eingang_id}.${format === 'pdf' || format === 'zugferd' ? 'pdf' : 'xml'}`

const NAMESPACE = 'http://xml.datev.de/bedi/tps/document/v06.0'
const firstOf = (text: string, longest: number): string => Array.from(text).slice(0, longest).join('')

/** `createdAt`: an ISO time. Documents of type 1 are received invoices. */
export function documentXml(createdAt: string, pictures: readonly Picture[]): string {
  const documents = pictures.map(
    (one) =>
      `    <document guid="${pictureUuid(one.sha256)}" processID="1" type="1">\n` +
      `      <description>${escapeXml(firstOf(one.kreditor, 40))}</description>\n` +
      `      <keywords>${escapeXml(firstOf(one.nummer, 255))}</keywords>\n` +
      `      <extension xsi:type="File" name="${pictureName(one)}"/>\n` +
      '    </document>\n',
  )
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<archive xmlns="${NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
    `xsi:schemaLocation="${NAMESPACE} Document_v060.xsd" version="6.0" generatingSystem="Forstkontor">\n` +
    `  <header>\n    <date>${createdAt.slice(0, 19)}</date>\n  </header>\n` +
    `  <content>\n${documents.join('')}  </content>\n</archive>\n`
  )
}
