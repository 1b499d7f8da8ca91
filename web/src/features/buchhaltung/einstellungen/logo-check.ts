// A logo by its content, whatever its name says: PNG by its signature, SVG as a drawing that runs nothing and fetches nothing.

export const LARGEST_LOGO = 1_048_576
export type LogoFault = 'gross' | 'leer' | 'art' | 'svg_kaputt' | 'svg_aktiv'
export type LogoTyp = 'image/png' | 'image/svg+xml'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** `parse`: the browser's own reader of XML; null when it is none. */
export function logoTyp(bytes: Uint8Array, parse: (text: string) => Element | null): LogoTyp | LogoFault {
  if (bytes.length === 0) return 'leer'
  if (bytes.length > LARGEST_LOGO) return 'gross'
  if (PNG.every((byte, at) => bytes[at] === byte)) return 'image/png'
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return 'art'
  }
  if (!/<svg[\s>]/i.test(text)) return 'art'
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return 'svg_aktiv'
  const root = parse(text)
  if (root === null || root.localName !== 'svg') return 'svg_kaputt'
  return [root, ...root.querySelectorAll('*')].some(isActive) ? 'svg_aktiv' : 'image/svg+xml'
}

const FORBIDDEN = new Set(['script', 'foreignobject', 'iframe', 'animate', 'set', 'use', 'image', 'a'])
function isActive(element: Element): boolean {
  if (FORBIDDEN.has(element.localName.toLowerCase()) && !isInner(element)) return true
  return [...element.attributes].some(
    ({ name, value }) =>
      /^on/i.test(name) || (/(?:^|:)href$/i.test(name) && !value.startsWith('#')) || /url\(\s*['"]?(?!#)|javascript:|@import/i.test(value),
  )
}
/** A reference within the drawing, or a picture that it holds itself. */
const isInner = (element: Element): boolean =>
  element.localName === 'use' && (element.getAttribute('href') ?? element.getAttribute('xlink:href') ?? '').startsWith('#')
