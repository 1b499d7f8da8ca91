// /nutzer/{user_id}: a person's page, which is given the pages that each role opens.
import type { Role } from '#domain/roles.ts'
import { NutzerDetailsPage as Details } from '../../features/nutzer/NutzerDetailsPage.tsx'
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'
import { isPermitted, type RouteLine } from '../route-line.ts'

/** Two addresses may share a title: listed once. */
function reachOf(addresses: readonly RouteLine[], roles: readonly Role[]) {
  const lines = addresses.filter(
    (line) => line.page && !line.open && !line.path.includes('$') && isPermitted(line, roles),
  )
  const byTitle = new Map(lines.map(({ path, title }) => [t(title), path]))
  return [...byTitle].map(([title, path]) => ({ path, title }))
}

export function NutzerDetailsPage() {
  const { addresses } = useApplication().routes
  return <Details reachOf={(roles) => reachOf(addresses, roles)} />
}
