// Rights may change while people work: the server applies them at once, but the screens still show the old
// ones. Explains this to anyone who runs into a refusal.
import { useEffect, useState } from 'react'
import { subscribeRightsDoubt } from '../../data/rights-doubt.ts'
import { currentSession } from '../../data/session.ts'
import { Button } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import { forgetUnsavedChanges, hasUnsavedChanges } from '../../ui/unsaved.ts'
import { useApplication } from '../app-context.ts'
import { loadSession } from '../load-session.ts'
import { DiscardDialog } from './DiscardDialog.tsx'

/** Minimum time between checks, because refusals tend to come in groups. */
const LOOK_AGAIN_MS = 5_000

export function RightsChanged() {
  const { identity } = useApplication()
  const [changed, setChanged] = useState(false)
  const [asking, setAsking] = useState(false)
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
  const load = () => {
    forgetUnsavedChanges()
    location.reload()
  }
  return (
    <section className="corner-card" aria-labelledby="rechte-geaendert">
      <h2 id="rechte-geaendert">{t('Ihre Rechte wurden geändert')}</h2>
      <p>
        {t(
          'Was Sie hier sehen, gehört noch zu Ihren früheren Rechten; der Server weist ab, was Sie nicht mehr dürfen. Laden Sie die Seite neu, dann zeigt das Menü, was Ihnen offensteht. Fragen dazu beantwortet Ihre Verwaltung.',
        )}
      </p>
      <div className="corner-actions">
        <Button size="small" onClick={() => setChanged(false)}>
          {t('Später')}
        </Button>
        <Button
          variant="primary"
          size="small"
          icon="refresh"
          onClick={() => (hasUnsavedChanges() ? setAsking(true) : load())}
        >
          {t('Neu laden')}
        </Button>
      </div>
      <DiscardDialog
        open={asking}
        confirmLabel={t('Verwerfen und neu laden')}
        onConfirm={load}
        onCancel={() => setAsking(false)}
      />
    </section>
  )
}

const sameRoles = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join()
