// The way from home to the page, read from the route table.
import { homeOf, type RouteLine, routeOf } from './routes.ts'

export interface Crumb {
  readonly title: string
  /** Left out for the last one: that is where one is. */
  readonly href?: string
}

export const HOME_TITLE = 'Mein Forstbetrieb'

/** `record`: the name of what a detail page shows, in place of the route's title. */
export function crumbsOf(path: string, roles: readonly string[], record: string | null): Crumb[] {
  const line = routeOf(path)
  const parent = line?.activeMenu && line.activeMenu !== line.path ? routeOf(line.activeMenu) : undefined
  const chain = [parent, line].filter(
    (entry): entry is RouteLine => entry !== undefined && entry.breadcrumb !== false && entry.title !== '',
  )
  const crumbs: Crumb[] = chain.map((entry) =>
    entry === line ? { title: record ?? entry.title } : { title: entry.title, href: entry.path },
  )
  const atDashboard = chain[0]?.path === '/dashboard'
  return atDashboard ? crumbs : [{ title: HOME_TITLE, href: homeOf(roles) }, ...crumbs]
}
