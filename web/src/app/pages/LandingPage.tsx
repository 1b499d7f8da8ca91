// First page for phones and tablets: the field mode, the mobile app, what the web application is for, and a
// link to continue in the browser.
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { useApplication } from '../app-context.ts'
import { FIELDWORK, isPassing, stayInBrowser } from '../mobile.ts'
import { LegalLinks } from '../shell/LegalLinks.tsx'
import { Logo } from '../shell/Logo.tsx'
import { safeTarget } from '../targets.ts'
import './landing.css'
import './login.css'

export function LandingPage() {
  const { config } = useApplication()
  const { search } = useView()
  const target = safeTarget(search['weiter'])
  const { ios, android } = config.stores
  const goOn = () => {
    stayInBrowser()
    // Reloads, because signing in is part of the application's start.
    location.replace(isPassing(target.split(/[?#]/)[0]!) ? '/' : target)
  }
  return (
    <main className="login landing">
      <div className="login-card">
        <Logo size={48} />
        <h1>{config.title}</h1>
        <p>
          {t(
            'Im Wald arbeiten Sie mit dem Feldmodus: Bestände und Habitatbäume auf der Karte, erfassen mit Standort und Kamera, auch ohne Netz.',
          )}
        </p>
        {/* Reloads, because signing in is part of the application's start. */}
        <Button variant="primary" icon="mobile" onClick={() => location.assign(FIELDWORK)}>
          {t('Feldmodus öffnen')}
        </Button>
        {ios || android ? (
          <>
            <p>{t('Karten und Habitatbäume zeigt auch die mobile App.')}</p>
            {ios && <ButtonLink href={ios}>{t('Laden im App Store')}</ButtonLink>}
            {android && <ButtonLink href={android}>{t('Jetzt bei Google Play')}</ButtonLink>}
          </>
        ) : (
          <p>
            {t(
              'Alles andere ist für die Arbeit am Schreibtisch gemacht. Am besten öffnen Sie es an einem Rechner.',
            )}
          </p>
        )}
        <h2>{t('Im Browser erledigen Sie')}</h2>
        <ul className="landing-list">
          <li>{t('Forstbetriebe, Kunden und Nutzer verwalten')}</li>
          <li>{t('Karten, Kataster und den Stand der Vermessung ansehen')}</li>
          <li>{t('Habitatbäume und Waldbestand auswerten')}</li>
          <li>{t('Angebote und Rechnungen einsehen, Abos abschließen')}</li>
        </ul>
        <Button onClick={goOn}>{t('Trotzdem im Browser öffnen')}</Button>
        {config.support && (
          <p className="login-help soft">{t('Support: {phone}', { phone: config.support.phone })}</p>
        )}
      </div>
      <LegalLinks />
    </main>
  )
}
