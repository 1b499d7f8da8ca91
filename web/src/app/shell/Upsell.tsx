// The subscription offer at the bottom of the menu, for people who have a headquarters without a subscription
// and may start one.
import { useQuery } from '@tanstack/react-query'
import type { Abo } from '#contract/abo.ts'
import { selectPage } from '../../data/rows.ts'
import { useSession } from '../../data/session.ts'
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'
import { isPermitted, routeOf } from '../routes.ts'
import { showUpsell } from '../upsell.ts'

type Known = Pick<Abo, 'hqid' | 'zustand'>

export function Upsell() {
  const { config } = useApplication()
  const session = useSession()
  const { data } = useQuery({
    // Same prefix as the subscriptions' keys, so that starting or ending one updates it.
    queryKey: ['abo', 'upsell'],
    queryFn: async ({ signal }) =>
      (
        await selectPage<Known>('abo', {
          select: ['hqid', 'zustand'],
          order: [{ column: 'id', descending: true }],
          limit: 500,
          count: 'none',
          signal,
        })
      ).rows,
    staleTime: 5 * 60_000,
  })
  const start = routeOf('/na/index')
  const offer = data && showUpsell(session, data)
  if (!offer || !start || !isPermitted(start, session.roles)) return null
  return (
    <a href={`/na/?fb=${offer.idHQ}`} className="upsell">
      {offer.lead && <span className="upsell-lead">{t('Wechseln Sie jetzt zu')}</span>}
      <span className="upsell-button">
        {config.title} <span className="upsell-badge">PRO</span>
      </span>
    </a>
  )
}
