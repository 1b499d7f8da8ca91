// A line of the route table, and what pages may ask of the table. The table imports the pages, so they get it
// through the context (app-context.ts) instead of a circular import.
import type { ComponentType } from 'react'
import { hasOneOf, type Role } from '#domain/roles.ts'
import type { IconName } from '../ui/Icon.tsx'

export interface RouteLine {
  /** `$id` matches digits, a final `$` the rest of the path. */
  readonly path: string
  readonly title: string
  /** Roles that may open it; default: everyone who is signed in. */
  readonly roles?: readonly Role[]
  readonly icon?: IconName
  readonly hidden?: boolean
  /** A group that keeps its heading even if it has only one entry. */
  readonly alwaysShow?: boolean
  /** Menu entry to highlight while this hidden page is open; also its parent in the breadcrumb. */
  readonly activeMenu?: string
  /** Never kept alive in the background. */
  readonly noCache?: boolean
  /** Has a pinned tab. */
  readonly affix?: boolean
  /** False: not in the breadcrumb. */
  readonly breadcrumb?: boolean
  /** Uses the whole window and has its own way back. */
  readonly whole?: boolean
  /** Public: shown without sign-in. */
  readonly open?: boolean
  /**
   * Parent page in the breadcrumb if it is not the menu entry: `/kunden/$id`, filled with this page's ids.
   */
  readonly parent?: string
  /** Missing for groups and for addresses whose page does not exist yet. */
  readonly page?: () => Promise<ComponentType>
  readonly children?: readonly RouteLine[]
}

export const isPermitted = (line: RouteLine, roles: readonly Role[]): boolean =>
  !line.roles || hasOneOf(roles, line.roles)

export interface RouteTable {
  /** In menu order, with groups. */
  readonly lines: readonly RouteLine[]
  /** Without groups. */
  readonly addresses: readonly RouteLine[]
  readonly routeOf: (path: string) => RouteLine | undefined
  /** Start page for these roles. */
  readonly homeOf: (roles: readonly Role[]) => string
}
