// The levels of a forest address as dependent filters, for lists whose rows have one.
import { levelText, DEFAULT_LEVELS, compareTexts } from '#domain/bestand.ts'
import type { CascadeLevel } from './cascade.ts'

/** Query keys of the levels: e1 to e5. */
export const levelKey = (ebene: number): string => `e${ebene + 1}`

/** @param ebenen the holding's names of its levels; '' for one without a name */
export const cascadeLevels = <Row extends { readonly l: readonly (string | null)[] }>(
  ebenen: readonly string[],
): CascadeLevel<Row, Row>[] =>
  DEFAULT_LEVELS.map((standard, ebene) => {
    const name = ebenen[ebene] || standard
    const wert = ({ l }: Row): string => l[ebene] ?? ''
    return {
      key: levelKey(ebene),
      label: () => name,
      of: wert,
      wert,
      text: (one: string) => levelText(one, name),
      compare: compareTexts,
    }
  })
