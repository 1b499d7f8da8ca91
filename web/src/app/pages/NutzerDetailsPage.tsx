// /nutzer/{user_id}: the screen of a person, told which pages roles open.
import { NutzerDetailsPage as Details } from '../../features/nutzer/NutzerDetailsPage.tsx'
import { t } from '../../ui/text.ts'
import { ADDRESSES, isPermitted } from '../routes.ts'

const reachOf = (roles: readonly string[]) =>
  ADDRESSES.filter((line) => line.page && !line.open && !line.path.includes('$') && isPermitted(line, roles)).map(({ path, title }) => ({
    path,
    title: t(title),
  }))

export const NutzerDetailsPage = () => <Details reachOf={reachOf} />
