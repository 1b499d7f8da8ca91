// For people without a role yet: what happens next, or that their data could not be loaded.
import { useState } from 'react'
import { useSession } from '../../data/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { Linked } from '../../ui/Linked.tsx'
import { PhoneLink } from '../../ui/PhoneLink.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useApplication } from '../app-context.ts'

/** Roles could not be loaded: a temporary problem, and not the person's fault. */
export function Incomplete() {
  const reload = useReload()
  return (
    <Notice
      tone="warning"
      title={t('Ihre Daten konnten nicht geladen werden')}
      actions={
        <Button icon="refresh" busy={reload.busy} onClick={reload.run}>
          {t('Erneut versuchen')}
        </Button>
      }
    >
      {t('Solange sehen Sie nur diese Seite. Ihre Rechte und Daten sind unverändert.')}
    </Notice>
  )
}

export function Newcomer({ name }: { name: string }) {
  const { config } = useApplication()
  const { email } = useSession()
  const reload = useReload()
  return (
    <Card title={t('Ihr Zugang ist angelegt')}>
      <div className="stack">
        <p>
          {t(
            'Sie sind als {name} angemeldet. Ihr Zugang ist noch mit keinem Forstbetrieb verbunden, deshalb ' +
              'gibt es hier noch nichts zu sehen.',
            { name },
          )}
        </p>
        <ol className="steps">
          <li>{t('Ihre Verwaltung verbindet Ihren Zugang ({email}) mit Ihrem Forstbetrieb.', { email })}</li>
          <li>
            {t(
              'Danach laden Sie diese Seite neu: Ihr Forstbetrieb mit Fläche, Forsteinrichtung und Diensten ' +
                'erscheint hier.',
            )}
          </li>
        </ol>
        {config.support && (
          <p>
            <Linked
              text={t('Dauert es länger als einen Arbeitstag? Der Support hilft unter {phone} ({hours}).')}
              parts={{
                phone: <PhoneLink number={config.support.phone} />,
                hours: config.support.hours,
              }}
            />
          </p>
        )}
        <div className="actions">
          <Button variant="primary" icon="refresh" busy={reload.busy} onClick={reload.run}>
            {t('Noch einmal prüfen')}
          </Button>
        </div>
      </div>
    </Card>
  )
}

function useReload() {
  const { reloadSession } = useApplication()
  const [busy, setBusy] = useState(false)
  const run = () => {
    setBusy(true)
    reloadSession()
      .catch((error: unknown) => {
        console.error('roles could not be loaded', error)
        if (error instanceof ToldError) toast.error(error.message)
      })
      .finally(() => setBusy(false))
  }
  return { busy, run }
}
