// The levels of a forest address as dependent filters, for lists whose rows have one.
import { levelText, DEFAULT_LEVELS, compareTexts } from '#domain/bestand.ts'
import type { CascadeLevel } from './cascade.ts'

/** Query keys of the levels: e1 to e5. */
export const levelKey = (level: number): string => `e${level + 1}`

/** @param ebenen the holding's names of its levels; '' for one without a name */
export const cascadeLevels = <Row extends { readonly l: readonly (string | null)[] }>(
  levels: readonly string[],
): CascadeLevel<Row, Row>[] =>
  DEFAULT_LEVELS.map((standard, level) => {
    const name = levels[level] || standard
    const wert = ({ l }: Row): string => l[level] ?? ''
    return {
      key: levelKey(level),
      label: () => name,
      of: wert,
      wert,
      text: (one: string) => levelText(one, name),
      compare: compareTexts,
    }
  })
