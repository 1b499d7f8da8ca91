// The input of one field of a tree, by the kind of the field (domain/habitatbaum-fields.ts). For the office's form
// and the one of the field.
import type { ClipboardEvent, ReactElement } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { type TreeField, treeField } from '#domain/habitatbaum-fields.ts'
import { DateField } from '../../ui/DateField.tsx'
import { Checkbox, SelectField, TextAreaField, TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { choiceName, codesOf, textOf } from '../declared.ts'
import { StructurePicker } from './StructurePicker.tsx'
import type { TreeFormValues } from './habitat-form.ts'
import { fieldLabel, speciesOptions } from './habitat-words.ts'
import type { InputKind } from './tree-values.ts'

/** What differs between the forms that have the input. */
interface OwnProps {
  readonly label?: string
  readonly hint?: string | undefined
  readonly required?: boolean
  readonly rows?: number
  readonly className?: string
  readonly enterKeyHint?: 'done'
  readonly onPaste?: (event: ClipboardEvent) => void
}
export interface TreeInputProps {
  form: UseFormReturn<TreeFormValues>
  column: TreeField
  /** Names of the levels in this holding. */
  levels: readonly string[]
  own?: OwnProps
}

function bind({ form, column, levels, own }: TreeInputProps) {
  const field = treeField(column)
  return {
    label: fieldLabel(column, levels),
    hint: textOf(field, 'hint'),
    error: form.formState.errors[column]?.message,
    required: field.missing !== undefined,
    ...form.register(column),
    ...own,
  }
}
type Bound = ReturnType<typeof bind>

const text = (bound: Bound, column: TreeField) => (
  <TextField {...bound} autoComplete="off" maxLength={treeField(column).longest} />
)
const decimal = (bound: Bound, column: TreeField) => (
  <TextField
    {...bound}
    unit={t(treeField(column).unit ?? '')}
    inputMode="decimal"
    autoComplete="off"
    maxLength={treeField(column).longest}
  />
)
function Choice({ bound, column }: { bound: Bound; column: TreeField }) {
  const { choices = {} } = treeField(column)
  const empty = textOf(treeField(column), 'empty')
  return (
    <SelectField
      {...bound}
      {...(empty !== undefined && { emptyOption: empty })}
      options={codesOf(choices).map((value) => ({ value, label: choiceName(choices)(value) }))}
    />
  )
}

const INPUTS: Readonly<
  Record<Exclude<InputKind, 'structures' | 'moment'>, (bound: Bound, column: TreeField) => ReactElement>
> = {
  line: text,
  text: (bound, column) => <TextAreaField {...bound} maxLength={treeField(column).longest} />,
  species: (bound) => <SelectField {...bound} emptyOption={t('bitte wählen')} options={speciesOptions()} />,
  choice: (bound, column) => <Choice bound={bound} column={column} />,
  amount: decimal,
  degrees: decimal,
  number: (bound, column) => (
    <TextField {...bound} inputMode="numeric" autoComplete="off" maxLength={treeField(column).longest} />
  ),
  date: (bound) => <DateField {...bound} />,
  boolean: (bound) => <Checkbox {...bound} />,
}

export const StructureInput = ({ form: { control } }: Pick<TreeInputProps, 'form'>) => (
  <Controller
    control={control}
    name="strukturen"
    render={({ field, fieldState }) => (
      <StructurePicker value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
    )}
  />
)

export function TreeInput(props: TreeInputProps) {
  const kind = treeField(props.column).kind as InputKind
  // Kept from the receiver.
  if (kind === 'moment') return null
  return kind === 'structures' ? (
    <StructureInput form={props.form} />
  ) : (
    INPUTS[kind](bind(props), props.column)
  )
}
