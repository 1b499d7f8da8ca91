// A line of the table of routes, and what pages may ask of the table. It loads them, so it is handed to them (app-context.ts): importing it would lead round in a circle.
import type { ComponentType } from 'react'
import { hasOneOf, type Role } from '#domain/roles.ts'
import type { IconName } from '../ui/Icon.tsx'

export interface RouteLine {
  /** `$id` stands for digits, a last `$` for the rest of the path. */
  readonly path: string
  readonly title: string
  /** Who may open it; left out: everybody who is signed in. */
  readonly roles?: readonly Role[]
  readonly icon?: IconName
  /** Not in the menu. */
  readonly hidden?: boolean
  /** A group that keeps its heading even with one entry. */
  readonly alwaysShow?: boolean
  /** The menu entry that is marked while this hidden page is open; also its parent in the breadcrumb. */
  readonly activeMenu?: string
  /** Never kept alive in the background. */
  readonly noCache?: boolean
  /** Pinned tab. */
  readonly affix?: boolean
  /** False: no part of the breadcrumb. */
  readonly breadcrumb?: boolean
  /** Has the whole window to itself, with a way back of its own. */
  readonly whole?: boolean
  /** Shown without sign-in. */
  readonly open?: boolean
  /** The page above it in the breadcrumb where that is not its menu entry: `/kunden/$id`, filled with this page's ids. */
  readonly parent?: string
  /** Left out for groups, which only hold others, and for addresses whose page is not there yet. */
  readonly page?: () => Promise<ComponentType>
  readonly children?: readonly RouteLine[]
}

export const isPermitted = (line: RouteLine, roles: readonly Role[]): boolean =>
  !line.roles || hasOneOf(roles, line.roles)

export interface RouteTable {
  /** In the order of the menu, with groups. */
  readonly lines: readonly RouteLine[]
  /** Without groups. */
  readonly addresses: readonly RouteLine[]
  readonly routeOf: (path: string) => RouteLine | undefined
  /** Where these roles start. */
  readonly homeOf: (roles: readonly Role[]) => string
}
