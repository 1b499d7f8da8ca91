// The user's own account: password, second factor, sessions, and recent events.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnAccount as Account } from '#contract/nutzer.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/Dialog.tsx'
import { Card, DateText } from '../../../ui/Display.tsx'
import { Checkbox } from '../../../ui/Field.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import '../nutzer.css'
import { eventWord } from '../../../record/account/account-words.ts'
import { ownSession, ownAccount, endOwnSessions } from './profile.data.ts'

/** `onEnded`: this session has ended too; the application goes to the sign-in. */
export function OwnAccount({ onEnded }: { onEnded: () => void }) {
  const account = useQuery(ownAccount)
  return (
    <Card title={t('Anmeldung und Sitzungen')}>
      {account.data ? (
        <Known konto={account.data} onEnded={onEnded} />
      ) : account.data === null ? (
        <>
          <p>{t('Passwort und zweiten Faktor verwalten Sie beim Anmeldedienst Ihrer Organisation.')}</p>
          <ThisSession />
        </>
      ) : account.isError ? (
        <ErrorState error={account.error} onRetry={() => void account.refetch()} />
      ) : (
        <Skeleton lines={4} />
      )}
    </Card>
  )
}

function ThisSession() {
  const { data } = useQuery(ownSession)
  if (!data?.issued_at) return null
  return (
    <p className="soft">
      {t('Diese Sitzung wurde zuletzt erneuert am {when}.', { when: formatDateTime(data.issued_at) })}
    </p>
  )
}

function Known({ konto, onEnded }: { konto: Account; onEnded: () => void }) {
  const [asking, setAsking] = useState(false)
  const [withKeys, setWithKeys] = useState(false)
  const end = async () => {
    await endOwnSessions(withKeys)
    setAsking(false)
    onEnded()
  }
  return (
    <>
      <div className="nutzer-act">
        <div>
          <strong>{t('Passwort')}</strong>
          <p>{t('Danach melden Sie sich überall neu an.')}</p>
        </div>
        {/* A page of the identity provider, not of this application. */}
        <a className="button button-secondary" href="/anmelden/passwort-aendern" data-native="">
          {t('Passwort ändern')}
        </a>
      </div>
      <div className="nutzer-act">
        <div>
          <strong>{t('Zweiter Faktor')}</strong>
          <p>
            {konto.zweiter_faktor
              ? t(
                  'Eingerichtet. Ist das Telefon verloren, entfernt ihn die Verwaltung; Notfallcodes gelten weiter.',
                )
              : t('Nicht eingerichtet. Wo er verlangt wird, richten Sie ihn bei der Anmeldung ein.')}
          </p>
        </div>
      </div>
      <div className="nutzer-act">
        <div>
          <strong>{t('Sitzungen')}</strong>
          <p>{t('Meldet Sie auf allen Geräten ab, auch hier.')}</p>
          <ThisSession />
        </div>
        <Button icon="logout" onClick={() => setAsking(true)}>
          {t('Überall abmelden')}
        </Button>
      </div>
      {konto.ereignisse.length > 0 && (
        <div className="nutzer-hint">
          <h3>{t('Letzte Ereignisse')}</h3>
          <ol className="nutzer-events">
            {konto.ereignisse.map(({ zeit, art }) => (
              <li key={`${zeit}${art}`}>
                <DateText value={zeit} time />
                <span>{eventWord(art)}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        title={t('Überall abmelden?')}
        confirmLabel={t('Überall abmelden')}
        danger
        onConfirm={end}
        onCancel={() => setAsking(false)}
      >
        <p>{t('Alle Ihre Sitzungen enden, auch diese. Nicht gespeicherte Eingaben gehen verloren.')}</p>
        <Checkbox
          label={t('Auch meine Schlüssel für Programme widerrufen')}
          checked={withKeys}
          onChange={({ target }) => setWithKeys(target.checked)}
        />
      </ConfirmDialog>
    </>
  )
}
