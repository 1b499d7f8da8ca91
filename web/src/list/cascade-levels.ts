// The levels of a forest address as filters that hang on each other, for lists whose rows carry it.
import { levelText, DEFAULT_LEVELS, compareTexts } from '#domain/bestand.ts'
import type { CascadeLevel } from './cascade.ts'

/** Keys of the levels in the address of a page: e1 to e5. */
export const levelKey = (ebene: number): string => `e${ebene + 1}`

/** @param ebenen what the holding calls its levels; '' for one it has not named */
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
