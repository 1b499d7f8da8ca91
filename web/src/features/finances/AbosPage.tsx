// /abo/index for those who read subscriptions and buy none: the provider's admins all, a customer's admins its own.
import { useHasRole } from '../../data/session.ts'
import { ListPage } from '../../list/ListPage.tsx'
import { t } from '../../ui/text.ts'
import { ABOS, OWN_ABOS } from './abo-list.tsx'

export function AbosPage() {
  const all = useHasRole('ogf_admin')
  // One list takes the place of the other without keeping its state.
  return all ? (
    <ListPage key="all" title={t('Abos')} list={ABOS} />
  ) : (
    <ListPage key="own" title={t('Abos')} list={OWN_ABOS} />
  )
}
