// The account behind a person, at the embedded provider: invitation, locks, second factor, sessions, and what happened to it lately.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Einladung, KontoLage, NutzerSatz } from '#contract/nutzer.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Card, DateText, Facts, fact, Notice } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { EinladungDialog } from './EinladungDialog.tsx'
import './nutzer.css'
import { actOnKonto, invite, type KontoAct, kontoLage, useChange } from './nutzer.data.ts'
import { ereignisName, nameOf } from './nutzer-words.ts'

export function NutzerKonto({ person, managed }: { person: NutzerSatz; managed: boolean }) {
  const konto = useQuery({ ...kontoLage(String(person.user_id)), enabled: managed })
  if (!managed)
    return (
      <Card>
        <EmptyState icon="lock" title={t('Kein Einblick in dieses Konto')}>
          {t('Diese Person gehört zum Team der anderen Verwaltung; ihr Konto verwaltet, wer dort verwaltet.')}
        </EmptyState>
      </Card>
    )
  if (konto.isError && konto.data === undefined)
    return (
      <Card>
        <ErrorState error={konto.error} onRetry={() => void konto.refetch()} />
      </Card>
    )
  if (konto.data === undefined)
    return (
      <Card>
        <Skeleton lines={6} />
      </Card>
    )
  if (konto.data === null)
    return (
      <Card>
        <EmptyState icon="external" title={t('Konten werden außerhalb verwaltet')}>
          {t(
            'Passwort, zweiter Faktor und Einladung liegen beim externen Anmeldedienst. Hier können Sie den Zugang dieser Person sperren; das wirkt sofort.',
          )}
        </EmptyState>
      </Card>
    )
  return <Known person={person} konto={konto.data} />
}

function Known({ person, konto }: { person: NutzerSatz; konto: KontoLage }) {
  return (
    <div className="nutzer-columns">
      <Card title={t('Konto verwalten')}>
        <Acts person={person} konto={konto} />
      </Card>
      <div className="stack">
        <Card title={t('Stand')}>
          <Facts
            facts={[
              fact(t('Anmeldeadresse'), person.email),
              fact(t('Passwort'), konto.passwort ? t('festgelegt') : t('noch keines')),
              fact(t('Zweiter Faktor'), konto.zweiter_faktor ? t('eingerichtet') : t('nicht eingerichtet')),
              fact(t('Letzte Anmeldung'), konto.letzte_anmeldung ? <DateText value={konto.letzte_anmeldung} time /> : t('noch nie')),
              fact(t('Einladung'), invitationText(konto)),
            ]}
          />
        </Card>
        <Card title={t('Zuletzt geschehen')}>
          {konto.ereignisse.length === 0 ? (
            <p className="soft">{t('Noch nichts.')}</p>
          ) : (
            <ol className="nutzer-events">
              {konto.ereignisse.slice(0, 20).map(({ zeit, art, wer }) => (
                <li key={`${zeit}${art}`}>
                  <DateText value={zeit} time />
                  <span>{wer === null ? ereignisName(art) : t('{what} von {who}', { what: ereignisName(art), who: wer })}</span>
                </li>
              ))}
            </ol>
          )}
        </Card>
      </div>
    </div>
  )
}

function invitationText({ passwort, einladung_bis }: KontoLage): string {
  if (einladung_bis === null) return passwort ? t('angenommen') : t('noch keine')
  const until = formatDateTime(einladung_bis)
  return Date.parse(einladung_bis) < Date.now() ? t('abgelaufen am {until}', { until }) : t('offen bis {until}', { until })
}

interface Question {
  readonly act: KontoAct
  readonly title: string
  readonly text: string
  readonly label: string
  readonly danger: boolean
  readonly done: string
}

/** What each act asks before it is done, and says afterwards. */
function questionOf(act: KontoAct, name: string, hasPassword: boolean): Question {
  switch (act) {
    case 'einladung':
      return hasPassword
        ? {
            act,
            title: t('Link für ein neues Passwort?'),
            text: t('Wer den Link öffnet, legt ein neues Passwort für dieses Konto fest; frühere Links werden ungültig.'),
            label: t('Link erzeugen'),
            danger: true,
            done: '',
          }
        : {
            act,
            title: t('Einladung schicken?'),
            text: t(
              'Die Person bekommt einen Link, mit dem sie ihr Passwort festlegt. Er gilt sieben Tage; frühere Links werden ungültig.',
            ),
            label: t('Einladen'),
            danger: false,
            done: '',
          }
    case 'entsperren':
      return {
        act,
        title: t('Sperre aufheben?'),
        text: t('Die Person kann sich sofort wieder anmelden.'),
        label: t('Sperre aufheben'),
        danger: false,
        done: t('Die Sperre von {name} ist aufgehoben.', { name }),
      }
    case 'sitzungen-beenden':
      return {
        act,
        title: t('Alle Sitzungen beenden?'),
        text: t(
          'Die Person wird überall abgemeldet, schon beim nächsten Aufruf. Nicht gespeicherte Eingaben gehen dabei vielleicht verloren.',
        ),
        label: t('Sitzungen beenden'),
        danger: true,
        done: t('Alle Sitzungen von {name} sind beendet.', { name }),
      }
    case 'zweiter-faktor-entfernen':
      return {
        act,
        title: t('Zweiten Faktor entfernen?'),
        text: t(
          'Nötig, wenn Telefon und Notfallcodes verloren sind. Alle Sitzungen enden; wo er verlangt wird, richtet die Person bei der nächsten Anmeldung einen neuen ein.',
        ),
        label: t('Zweiten Faktor entfernen'),
        danger: true,
        done: t('Der zweite Faktor von {name} ist entfernt.', { name }),
      }
  }
}

function Acts({ person, konto }: { person: NutzerSatz; konto: KontoLage }) {
  const { user_id, email } = person
  const name = nameOf(person)
  const [asked, setAsked] = useState<Question | null>(null)
  const [einladung, setEinladung] = useState<Einladung | null>(null)
  const act = useChange(String(user_id), async (wanted: KontoAct) => {
    if (wanted === 'einladung') setEinladung(await invite(user_id))
    else await actOnKonto(wanted, user_id)
  })
  const ask = (wanted: KontoAct) => () => setAsked(questionOf(wanted, name, konto.passwort))
  const locked = konto.gesperrt_s > 0
  return (
    <>
      {!person.enabled && (
        <Notice tone="warning">{t('Der Zugang ist gesperrt. Auch mit einem Passwort kann sich diese Person nicht anmelden.')}</Notice>
      )}
      <div className="nutzer-act">
        <div>
          <strong>{konto.passwort ? t('Neues Passwort') : t('Einladung')}</strong>
          <p>
            {konto.passwort
              ? t('Für jemanden, der sein Passwort nicht mehr weiß und keine E-Mail bekommt.')
              : konto.einladung_bis === null
                ? t('Diese Person hat noch keinen Link bekommen, um ein Passwort festzulegen.')
                : t('Die letzte Einladung wurde noch nicht angenommen.')}
          </p>
        </div>
        <Button variant={konto.passwort ? 'secondary' : 'primary'} icon="mail" onClick={ask('einladung')}>
          {konto.passwort ? t('Link erzeugen') : konto.einladung_bis === null ? t('Einladen') : t('Erneut einladen')}
        </Button>
      </div>
      <div className="nutzer-act">
        <div>
          <span className="nutzer-head">
            <strong>{t('Sperre nach Fehlversuchen')}</strong>
            {locked && <Badge tone="warning">{t('gesperrt')}</Badge>}
          </span>
          <p>
            {locked ? t('Noch {n} Sekunden. Danach endet die Sperre von selbst.', { n: konto.gesperrt_s }) : t('Zurzeit nicht gesperrt.')}
          </p>
        </div>
        <Button disabled={!locked} onClick={ask('entsperren')}>
          {t('Sperre aufheben')}
        </Button>
      </div>
      <div className="nutzer-act">
        <div>
          <strong>{t('Sitzungen')}</strong>
          <p>{t('Meldet die Person auf allen Geräten ab.')}</p>
        </div>
        <Button icon="logout" onClick={ask('sitzungen-beenden')}>
          {t('Sitzungen beenden')}
        </Button>
      </div>
      <div className="nutzer-act">
        <div>
          <strong>{t('Zweiter Faktor')}</strong>
          <p>{konto.zweiter_faktor ? t('Eine Authenticator-App ist verbunden.') : t('Es ist keiner eingerichtet.')}</p>
        </div>
        <Button disabled={!konto.zweiter_faktor} onClick={ask('zweiter-faktor-entfernen')}>
          {t('Zweiten Faktor entfernen')}
        </Button>
      </div>
      {asked && (
        <ConfirmDialog
          open
          title={asked.title}
          record={`${name}, ${email}`}
          confirmLabel={asked.label}
          danger={asked.danger}
          busy={act.isPending}
          onConfirm={() =>
            act.mutate(asked.act, {
              onError: (error) => toast.error(messageOf(error)),
              onSuccess: () => asked.done !== '' && toast.success(asked.done),
              onSettled: () => setAsked(null),
            })
          }
          onCancel={() => setAsked(null)}
        >
          <p>{asked.text}</p>
        </ConfirmDialog>
      )}
      {einladung && <EinladungDialog einladung={einladung} name={name} email={email} onClose={() => setEinladung(null)} />}
    </>
  )
}
