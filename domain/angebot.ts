// What is ordered from an offer: its plain lines, the chosen optional ones, and chosen alternatives in place
// of the lines they replace. SQL has the same rule (books.order_lines, books.is_order_unambiguous); both
// are tested with angebot.cases.json.

import type { BelegSums, PositionKind } from './beleg.ts'
import { belegSums, type BelegBasis } from './rechnung.ts'

export interface Choosable {
  readonly art: PositionKind
  readonly gewaehlt?: boolean | null
}

/**
 * For every line, the index of the line it is an alternative to: the nearest line above in its section that
 * is not an alternative itself. Null: it replaces nothing and is added.
 */
export function basesOf(positions: readonly Pick<Choosable, 'art'>[]): (number | null)[] {
  let above: number | null = null
  return positions.map(({ art }, at) => {
    if (art === 'alternativ') return above
    above = art === 'ueberschrift' ? null : at
    return null
  })
}

/**
 * The lines as ordered: a plain line whose alternative was chosen becomes an alternative that was not chosen.
 */
export function orderedLines<P extends Choosable>(positions: readonly P[]): P[] {
  const replaced = new Set(
    basesOf(positions).filter((basis, at) => basis !== null && positions[at]!.gewaehlt === true),
  )
  return positions.map((position, at) =>
    position.art === 'position' && replaced.has(at)
      ? { ...position, art: 'alternativ' as const, gewaehlt: false }
      : position,
  )
}

export const orderedSums = (beleg: BelegBasis): BelegSums =>
  belegSums({ ...beleg, positionen: orderedLines(beleg.positionen), anzahlung: '0.00' })

/** One choice: an optional line or a replaceable plain line, with its alternatives. */
export interface Choice {
  /** Index of the plain or optional line; null: an alternative to nothing, which is a choice by itself. */
  readonly basis: number | null
  /** What applies without a choice: nothing ('optional', 'alternativ') or the plain line ('position'). */
  readonly art: 'optional' | 'position' | 'alternativ'
  /** Indexes of the lines that can be chosen, in order. */
  readonly options: readonly number[]
}
/** The choices an offer leaves open, in order. */
export function choiceOf(positions: readonly Pick<Choosable, 'art'>[]): Choice[] {
  const bases = basesOf(positions)
  return positions.flatMap(({ art }, at): Choice[] => {
    const others = bases.flatMap((basis, place) => (basis === at ? [place] : []))
    if (art === 'optional') return [{ basis: at, art, options: [at, ...others] }]
    if (art === 'position') return others.length === 0 ? [] : [{ basis: at, art, options: others }]
    return art === 'alternativ' && bases[at] === null ? [{ basis: null, art, options: [at] }] : []
  })
}
