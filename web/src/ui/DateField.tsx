// Input for a day in German notation. The value is the text as typed (parseDay turns it into an ISO date); on
// blur a valid date is written out in full.
import { type FocusEvent, useRef } from 'react'
import './date-field.css'
import { Field, type TextFieldProps } from './Field.tsx'
import { formatDate } from './format.ts'
import { Icon } from './Icon.tsx'
import { parseDay } from './parse-day.ts'
import { t } from './text.ts'

export type DateFieldProps = Omit<TextFieldProps, 'type' | 'unit' | 'inputMode' | 'maxLength' | 'min' | 'max'>

/** Sets a text as if it had been typed, so that React and form libraries notice. */
function type(input: HTMLInputElement, text: string): void {
  if (input.value === text) return
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

export function DateField({
  label,
  hint,
  error,
  labelHidden,
  id,
  className,
  onBlur,
  ...input
}: DateFieldProps) {
  const frame = useRef<HTMLSpanElement>(null)
  const text = () => frame.current!.querySelector<HTMLInputElement>('input.input')!
  const locked = input.disabled === true || input.readOnly === true
  const leave = (event: FocusEvent<HTMLInputElement>) => {
    const day = parseDay(event.currentTarget.value)
    if (day !== null && !locked) type(event.currentTarget, formatDate(day))
    onBlur?.(event)
  }
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      labelHidden={labelHidden ?? false}
      required={input.required}
      id={id}
    >
      {(tied) => (
        <span className="date-field" ref={frame}>
          <input
            placeholder={t('TT.MM.JJJJ')}
            autoComplete="off"
            {...input}
            {...tied}
            type="text"
            inputMode="decimal"
            className={`input ${className ?? ''}`}
            onBlur={leave}
          />
          {!locked && <Calendar text={text} />}
        </span>
      )}
    </Field>
  )
}

/** The device's own date picker, for looking up a day: familiar on phones, and no code of ours. */
function Calendar({ text }: { text: () => HTMLInputElement }) {
  const picker = useRef<HTMLInputElement>(null)
  const open = () => {
    const { current } = picker
    if (!current) return
    current.value = parseDay(text().value) ?? ''
    current.showPicker()
  }
  return (
    <>
      <input
        ref={picker}
        className="date-field-picker"
        type="date"
        min="1900-01-01"
        max="2099-12-31"
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ target }) => {
          // Also when the date is cleared in the calendar.
          type(text(), formatDate(target.value))
          text().focus()
        }}
      />
      <button
        type="button"
        className="date-field-open"
        aria-label={t('Kalender öffnen')}
        title={t('Kalender öffnen')}
        onClick={open}
      >
        <Icon name="calendar" size={17} />
      </button>
    </>
  )
}
