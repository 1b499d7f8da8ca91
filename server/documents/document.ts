// The documents of the bookkeeping: what is made from a frozen snapshot, depending on its format, and what
// the files are called. XRechnung: the XML is the invoice and the PDF a view of it; ZUGFeRD: the XML is
// embedded in the PDF; otherwise a PDF alone.
import { createHash } from 'node:crypto'
import { isInvoiceKind } from '#domain/abschlag.ts'
import { BELEG_NAME } from '#domain/abschlag-text.ts'
import type { Beleg } from '#domain/beleg.ts'
import { ciiXml, RULESET } from '#domain/e-rechnung/xrechnung-3-0.ts'
import { setLine } from '#domain/typeset-text.ts'
import type { Renderer } from './renderer.ts'
import type { Logo } from './typesetter.ts'

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

export function dateiname(beleg: Beleg, ending: 'pdf' | 'xml'): string {
  const number = beleg.art === 'mahnung' ? (beleg.bezug?.nummer ?? '') : beleg.nummer
  const parts = [BELEG_NAME[beleg.art], beleg.entwurf ? 'Entwurf' : SAFE(number)]
  return `${parts.filter((part) => part !== '').join('-')}.${ending}`
}

const isElectronic = ({ art, entwurf, format }: Beleg): boolean =>
  isInvoiceKind(art) && !entwurf && format !== 'pdf'

/** The structured invoice; null where none is made: offers, drafts, customers who want paper. */
export const xmlOf = (beleg: Beleg): string | null =>
  isElectronic(beleg) ? ciiXml(beleg, beleg.format === 'xrechnung' ? 'xrechnung' : 'en16931') : null

const file = (name: string, kind: StoredFile['typ'], content: Uint8Array, regelwerk: string): StoredFile => ({
  name,
  typ: kind,
  inhalt: content,
  sha256: createHash('sha256').update(content).digest('hex'),
  regelwerk,
})

export function xmlFile(beleg: Beleg): StoredFile | null {
  const xml = xmlOf(beleg)
  if (xml === null) return null
  const rules = RULESET[beleg.format === 'xrechnung' ? 'xrechnung' : 'en16931']
  return file(dateiname(beleg, 'xml'), 'application/xml', Buffer.from(xml, 'utf8'), rules)
}

export async function pdfFile(renderer: Renderer, beleg: Beleg, logo: Logo | null): Promise<StoredFile> {
  const xml = beleg.format === 'zugferd' ? xmlOf(beleg) : null
  const content = await renderer.render(beleg, { logo, xml })
  return file(
    dateiname(beleg, 'pdf'),
    'application/pdf',
    content,
    xml === null ? 'PDF/A-3a' : `PDF/A-3a, ${RULESET.en16931}`,
  )
}
