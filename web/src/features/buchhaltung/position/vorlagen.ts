// Templates of lines: found by typing, and what they put into a line.
import type { Positionsvorlage } from '#contract/vorlage.ts'
import { dezimal, formatZahl } from '#domain/geld.ts'
import { searchText } from '../../../list/fold.ts'
import type { Zeile } from './zeile.ts'

const MOST = 8
const texts = new WeakMap<Positionsvorlage, string>()
const textOf = (vorlage: Positionsvorlage): string => {
  const known = texts.get(vorlage)
  if (known !== undefined) return known
  const made = searchText(`${vorlage.bez} ${vorlage.gruppe ?? ''}`)
  texts.set(vorlage, made)
  return made
}

/** Every word occurs; those that begin with the text come first. */
export function findVorlagen(vorlagen: readonly Positionsvorlage[], text: string): Positionsvorlage[] {
  const asked = text.trim().toLowerCase()
  if (asked.length < 2) return []
  const words = asked.split(/\s+/)
  const found = vorlagen.filter((vorlage) => !vorlage.archiviert && words.every((word) => textOf(vorlage).includes(word)))
  const rank = ({ bez }: Positionsvorlage) => (bez.toLowerCase().startsWith(asked) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b) || a.bez.localeCompare(b.bez, 'de')).slice(0, MOST)
}

export const fieldsOfVorlage = (vorlage: Positionsvorlage): Partial<Zeile> => ({
  bez: vorlage.bez,
  einheit: vorlage.einheit,
  ep: formatZahl(dezimal(vorlage.ep), { mindestens: 2 }),
  ust_satz: vorlage.ust_satz === null ? '' : formatZahl(dezimal(vorlage.ust_satz)),
  erl_titel: vorlage.erl_titel,
  erl: vorlage.erl,
  erl_on: vorlage.erl_on,
})
