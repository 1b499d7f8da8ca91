// A dialog that an address can ask for, so that another page leads straight to it.
import { useState } from 'react'
import { useView } from './view.tsx'

/** Open at once with `?key=value`; closing removes that from the address. */
export function useAsked(key: string, value: string) {
  const { search, setSearch } = useView()
  const [isOpen, setOpen] = useState(search[key] === value)
  return {
    isOpen,
    open: () => setOpen(true),
    close: () => {
      setOpen(false)
      if (search[key] !== undefined) setSearch({ [key]: undefined }, { replace: true })
    },
  }
}
