// What is ordered of an offer: its plain lines, the optional ones that were chosen, and an alternative in place of the line that it stands for. The same rule stands in SQL
// (rechte.auftrag_zeilen, rechte.auftrag_eindeutig); both are tried on angebot.cases.json.

import type { BelegSummen, PositionArt } from './beleg.ts'
import { belegSummen, type RechenBeleg } from './rechnung.ts'

interface Wahl {
  readonly art: PositionArt
  readonly gewaehlt?: boolean | null
}

/** Of every line, which one (by its place) an alternative stands for: the next above it that is none itself, within its section. Null: it stands for none and adds. */
export function basenOf(positionen: readonly Pick<Wahl, 'art'>[]): (number | null)[] {
  let above: number | null = null
  return positionen.map(({ art }, at) => {
    if (art === 'alternativ') return above
    above = art === 'ueberschrift' ? null : at
    return null
  })
}

/** The lines as they are ordered: one whose alternative was chosen becomes what it then is, an alternative that was not taken. */
export function auftragZeilen<P extends Wahl>(positionen: readonly P[]): P[] {
  const replaced = new Set(basenOf(positionen).filter((basis, at) => basis !== null && positionen[at]!.gewaehlt === true))
  return positionen.map((position, at) =>
    position.art === 'position' && replaced.has(at) ? { ...position, art: 'alternativ' as const, gewaehlt: false } : position,
  )
}

export const auftragSummen = (beleg: RechenBeleg): BelegSummen =>
  belegSummen({ ...beleg, positionen: auftragZeilen(beleg.positionen), anzahlung: '0.00' })

/** What is chosen among: an optional line or the plain line that is replaced, with the alternatives to it. */
export interface Auswahl {
  /** Place of the plain or optional line; null: an alternative to nothing, which is a choice by itself. */
  readonly basis: number | null
  /** Whether nothing is the first answer (optional) or the plain line is. */
  readonly art: 'optional' | 'position' | 'alternativ'
  /** Places of what can be chosen, in order. */
  readonly wahl: readonly number[]
}
/** The choices that an offer leaves, in order. */
export function auswahlOf(positionen: readonly Pick<Wahl, 'art'>[]): Auswahl[] {
  const basen = basenOf(positionen)
  return positionen.flatMap(({ art }, at): Auswahl[] => {
    const others = basen.flatMap((basis, place) => (basis === at ? [place] : []))
    if (art === 'optional') return [{ basis: at, art, wahl: [at, ...others] }]
    if (art === 'position') return others.length === 0 ? [] : [{ basis: at, art, wahl: others }]
    return art === 'alternativ' && basen[at] === null ? [{ basis: null, art, wahl: [at] }] : []
  })
}
/** Of each choice one at most is taken. */
export const isEindeutig = (positionen: readonly Wahl[]): boolean =>
  auswahlOf(positionen).every(({ wahl }) => wahl.filter((at) => positionen[at]!.gewaehlt === true).length <= 1)
