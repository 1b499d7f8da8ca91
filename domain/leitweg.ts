// Leitweg-ID, the address of a public office (BT-10): coarse part, optional fine part, two check digits over
// both (ISO 7064 mod 97-10, A = 10 … Z = 35). SQL has the same rule; both are tested with leitweg.cases.json.

import { isCheckPair, mod97 } from './iban.ts'

/**
 * leer · zeichen: other than letters, digits and hyphens · aufbau: not two or three parts with two digits at
 * the end · grob: not 2, 3, 5, 8, 9 or 12 digits · land: neither a state (01–16) nor the federation (99) ·
 * fein: longer than 30 · pruefziffer: mistyped.
 */
export type LeitwegFault = 'leer' | 'zeichen' | 'aufbau' | 'grob' | 'land' | 'fein' | 'pruefziffer'

/** Storage format: without blanks, in capital letters, hyphens kept. */
export const normalizeLeitweg = (text: string): string => text.replaceAll(/[\s\u00A0]/g, '').toUpperCase()

/** State or federation, region, district, then municipality (3), association (4) or both (7). */
const COARSE_LENGTHS = [2, 3, 5, 8, 9, 12]
const STATE = /^(?:0[1-9]|1[0-6]|99)/

export function leitwegFault(text: string): LeitwegFault | null {
  const id = normalizeLeitweg(text)
  if (id === '') return 'leer'
  if (!/^[A-Z0-9-]+$/.test(id)) return 'zeichen'
  const parts = id.split('-')
  const coarse = parts[0]!
  const check = parts.at(-1)!
  if (parts.length < 2 || parts.length > 3 || parts.includes('') || !/^\d\d$/.test(check)) return 'aufbau'
  if (!/^\d+$/.test(coarse) || !COARSE_LENGTHS.includes(coarse.length)) return 'grob'
  if (!STATE.test(coarse)) return 'land'
  if (parts.length === 3 && parts[1]!.length > 30) return 'fein'
  return isCheckPair(check) && mod97(parts.join('')) === 1 ? null : 'pruefziffer'
}
