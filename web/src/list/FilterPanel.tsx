// The filter fields, one per kind. Each change is applied at once and stored only in the address bar. Loaded
// when first opened.
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { DateField } from '../ui/DateField.tsx'
import { SelectField, TextField, type TextFieldProps } from '../ui/Field.tsx'
import { formatDate } from '../ui/format.ts'
import { MultiSelect } from '../ui/MultiSelect.tsx'
import { dayExpected, parseDay } from '../ui/parse-day.ts'
import { t } from '../ui/text.ts'
import { filterOptions } from './filter-chips.ts'
import {
  type DaysFilter,
  isIsoDay,
  type ListFilter,
  type RangeFilter,
  valueFrom,
  valuesOf,
} from './filter-kinds.ts'
import { isNarrowed, type List, type ListState } from './list.ts'
import { RecordField } from './RecordField.tsx'
import type { How } from './use-list-state.ts'

type AnyFilter = ListFilter<never>
type Apply = (value: string, how?: How) => void

export interface FilterPanelProps {
  filters: List<never>['filters']
  state: ListState
  onFilter: (key: string, value: string, how?: How) => void
  onReset: () => void
}

export function FilterPanel({ filters = [], state, onFilter, onReset }: FilterPanelProps) {
  return (
    <fieldset className="list-filter" aria-label={t('Filter')}>
      {filters.map((filter) => (
        <FilterField
          key={filter.key}
          filter={filter}
          values={state.filter}
          apply={(value, how) => onFilter(filter.key, value, how)}
        />
      ))}
      <div className="list-filter-reset">
        <Button variant="quiet" icon="close" disabled={!isNarrowed(state)} onClick={onReset}>
          {t('Zurücksetzen')}
        </Button>
      </div>
    </fieldset>
  )
}

function FilterField({
  filter,
  values,
  apply,
}: {
  filter: AnyFilter
  values: ListState['filter']
  apply: Apply
}) {
  const label = filter.label()
  const value = values[filter.key] ?? ''
  switch (filter.kind) {
    case 'many':
      return (
        <MultiSelect
          label={label}
          value={valuesOf(filter, value)}
          onChange={(chosen) => apply(valueFrom(filter, chosen))}
          options={filterOptions(filter, values)}
        />
      )
    case 'one':
      return (
        <SelectField
          label={label}
          value={valuesOf(filter, value)[0] ?? ''}
          emptyOption={t('alle')}
          options={filterOptions(filter, values)}
          onChange={({ target }) => apply(valueFrom(filter, [target.value]))}
        />
      )
    case 'flag': {
      const [yes, no] = filter.words ?? ['ja', 'nein']
      const [yesText, noText] = filter.texts?.() ?? [t('ja'), t('nein')]
      return (
        <SelectField
          label={label}
          value={value}
          emptyOption={t('alle')}
          options={[
            { value: yes, label: yesText },
            { value: no, label: noText },
          ]}
          onChange={({ target }) => apply(target.value)}
        />
      )
    }
    case 'prefix':
      return <PrefixField filter={filter} label={label} value={value} apply={apply} />
    case 'days':
      return <DaysFields filter={filter} label={label} value={value} apply={apply} />
    case 'range':
      return <RangeFields filter={filter} label={label} value={value} apply={apply} />
    case 'record':
      return <RecordField filter={filter} label={label} value={value} apply={apply} />
  }
}

/**
 * Text that runs ahead of the address while the user types, and follows it when it changes otherwise (back
 * button, reset, chip).
 */
function useTyped(value: string, print: (value: string) => string) {
  const [text, setText] = useState(() => print(value))
  const [known, setKnown] = useState(value)
  const [faulty, setFaulty] = useState(false)
  if (value !== known) {
    setKnown(value)
    setText(print(value))
    setFaulty(false)
  }
  return { text, setText, faulty, setFaulty, setKnown }
}

function PrefixField({
  filter,
  label,
  value,
  apply,
}: {
  filter: Extract<AnyFilter, { kind: 'prefix' }>
  label: string
  value: string
  apply: Apply
}) {
  const typed = useTyped(value, String)
  return (
    <TextField
      label={label}
      value={typed.text}
      maxLength={filter.maxLength}
      autoComplete="off"
      {...(filter.digits && { inputMode: 'numeric' as const })}
      {...(filter.placeholder && { placeholder: filter.placeholder() })}
      onChange={({ target }) => {
        const text = filter.digits ? target.value.replaceAll(/\D/g, '') : target.value
        const next = valueFrom(filter, [text])
        typed.setText(text)
        // Keeps the text as typed, including a trailing blank.
        typed.setKnown(next)
        if (next !== value) apply(next, { replace: true })
      }}
    />
  )
}

/** One end of a range, applied on blur or Enter once it is complete; half a date filters nothing. */
function End({
  label,
  value,
  read,
  print,
  error,
  unit,
  isDay = false,
  onChange,
}: {
  label: string
  value: string
  /** Null if the text is invalid. */
  read: (text: string) => string | null
  print: (value: string) => string
  error: string
  unit?: string | undefined
  isDay?: boolean
  onChange: (value: string) => void
}) {
  const { text, setText, faulty, setFaulty } = useTyped(value, print)
  const apply = () => {
    const next = text.trim() === '' ? '' : read(text)
    setFaulty(next === null)
    if (next !== null && next !== value) onChange(next)
  }
  const input: TextFieldProps = {
    label,
    value: text,
    error: faulty ? error : undefined,
    onChange: ({ target }) => setText(target.value),
    onBlur: apply,
    onKeyDown: ({ key }) => key === 'Enter' && apply(),
  }
  return isDay ? (
    <DateField {...input} />
  ) : (
    <TextField inputMode="text" autoComplete="off" {...input} {...(unit !== undefined && { unit })} />
  )
}

function DaysFields({
  filter,
  label,
  value,
  apply,
}: {
  filter: DaysFilter<never>
  label: string
  value: string
  apply: Apply
}) {
  const [from = '', to = ''] = valuesOf(filter, value)
  const end = (name: string, day: string, onChange: (day: string) => void) => (
    <End
      label={name}
      value={day}
      read={readDay}
      print={formatDate}
      error={dayExpected()}
      isDay
      onChange={onChange}
    />
  )
  if (filter.only === 'from') return end(label, from, (day) => apply(valueFrom(filter, [day, ''])))
  if (filter.only === 'to') return end(label, to, (day) => apply(valueFrom(filter, ['', day])))
  return (
    <>
      {end(t('{label} ab', { label }), from, (day) => apply(valueFrom(filter, [day, to])))}
      {end(t('{label} bis', { label }), to, (day) => apply(valueFrom(filter, [from, day])))}
    </>
  )
}
function readDay(text: string): string | null {
  const day = parseDay(text)
  return day !== null && isIsoDay(day) ? day : null
}

function RangeFields({
  filter,
  label,
  value,
  apply,
}: {
  filter: RangeFilter<never>
  label: string
  value: string
  apply: Apply
}) {
  const [from = '', to = ''] = valuesOf(filter, value)
  const read = (text: string) => {
    const number = readNumber(text)
    // A value out of range would otherwise be dropped silently.
    return number === null || valueFrom(filter, [number, '']) === '' ? null : number
  }
  const end = (name: string, number: string, onChange: (number: string) => void) => (
    <End
      label={name}
      value={number}
      read={read}
      print={printNumber}
      error={t('Bitte eine Zahl wie 1.234,5.')}
      unit={filter.unit}
      onChange={onChange}
    />
  )
  return (
    <>
      {end(t('{label} ab', { label }), from, (number) => apply(valueFrom(filter, [number, to])))}
      {end(t('{label} bis', { label }), to, (number) => apply(valueFrom(filter, [from, number])))}
    </>
  )
}
/** Reads a German number: 1.234,5 → 1234.5 */
export function readNumber(text: string): string | null {
  const typed = text.trim().replaceAll(/[\s\u00a0]/g, '')
  const german = /^-?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d{1,6})?$/.test(typed)
    ? typed.replaceAll('.', '').replace(',', '.')
    : null
  return german !== null && Number.isFinite(Number(german)) ? String(Number(german)) : null
}
const printNumber = (value: string): string => value.replace('.', ',')
