// When there will never be anything to show. What is seen before stands in index.html.
import { Button } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import './splash.css'

export const Logo = ({ size = 32 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <path d="M16 3 7.8 13.3h4L6 21.5h20l-5.8-8.2h4z" fill="var(--accent)" />
    <path d="M14.6 21.5h2.8V29h-2.8z" fill="currentColor" />
  </svg>
)

/** The server's settings could not be read: nothing can work, and loading again by itself would only go round in circles. */
export function StartFault({ detail }: { detail?: string | undefined }) {
  return (
    <main className="splash">
      <Logo size={56} />
      <h1>{t('Die Anwendung kann nicht starten')}</h1>
      <div role="alert" className="splash-text">
        <p>
          {t(
            'Die Einstellungen des Servers sind nicht erreichbar oder unvollständig. Bitte prüfen Sie Ihre Internetverbindung und versuchen Sie es noch einmal.',
          )}
        </p>
        <p>{t('Bleibt der Fehler bestehen, wenden Sie sich bitte an den Support.')}</p>
        {detail && <p className="soft">{t('Für den Support: {code}', { code: detail })}</p>}
      </div>
      <Button variant="primary" icon="refresh" onClick={() => location.reload()}>
        {t('Erneut versuchen')}
      </Button>
    </main>
  )
}
