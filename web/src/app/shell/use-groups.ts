// Which menu groups are open. Several may be; opening a page opens the groups around it; collapsing the menu
// closes all.
import { useState } from 'react'
import { groupsAround, type MenuEntry } from '../menu.ts'

export interface Groups {
  readonly isOpen: (path: string) => boolean
  readonly set: (path: string, open: boolean) => void
}

export function useGroups(menu: readonly MenuEntry[], active: string, collapsed: boolean): Groups {
  const [open, setOpen] = useState<readonly string[]>([])
  const [seen, setSeen] = useState<string | null>(null)
  const now = `${collapsed} ${active}`
  if (seen !== now) {
    setSeen(now)
    const around = groupsAround(menu, active) ?? []
    setOpen(collapsed ? [] : [...new Set([...open, ...around])])
  }
  return {
    isOpen: (path) => open.includes(path),
    set: (path, wanted) =>
      setOpen((before) => [...before.filter((one) => one !== path), ...(wanted ? [path] : [])]),
  }
}
