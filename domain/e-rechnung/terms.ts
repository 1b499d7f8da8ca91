// What both syntaxes share: how amounts and numbers are written, the days of the supply, the bytes of attachments.
import type { Beleg, BelegTax } from '../beleg.ts'
import { decimal, formatCents, formatDecimal, sign } from '../geld.ts'
import { sections } from './sections.ts'

/** BT-23: XRechnung requires a process, and this is the only one that everyone knows. */
export const PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'

/** UNTDID 5189: a discount. */
export const DISCOUNT_CODE = '95'
export const CURRENCY = 'EUR'
/** Reasons that have their own code in the list of the European Commission. */
export const VATEX: Readonly<Partial<Record<BelegTax['kategorie'], string>>> = {
  AE: 'VATEX-EU-AE',
  O: 'VATEX-EU-O',
}

export const isToBePaid = ({ summen }: Beleg): boolean => sign(decimal(summen.zahlbetrag)) > 0

/** The bytes of the attachments in base64, by their id: the document has only their digests. */
export type AttachedBytes = ReadonlyMap<string, string>
export const NOTHING_ATTACHED: AttachedBytes = new Map()

export const cents = (text: string): string => formatCents(decimal(text))

/**
 * BT-21, UNTDID 4451: general information. Given only where it must be: UBL writes it in front of the text
 * (#AAI#…) and would take three characters between the first two # for a code (BR-CL-08).
 */
export const subjectOf = (note: string): string => {
  const [, between, ...behind] = note.split('#')
  return behind.length > 0 && [...between!].length === 3 ? 'AAI' : ''
}

/** A surcharge is a discount below zero; the standard has both above zero, and an indicator. */
export const unsigned = (percent: string): string => percent.replace(/^-/, '')

/** "2.500" is 2.5, "12.3450" is 12.345; with at least `places` decimals. */
export function withoutZeros(text: string, places = 0): string {
  const [whole, fraction = ''] = formatDecimal(decimal(text)).split('.')
  const rest = fraction.replace(/0+$/, '').padEnd(places, '0')
  return rest === '' ? whole! : `${whole}.${rest}`
}

/**
 * First and last day of the supply. The lines' dates widen a period, because they must be within it
 * (PEPPOL-EN16931-R110 and R111). If the document has no date, theirs are used.
 */
export function supply({
  le_date,
  le_date_bis,
  positionen,
}: Beleg): { readonly from: string; readonly to: string } | null {
  const own = sections(positionen).lines.flatMap(({ position }) =>
    position.le_date === null ? [] : [position.le_date, position.le_date_bis ?? position.le_date],
  )
  const to = le_date_bis ?? le_date
  if (le_date !== null && le_date === to) return { from: le_date, to }
  const days = [...(le_date === null || to === null ? [] : [le_date, to]), ...own].toSorted()
  return days.length === 0 ? null : { from: days.at(0)!, to: days.at(-1)! }
}
