// Selects several options: looks like the other fields and opens a menu of toggles that stays open.
import { useId } from 'react'
import { Icon } from './Icon.tsx'
import { Menu } from './Menu.tsx'
import './multi-select.css'
import type { Option } from './Field.tsx'
import { t } from './text.ts'

export interface MultiSelectProps {
  label: string
  options: readonly Option[]
  value: readonly string[]
  onChange: (value: string[]) => void
  /** Shown if nothing is selected. */
  emptyText?: string
}

export function MultiSelect({ label, options, value, onChange, emptyText = t('alle') }: MultiSelectProps) {
  const labelId = useId()
  const chosen = options.filter((option) => value.includes(option.value))
  const text = chosen.length === 0 ? emptyText : chosen.map((option) => option.label).join(', ')
  const toggle = (entry: string) =>
    onChange(
      options
        .map((option) => option.value)
        .filter((other) => (other === entry ? !value.includes(other) : value.includes(other))),
    )
  return (
    <div className="field">
      <span id={labelId} className="field-label">
        {label}
      </span>
      <Menu
        label={`${label}: ${text}`}
        className="input multi-select"
        trigger={
          <>
            <span className={chosen.length === 0 ? 'multi-select-text soft' : 'multi-select-text'}>
              {text}
            </span>
            {chosen.length > 1 && (
              // Not part of the name: the chosen ones are.
              <span className="multi-select-count nums" data-count={chosen.length} />
            )}
            <Icon name="chevronDown" size={16} />
          </>
        }
        items={[
          ...options.map((option) => ({
            key: option.value,
            label: option.label,
            checked: value.includes(option.value),
            onSelect: () => toggle(option.value),
          })),
          {
            key: '*',
            label: t('Auswahl aufheben'),
            icon: 'close' as const,
            divided: true,
            disabled: chosen.length === 0,
            onSelect: () => onChange([]),
          },
        ]}
      />
    </div>
  )
}
