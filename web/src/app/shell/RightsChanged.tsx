// Rights may change while people work: the server applies them at once, but the screens still show the old
// ones. Explains this to anyone who runs into a refusal.
import { useEffect, useState } from 'react'
import { subscribeRightsDoubt } from '../../data/rights-doubt.ts'
import { currentSession } from '../../data/session.ts'
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'
import { loadSession } from '../load-session.ts'
import { ReloadOffer } from './ReloadOffer.tsx'

/** Minimum time between checks, because refusals tend to come in groups. */
const LOOK_AGAIN_MS = 5_000

export function RightsChanged() {
  const { identity } = useApplication()
  const [changed, setChanged] = useState(false)
  useEffect(() => {
    let looked = -Infinity
    const look = async () => {
      const before = currentSession()
      if (before === null || before.incomplete || performance.now() - looked < LOOK_AGAIN_MS) return
      looked = performance.now()
      const now = await loadSession(await identity.profile())
      if (!now.incomplete) setChanged(!sameRoles(before.roles, now.roles))
    }
    return subscribeRightsDoubt(
      () => void look().catch((error: unknown) => console.warn('rights could not be compared', error)),
    )
  }, [identity])
  if (!changed) return null
  return (
    <ReloadOffer
      title={t('Ihre Rechte wurden geändert')}
      onLater={() => setChanged(false)}
      onLoad={() => location.reload()}
    >
      {t(
        'Was Sie hier sehen, gehört noch zu Ihren früheren Rechten; der Server weist ab, was Sie nicht mehr ' +
          'dürfen. Laden Sie die Seite neu, dann zeigt das Menü, was Ihnen offensteht. Fragen dazu ' +
          'beantwortet Ihre Verwaltung.',
      )}
    </ReloadOffer>
  )
}

const sameRoles = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join()
