// VAT ids: form by country, and check digits where they are known. Only the tax office knows whether one was
// ever assigned. SQL has the same rule; both are tested with ust-id.cases.json.
import { isCountry, isEuCountry } from './countries.ts'
import { mod97 } from './iban.ts'

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
  // No members of the EU: identify a business, but give no right to reverse charge.
  CH: /^E\d{9}(?:MWST|TVA|IVA)?$/,
  GB: /^(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/,
  NO: /^\d{9}(?:MVA)?$/,
}
/** Of other countries outside the EU. */
const OTHER = /^[A-Z0-9]{2,13}$/

/** A VAT id of another state of the EU. Northern Ireland (XI) belongs to it for goods only. */
export function isForeignEuId(text: string): boolean {
  const prefix = normalizeUstId(text).slice(0, 2)
  return prefix !== 'DE' && prefix !== 'MC' && (prefix === 'EL' || (prefix !== 'GR' && isEuCountry(prefix)))
}

/**
 * leer · land: does not start with a country that has such numbers (Greece is EL) · form: wrong for that
 * country · pruefziffer: mistyped.
 */
export type UstIdFault = 'leer' | 'land' | 'form' | 'pruefziffer'

/** Storage format: without blanks, points, slashes and hyphens, in capital letters. */
export const normalizeUstId = (text: string): string => text.replaceAll(/[\s\u00A0./-]/g, '').toUpperCase()

/** ISO 7064 MOD 11,10: the last digit. */
function isPure11(digits: string): boolean {
  let product = 10
  for (const digit of digits.slice(0, -1)) product = (2 * ((Number(digit) + product) % 10 || 10)) % 11
  return (11 - product) % 10 === Number(digits.at(-1))
}
const weighed = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0)
/** Every second digit doubled, its digits added up. */
const doubledSum = (digits: string): number =>
  [...digits].reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
const last2 = (digits: string): number => Number(digits.slice(-2))

/** Whether the check digits fit; the number without its country, in the right form. */
const CHECKS: Readonly<Record<string, (number: string) => boolean>> = {
  AT: (number) => (10 - ((doubledSum(number.slice(1, 8)) + 4) % 10)) % 10 === Number(number.at(-1)),
  BE: (number) => 97 - (Number(number.slice(0, 8)) % 97) === last2(number),
  CH: (number) => (11 - (weighed(number.slice(1), [5, 4, 3, 2, 7, 6, 5, 4]) % 11)) % 11 === Number(number[9]),
  // Numbers of companies; those of people have nine or ten digits.
  CZ: (number) =>
    number.length > 8 || (11 - (weighed(number, [8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === Number(number.at(-1)),
  DE: isPure11,
  DK: (number) => weighed(number, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  // With a letter in its key: not checked.
  FR: (number) =>
    !/^\d+$/.test(number) || (12 + 3 * (Number(number.slice(2)) % 97)) % 97 === Number(number.slice(0, 2)),
  IT: (number) => doubledSum(number) % 10 === 0,
  LU: (number) => Number(number.slice(0, 6)) % 89 === last2(number),
  // Of companies by the old rule, of people since 2020 by the new one.
  NL: (number) =>
    /[+*]/.test(number) ||
    (/^\d{9}/.test(number) && weighed(number, [9, 8, 7, 6, 5, 4, 3, 2]) % 11 === Number(number[8])) ||
    mod97(`NL${number}`) === 1,
  PL: (number) => weighed(number, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(number.at(-1)),
}

export function ustIdFault(text: string): UstIdFault | null {
  const id = normalizeUstId(text)
  if (id === '') return 'leer'
  const country = id.slice(0, 2)
  const form = FORMS[country] ?? (isCountry(country) && !isEuCountry(country) ? OTHER : undefined)
  if (form === undefined) return 'land'
  if (!form.test(id.slice(2))) return 'form'
  return CHECKS[country]?.(id.slice(2)) === false ? 'pruefziffer' : null
}
