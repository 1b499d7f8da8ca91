// Personal data of one person: the form, read-only data beside it, and access to the application and to the
// mobile app.
import { useState } from 'react'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { rpc } from '../../data/rpc.ts'
import { useSession } from '../../data/session.ts'
import { messageOf } from '../../record/record-faults.ts'
import { RecordForm } from '../../record/RecordForm.tsx'
import { type PersonEditor, PersonFacts, PersonFields } from '../../record/person/PersonFields.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Card, DateText, Facts, fact } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useChange } from './nutzer.data.ts'
import { fieldLabel } from '../../record/person/person-kind.ts'
import { appAccessText, nameOf, zugang } from '../../record/person/person-words.ts'
import { AddressText, MailLink } from '../../ui/MailLink.tsx'

export function NutzerMasterData({
  person,
  editor,
  managed,
}: {
  person: NutzerRecord
  editor: PersonEditor
  managed: boolean
}) {
  return (
    <div className="nutzer-columns">
      <Card>
        {managed ? (
          <RecordForm editor={editor} label={t('Angaben zur Person')}>
            <PersonFields editor={editor} />
          </RecordForm>
        ) : (
          <PersonFacts person={person} />
        )}
      </Card>
      <div className="stack">
        <Card title={t('Anmeldung')}>
          <Facts
            facts={[
              fact(fieldLabel('email'), <MailLink address={person.email} />),
              fact(fieldLabel('username'), <AddressText address={person.username ?? ''} />),
              fact(fieldLabel('db_role'), person.db_role),
              fact(fieldLabel('reg_date'), <DateText value={person.reg_date} time />),
              fact(fieldLabel('kataster_enabled'), person.kataster_enabled ? t('ja') : t('nein')),
            ]}
          />
        </Card>
        <Card title={t('Zugang')}>
          <Access person={person} managed={managed} />
          <MobileApp person={person} managed={managed} />
        </Card>
      </div>
    </div>
  )
}

const refuse = (error: unknown) => toast.error(messageOf(error))

/** Locking takes effect on the person's next request and ends their sessions. */
function Access({ person, managed }: { person: NutzerRecord; managed: boolean }) {
  const { user } = useSession()
  const [asking, setAsking] = useState(false)
  const change = useChange(String(person.user_id), (enabled: boolean) =>
    rpc('a_set_user_enabled', { user_id: person.user_id, enabled }),
  )
  const self = user?.user_id === person.user_id
  const name = nameOf(person)
  const set = (enabled: boolean) =>
    change.mutateAsync(enabled).then(() => {
      toast.undo(
        enabled ? t('{name} ist wieder entsperrt.', { name }) : t('{name} ist gesperrt.', { name }),
        () => change.mutateAsync(!enabled),
      )
      setAsking(false)
    })
  return (
    <div className="nutzer-act">
      <div>
        <span className="nutzer-head">
          <strong>{t('Anwendung')}</strong>
          <Badge tone={person.enabled ? 'success' : 'danger'}>{zugang(person.enabled)}</Badge>
        </span>
        {self && <p>{t('Den eigenen Zugang sperrt eine andere Person der Verwaltung.')}</p>}
      </div>
      {person.enabled ? (
        <Button icon="lock" disabled={!managed || self} onClick={() => setAsking(true)}>
          {t('Sperren')}
        </Button>
      ) : (
        <Button
          variant="primary"
          busy={change.isPending}
          disabled={!managed}
          onClick={() => void set(true).catch(refuse)}
        >
          {t('Entsperren')}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        title={t('Zugang sperren?')}
        record={`${name}, ${person.email}`}
        confirmLabel={t('Sperren')}
        danger
        busy={change.isPending}
        onConfirm={() => set(false)}
        onCancel={() => setAsking(false)}
      >
        <p>
          {t(
            'Die Person wird sofort abgemeldet und kann sich nicht mehr anmelden. Daten und Zuordnungen ' +
              'bleiben erhalten.',
          )}
        </p>
      </ConfirmDialog>
    </div>
  )
}

function MobileApp({ person, managed }: { person: NutzerRecord; managed: boolean }) {
  const { user_id, username, app_status } = person
  const [asking, setAsking] = useState(false)
  const change = useChange(String(user_id), (status: 'aktiv' | 'gesperrt') =>
    rpc('__o_change_app_status', { user_id, username, status }),
  )
  const name = nameOf(person)
  const set = (status: 'aktiv' | 'gesperrt') =>
    change.mutateAsync(status).then(() => {
      toast.undo(
        status === 'aktiv'
          ? t('Mobile App für {name} entsperrt.', { name })
          : t('Mobile App für {name} gesperrt.', { name }),
        () => change.mutateAsync(status === 'aktiv' ? 'gesperrt' : 'aktiv'),
      )
      setAsking(false)
    })
  return (
    <div className="nutzer-act">
      <span className="nutzer-head">
        <strong>{t('Mobile App')}</strong>
        <Badge tone={app_status === 'aktiv' ? 'success' : 'warning'}>{appAccessText(app_status)}</Badge>
      </span>
      {app_status === 'aktiv' ? (
        <Button icon="lock" disabled={!managed} onClick={() => setAsking(true)}>
          {t('App sperren')}
        </Button>
      ) : (
        <Button
          variant="primary"
          busy={change.isPending}
          disabled={!managed}
          onClick={() => void set('aktiv').catch(refuse)}
        >
          {t('App entsperren')}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        title={t('Mobile App sperren?')}
        record={`${name}, ${person.email}`}
        confirmLabel={t('App sperren')}
        danger
        busy={change.isPending}
        onConfirm={() => set('gesperrt')}
        onCancel={() => setAsking(false)}
      >
        <p>{t('Die Anwendung im Browser bleibt zugänglich.')}</p>
      </ConfirmDialog>
    </div>
  )
}
