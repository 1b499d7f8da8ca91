// What a phone or tablet sees first: the mobile app, what the web application is for, and the way on in the browser.
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { useApplication } from '../app-context.ts'
import { isPassing, stayInBrowser } from '../mobile.ts'
import { LegalLinks } from '../shell/LegalLinks.tsx'
import { Logo } from '../shell/Splash.tsx'
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
    // Loaded anew: signing in begins with the start of the application.
    location.replace(isPassing(target.split(/[?#]/)[0]!) ? '/' : target)
  }
  return (
    <main className="login landing">
      <div className="login-card">
        <Logo size={48} />
        <h1>{config.title}</h1>
        {ios || android ? (
          <>
            <p>{t('Für unterwegs gibt es die mobile App: Karten und Habitatbäume im Wald, auch ohne Netz.')}</p>
            {ios && (
              <ButtonLink href={ios} variant="primary">
                {t('Laden im App Store')}
              </ButtonLink>
            )}
            {android && (
              <ButtonLink href={android} variant="primary">
                {t('Jetzt bei Google Play')}
              </ButtonLink>
            )}
          </>
        ) : (
          <p>{t('Diese Anwendung ist für die Arbeit am Schreibtisch gemacht. Am besten öffnen Sie sie an einem Rechner.')}</p>
        )}
        <h2>{t('Im Browser erledigen Sie')}</h2>
        <ul className="landing-list">
          <li>{t('Forstbetriebe, Kunden und Nutzer verwalten')}</li>
          <li>{t('Karten, Kataster und den Stand der Vermessung ansehen')}</li>
          <li>{t('Habitatbäume und Waldbestand auswerten')}</li>
          <li>{t('Angebote und Rechnungen einsehen, Abos abschließen')}</li>
        </ul>
        <Button onClick={goOn}>{t('Trotzdem im Browser öffnen')}</Button>
        {config.support && <p className="login-help soft">{t('Support: {phone}', { phone: config.support.phone })}</p>}
      </div>
      <LegalLinks />
    </main>
  )
}
