// German addresses: which Orte a PLZ has, whether a given one fits, and what may be proposed. The table of PLZ is handed in; whoever shows proposals credits its source.
import { type Bundesland, bundeslandOf } from './address-bundesland.ts'

/** PLZ → its Orte. */
export type PlzTable = Readonly<Record<string, readonly string[]>>

/** Shown wherever proposals from the table of PLZ are shown; its licence (ODbL) asks for it. */
export const PLZ_SOURCE = {
  text: 'PLZ und Orte: © OpenStreetMap-Mitwirkende',
  url: 'https://www.openstreetmap.org/copyright',
} as const

export const isPlz = (text: string): boolean => /^[0-9]{5}$/.test(text)

export interface AddressSuggestion {
  /** All Orte of the PLZ, in alphabetical order. */
  readonly orte: readonly string[]
  /** The Ort, where the PLZ has only one. */
  readonly ort: string | null
  /** The Bundesland, where it is certain. */
  readonly bundesland: Bundesland | null
}

/** What a PLZ says about the rest of an address; null where the table does not know it. */
export function proposeAddress(table: PlzTable, plz: string): AddressSuggestion | null {
  const known = placesOf(table, plz)
  if (known.length === 0) return null
  const orte = known.map(germanName).toSorted((a, b) => (placeKey(a) < placeKey(b) ? -1 : 1))
  return { orte, ort: orte.length === 1 ? orte[0]! : null, bundesland: bundeslandOf(plz) }
}

/** own: a text such as 'constructor' must not find something that no PLZ is. */
export const placesOf = (table: PlzTable, plz: string): readonly string[] =>
  Object.hasOwn(table, plz) ? table[plz]! : []

/** In Sorbian Lusatia the table has both languages: 'Bautzen - Budyšin'. */
export const germanName = (ort: string): string => ort.split(' - ')[0]!

/** Excel drops the zero that the east begins with; null where no PLZ comes of it. */
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

/** Folds spelling differences that mean nothing: case, umlauts, hyphens, brackets, usual abbreviations. */
function placeKey(ort: string): string {
  let key = ort.toLowerCase()
  for (const [pattern, full] of SHORT) key = key.replace(pattern, full)
  key = key.replace(/ä/g, 'ae').replace(/ö/g, 'oe').replace(/ü/g, 'ue').replace(/ß/g, 'ss')
  return key
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

/**
 * Whether an Ort may stand behind this PLZ. Generous, since the table names municipalities and people write more or less than that:
 * 'Halle' for 'Halle (Saale)', 'Leipzig-Plagwitz' or 'Leipzig OT Grünau' for 'Leipzig'.
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
