// German addresses: which Orte a PLZ has, whether a given one fits, and what to suggest. The caller supplies
// the table of PLZ; anything that shows suggestions must credit its source.
import { type Bundesland, bundeslandOf } from './address-bundesland.ts'

/** PLZ → its Orte. */
export type PlzTable = Readonly<Record<string, readonly string[]>>

/** Shown wherever suggestions from the table of PLZ are shown; its licence (ODbL) requires it. */
export const PLZ_SOURCE = {
  text: 'PLZ und Orte: © OpenStreetMap-Mitwirkende',
  url: 'https://www.openstreetmap.org/copyright',
} as const

export const isPlz = (text: string): boolean => /^[0-9]{5}$/.test(text)

export interface AddressSuggestion {
  /** All Orte of the PLZ, in alphabetical order. */
  readonly orte: readonly string[]
  /** The Ort, if the PLZ has only one. */
  readonly ort: string | null
  /** The Bundesland, if it is certain. */
  readonly bundesland: Bundesland | null
}

/** What a PLZ says about the rest of an address; null if the table does not have it. */
export function proposeAddress(table: PlzTable, plz: string): AddressSuggestion | null {
  const known = placesOf(table, plz)
  if (known.length === 0) return null
  const places = known.map(germanName).toSorted((a, b) => (placeKey(a) < placeKey(b) ? -1 : 1))
  return { orte: places, ort: places.length === 1 ? places[0]! : null, bundesland: bundeslandOf(plz) }
}

/** Own properties only: a text such as 'constructor' must not find anything. */
export const placesOf = (table: PlzTable, plz: string): readonly string[] =>
  Object.hasOwn(table, plz) ? table[plz]! : []

/** In Sorbian Lusatia the table has both languages: 'Bautzen - Budyšin'. */
export const germanName = (ort: string): string => ort.split(' - ')[0]!

/** Excel drops the leading zero of PLZ in eastern Germany; null unless the text has four digits. */
export function restorePlz(text: string): string | null {
  return /^[0-9]{4}$/.test(text) ? `0${text}` : null
}

/** Words that people abbreviate or write out. */
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/\ba\.?\s?d\.?\s/g, 'an der '],
  [/\bi\.?\s?d\.?\s/g, 'in der '],
  [/\bi\.?\s?(opf|ob|ndb)\b\.?/g, ''],
  [/\bst\.\s?/g, 'sankt '],
  [/\bhann\.\s?/g, 'hannoversch '],
  [/\b(hl)\.\s?/g, 'heilig '],
]

/** Folds insignificant spelling differences: case, umlauts, hyphens, brackets, common abbreviations. */
export function placeKey(ort: string): string {
  let key = ort.toLowerCase()
  for (const [pattern, full] of SHORT) key = key.replace(pattern, full)
  key = key.replace(/ä/g, 'ae').replace(/ö/g, 'oe').replace(/ü/g, 'ue').replace(/ß/g, 'ss')
  return key
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

/**
 * Whether an Ort is plausible for this PLZ. Lenient, because the table lists municipalities and people write
 * more or less than that: 'Halle' for 'Halle (Saale)', 'Leipzig-Plagwitz' or 'Leipzig OT Grünau' for
 * 'Leipzig'.
 */
export function placeFits(table: PlzTable, plz: string, ort: string): boolean {
  const given = placeKey(ort)
  return placesOf(table, plz).some((known) =>
    known.split(' - ').some((name) => {
      const key = placeKey(name)
      return key === given || key.startsWith(`${given} `) || given.startsWith(`${key} `)
    }),
  )
}
