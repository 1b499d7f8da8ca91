// Offers to load a new version, without forcing it. Asks first if there is unsaved work.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import { forgetUnsavedChanges, hasUnsavedChanges } from '../../ui/unsaved.ts'
import { acceptUpdate, isUpdateWaiting, startWorker, subscribeUpdates } from '../worker-client.ts'
import { DiscardDialog } from './DiscardDialog.tsx'

export function UpdateOffer() {
  const waiting = useSyncExternalStore(subscribeUpdates, isUpdateWaiting)
  const [later, setLater] = useState(false)
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    if (import.meta.env.PROD) startWorker()
  }, [])
  if (!waiting || later) return null
  const load = () => {
    forgetUnsavedChanges()
    acceptUpdate()
  }
  return (
    <section className="corner-card" aria-labelledby="neue-version">
      <h2 id="neue-version">{t('Neue Version verfügbar')}</h2>
      <p>
        {t(
          'Sie können jetzt neu laden oder später; bis dahin arbeiten Sie mit der bisherigen Version weiter.',
        )}
      </p>
      <div className="corner-actions">
        <Button size="small" onClick={() => setLater(true)}>
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
