// First page of a phone or tablet that opens the application without a page in mind: the way into the browser,
// the field mode, the mobile app. People who are signed in are offered only what they may open.
import { type Session, useOptionalSession } from '../../data/session.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Linked } from '../../ui/Linked.tsx'
import { PhoneLink } from '../../ui/PhoneLink.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { useApplication } from '../app-context.ts'
import { isPermitted } from '../route-line.ts'
import { FIELDWORK, isPassing, stayInBrowser } from '../mobile.ts'
import { safeTarget } from '../targets.ts'
import { GuestPage } from './GuestPage.tsx'
import './landing.css'
import './login.css'

export function LandingPage() {
  const { config } = useApplication()
  const session = useOptionalSession()
  const { search } = useView()
  const target = safeTarget(search['weiter'])
  const goOn = () => {
    stayInBrowser()
    // Reloads, because signing in is part of the application's start.
    location.replace(isPassing(target.split(/[?#]/)[0]!) ? '/' : target)
  }
  return (
    <GuestPage className="login landing">
      <div className="login-card">
        <h1>{config.title}</h1>
        {session === null ? <ForGuests onGo={goOn} /> : <ForPerson session={session} onGo={goOn} />}
        {config.support && (
          <p className="login-help soft">
            <Linked
              text={t('Support: {phone}')}
              parts={{ phone: <PhoneLink number={config.support.phone} /> }}
            />
          </p>
        )}
      </div>
    </GuestPage>
  )
}

/** Nobody is known yet: what there is, and the way in. */
const ForGuests = ({ onGo }: { onGo: () => void }) => (
  <>
    <Button variant="primary" onClick={onGo}>
      {t('Im Browser öffnen')}
    </Button>
    <Fieldwork />
    <Stores />
    <h2>{t('Im Browser erledigen Sie')}</h2>
    <ul className="landing-list">
      <li>{t('Forstbetriebe, Kunden und Nutzer verwalten')}</li>
      <li>{t('Pläne, Kataster und den Stand der Vermessung ansehen')}</li>
      <li>{t('Habitatbäume und Waldbestand auswerten')}</li>
      <li>{t('Angebote und Rechnungen einsehen, Abos abschließen')}</li>
    </ul>
  </>
)

function ForPerson({ session: { name, roles }, onGo }: { session: Session; onGo: () => void }) {
  const { addresses, routeOf } = useApplication().routes
  const field = routeOf(FIELDWORK)
  const open = addresses.filter(
    (line) => line.page && !line.hidden && line.path !== FIELDWORK && isPermitted(line, roles),
  )
  return (
    <>
      <p>{t('Angemeldet als {name}', { name })}</p>
      <Button variant="primary" onClick={onGo}>
        {t('Im Browser öffnen')}
      </Button>
      {field && isPermitted(field, roles) && <Fieldwork />}
      <Stores />
      {open.length > 0 && (
        <>
          <h2>{t('Im Browser erledigen Sie')}</h2>
          <ul className="landing-list">
            {open.map(({ path, title }) => (
              <li key={path}>
                <a href={path}>{t(title)}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

const Fieldwork = () => (
  <>
    <p>
      {t(
        'Im Wald arbeiten Sie mit dem Feldmodus: Bestände und Habitatbäume auf der Karte, erfassen mit ' +
          'Standort und Kamera, auch ohne Netz.',
      )}
    </p>
    {/* Reloads, because signing in is part of the application's start. */}
    <Button icon="mobile" onClick={() => location.assign(FIELDWORK)}>
      {t('Feldmodus öffnen')}
    </Button>
  </>
)

function Stores() {
  const { ios, android } = useApplication().config.stores
  if (!ios && !android) return null
  return (
    <>
      <p>{t('Karten und Habitatbäume zeigt auch die mobile App.')}</p>
      {ios && <ButtonLink href={ios}>{t('Laden im App Store')}</ButtonLink>}
      {android && <ButtonLink href={android}>{t('Jetzt bei Google Play')}</ButtonLink>}
    </>
  )
}
