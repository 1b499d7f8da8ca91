// Labelled inputs. Hint and error are linked to the input, so that they are read aloud with it; every input
// takes a `ref`, as react-hook-form requires.
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import './field.css'
import { Icon } from './Icon.tsx'
import { useLongest } from './longest.ts'
import { t } from './text.ts'

export interface FieldProps {
  label: string
  hint?: ReactNode
  /** Error message in German; marks the field as invalid. */
  error?: string | undefined
  /** Hides the label, for searches and table cells where the context is obvious. */
  labelHidden?: boolean
}
interface Tied {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/**
 * Label, hint and error around any control. `children` receives the attributes that link the control to them.
 */
export function Field({
  label,
  hint,
  error,
  labelHidden = false,
  required = false,
  id,
  children,
}: FieldProps & {
  required?: boolean | undefined
  id?: string | undefined
  children: (tied: Tied) => ReactNode
}) {
  const made = useId()
  const control = id ?? made
  const described = [hint ? `${control}-hint` : '', error ? `${control}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className={error ? 'field field-faulty' : 'field'}>
      <label htmlFor={control} className={labelHidden ? 'visually-hidden' : 'field-label'}>
        {label}
        {required && (
          <span className="field-required" title={t('Pflichtfeld')} aria-hidden="true">
            {' *'}
          </span>
        )}
      </label>
      {children({
        id: control,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <div id={`${control}-hint`} className="field-hint">
          {hint}
        </div>
      )}
      {error && (
        <div id={`${control}-error`} className="field-error">
          <Icon name="warning" size={15} />
          {error}
        </div>
      )}
    </div>
  )
}

export type TextFieldProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'children'> & { ref?: Ref<HTMLInputElement>; unit?: string }
export function TextField({
  label,
  hint,
  error,
  labelHidden,
  id,
  unit,
  className,
  maxLength,
  onInput,
  ...input
}: TextFieldProps) {
  const made = useId()
  const control = id ?? made
  const { fault, limits } = useLongest(control, maxLength, onInput)
  return (
    <Field
      label={label}
      hint={hint}
      error={error ?? fault}
      labelHidden={labelHidden ?? false}
      required={input.required}
      id={control}
    >
      {(tied) =>
        unit ? (
          <span className="field-with-unit">
            <input type="text" {...input} {...tied} {...limits} className={`input ${className ?? ''}`} />
            <span className="field-unit">{unit}</span>
          </span>
        ) : (
          <input type="text" {...input} {...tied} {...limits} className={`input ${className ?? ''}`} />
        )
      }
    </Field>
  )
}

export type TextAreaProps = FieldProps &
  TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> }
export function TextAreaField({
  label,
  hint,
  error,
  labelHidden,
  id,
  className,
  maxLength,
  onInput,
  ...area
}: TextAreaProps) {
  const made = useId()
  const control = id ?? made
  const { fault, limits } = useLongest(control, maxLength, onInput)
  return (
    <Field
      label={label}
      hint={hint}
      error={error ?? fault}
      labelHidden={labelHidden ?? false}
      required={area.required}
      id={control}
    >
      {(tied) => <textarea rows={3} {...area} {...tied} {...limits} className={`input ${className ?? ''}`} />}
    </Field>
  )
}

export interface Option {
  readonly value: string
  readonly label: string
}
export type SelectFieldProps = FieldProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'children'> & {
    options: readonly Option[]
    /** Text of the empty option; without it there is none. */
    emptyOption?: string
    ref?: Ref<HTMLSelectElement>
  }
export function SelectField({
  label,
  hint,
  error,
  labelHidden,
  id,
  options,
  emptyOption,
  className,
  ...select
}: SelectFieldProps) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      labelHidden={labelHidden ?? false}
      required={select.required}
      id={id}
    >
      {(tied) => (
        <span className="select">
          <select {...select} {...tied} className={`input ${className ?? ''}`}>
            {emptyOption !== undefined && <option value="">{emptyOption}</option>}
            {options.map(({ value, label: text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          <Icon name="chevronDown" size={16} />
        </span>
      )}
    </Field>
  )
}

export type CheckboxProps = Pick<FieldProps, 'label' | 'hint' | 'error'> &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & { ref?: Ref<HTMLInputElement> }
export function Checkbox({ label, hint, error, id, className, ...input }: CheckboxProps) {
  const made = useId()
  const control = id ?? made
  const described = [hint ? `${control}-hint` : '', error ? `${control}-error` : ''].filter(Boolean).join(' ')
  return (
    <div className={`checkbox ${className ?? ''}`}>
      <label htmlFor={control}>
        <input
          {...input}
          type="checkbox"
          id={control}
          aria-describedby={described || undefined}
          aria-invalid={error ? true : undefined}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <div id={`${control}-hint`} className="field-hint">
          {hint}
        </div>
      )}
      {error && (
        <div id={`${control}-error`} className="field-error">
          <Icon name="warning" size={15} />
          {error}
        </div>
      )}
    </div>
  )
}

/** Fields side by side, as many as fit. */
export const FieldGrid = ({ children }: { children: ReactNode }) => (
  <div className="field-grid">{children}</div>
)

/** Fields that belong together, under their own heading. */
export function FieldGroup({
  title,
  hint,
  children,
}: {
  title: string
  hint?: ReactNode
  children: ReactNode
}) {
  return (
    <fieldset className="field-group">
      <legend>{title}</legend>
      {hint && <p className="soft">{hint}</p>}
      <div className="field-grid">{children}</div>
    </fieldset>
  )
}
