// A few values as large chips, one tap each. Radio buttons or checkboxes underneath, for keyboards and screen
// readers.
import { useId } from 'react'

interface Option<T extends string> {
  readonly value: T
  readonly label: string
}
interface Props<T extends string> {
  label: string
  options: readonly Option<T>[]
  error?: string | undefined
}

export function Picker<T extends string>({
  label,
  options,
  error,
  value,
  onChange,
}: Props<T> & { value: string; onChange: (value: T) => void }) {
  const name = useId()
  return (
    <fieldset className="erf-wahl" aria-describedby={error === undefined ? undefined : `${name}-fehler`}>
      <legend>{label}</legend>
      <div className="erf-chips">
        {options.map((option) => (
          <label key={option.value} className="erf-chip">
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${name}-fehler`} className="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

export function MultiPicker<T extends string>({
  label,
  options,
  gewaehlt,
  onChange,
}: Props<T> & { gewaehlt: readonly string[]; onChange: (value: T, isThere: boolean) => void }) {
  return (
    <fieldset className="erf-wahl">
      <legend>{label}</legend>
      <div className="erf-chips">
        {options.map(({ value, label: text }) => (
          <label key={value} className="erf-chip">
            <input
              type="checkbox"
              className="visually-hidden"
              checked={gewaehlt.includes(value)}
              onChange={({ target }) => onChange(value, target.checked)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
