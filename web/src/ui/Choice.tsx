// Controls that take effect at once: a switch, and a few options side by side. Built on native inputs, so
// that arrow keys, labels and forms work as usual.
import { type ReactNode, useId } from 'react'
import './choice.css'

export function Switch({
  label,
  checked,
  onChange,
}: {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <label className="switch">
      <span>{label}</span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}

export interface SegmentOption<T extends string> {
  readonly value: T
  readonly label: string
}
/** One of two or three options. */
export function Segments<T extends string>({
  label,
  value,
  options,
  onChange,
  hint,
}: {
  label: string
  value: T
  options: readonly SegmentOption<T>[]
  onChange: (value: T) => void
  hint?: ReactNode
}) {
  const name = useId()
  return (
    <fieldset className="segments">
      <legend>{label}</legend>
      <div className="segments-row">
        {options.map((option) => (
          <label key={option.value} className="segment">
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
      {hint && <p className="field-hint">{hint}</p>}
    </fieldset>
  )
}
