// Which menu groups are open. Several may be, and a person's choice is remembered. Opening a page opens the
// groups around it for as long as the application runs. A short menu has nothing to hide: all of it is open.
import { useState } from 'react'
import { currentPreferences, setPreference, usePreference } from '../../ui/preferences.ts'
import { groupsAround, type MenuEntry, pagesIn } from '../menu.ts'

export interface Groups {
  readonly isOpen: (path: string) => boolean
  readonly set: (path: string, open: boolean) => void
}

/** Pages that a menu may have to be short. */
const FEW = 15

export function useGroups(menu: readonly MenuEntry[], active: string): Groups {
  const chosen = usePreference('openGroups')
  const [around, setAround] = useState<readonly string[]>([])
  const [seen, setSeen] = useState<string | null>(null)
  if (seen !== active) {
    setSeen(active)
    const groups = groupsAround(menu, active) ?? []
    setAround([...around, ...groups.map(({ path }) => path)])
  }
  const isShort = pagesIn(menu).length <= FEW
  return {
    isOpen: (path) => around.includes(path) || (chosen[path] ?? isShort),
    set: (path, wanted) => {
      setAround(around.filter((one) => one !== path))
      setPreference('openGroups', { ...currentPreferences().openGroups, [path]: wanted })
    },
  }
}
