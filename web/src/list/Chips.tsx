// Chips for the active filters, each with a button to remove it.
import { Icon } from '../ui/Icon.tsx'
import { t } from '../ui/text.ts'
import { chipsOf } from './filter-chips.ts'
import type { ListFilter } from './filter-kinds.ts'
import { countFilters, type List, type ListState } from './list.ts'
import { useRecordName } from './record-name.ts'

export interface ChipsProps {
  filters: List<never>['filters']
  state: ListState
  onFilter: (key: string, value: string) => void
  onReset: () => void
}

/**
 * The ref of a chip, which is gone once it was pressed: the one beside it gets the focus, and after the last one
 * the button that opens the filters.
 */
const leaveFocusBeside = (chip: HTMLButtonElement) => {
  const [item, card] = [chip.closest('li'), chip.closest('.card')]
  return () => {
    if (document.activeElement !== chip) return
    const others = chip.matches('.list-chip') ? [item?.nextElementSibling, item?.previousElementSibling] : []
    const beside = others.map((one) => one?.querySelector<HTMLElement>('.list-chip')).find(Boolean)
    const target = beside ?? card?.querySelector<HTMLElement>('.toolbar [aria-expanded]')
    target?.focus({ preventScroll: true })
  }
}

export function Chips({ filters = [], state, onFilter, onReset }: ChipsProps) {
  if (countFilters(state) === 0) return null
  const active = filters.filter(({ key }) => state.filter[key] !== undefined)
  return (
    <ul className="list-chips" aria-label={t('Aktive Filter')}>
      {active.map((filter) => (
        <FilterChips key={filter.key} filter={filter} value={state.filter[filter.key]!} onFilter={onFilter} />
      ))}
      <li>
        <button ref={leaveFocusBeside} type="button" className="list-chips-reset" onClick={onReset}>
          {t('Alle entfernen')}
        </button>
      </li>
    </ul>
  )
}

function FilterChips({
  filter,
  value,
  onFilter,
}: {
  filter: ListFilter<never>
  value: string
  onFilter: ChipsProps['onFilter']
}) {
  const name = useRecordName(filter, value)
  return chipsOf(filter, value, name).map(({ id, text, rest }) => (
    <li key={id}>
      <button
        ref={leaveFocusBeside}
        type="button"
        className="list-chip"
        aria-label={t('Filter entfernen: {text}', { text })}
        title={t('Filter entfernen')}
        onClick={() => onFilter(filter.key, rest)}
      >
        <span>{text}</span>
        <Icon name="close" size={14} />
      </button>
    </li>
  ))
}
