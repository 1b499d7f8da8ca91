// Contents of the sidebar: the permitted part of the route table.
import type { Role } from '#domain/roles.ts'
import type { IconName } from '../ui/Icon.tsx'
import { isPermitted, type RouteLine } from './route-line.ts'

export interface MenuEntry {
  readonly path: string
  readonly title: string
  readonly icon: IconName | undefined
  readonly external: boolean
  /** The title is a name, which is not translated. */
  readonly named?: true
  /** Makes it a button. */
  readonly act?: () => void
  readonly children: readonly MenuEntry[]
}

const isExternal = (path: string) => /^(?:https?|mailto|tel):/.test(path)

/**
 * Hidden lines are left out with everything below them, as are empty groups. A group with one entry becomes
 * that entry; if that is a group itself, it keeps its own title and takes the inner entries.
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
    const inside = menuOf(line.children, roles)
    const children = inside.length === 1 && inside[0]!.children.length > 0 ? inside[0]!.children : inside
    const [only] = children
    if (!only) return line.page ? [entry] : []
    return children.length === 1 && !line.alwaysShow
      ? [{ ...only, icon: only.icon ?? line.icon }]
      : [{ ...entry, children }]
  })
}

/** The groups that contain an entry, outermost first; undefined if it is not in this menu. */
export function groupsAround(menu: readonly MenuEntry[], path: string): readonly MenuEntry[] | undefined {
  for (const entry of menu) {
    if (entry.children.length === 0) {
      if (entry.path === path) return []
      continue
    }
    const inside = groupsAround(entry.children, path)
    if (inside) return [entry, ...inside]
  }
  return undefined
}

/** Where an entry leads: a group to its first page. */
export const firstOf = ({ path, children: [first] }: MenuEntry): string => (first ? firstOf(first) : path)

export const pagesIn = (menu: readonly MenuEntry[]): MenuEntry[] =>
  menu.flatMap((entry) => (entry.children.length > 0 ? pagesIn(entry.children) : [entry]))
