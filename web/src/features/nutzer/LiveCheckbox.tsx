// A switch that takes effect by itself: it shows the wish at once, and what is stored when the answer has come.
import { useState } from 'react'
import { Checkbox, type CheckboxProps } from '../../ui/Field.tsx'

interface Props extends Omit<CheckboxProps, 'checked' | 'onChange'> {
  stored: boolean
  /** Settles when the record has been read again. */
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
