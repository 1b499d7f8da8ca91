// XML as text: escaping, and elements that leave themselves out when nothing is in them (the rules of XRechnung refuse empty ones).

/** Not one of them may stand in XML 1.0, not even as a reference. */
// oxlint-disable-next-line no-control-regex -- it is these that are looked for
const FORBIDDEN = /[\u0000-\u0008\u000E-\u001F\uFFFE\uFFFF]/g

/**
 * Text that XML can carry. What it cannot carry is taken out and never refused: the document is issued already, its number is taken. Line ends become the one that every
 * parser hands on (a carriage return would be turned into it on reading, and the bytes would not come back); a vertical tab is a word processor's line end, a form feed its
 * page end; half a surrogate pair becomes the sign for an unreadable one.
 */
export const textOf = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?|\u000B|\u000C/g, '\n')
    .replaceAll(FORBIDDEN, '')

/** Several lines, without blank ends. */
export const blockOf = (text: string): string => textOf(text).trim()

/** One line: names, numbers, addresses. */
export const lineOf = (text: string): string => textOf(text).replaceAll(/\s+/g, ' ').trim()

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign]!)

/** Text that is kept byte for byte, its last line feed too. */
export const exact = (name: string, text: string, attributes = ''): string =>
  text === '' ? '' : `<${name}${attributes}>${escapeXml(text)}</${name}>\n`

/** One line of text; without text no element. */
export const leaf = (name: string, text: string, attributes = ''): string =>
  exact(name, lineOf(text), attributes)

/** Several lines of text; without text no element. */
export const block = (name: string, text: string): string => exact(name, blockOf(text))

/** Elements in an element; without any of them none. Line breaks stand between elements only, where no reader finds them. */
export function node(name: string, ...children: readonly string[]): string {
  const inside = children.join('')
  return inside === '' ? '' : `<${name}>\n${inside}</${name}>\n`
}

export const attribute = (name: string, value: string): string => ` ${name}="${escapeXml(value)}"`
