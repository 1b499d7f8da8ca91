// Installs the application on the home screen: with the browser's prompt, or by instructions if it offers
// none.
import { useSyncExternalStore } from 'react'
import { subscribeInstallOffer, takeInstallOffer } from '../../data/install-offer.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { installation } from './installation.ts'

export function InstallCard() {
  const stand = useSyncExternalStore(subscribeInstallOffer, installation)
  if (stand === 'installiert') return null
  return (
    <Card title={t('Auf dem Startbildschirm')}>
      <div className="stack">
        {stand === 'ios' ? (
          <p>
            {t(
              'Tippen Sie in Safari auf „Teilen“ und dann auf „Zum Home-Bildschirm“. Öffnen Sie den ' +
                'Feldmodus danach nur noch von dort: Safari selbst löscht die Daten von Seiten, die man ' +
                'eine Woche lang nicht benutzt hat.',
            )}
          </p>
        ) : (
          <p>
            {t(
              'Installiert startet der Feldmodus wie eine App, auch ohne Netz, und der Browser räumt ' +
                'seinen Speicher nicht so leicht.',
            )}
          </p>
        )}
        {stand === 'angeboten' && (
          <div className="actions">
            <Button variant="primary" icon="mobile" onClick={() => void takeInstallOffer()}>
              {t('Auf diesem Gerät installieren')}
            </Button>
          </div>
        )}
        {stand === 'nein' && (
          <p className="soft">
            {t(
              'In Chrome und Edge steht es im Menü des Browsers unter „App installieren“ oder „Zum ' +
                'Startbildschirm hinzufügen“.',
            )}
          </p>
        )}
      </div>
    </Card>
  )
}
