// Checks a logo before it is sent: the rules of domain/logo.ts, which the database applies too, and whether
// the browser's XML parser accepts an SVG.
import { type LogoFault, type LogoType, logoType as typeOf } from '#domain/logo.ts'

export type { LogoFault, LogoType }
export { LARGEST_LOGO } from '#domain/logo.ts'

/** `parse`: the browser's XML parser; returns null for invalid XML. */
export function logoType(bytes: Uint8Array, parse: (text: string) => Element | null): LogoType | LogoFault {
  let text: string | null = null
  const found = typeOf(bytes, () => {
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      text = null
    }
    return text
  })
  return found === 'image/svg+xml' && parse(text ?? '')?.localName !== 'svg' ? 'svg_kaputt' : found
}
