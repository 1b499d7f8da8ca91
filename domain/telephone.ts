/**
 * The address that dials a number as people write it: "+49 (0)351 12 34" becomes "tel:+493511234". A 0 in brackets
 * behind the code of a country is dialled within that country only (DIN 5008).
 */
export function dialHref(number: string): string {
  const abroad = /^\s*(?:\+|00)/.test(number)
  const dialled = abroad ? number.replace(/\(\s*0\s*\)/, '') : number
  return `tel:${/^\s*\+/.test(number) ? '+' : ''}${dialled.replaceAll(/\D/g, '')}`
}
