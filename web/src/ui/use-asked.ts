// A dialog that an address can ask for, so that another page leads straight to it.
import { useState } from 'react'
import { useView } from './view.tsx'

/** Open at once with `?key=value`; closing removes that from the address. */
export function useAsked(key: string, value: string) {
  const { search, setSearch } = useView()
  const isAsked = search[key] === value
  const [isOpen, setOpen] = useState(isAsked)
  // The page may be open already when a link asks for its dialog.
  const [wasAsked, setWasAsked] = useState(isAsked)
  if (isAsked !== wasAsked) {
    setWasAsked(isAsked)
    if (isAsked) setOpen(true)
  }
  return {
    isOpen,
    open: () => setOpen(true),
    close: () => {
      setOpen(false)
      if (search[key] !== undefined) setSearch({ [key]: undefined }, { replace: true })
    },
  }
}
