// The documents of the bookkeeping: what is made from a frozen snapshot, depending on its format, and what
// the files are called. XRechnung: the XML is the invoice and the PDF a view of it; ZUGFeRD: the XML is
// embedded in the PDF; otherwise a PDF alone.
import { createHash } from 'node:crypto'
import { isInvoiceKind } from '#domain/abschlag.ts'
import { BELEG_NAME } from '#domain/abschlag-text.ts'
import type { Beleg } from '#domain/beleg.ts'
import { UBL_RULESET, ublXml } from '#domain/e-rechnung/ubl.ts'
import { type AttachedBytes, NOTHING_ATTACHED } from '#domain/e-rechnung/terms.ts'
import { ciiXml, RULESET } from '#domain/e-rechnung/xrechnung-3-0.ts'
import { setLine } from '#domain/typeset-text.ts'
import type { Renderer } from './renderer.ts'
import type { AttachedFile, Logo } from './typesetter.ts'

export interface StoredFile {
  readonly name: string
  readonly typ: 'application/pdf' | 'application/xml'
  readonly inhalt: Uint8Array
  readonly sha256: string
  /** The rules it was written for, those in force on the day it was made; stored with it. */
  readonly regelwerk: string
}

/** Keeps only characters that are safe in file names and headers. */
const SAFE = (text: string): string =>
  setLine(text)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 80)

export function fileNameOf(beleg: Beleg, ending: 'pdf' | 'xml'): string {
  const number = beleg.art === 'mahnung' ? (beleg.bezug?.nummer ?? '') : beleg.nummer
  const parts = [BELEG_NAME[beleg.art], beleg.entwurf ? 'Entwurf' : SAFE(number)]
  return `${parts.filter((part) => part !== '').join('-')}.${ending}`
}

const isElectronic = ({ art, entwurf, format }: Beleg): boolean =>
  isInvoiceKind(art) && !entwurf && format !== 'pdf'

/** The structured invoice; null where none is made: offers, drafts, customers who want paper. */
export function xmlOf(beleg: Beleg, attached: AttachedBytes = NOTHING_ATTACHED): string | null {
  if (!isElectronic(beleg)) return null
  if (isUbl(beleg)) return ublXml(beleg, attached)
  return ciiXml(beleg, beleg.format === 'xrechnung' ? 'xrechnung' : 'en16931', attached)
}
/** What a PDF contains is always CII. */
const isUbl = ({ format, syntax }: Beleg): boolean => format === 'xrechnung' && syntax === 'ubl'

/** What goes with an issued document, and the logo. */
export interface Material {
  readonly logo: Logo | null
  /** Files by the id of the attachment. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

export const BARE: Material = { logo: null, files: new Map() }

/**
 * Up to here a PDF carries its attachments as separate files as well. With the invoice inside, which contains
 * them too, it would otherwise be larger than a stored document may be.
 */
const MOST_ATTACHED = 9_000_000

const file = (name: string, kind: StoredFile['typ'], content: Uint8Array, ruleSet: string): StoredFile => ({
  name,
  typ: kind,
  inhalt: content,
  sha256: createHash('sha256').update(content).digest('hex'),
  regelwerk: ruleSet,
})

export function xmlFile(beleg: Beleg, { files }: Material): StoredFile | null {
  const xml = xmlOf(beleg, encodedFiles(files))
  if (xml === null) return null
  const rules = isUbl(beleg) ? UBL_RULESET : RULESET[beleg.format === 'xrechnung' ? 'xrechnung' : 'en16931']
  return file(fileNameOf(beleg, 'xml'), 'application/xml', Buffer.from(xml, 'utf8'), rules)
}

const encodedFiles = (files: Material['files']): AttachedBytes =>
  new Map([...files].map(([id, bytes]) => [id, Buffer.from(bytes).toString('base64')]))

/** Beside an XRechnung the PDF is a mere view: the files are in the invoice. */
function attachedFiles({ format, entwurf, anlagen = [] }: Beleg, files: Material['files']): AttachedFile[] {
  const bytes = anlagen.reduce((total, { groesse }) => total + groesse, 0)
  if (entwurf || format === 'xrechnung' || bytes > MOST_ATTACHED) return []
  return anlagen.map((one) => ({ ...one, bytes: files.get(one.id)! }))
}

export async function pdfFile(
  renderer: Renderer,
  beleg: Beleg,
  { logo, files }: Material,
): Promise<StoredFile> {
  const xml = beleg.format === 'zugferd' ? xmlOf(beleg, encodedFiles(files)) : null
  const content = await renderer.render(beleg, { logo, xml, anlagen: attachedFiles(beleg, files) })
  return file(
    fileNameOf(beleg, 'pdf'),
    'application/pdf',
    content,
    xml === null ? 'PDF/A-3a' : `PDF/A-3a, ${RULESET.en16931}`,
  )
}
