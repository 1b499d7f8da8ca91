// What is ordered of an offer: its plain lines, the optional ones that were chosen, and an alternative in place of the line that it stands for. The same rule stands in SQL
// (rechte.auftrag_zeilen, rechte.auftrag_eindeutig); both are tried on angebot.cases.json.

import type { BelegSums, PositionKind } from './beleg.ts'
import { belegSums, type BelegBasis } from './rechnung.ts'

interface Choosable {
  readonly art: PositionKind
  readonly gewaehlt?: boolean | null
}

/** Of every line, which one (by its place) an alternative stands for: the next above it that is none itself, within its section. Null: it stands for none and adds. */
export function basesOf(positionen: readonly Pick<Choosable, 'art'>[]): (number | null)[] {
  let above: number | null = null
  return positionen.map(({ art }, at) => {
    if (art === 'alternativ') return above
    above = art === 'ueberschrift' ? null : at
    return null
  })
}

/** The lines as they are ordered: one whose alternative was chosen becomes what it then is, an alternative that was not taken. */
export function orderedLines<P extends Choosable>(positionen: readonly P[]): P[] {
  const replaced = new Set(
    basesOf(positionen).filter((basis, at) => basis !== null && positionen[at]!.gewaehlt === true),
  )
  return positionen.map((position, at) =>
    position.art === 'position' && replaced.has(at)
      ? { ...position, art: 'alternativ' as const, gewaehlt: false }
      : position,
  )
}

export const orderedSums = (beleg: BelegBasis): BelegSums =>
  belegSums({ ...beleg, positionen: orderedLines(beleg.positionen), anzahlung: '0.00' })

/** What is chosen among: an optional line or the plain line that is replaced, with the alternatives to it. */
export interface Choice {
  /** Place of the plain or optional line; null: an alternative to nothing, which is a choice by itself. */
  readonly basis: number | null
  /** Whether nothing is the first answer (optional) or the plain line is. */
  readonly art: 'optional' | 'position' | 'alternativ'
  /** Places of what can be chosen, in order. */
  readonly options: readonly number[]
}
/** The choices that an offer leaves, in order. */
export function choiceOf(positionen: readonly Pick<Choosable, 'art'>[]): Choice[] {
  const bases = basesOf(positionen)
  return positionen.flatMap(({ art }, at): Choice[] => {
    const others = bases.flatMap((basis, place) => (basis === at ? [place] : []))
    if (art === 'optional') return [{ basis: at, art, options: [at, ...others] }]
    if (art === 'position') return others.length === 0 ? [] : [{ basis: at, art, options: others }]
    return art === 'alternativ' && bases[at] === null ? [{ basis: null, art, options: [at] }] : []
  })
}
/** Of each choice one at most is taken. */
export const isUnambiguous = (positionen: readonly Choosable[]): boolean =>
  choiceOf(positionen).every(
    ({ options }) => options.filter((at) => positionen[at]!.gewaehlt === true).length <= 1,
  )
