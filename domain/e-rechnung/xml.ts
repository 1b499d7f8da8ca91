// XML as text: escaping, and elements that omit themselves when empty (the rules of XRechnung refuse empty
// ones).

/** None of these is allowed in XML 1.0, not even as a character reference. */
// oxlint-disable-next-line no-control-regex -- the pattern has to match control characters
const FORBIDDEN = /[\u0000-\u0008\u000E-\u001F\uFFFE\uFFFF]/g

/**
 * Text that XML can carry. Characters it cannot carry are removed rather than refused, because the document
 * is already issued and its number is taken. Line ends become line feeds, as every parser would make them on
 * reading (otherwise the bytes would not survive a round trip); a vertical tab is a word processor's line
 * end, a form feed its page end; half a surrogate pair becomes the replacement character.
 */
export const textOf = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?|\u000B|\u000C/g, '\n')
    .replaceAll(FORBIDDEN, '')

/** Several lines, trimmed. */
export const blockOf = (text: string): string => textOf(text).trim()

/** One line: names, numbers, addresses. */
export const lineOf = (text: string): string => textOf(text).replaceAll(/\s+/g, ' ').trim()

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => ESCAPES[sign]!)

/** Text that is kept byte for byte, including its last line feed. */
export const exact = (name: string, text: string, attributes = ''): string =>
  text === '' ? '' : `<${name}${attributes}>${escapeXml(text)}</${name}>\n`

/** Base64, which needs no escaping: some 20 MB that nothing looks through. */
export const encoded = (name: string, base64: string, attributes: string): string =>
  `<${name}${attributes}>${base64}</${name}>\n`

/** One line of text; omitted if empty. */
export const leaf = (name: string, text: string, attributes = ''): string =>
  exact(name, lineOf(text), attributes)

/** Several lines of text; omitted if empty. */
export const block = (name: string, text: string): string => exact(name, blockOf(text))

/**
 * An element with child elements; omitted if there are none. Line breaks are only between elements, where
 * they are not part of any value.
 */
export function node(name: string, ...children: readonly string[]): string {
  const inside = children.join('')
  return inside === '' ? '' : `<${name}>\n${inside}</${name}>\n`
}

export const attribute = (name: string, value: string): string => ` ${name}="${escapeXml(value)}"`
