// Builds the breadcrumb from the route table.
import type { Role } from '#domain/roles.ts'
import { firstOf, groupsAround, menuOf } from './menu.ts'
import { activeMenuOf, homeOf, isPermitted, paramsOf, ROUTES, type RouteLine, routeOf } from './routes.ts'

export interface Crumb {
  readonly title: string
  /** Missing for the current page. A group leads to its first page. */
  readonly href?: string
  /** The record's name, which is not translated. */
  readonly named?: true
}

export const HOME_TITLE = 'Mein Forstbetrieb'

interface Step {
  readonly line: RouteLine
  /** With ids filled in. */
  readonly path: string
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
    const name = names[step.path]
    const text: Crumb = name === undefined ? { title: step.line.title } : { title: name, named: true }
    return step.line !== line && isPermitted(step.line, roles) ? { ...text, href: step.path } : text
  })
  if (chain[0]?.line.path === '/dashboard') return crumbs
  const around = [...groupCrumbs(path, roles, crumbs[0]), ...crumbs]
  // An auditor's home is a page of the books.
  if (roles.length > 0 && roles.every((role) => role === 'pruefer')) return around
  return [{ title: HOME_TITLE, href: homeOf(roles) }, ...around]
}

/**
 * The groups of this person's menu around a page. Without those that would only repeat the title below them.
 */
function groupCrumbs(path: string, roles: readonly Role[], below: Crumb | undefined): Crumb[] {
  const groups = groupsAround(menuOf(ROUTES, roles), activeMenuOf(path)) ?? []
  return groups
    .filter(({ title }, at) => title !== (groups[at + 1] ?? below)?.title)
    .map((group): Crumb => {
      const [title, href] = [group.title, firstOf(group)]
      return href === path ? { title } : { title, href }
    })
}

/** The parent pages of a page, and the page itself. */
function chainOf(line: RouteLine, path: string): Step[] {
  const above = line.parent ?? line.activeMenu
  const parent =
    above === undefined || above === line.path ? undefined : routeOf(fill(above, paramsOf(line, path)))
  return [...(parent ? chainOf(parent, fill(above!, paramsOf(line, path))) : []), { line, path }]
}

/** `/kunden/$id` for customer 17 → `/kunden/17`. */
const fill = (pattern: string, params: Readonly<Record<string, string>>): string =>
  pattern.replaceAll(/\$(\w+)/g, (whole, name: string) => params[name] ?? whole)
