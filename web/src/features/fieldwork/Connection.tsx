// Connection state and what to do about it: a chip in the header of every screen, or a line with a button
// where there is room.
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { application, useFieldworkState, connect } from './fieldwork-state.ts'
import type { Connection } from './fieldwork-session.ts'

const short = (connection: Connection): readonly [text: string, icon: IconName] =>
  (
    ({
      angemeldet: [t('Verbunden'), 'check'],
      prueft: [t('Verbindet …'), 'refresh'],
      'ohne-netz': [t('Ohne Netz'), 'warning'],
      anmelden: [t('Nicht angemeldet'), 'lock'],
      andere: [t('Nicht angemeldet'), 'lock'],
      gesperrt: [t('Zugang beendet'), 'lock'],
    }) as const
  )[connection]

const long = (connection: Connection): string =>
  ({
    angemeldet: t('Verbunden und angemeldet.'),
    prueft: t('Die Verbindung wird geprüft …'),
    'ohne-netz': t(
      'Der Server ist gerade nicht erreichbar. Sie können weiterarbeiten, alles wird auf diesem Gerät gespeichert.',
    ),
    anmelden: t(
      'Der Server ist erreichbar, aber Sie sind nicht angemeldet. Sie können weiterarbeiten; zum ' +
        'Übertragen melden Sie sich an.',
    ),
    andere: t(
      'In diesem Browser ist ein anderes Konto angemeldet. Zum Übertragen melden Sie sich mit dem ' +
        'Konto an, das hier arbeitet.',
    ),
    gesperrt: t(
      'Ihr Zugang wurde beendet. Was nicht übertragen ist, liegt noch auf diesem Gerät. Bitte wenden ' +
        'Sie sich an Ihre Verwaltung.',
    ),
  })[connection]

export function ConnectionChip() {
  const { connection } = useFieldworkState()
  const [text, icon] = short(connection)
  return (
    <output className={`feld-chip feld-chip-${connection}`} aria-label={text}>
      <Icon name={icon} size={16} />
      <span className="feld-chip-text">{text}</span>
    </output>
  )
}

/**
 * Signing in leaves the page and returns to the queue. Nothing is lost, because everything is stored on the
 * device.
 */
export function SignInButton() {
  const { connection } = useFieldworkState()
  const [busy, setBusy] = useState(false)
  const signIn = async () => {
    setBusy(true)
    const begun = await application()?.anmelden('/feld/uebertragen', connection === 'andere')
    if (begun) return
    setBusy(false)
    toast.error(
      t(
        'Der Anmeldedienst ist gerade nicht erreichbar. Alles bleibt auf diesem Gerät; versuchen Sie ' +
          'es später noch einmal.',
      ),
    )
  }
  return (
    <Button variant="primary" busy={busy} onClick={() => void signIn()}>
      {t('Anmelden und übertragen')}
    </Button>
  )
}

export function ConnectionRow() {
  const { connection } = useFieldworkState()
  return (
    <div className="feld-verbindung">
      <span>{long(connection)}</span>
      {(connection === 'anmelden' || connection === 'andere') && <SignInButton />}
      {connection === 'ohne-netz' && (
        <Button icon="refresh" onClick={() => void connect()}>
          {t('Verbindung prüfen')}
        </Button>
      )}
    </div>
  )
}
