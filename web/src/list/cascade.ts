// Dependent filters, such as the levels of a forest address: a choice narrows the choices below it, which are
// reset when it changes.
import type { Option } from '../ui/Field.tsx'
import { t } from '../ui/text.ts'
import { type ListFilter, type OneFilter, valuesOf } from './filter-kinds.ts'

export interface CascadeLevel<Row, DataRecord>
  extends Pick<OneFilter<Row>, 'key' | 'label' | 'column' | 'of'> {
  /** This level's value in a known combination; '' for none. */
  readonly wert: (satz: DataRecord) => string
  readonly text: (wert: string) => string
  readonly compare: (a: string, b: string) => number
  /** For columns that are not text: only known values are valid. */
  readonly onlyKnown?: true
}
/** Stands for "no value" in the address. */
export const NONE = '-'

/** @param records the existing combinations */
export function cascade<Row, DataRecord>(
  records: readonly DataRecord[],
  levels: readonly CascadeLevel<Row, DataRecord>[],
  /** Label for "no value". */
  without = (): string => t('ohne Angabe'),
): ListFilter<Row>[] {
  const used = levels.filter(({ wert }) => records.some((record) => wert(record) !== ''))
  const optionsOf = (
    { wert, text, compare }: CascadeLevel<Row, DataRecord>,
    among: readonly DataRecord[],
  ): Option[] => {
    const values = [...new Set(among.map(wert))].toSorted(
      (a, b) => Number(a === '') - Number(b === '') || compare(a, b),
    )
    return values.map((one) => ({
      value: one === '' ? NONE : one,
      label: one === '' ? without() : text(one),
    }))
  }
  const filters = used.map((level, at): OneFilter<Row> => {
    const { key, label, column, of, onlyKnown } = level
    return {
      kind: 'one',
      key,
      label,
      ...(column !== undefined && { column }),
      ...(of !== undefined && { of }),
      none: NONE,
      // The stand that had the value in the address may be gone.
      open: onlyKnown !== true,
      options: () => optionsOf(level, records),
      left: (values) => {
        const above = used.slice(0, at).flatMap(({ wert }, nr) => {
          const chosen = valuesOf(filters[nr] as never, values[filters[nr]!.key] ?? '')[0]
          return chosen === undefined
            ? []
            : [(record: DataRecord) => wert(record) === (chosen === NONE ? '' : chosen)]
        })
        return optionsOf(
          level,
          records.filter((record) => above.every((fits) => fits(record))),
        )
      },
      frees: used.slice(at + 1).map((below) => below.key),
    }
  })
  return filters
}
