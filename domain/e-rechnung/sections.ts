// Billed lines below their headings, and the texts of both.
import type { BelegPosition } from '../beleg.ts'
import { isCounted } from '../rechnung.ts'
import { blockOf } from './xml.ts'

export const joined = (between: string, ...texts: readonly string[]): string =>
  texts
    .map(blockOf)
    .filter((text) => text !== '')
    .join(between)

interface Sections {
  /** A line and the heading above it. */
  readonly lines: readonly {
    readonly position: BelegPosition
    readonly heading: BelegPosition | null
    readonly first: boolean
  }[]
  /** Headings with no billed line below them. */
  readonly empty: readonly BelegPosition[]
}

/**
 * Only billed lines are included: readers would add up optional and alternative lines that were not chosen.
 */
export function sections(positions: readonly BelegPosition[]): Sections {
  const result: { position: BelegPosition; heading: BelegPosition | null; first: boolean }[] = []
  const empty = new Set<BelegPosition>()
  let heading: BelegPosition | null = null
  for (const position of positions) {
    if (position.art === 'ueberschrift') {
      heading = position
      empty.add(position)
    } else if (isCounted(position)) {
      result.push({ position, heading, first: heading !== null && empty.has(heading) })
      if (heading !== null) empty.delete(heading)
    }
  }
  return { lines: result, empty: [...empty] }
}

export const explanation = ({ erl_on, erl_titel, erl }: BelegPosition): string =>
  erl_on ? joined('\n', erl_titel, erl) : ''
export const sectionText = (heading: BelegPosition): string => joined('\n', heading.bez, explanation(heading))
