// Inputs of a headquarters' master data, in groups. Which field is in which group is declared with the field
// (domain/hq-fields.ts).
import type { ReactElement } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { HQ_FIELDS, type HqField, hqField } from '#domain/hq-fields.ts'
import { DateField } from '../../ui/DateField.tsx'
import { Checkbox, FieldGrid, TextField } from '../../ui/Field.tsx'
import { textOf } from '../declared.ts'
import { hqInputsOf, hqLabel } from './hq-fields.ts'
import type { HqValues } from './hq-form.ts'

interface Props {
  form: UseFormReturn<HqValues>
}
type Bound = ReturnType<typeof bind>

function bind({ register, formState }: Props['form'], column: HqField) {
  const field = hqField(column)
  return {
    label: textOf(field, 'asks') ?? hqLabel(column),
    hint: textOf(field, 'hint'),
    error: formState.errors[column]?.message,
    ...register(column),
  }
}

/** The input of a field, by its kind. */
const INPUTS: Readonly<
  Record<(typeof HQ_FIELDS)[HqField]['kind'], (bound: Bound, column: HqField) => ReactElement>
> = {
  line: (bound, column) => {
    const { longest, missing } = hqField(column)
    return <TextField {...bound} required={missing !== undefined} maxLength={longest} autoComplete="off" />
  },
  date: (bound) => <DateField {...bound} />,
  area: (bound, column) => (
    <TextField
      {...bound}
      unit={hqField(column).unit ?? ''}
      inputMode="decimal"
      autoComplete="off"
      maxLength={20}
    />
  ),
  boolean: (bound) => <Checkbox {...bound} />,
}

const Group = ({ form, of }: Props & { of: string }) =>
  hqInputsOf(of).map((column) => <HqInput key={column} form={form} column={column} />)
const HqInput = ({ form, column }: Props & { column: HqField }) =>
  INPUTS[HQ_FIELDS[column].kind](bind(form, column), column)

export const HqFields = ({ form }: Props) => (
  <div className="stack">
    <Group form={form} of="name" />
    <FieldGrid>
      <Group form={form} of="plan" />
    </FieldGrid>
    <Group form={form} of="access" />
  </div>
)
