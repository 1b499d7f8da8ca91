// A switch that takes effect immediately: it shows the wish at once, and the stored state when the response
// arrives.
import { useState } from 'react'
import { Checkbox, type CheckboxProps } from '../../ui/Field.tsx'

interface Props extends Omit<CheckboxProps, 'checked' | 'onChange'> {
  stored: boolean
  /** Settles when the record was read again. */
  onWish: (wish: boolean) => Promise<unknown>
}

export function LiveCheckbox({ stored, onWish, ...rest }: Props) {
  const [wish, setWish] = useState<boolean | null>(null)
  return (
    <Checkbox
      {...rest}
      checked={wish ?? stored}
      aria-busy={wish !== null}
      onChange={({ target }) => {
        if (wish !== null) return
        setWish(target.checked)
        void onWish(target.checked).finally(() => setWish(null))
      }}
    />
  )
}
