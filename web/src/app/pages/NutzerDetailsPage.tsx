// /nutzer/{user_id}: the screen of a person, told which pages roles open.
import { NutzerDetailsPage as Details } from '../../features/nutzer/NutzerDetailsPage.tsx'
import { t } from '../../ui/text.ts'
import { ADDRESSES, isPermitted } from '../routes.ts'

/** Two addresses may share a title: what a person reads is told once. */
function reachOf(roles: readonly string[]) {
  const lines = ADDRESSES.filter((line) => line.page && !line.open && !line.path.includes('$') && isPermitted(line, roles))
  const byTitle = new Map(lines.map(({ path, title }) => [t(title), path]))
  return [...byTitle].map(([title, path]) => ({ path, title }))
}

export const NutzerDetailsPage = () => <Details reachOf={reachOf} />
