// A part that is loaded when it is first opened; if it cannot be loaded, that is said and nothing opens.
import { type ComponentType, useEffect, useState } from 'react'
import { toast } from '../../ui/toasts.ts'

type Part = ComponentType<{ onClose: () => void }>

/** The open part, null while closed or loading, and how to open and close it. `failed` is shown if it fails. */
export function useOpened(load: () => Promise<Part>, failed: () => string) {
  const [isOpen, setOpen] = useState(false)
  const [Loaded, setLoaded] = useState<Part | null>(null)
  useEffect(() => {
    if (isOpen && !Loaded)
      load().then(
        (part) => setLoaded(() => part),
        () => {
          setOpen(false)
          toast.error(failed())
        },
      )
  }, [isOpen, Loaded, load, failed])
  return [isOpen ? Loaded : null, setOpen] as const
}
