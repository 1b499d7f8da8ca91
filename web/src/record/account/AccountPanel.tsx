// A person's account: its state and events; inviting, locking, ending sessions.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountInfo } from '#contract/nutzer.ts'
import { ApiError } from '../../data/api-error.ts'
import { useSession } from '../../data/session.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Card, DateText, Facts, fact, Notice } from '../../ui/Display.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { messageOf } from '../record-faults.ts'
import { InvitationDialog, type Invited } from './InvitationDialog.tsx'
import './account.css'
import {
  inviteFault,
  type AccountAct,
  accountQuery as kontoQuery,
  useInvite,
  useAccountAct,
  useLock,
} from './account.data.ts'
import { eventWord, stateText } from './account-words.ts'

export interface AccountPerson {
  readonly user_id: number
  /** As displayed in titles and confirmations. */
  readonly name: string
  readonly email: string
  readonly enabled: boolean
}

type Asked = 'sperren' | 'freigeben' | 'sitzungen-beenden' | 'zweiter-faktor-entfernen' | 'einladen'

/** `onChanged`: called after the person was locked or unlocked. */
export function AccountPanel({ person, onChanged }: { person: AccountPerson; onChanged: () => unknown }) {
  const query = useQuery(kontoQuery(person.user_id))
  const acts = useAccountActs(person, query.data?.passwort === true, onChanged)
  if (query.data === undefined)
    return (
      <Card title={t('Zugang')}>
        {query.isPending ? (
          <Skeleton lines={4} />
        ) : query.error instanceof ApiError &&
          (query.error.code === 'not_allowed' || query.error.code === 'not_found') ? (
          <ForeignAccount error={query.error} person={person} acts={acts} />
        ) : (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )}
      </Card>
    )
  return (
    <>
      <Card title={t('Zugang')}>
        <div className="stack">
          <State konto={query.data} person={person} asOf={new Date(query.dataUpdatedAt)} />
          <div className="konto-acts">
            <Button icon="mail" busy={acts.inviting} onClick={() => acts.ask('einladen')}>
              {query.data.passwort
                ? t('Link für ein neues Passwort')
                : query.data.einladung_bis === null
                  ? t('Einladen')
                  : t('Erneut einladen')}
            </Button>
            {query.data.gesperrt_s > 0 && (
              <Button busy={acts.busy} onClick={() => acts.run('entsperren')}>
                {t('Sperre nach Fehlversuchen aufheben')}
              </Button>
            )}
            <Button onClick={() => acts.ask('sitzungen-beenden')}>{t('Sitzungen beenden')}</Button>
            {query.data.zweiter_faktor && (
              <Button onClick={() => acts.ask('zweiter-faktor-entfernen')}>
                {t('Zweiten Faktor entfernen')}
              </Button>
            )}
            <LockButton person={person} acts={acts} />
          </div>
        </div>
      </Card>
      <Card title={t('Ereignisse des Zugangs')}>
        <Events konto={query.data} />
      </Card>
      {acts.dialogs}
    </>
  )
}

/**
 * The account is kept by another provider, in which case locking is still offered, or the caller may not see
 * it.
 */
function ForeignAccount({ error, person, acts }: { error: ApiError; person: AccountPerson; acts: Acts }) {
  if (error.code === 'not_allowed')
    return (
      <Notice>
        {t(
          'Den Zugang dieser Person verwaltet eine andere Stelle: Sie gehört nicht allein zu Ihrem Bereich.',
        )}
      </Notice>
    )
  return (
    <div className="stack">
      <Notice>
        {t(
          'Passwörter und Sitzungen verwaltet der Anmeldedienst dieser Installation. Hier kann der Zugang zum ' +
            'Programm gesperrt werden.',
        )}
      </Notice>
      <div className="konto-acts">
        <LockButton person={person} acts={acts} />
      </div>
      {acts.dialogs}
    </div>
  )
}

const LockButton = ({ person: { enabled, user_id }, acts }: { person: AccountPerson; acts: Acts }) => {
  const { user } = useSession()
  // Users cannot lock themselves.
  if (user?.user_id === user_id) return null
  return enabled ? (
    <Button variant="danger" icon="lock" onClick={() => acts.ask('sperren')}>
      {t('Person sperren')}
    </Button>
  ) : (
    <Button icon="lock" onClick={() => acts.ask('freigeben')}>
      {t('Sperre der Person aufheben')}
    </Button>
  )
}

function State({ konto, person, asOf }: { konto: AccountInfo; person: AccountPerson; asOf: Date }) {
  return (
    <Facts
      facts={[
        fact(
          t('Zugang zum Programm'),
          person.enabled ? (
            <Badge tone="success">{t('aktiv')}</Badge>
          ) : (
            <Badge tone="danger">{t('gesperrt')}</Badge>
          ),
        ),
        fact(t('Konto'), stateText(konto, asOf)),
        fact(t('Zweiter Faktor'), konto.zweiter_faktor ? t('eingerichtet') : t('nicht eingerichtet')),
        fact(
          t('Letzte Anmeldung'),
          konto.letzte_anmeldung === null ? t('noch nie') : <DateText value={konto.letzte_anmeldung} time />,
        ),
        ...(konto.gesperrt_s > 0
          ? [
              fact(
                t('Nach Fehlversuchen gesperrt'),
                konto.gesperrt_s <= 60
                  ? t('noch 1 Minute')
                  : t('noch {n} Minuten', { n: Math.ceil(konto.gesperrt_s / 60) }),
              ),
            ]
          : []),
      ]}
    />
  )
}

const FEW = 8
function Events({ konto: { ereignisse } }: { konto: AccountInfo }) {
  const [all, setAll] = useState(false)
  if (ereignisse.length === 0)
    return (
      <EmptyState icon="history" title={t('Noch keine Ereignisse')}>
        {t('Hier stehen Anmeldungen, Einladungen und Sperren dieses Kontos.')}
      </EmptyState>
    )
  return (
    <div className="stack">
      <ol className="konto-events">
        {(all ? ereignisse : ereignisse.slice(0, FEW)).map(({ zeit, art, wer }, nr) => (
          <li key={nr}>
            <DateText value={zeit} time />
            <span>
              {wer === null ? eventWord(art) : t('{what} von {who}', { what: eventWord(art), who: wer })}
            </span>
          </li>
        ))}
      </ol>
      {ereignisse.length > FEW && !all && (
        <div>
          <Button size="small" onClick={() => setAll(true)}>
            {t('Alle {n} Ereignisse anzeigen', { n: ereignisse.length })}
          </Button>
        </div>
      )}
    </div>
  )
}

interface Question {
  readonly title: string
  readonly confirm: string
  readonly what: string
}
interface Acts {
  readonly ask: (what: Asked) => void
  readonly run: (act: AccountAct) => void
  readonly busy: boolean
  readonly inviting: boolean
  readonly dialogs: React.ReactNode
}

function useAccountActs(person: AccountPerson, hasPassword: boolean, onChanged: () => unknown): Acts {
  const { user_id, name, email } = person
  const [asked, setAsked] = useState<Asked | null>(null)
  const [invited, setInvited] = useState<Invited | null>(null)
  const act = useAccountAct(user_id)
  const lock = useLock(user_id)
  const invite = useInvite()
  const busy = act.isPending || lock.isPending || invite.isPending
  const finish = (text: string) => {
    setAsked(null)
    toast.success(text)
    void onChanged()
  }
  const DONE: Record<AccountAct, () => string> = {
    entsperren: () => t('Die Sperre nach Fehlversuchen ist aufgehoben.'),
    'sitzungen-beenden': () => t('Alle Sitzungen von {name} sind beendet.', { name }),
    'zweiter-faktor-entfernen': () => t('Der zweite Faktor von {name} ist entfernt.', { name }),
  }
  const begin = (which: AccountAct) => act.mutateAsync(which).then(() => finish(DONE[which]()))
  const run = (which: AccountAct) => {
    if (!busy) void begin(which).catch((error: unknown) => toast.error(messageOf(error)))
  }
  const setEnabled = (enabled: boolean) =>
    lock
      .mutateAsync(enabled)
      .then(() =>
        finish(
          enabled ? t('{name} darf sich wieder anmelden.', { name }) : t('{name} ist gesperrt.', { name }),
        ),
      )
  const send = () =>
    invite.mutateAsync(user_id).then((invitation) => {
      setAsked(null)
      setInvited({ name, email, invitation })
    })
  const confirm = () => {
    if (busy || asked === null) return undefined
    if (asked === 'einladen') return send()
    return asked === 'sperren' || asked === 'freigeben' ? setEnabled(asked === 'freigeben') : begin(asked)
  }
  const texts =
    asked === null ? null : asked === 'einladen' && hasPassword ? newPassword() : questions()[asked]
  return {
    ask: setAsked,
    run,
    busy,
    inviting: invite.isPending,
    dialogs: (
      <>
        {texts && (
          <ConfirmDialog
            open
            title={texts.title}
            record={`${name} · ${email}`}
            confirmLabel={texts.confirm}
            danger={asked !== 'freigeben' && (asked !== 'einladen' || hasPassword)}
            busy={busy}
            {...(asked === 'einladen' && { faultText: inviteFault })}
            onConfirm={confirm}
            onCancel={() => setAsked(null)}
          >
            <p>{texts.what}</p>
          </ConfirmDialog>
        )}
        <InvitationDialog invited={invited} onClose={() => setInvited(null)} />
      </>
    ),
  }
}

/** Inviting somebody who already has a password. */
const newPassword = (): Question => ({
  title: t('Link für ein neues Passwort?'),
  confirm: t('Link erzeugen'),
  what: t(
    'Wer den Link öffnet, legt ein neues Passwort für dieses Konto fest; frühere Links werden ungültig.',
  ),
})
const questions = (): Record<Asked, Question> => ({
  einladen: {
    title: t('Einladung versenden?'),
    confirm: t('Einladen'),
    what: t(
      'Die Person bekommt einen Link, mit dem sie ihr Passwort selbst setzt. Frühere Einladungen gelten dann ' +
        'nicht mehr.',
    ),
  },
  sperren: {
    title: t('Person sperren?'),
    confirm: t('Sperren'),
    what: t(
      'Die Person wird sofort auf allen Geräten abgemeldet und kann sich nicht mehr anmelden. Ihre ' +
        'Daten bleiben erhalten.',
    ),
  },
  freigeben: {
    title: t('Sperre aufheben?'),
    confirm: t('Sperre aufheben'),
    what: t('Die Person kann sich wieder anmelden; frühere Sitzungen bleiben beendet.'),
  },
  'sitzungen-beenden': {
    title: t('Alle Sitzungen beenden?'),
    confirm: t('Sitzungen beenden'),
    what: t('Die Person wird auf allen Geräten abgemeldet und muss sich neu anmelden.'),
  },
  'zweiter-faktor-entfernen': {
    title: t('Zweiten Faktor entfernen?'),
    confirm: t('Entfernen'),
    what: t(
      'Nur wenn die Person ihr Telefon und ihre Notfallcodes verloren hat. Bei der nächsten Anmeldung richtet ' +
        'sie einen neuen ein.',
    ),
  },
})
