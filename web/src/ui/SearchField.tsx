// The search box of lists. Apart from the other fields, which a list does not need at first.
import type { InputHTMLAttributes } from 'react'
import './field.css'
import { Icon } from './Icon.tsx'
import { t } from './text.ts'

/** A search box with an icon and a clear button. */
export function SearchField({
  label,
  value,
  onValue,
  placeholder,
  maxLength,
  ...rest
}: { label: string; value: string; onValue: (value: string) => void } & Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'value' | 'onChange' | 'type'
>) {
  return (
    <search className="search">
      <Icon name="search" size={16} />
      <input
        {...rest}
        type="search"
        className="input"
        aria-label={label}
        placeholder={placeholder ?? label}
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
      {value !== '' && (
        <button
          type="button"
          className="search-clear"
          aria-label={t('Suche leeren')}
          title={t('Suche leeren')}
          onClick={({ currentTarget }) => {
            onValue('')
            // The next word is typed; this button is gone.
            currentTarget.parentElement?.querySelector('input')?.focus()
          }}
        >
          <Icon name="close" size={15} />
        </button>
      )}
      {maxLength !== undefined && [...value].length > maxLength && (
        <output className="search-cut">
          {t('Gesucht wird nach den ersten {n} Zeichen.', { n: maxLength })}
        </output>
      )}
    </search>
  )
}
