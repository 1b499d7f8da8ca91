// What a customer chooses of an offer, and what it comes to. Pure.
import type { AngebotView } from '#contract/document.ts'
import { choiceOf, orderedSums } from '#domain/angebot.ts'
import type { BelegPosition, BelegSums } from '#domain/beleg.ts'

/** Ids of the chosen lines. */
export type Chosen = ReadonlySet<string>

/** Sums of the order with these lines chosen. */
export const sumsOf = (angebot: AngebotView, chosen: Chosen): BelegSums =>
  orderedSums({
    ...angebot,
    anzahlung: '0.00',
    positionen: angebot.positionen.map((line) => ({ ...line, gewaehlt: chosen.has(line.id) })),
  })

export const chosenAtFirst = ({ positionen }: AngebotView): Chosen =>
  new Set(positionen.filter(({ gewaehlt }) => gewaehlt).map(({ id }) => id))
/** Takes at most one among these; null takes none. */
export const choose = (chosen: Chosen, among: readonly string[], taken: string | null): Chosen =>
  new Set([...[...chosen].filter((id) => !among.includes(id)), ...(taken === null ? [] : [taken])])

/** Which of the choices are taken, and which are not. */
export function decidedLines(
  positions: readonly BelegPosition[],
  chosen: Chosen,
): { readonly taken: readonly BelegPosition[]; readonly left: readonly BelegPosition[] } {
  const lists = choiceOf(positions).map(({ basis, art, options }) => {
    const plain = art === 'position' ? [basis!] : []
    const picked = options.filter((at) => chosen.has(positions[at]!.id))
    const taken = picked.length > 0 ? picked : plain
    return { taken, left: [...plain, ...options].filter((at) => !taken.includes(at)) }
  })
  return {
    taken: lists.flatMap(({ taken }) => taken.map((at) => positions[at]!)),
    left: lists.flatMap(({ left }) => left.map((at) => positions[at]!)),
  }
}
