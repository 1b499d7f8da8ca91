// Filters that hang on each other, as the levels of a forest address do: what is chosen above leaves fewer choices below, and is not kept below when it changes above.
import type { Option } from '../ui/Field.tsx'
import { t } from '../ui/text.ts'
import { type ListFilter, type OneFilter, valuesOf } from './filter-kinds.ts'

export interface KaskadenStufe<Row, Satz> extends Pick<OneFilter<Row>, 'key' | 'label' | 'column' | 'of'> {
  /** Its value in one of the known combinations; '' for none. */
  readonly wert: (satz: Satz) => string
  readonly text: (wert: string) => string
  readonly compare: (a: string, b: string) => number
  /** A column that holds no text takes nothing but what is known. */
  readonly nurBekannte?: true
}
/** How "without" stands in the address. */
export const OHNE = '-'

/** @param saetze the combinations there are */
export function kaskade<Row, Satz>(
  saetze: readonly Satz[],
  stufen: readonly KaskadenStufe<Row, Satz>[],
  /** How "without" is said. */
  ohne = (): string => t('ohne Angabe'),
): ListFilter<Row>[] {
  const used = stufen.filter(({ wert }) => saetze.some((satz) => wert(satz) !== ''))
  const optionsOf = ({ wert, text, compare }: KaskadenStufe<Row, Satz>, among: readonly Satz[]): Option[] => {
    const werte = [...new Set(among.map(wert))].toSorted((a, b) => Number(a === '') - Number(b === '') || compare(a, b))
    return werte.map((one) => ({ value: one === '' ? OHNE : one, label: one === '' ? ohne() : text(one) }))
  }
  const filters = used.map((stufe, at): OneFilter<Row> => {
    const { key, label, column, of, nurBekannte } = stufe
    return {
      kind: 'one',
      key,
      label,
      ...(column !== undefined && { column }),
      ...(of !== undefined && { of }),
      none: OHNE,
      // What an address names may have gone with the stand that had it.
      open: nurBekannte !== true,
      options: () => optionsOf(stufe, saetze),
      left: (values) => {
        const above = used.slice(0, at).flatMap(({ wert }, nr) => {
          const chosen = valuesOf(filters[nr] as never, values[filters[nr]!.key] ?? '')[0]
          return chosen === undefined ? [] : [(satz: Satz) => wert(satz) === (chosen === OHNE ? '' : chosen)]
        })
        return optionsOf(
          stufe,
          saetze.filter((satz) => above.every((fits) => fits(satz))),
        )
      },
      frees: used.slice(at + 1).map((below) => below.key),
    }
  })
  return filters
}
