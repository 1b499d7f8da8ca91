// German tax numbers, checked only by their form, because each state computes its check digit differently. 10
// or 11 digits as the tax office writes them, or the 13 of the federal form. SQL has the same rule; both are
// tested with tax-number.cases.json.

/**
 * leer · zeichen: other than digits, slash, blank and hyphen · laenge: not 10, 11 or 13 digits · bund: 13
 * digits, but of no state or without the 0 in the fifth place · form: all digits are the same.
 */
export type TaxNumberFault = 'leer' | 'zeichen' | 'laenge' | 'bund' | 'form'

/**
 * The states' digits at the start of the federal form; Bayern and Nordrhein-Westfalen have one, all others
 * two.
 */
const FEDERAL = /^(?:5|9|10|11|2[1-478]|26|3[0-2]|4[01])\d*$/

export function taxNumberFault(text: string): TaxNumberFault | null {
  const typed = text.trim()
  if (typed === '') return 'leer'
  if (!/^[\d /\u00A0-]+$/.test(typed)) return 'zeichen'
  const digits = typed.replaceAll(/\D/g, '')
  if (digits.length !== 10 && digits.length !== 11 && digits.length !== 13) return 'laenge'
  if (digits.length === 13 && (!FEDERAL.test(digits) || digits[4] !== '0')) return 'bund'
  return /^(\d)\1*$/.test(digits) ? 'form' : null
}
