// VAT ids of the EU: form by country, and the check digit of German ones (ISO 7064 MOD 11,10). Only the tax
// office knows whether one was ever assigned. SQL has the same rule; both are tested with ust-id.cases.json.

const FORMS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^[1-9]\d{8}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d[A-Z0-9+*]\d{5}[A-Z]|\d{7}[A-W][A-I])$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^[1-9]\d{1,9}$/,
  SE: /^\d{10}01$/,
  SI: /^[1-9]\d{7}$/,
  SK: /^[1-9]\d{9}$/,
  // Northern Ireland
  XI: /^(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/,
}

/**
 * leer · land: does not start with a member state (Greece is EL) · form: wrong for that country ·
 * pruefziffer: a German one is mistyped.
 */
export type UstIdFault = 'leer' | 'land' | 'form' | 'pruefziffer'

/** Storage format: without blanks, points, slashes and hyphens, in capital letters. */
export const normalizeUstId = (text: string): string => text.replaceAll(/[\s\u00A0./-]/g, '').toUpperCase()

function germanCheckDigit(digits: string): number {
  let product = 10
  for (const digit of digits.slice(0, 8)) product = (2 * ((Number(digit) + product) % 10 || 10)) % 11
  return (11 - product) % 10
}

export function ustIdFault(text: string): UstIdFault | null {
  const id = normalizeUstId(text)
  if (id === '') return 'leer'
  const country = id.slice(0, 2)
  const form = FORMS[country]
  if (form === undefined) return 'land'
  if (!form.test(id.slice(2))) return 'form'
  return country === 'DE' && germanCheckDigit(id.slice(2)) !== Number(id.at(-1)) ? 'pruefziffer' : null
}
