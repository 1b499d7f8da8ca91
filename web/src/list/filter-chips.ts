// What a person sees of a filter: the choices it offers and the chips of its value.
import type { Option } from '../ui/Field.tsx'
import { formatDate, formatNumber } from '../ui/format.ts'
import { t } from '../ui/text.ts'
import {
  type AnyFilter,
  isYes,
  type ManyFilter,
  type OneFilter,
  valueFrom,
  valuesOf,
} from './filter-kinds.ts'

/** The choices to offer, given the other filters; already chosen ones are always among them. */
export function filterOptions(
  filter: ManyFilter<never> | OneFilter<never>,
  values: Readonly<Record<string, string>>,
): readonly Option[] {
  const all = filter.options()
  const offered = filter.left?.(values) ?? all
  const missing = valuesOf(filter, values[filter.key] ?? '').filter(
    (value) => !offered.some((option) => option.value === value),
  )
  return missing.length === 0
    ? offered
    : [
        ...offered,
        ...missing.map((value) => all.find((option) => option.value === value) ?? { value, label: value }),
      ]
}

/** A chip: its text, and the filter value that remains when it is removed. */
export interface Chip {
  readonly id: string
  readonly text: string
  readonly rest: string
}
/** @param recordName the record's name, if known */
export function chipsOf(filter: AnyFilter, value: string, recordName?: string | null): Chip[] {
  const values = valuesOf(filter, value)
  if (values.length === 0) return []
  const label = filter.label()
  const single = (text: string): Chip[] => [{ id: filter.key, text, rest: '' }]
  switch (filter.kind) {
    case 'many':
    case 'one': {
      const options = filter.options()
      return values.map((entry) => ({
        id: `${filter.key}=${entry}`,
        text: `${label}: ${options.find((option) => option.value === entry)?.label ?? entry}`,
        rest: valueFrom(
          filter,
          values.filter((other) => other !== entry),
        ),
      }))
    }
    case 'flag': {
      const [yes, no] = filter.texts?.() ?? [t('ja'), t('nein')]
      return single(`${label}: ${isYes(filter, value) ? yes : no}`)
    }
    case 'prefix':
      return single(`${label} ${value}`)
    case 'record':
      return single(`${label}: ${recordName ?? value}`)
    case 'days':
      return single(filter.only ? `${label} ${formatDate(value)}` : rangeText(label, values.map(formatDate)))
    case 'range': {
      const unit = filter.unit ? `\u00a0${filter.unit}` : ''
      return single(
        rangeText(
          label,
          values.map((number) => (number === '' ? '' : `${formatNumber(number)}${unit}`)),
        ),
      )
    }
  }
}
function rangeText(label: string, [from = '', to = '']: readonly string[]): string {
  if (to === '') return t('{label} ab {from}', { label, from })
  if (from === '') return t('{label} bis {to}', { label, to })
  return from === to ? `${label} ${from}` : t('{label} {from} bis {to}', { label, from, to })
}
