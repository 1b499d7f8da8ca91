// The mail around a document: the text that a person wrote. Customers get German, as in the document.
import { type Block, button, type Letter, written } from '#server/mail/letter.ts'

interface Written {
  readonly betreff: string
  readonly text: string
  /** Of the application. */
  readonly origin: string
}

export const coverLetter = ({ betreff, text, origin }: Written): Letter => ({
  language: 'de',
  subject: betreff,
  blocks: blocksOf(text, origin),
})

/** The first link to our own pages that has a line to itself is the button; a person put it there. */
function blocksOf(text: string, origin: string): readonly Block[] {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trimEnd())
  const at = lines.findIndex((line) => isOwnPage(line.trim(), origin))
  const own = lines[at]?.trim()
  if (own === undefined) return [written(lines.join('\n'))]
  return [
    written(lines.slice(0, at).join('\n')),
    button(own.startsWith(`${origin}/annahme#`) ? 'Angebot ansehen' : 'Seite öffnen', own),
    written(lines.slice(at + 1).join('\n')),
  ].filter((block) => block.kind !== 'text' || block.text.trim() !== '')
}

const isOwnPage = (line: string, origin: string): boolean =>
  line.startsWith(`${origin}/`) && /^[^\s<>"]+$/.test(line)
