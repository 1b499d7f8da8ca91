// The levels of a forest address as filters that hang on each other, for lists whose rows carry it.
import { ebeneText, EBENEN_STANDARD, vergleicheTexte } from '#domain/bestand.ts'
import type { KaskadenStufe } from './kaskade.ts'

/** Keys of the levels in the address of a page: e1 to e5. */
export const ebeneKey = (ebene: number): string => `e${ebene + 1}`

/** @param ebenen what the holding calls its levels; '' for one it has not named */
export const ebenenStufen = <Row extends { readonly l: readonly (string | null)[] }>(
  ebenen: readonly string[],
): KaskadenStufe<Row, Row>[] =>
  EBENEN_STANDARD.map((standard, ebene) => {
    const name = ebenen[ebene] || standard
    const wert = ({ l }: Row): string => l[ebene] ?? ''
    return {
      key: ebeneKey(ebene),
      label: () => name,
      of: wert,
      wert,
      text: (one: string) => ebeneText(one, name),
      compare: vergleicheTexte,
    }
  })
