// Elements of a parsed file by local names, and the values that banks write into them.
import { type Decimal, isEqual, negate, parseDecimal, round2 } from '../geld.ts'
import { isDay } from '../day.ts'
import { normalizeIban } from '../iban.ts'
import type { XmlTree } from '../xml-tree.ts'

export const clip = (text: string, longest: number): string => Array.from(text).slice(0, longest).join('')
export const oneLine = (text: string): string => text.replaceAll(/[\s\u0000-\u001F\u007F]+/g, ' ').trim()

export const children = (element: XmlTree | undefined, name: string): readonly XmlTree[] =>
  element?.children.filter((child) => child.name === name) ?? []
/** The first element on a path of local names. */
export const at = (element: XmlTree | undefined, path: string): XmlTree | undefined =>
  path
    .split('/')
    .reduce<XmlTree | undefined>((from, name) => from?.children.find((child) => child.name === name), element)
export const textAt = (element: XmlTree | undefined, path: string): string =>
  oneLine(at(element, path)?.text ?? '')
/** The first path with a text. */
export const firstText = (element: XmlTree | undefined, ...paths: readonly string[]): string => {
  for (const path of paths) {
    const text = textAt(element, path)
    if (text !== '') return text
  }
  return ''
}

/** Banks write up to five places; null if the amount has fractions of a cent. */
export function amountOf(element: XmlTree | undefined): Decimal | null {
  if (element === undefined) return null
  const text = oneLine(element.text).replace(/^\+/, '')
  const value = parseDecimal(/^\d+\.$/.test(text) ? text.slice(0, -1) : text)
  if (value === null || value.wert < 0n) return null
  const cents = round2(value)
  return isEqual(cents, value) && cents.wert < 10n ** 14n ? cents : null
}
/** Null: no valid direction. */
export function directionOf(element: XmlTree | undefined): 1 | -1 | null {
  const text = textAt(element, 'CdtDbtInd')
  if (text === 'CRDT') return 1
  return text === 'DBIT' ? -1 : null
}
export const signed = (value: Decimal, direction: 1 | -1): Decimal =>
  direction === 1 ? value : negate(value)

/** "2026-03-02", also taken from a timestamp with a time zone. */
export function dayOf(element: XmlTree | undefined): string | null {
  const day = firstText(element, 'Dt', 'DtTm').slice(0, 10)
  return isDay(day) && day >= '2000-01-01' && day <= '2199-12-31' ? day : null
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
export const ibanAt = (element: XmlTree | undefined, path: string): string => {
  const iban = normalizeIban(textAt(element, path))
  return IBAN.test(iban) ? iban : ''
}
