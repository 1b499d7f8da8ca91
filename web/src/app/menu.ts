// Contents of the sidebar: the permitted part of the route table.
import type { Role } from '#domain/roles.ts'
import type { IconName } from '../ui/Icon.tsx'
import { isPermitted, type RouteLine } from './route-line.ts'

export interface MenuEntry {
  readonly path: string
  readonly title: string
  readonly icon: IconName | undefined
  readonly external: boolean
  readonly children: readonly MenuEntry[]
}

const isExternal = (path: string) => /^(?:https?|mailto|tel):/.test(path)

/**
 * Hidden lines are left out with everything below them, as are empty groups; a group with one entry becomes
 * that entry.
 */
export function menuOf(lines: readonly RouteLine[], roles: readonly Role[]): MenuEntry[] {
  return lines.flatMap((line): MenuEntry[] => {
    if (line.hidden || !isPermitted(line, roles)) return []
    const entry = {
      path: line.path,
      title: line.title,
      icon: line.icon,
      external: isExternal(line.path),
      children: [],
    }
    if (!line.children) return line.page || entry.external ? [entry] : []
    const children = menuOf(line.children, roles)
    const [only] = children
    if (!only) return line.page ? [entry] : []
    if (children.length === 1 && only.children.length === 0 && !line.alwaysShow)
      return [{ ...only, icon: only.icon ?? line.icon }]
    return [{ ...entry, children }]
  })
}

/** Paths of the groups that contain an entry, outermost first; undefined if it is not in this menu. */
export function groupsAround(menu: readonly MenuEntry[], path: string): readonly string[] | undefined {
  for (const entry of menu) {
    if (entry.children.length === 0) {
      if (entry.path === path) return []
      continue
    }
    const inside = groupsAround(entry.children, path)
    if (inside) return [entry.path, ...inside]
  }
  return undefined
}
