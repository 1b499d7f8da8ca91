// The way from home to the page, read from the route table.
import type { Role } from '#domain/roles.ts'
import { homeOf, isPermitted, paramsOf, ROUTES, type RouteLine, routeOf } from './routes.ts'

export interface Crumb {
  readonly title: string
  /** Left out for the last one: that is where one is; and for groups, which are no page. */
  readonly href?: string
  /** The record's own name: no text of ours. */
  readonly named?: true
}

export const HOME_TITLE = 'Mein Forstbetrieb'

interface Step {
  readonly line: RouteLine
  /** The address that belongs to it, its ids filled in. */
  readonly path: string | undefined
}

/** `names`: of the records that pages have told, by path; they stand in place of the route's title. */
export function crumbsOf(
  path: string,
  roles: readonly Role[],
  names: Readonly<Record<string, string>>,
): Crumb[] {
  const line = routeOf(path)
  const chain = line
    ? chainOf(line, path).filter((step) => step.line.breadcrumb !== false && step.line.title !== '')
    : []
  const crumbs = chain.map((step): Crumb => {
    const name = step.path === undefined ? undefined : names[step.path]
    const text: Crumb = name === undefined ? { title: step.line.title } : { title: name, named: true }
    const linked = step.line !== line && step.path !== undefined && isPermitted(step.line, roles)
    return linked ? { ...text, href: step.path! } : text
  })
  const atDashboard = chain[0]?.line.path === '/dashboard'
  return atDashboard ? crumbs : [{ title: HOME_TITLE, href: homeOf(roles) }, ...crumbs]
}

/** The groups around a page, the pages above it, and the page itself. */
function chainOf(line: RouteLine, path: string): Step[] {
  const above = line.parent ?? line.activeMenu
  const parent =
    above === undefined || above === line.path ? undefined : routeOf(fill(above, paramsOf(line, path)))
  if (parent) return [...chainOf(parent, fill(above!, paramsOf(line, path))), { line, path }]
  return [...groupsOf(line).map((group) => ({ line: group, path: undefined })), { line, path }]
}

/** `/kunden/$id` of the customer 17 → `/kunden/17`. */
const fill = (pattern: string, params: Readonly<Record<string, string>>): string =>
  pattern.replaceAll(/\$(\w+)/g, (whole, name: string) => params[name] ?? whole)

function groupsOf(line: RouteLine, lines: readonly RouteLine[] = ROUTES): RouteLine[] {
  const group = lines.find(
    (one) =>
      one.children?.includes(line) || one.children?.some((child) => groupsOf(line, [child]).length > 0),
  )
  return group ? [group, ...groupsOf(line, group.children)] : []
}
