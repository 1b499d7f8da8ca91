// A text field that suggests values; others may be typed as well.
import { useId } from 'react'
import { TextField, type TextFieldProps } from './Field.tsx'

export function SuggestField({
  suggestions,
  ...field
}: Omit<TextFieldProps, 'list'> & { suggestions: readonly string[] }) {
  const id = useId()
  return (
    <>
      <TextField autoComplete="off" list={id} {...field} />
      <datalist id={id}>
        {suggestions.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </datalist>
    </>
  )
}
