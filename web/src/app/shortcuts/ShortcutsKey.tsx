// Opens the table of shortcuts: ? where nothing is being typed, or the entry of the user menu.
import { useEffect, useState } from 'react'
import { splitOff } from '../../ui/split-off.tsx'
import { takeAsked } from './asked.ts'

const ShortcutsDialog = splitOff(async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog, null, {
  optional: true,
})

const TYPED_IN =
  'input:not([type="checkbox"], [type="range"], [type="radio"]), textarea, select, [contenteditable="true"]'

export function ShortcutsKey() {
  const [open, setOpen] = useState(takeAsked)
  useEffect(() => {
    const show = () => {
      takeAsked()
      setOpen(true)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.matches(TYPED_IN)) return
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      show()
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('shortcuts', show)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('shortcuts', show)
    }
  }, [])
  return open ? <ShortcutsDialog onClose={() => setOpen(false)} /> : null
}
