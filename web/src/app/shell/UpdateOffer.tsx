// Offers to load a new version, without forcing it.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { t } from '../../ui/text.ts'
import { acceptUpdate, isUpdateWaiting, startWorker, subscribeUpdates } from '../worker-client.ts'
import { ReloadOffer } from './ReloadOffer.tsx'

export function UpdateOffer() {
  const waiting = useSyncExternalStore(subscribeUpdates, isUpdateWaiting)
  const [later, setLater] = useState(false)
  useEffect(() => {
    if (import.meta.env.PROD) startWorker()
  }, [])
  if (!waiting || later) return null
  return (
    <ReloadOffer title={t('Neue Version verfügbar')} onLater={() => setLater(true)} onLoad={acceptUpdate}>
      {t('Sie können jetzt neu laden oder später; bis dahin arbeiten Sie mit der bisherigen Version weiter.')}
    </ReloadOffer>
  )
}
