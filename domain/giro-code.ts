// Payment code for banking apps: EPC069-12 version 002, the text of the QR code. Level M and at most version
// 13 are up to the code that draws it; the limit of 331 bytes is enforced here.

import { compare, decimal, formatCents, sign } from './geld.ts'
import { ibanFault, isBic, normalizeIban } from './iban.ts'

const MOST = decimal('999999999.99')
const MOST_BYTES = 331
const MOST_NAME = 70
const MOST_TEXT = 140

export interface GiroCode {
  readonly name: string
  readonly iban: string
  /** May be empty: within the SEPA area the IBAN is enough. */
  readonly bic: string
  /** Euros, in transfer format. */
  readonly betrag: string
  readonly zweck: string
}

const bytesOf = (text: string): number =>
  [...text].reduce((bytes, sign) => {
    const point = sign.codePointAt(0)!
    if (point < 0x80) return bytes + 1
    if (point < 0x800) return bytes + 2
    return bytes + (point < 0x10000 ? 3 : 4)
  }, 0)

/** On one line (a line feed would start the next field), cut to the given numbers of characters and bytes. */
function field(text: string, mostSigns: number, mostBytes: number): string {
  const signs = [...text.replaceAll(/[\s\u0000-\u001F\u007F]+/g, ' ').trim()].slice(0, mostSigns)
  while (bytesOf(signs.join('')) > mostBytes) signs.pop()
  return signs.join('').trim()
}

/** Null if no code may be printed: nothing to pay, more than the scheme allows, no name, no valid IBAN. */
export function giroCode({ name, iban, bic, betrag, zweck }: GiroCode): string | null {
  const amount = decimal(betrag)
  if (sign(amount) <= 0 || compare(amount, MOST) > 0 || amount.decimals > 2 || ibanFault(iban) !== null)
    return null
  const withName = (receiver: string): string =>
    [
      'BCD',
      '002',
      '1',
      'SCT',
      isBic(bic.trim()) ? bic.trim() : '',
      receiver,
      normalizeIban(iban),
      `EUR${formatCents(amount)}`,
      '',
      '',
      '',
    ].join('\n')
  const receiver = field(name, MOST_NAME, MOST_BYTES - bytesOf(withName('')))
  if (receiver === '') return null
  const head = withName(receiver)
  const text = field(zweck, MOST_TEXT, MOST_BYTES - bytesOf(head))
  // Empty trailing fields are omitted.
  return text === '' ? head.replace(/\n+$/, '') : head + text
}
