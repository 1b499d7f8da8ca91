// The sign-in page. People who are just not signed in yet are redirected at once; after signing out or a
// failure the page waits.
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { Linked } from '../../ui/Linked.tsx'
import { PhoneLink } from '../../ui/PhoneLink.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { useApplication } from '../app-context.ts'
import { hasSignedOut } from '../identity.ts'
import { safeTarget } from '../targets.ts'
import { GuestPage } from './GuestPage.tsx'
import './login.css'

type Reason = 'abgemeldet' | 'beendet' | 'fehler' | undefined

export function LoginPage() {
  const { identity, config, signInFault } = useApplication()
  const { search } = useView()
  const [reason] = useState<Reason>(() =>
    hasSignedOut()
      ? 'abgemeldet'
      : search['grund'] === 'beendet'
        ? 'beendet'
        : search['grund'] === 'fehler' || signInFault !== null
          ? 'fehler'
          : undefined,
  )
  const [busy, setBusy] = useState(reason === undefined)
  const [unreachable, setUnreachable] = useState(false)
  const begun = useRef(false)
  const target = safeTarget(search['redirect'])
  const signIn = async (how?: { otherAccount: boolean }) => {
    setBusy(true)
    setUnreachable(false)
    try {
      await identity.signIn(target, how)
    } catch (error) {
      console.error('the identity provider cannot be reached', error)
      setUnreachable(true)
      setBusy(false)
    }
  }
  useEffect(() => {
    if (reason !== undefined || begun.current) return
    begun.current = true
    void signIn()
  })
  return (
    <GuestPage className="login">
      <div className="login-card">
        <h1>{config.title}</h1>
        <p className="soft">
          {busy && reason === undefined
            ? t('Sie werden zur Anmeldung weitergeleitet …')
            : t('Kundenportal und Verwaltung für Forstbetriebe')}
        </p>
        <Message reason={reason} unreachable={unreachable} fault={signInFault} />
        <Button variant="primary" busy={busy} onClick={() => void signIn()}>
          {reason === 'abgemeldet' || reason === 'beendet' ? t('Wieder anmelden') : t('Anmelden')}
        </Button>
        {reason === 'fehler' && (
          <Button variant="quiet" disabled={busy} onClick={() => void signIn({ otherAccount: true })}>
            {t('Mit einem anderen Konto anmelden')}
          </Button>
        )}
        {config.support && (
          <p className="login-help soft">
            <Linked
              text={t('Hilfe bei der Anmeldung: {phone}')}
              parts={{ phone: <PhoneLink number={config.support.phone} /> }}
            />
          </p>
        )}
      </div>
    </GuestPage>
  )
}

function Message({
  reason,
  unreachable,
  fault,
}: {
  reason: Reason
  unreachable: boolean
  fault: string | null
}) {
  if (unreachable)
    return (
      <Notice tone="danger">
        {t('Der Anmeldedienst ist zurzeit nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.')}
      </Notice>
    )
  if (reason === 'abgemeldet') return <Notice tone="success">{t('Sie sind abgemeldet.')}</Notice>
  if (reason === 'beendet')
    return <Notice tone="info">{t('Sie wurden in einem anderen Fenster abgemeldet.')}</Notice>
  if (reason === 'fehler')
    return (
      <Notice tone="danger">
        {fault ?? t('Die Anmeldung ist nicht gelungen. Bitte versuchen Sie es noch einmal.')}
      </Notice>
    )
  return null
}
