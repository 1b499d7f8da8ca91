// Builds the breadcrumb from the route table.
import type { Role } from '#domain/roles.ts'
import { homeOf, isPermitted, paramsOf, ROUTES, type RouteLine, routeOf } from './routes.ts'

export interface Crumb {
  readonly title: string
  /** Missing for the current page and for groups, which have no page. */
  readonly href?: string
  /** The record's name, which is not translated. */
  readonly named?: true
}

export const HOME_TITLE = 'Mein Forstbetrieb'

interface Step {
  readonly line: RouteLine
  /** Its address, with ids filled in. */
  readonly path: string | undefined
}

/** @param names names of records that pages have reported, by path; they replace the route's title */
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

/** The groups that contain a page, its parent pages, and the page itself. */
function chainOf(line: RouteLine, path: string): Step[] {
  const above = line.parent ?? line.activeMenu
  const parent =
    above === undefined || above === line.path ? undefined : routeOf(fill(above, paramsOf(line, path)))
  if (parent) return [...chainOf(parent, fill(above!, paramsOf(line, path))), { line, path }]
  return [...groupsOf(line).map((group) => ({ line: group, path: undefined })), { line, path }]
}

/** `/kunden/$id` for customer 17 → `/kunden/17`. */
const fill = (pattern: string, params: Readonly<Record<string, string>>): string =>
  pattern.replaceAll(/\$(\w+)/g, (whole, name: string) => params[name] ?? whole)

function groupsOf(line: RouteLine, lines: readonly RouteLine[] = ROUTES): RouteLine[] {
  const group = lines.find(
    (one) =>
      one.children?.includes(line) || one.children?.some((child) => groupsOf(line, [child]).length > 0),
  )
  return group ? [group, ...groupsOf(line, group.children)] : []
}
