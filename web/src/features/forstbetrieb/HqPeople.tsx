// People of a headquarters: who belongs to it, who administers it, who may use the app; connecting and
// disconnecting as far as the rules allow.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HqRights } from '#contract/forstbetrieb.ts'
import type { Hq } from '#contract/hq.ts'
import type { UserOfHq } from '#contract/rpc.ts'
import { useSession } from '../../data/session.ts'
import { Clip } from '../../list/Clip.tsx'
import { hqStatusName } from '../../record/hq/hq-fields.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Card } from '../../ui/Display.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Menu, type MenuItem } from '../../ui/Menu.tsx'
import { EmptyState, ErrorState } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import './forstbetrieb.css'
import { hqPeople, hqRights, personName, usePersonAct } from './forstbetrieb.data.ts'

// Loaded on demand.
const ConnectPerson = splitOff(async () => (await import('./ConnectPerson.tsx')).ConnectPerson)
const ViewPerson = splitOff(async () => (await import('./ViewPerson.tsx')).ViewPerson)

const NO_RIGHTS: HqRights = { verbinden: false, verwalter_ernennen: false, verwaltbar: [] }
type Question = {
  readonly kind: 'disconnect' | 'admin' | 'no-admin' | 'lock-app' | 'unlock-app'
  readonly person: UserOfHq
}

const isManager = ({ hq_status }: Pick<UserOfHq, 'hq_status'>): boolean => hq_status.includes('hq_admin')

export function HqPeople({ hq }: { hq: Hq }) {
  const id = String(hq.idHQ)
  const people = useQuery(hqPeople(id))
  const rights = useQuery(hqRights(id)).data ?? NO_RIGHTS
  const [connecting, setConnecting] = useState(false)
  const [shown, setShown] = useState<UserOfHq | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const rows = people.data ?? []
  if (people.isError && people.data === undefined)
    return (
      <Card>
        <ErrorState error={people.error} onRetry={() => void people.refetch()} />
      </Card>
    )
  const menuOf = (person: UserOfHq): MenuItem[] => [
    { key: 'show', label: t('Ansehen'), icon: 'person', onSelect: () => setShown(person) },
    ...(rights.verwalter_ernennen
      ? [
          isManager(person)
            ? {
                key: 'no-admin',
                label: t('Verwaltung entziehen'),
                icon: 'shield' as const,
                onSelect: () => setQuestion({ kind: 'no-admin', person }),
              }
            : {
                key: 'admin',
                label: t('Verwaltung übertragen'),
                icon: 'shield' as const,
                onSelect: () => setQuestion({ kind: 'admin', person }),
              },
        ]
      : []),
    ...(rights.verwaltbar.includes(person.user_id)
      ? [
          person.app_status === 'aktiv'
            ? {
                key: 'app',
                label: t('App sperren'),
                icon: 'lock' as const,
                onSelect: () => setQuestion({ kind: 'lock-app', person }),
              }
            : {
                key: 'app',
                label: t('App freigeben'),
                icon: 'check' as const,
                onSelect: () => setQuestion({ kind: 'unlock-app', person }),
              },
        ]
      : []),
    ...(rights.verbinden
      ? [
          {
            key: 'disconnect',
            label: t('Zuordnung aufheben'),
            icon: 'trash' as const,
            danger: true,
            divided: true,
            onSelect: () => setQuestion({ kind: 'disconnect', person }),
          },
        ]
      : []),
  ]
  return (
    <div className="stack">
      <div className="hq-people-head">
        <p className="soft">
          {rights.verwalter_ernennen
            ? t('Sie ordnen Personen zu und bestimmen, wer diesen Forstbetrieb verwaltet.')
            : rights.verbinden
              ? t(
                  'Sie ordnen Personen zu. Wer den Forstbetrieb verwaltet, bestimmen dessen Verwaltung und wir.',
                )
              : t('Personen ordnen die Verwaltung des Forstbetriebs und wir zu.')}
        </p>
        {rights.verbinden && (
          <Button variant="primary" icon="plus" onClick={() => setConnecting(true)}>
            {t('Person zuordnen')}
          </Button>
        )}
      </div>
      <Card flush>
        <DataTable
          caption={t('Personen dieses Forstbetriebs')}
          columns={columns(menuOf)}
          rows={rows}
          rowKey={({ user_id }) => user_id}
          rowTone={({ enabled }) => (enabled ? undefined : 'soft')}
          loading={people.isPending}
          skeletonRows={3}
          empty={
            <EmptyState icon="people" title={t('Keine Personen')}>
              {t('Diesem Forstbetrieb ist noch niemand zugeordnet.')}
            </EmptyState>
          }
        />
      </Card>
      {connecting && <ConnectPerson hq={hq} connected={rows} onClose={() => setConnecting(false)} />}
      {shown && <ViewPerson person={shown} onClose={() => setShown(null)} />}
      {question && <Ask hq={hq} rows={rows} question={question} onClose={() => setQuestion(null)} />}
    </div>
  )
}

const columns = (menuOf: (person: UserOfHq) => MenuItem[]): readonly Column<UserOfHq>[] => [
  { key: 'name', title: t('Name'), cell: (person) => <Clip text={personName(person)} width={220} /> },
  {
    key: 'mail',
    title: t('E-Mail'),
    cell: ({ mail, email }) => <a href={`mailto:${encodeURIComponent(mail ?? email)}`}>{mail ?? email}</a>,
  },
  {
    key: 'rolle',
    title: t('Rolle'),
    cell: (person) =>
      isManager(person) ? (
        <Badge tone="info">{hqStatusName(person.hq_status)}</Badge>
      ) : (
        hqStatusName(person.hq_status)
      ),
  },
  {
    key: 'app',
    title: t('App'),
    cell: ({ app_status }) =>
      app_status === 'aktiv' ? t('aktiv') : <Badge tone="warning">{t('gesperrt')}</Badge>,
  },
  {
    key: 'zugang',
    title: t('Zugang'),
    cell: ({ enabled }) => (enabled ? t('aktiv') : <Badge tone="danger">{t('gesperrt')}</Badge>),
  },
  {
    key: 'mehr',
    title: t('Aktionen'),
    align: 'end',
    fixed: true,
    cell: (person) => (
      <Menu
        label={t('Aktionen für {name}', { name: personName(person) })}
        align="end"
        className="button button-quiet button-small"
        trigger={
          <>
            {t('Aktionen')}
            <Icon name="chevronDown" size={16} />
          </>
        }
        items={menuOf(person)}
      />
    ),
  },
]

/**
 * Confirms an action: names the person and states the consequences, including those for the user themselves.
 */
function Ask({
  hq,
  rows,
  question,
  onClose,
}: {
  hq: Hq
  rows: readonly UserOfHq[]
  question: Question
  onClose: () => void
}) {
  const act = usePersonAct(hq)
  const me = useSession().user?.user_id
  const { kind, person } = question
  const name = personName(person)
  const isMe = person.user_id === me
  const lastManager = isManager(person) && rows.filter(isManager).length === 1
  const texts = {
    disconnect: {
      title: t('Zuordnung aufheben?'),
      label: t('Zuordnung aufheben'),
      danger: true,
      text: t('{name} sieht „{hq}“ danach nicht mehr. Das Konto und andere Zuordnungen bleiben.', {
        name,
        hq: hq.sHQ,
      }),
      done: t('{name} ist nicht mehr zugeordnet.', { name }),
    },
    admin: {
      title: t('Verwaltung übertragen?'),
      label: t('Verwaltung übertragen'),
      danger: false,
      text: t('{name} kann dann Personen von „{hq}“ zuordnen, sperren und die Verwaltung weitergeben.', {
        name,
        hq: hq.sHQ,
      }),
      done: t('{name} verwaltet jetzt diesen Forstbetrieb.', { name }),
    },
    'no-admin': {
      title: t('Verwaltung entziehen?'),
      label: t('Verwaltung entziehen'),
      danger: true,
      text: t('{name} bleibt „{hq}“ zugeordnet, verwaltet ihn aber nicht mehr.', { name, hq: hq.sHQ }),
      done: t('{name} verwaltet diesen Forstbetrieb nicht mehr.', { name }),
    },
    'lock-app': {
      title: t('App sperren?'),
      label: t('App sperren'),
      danger: true,
      text: t(
        '{name} kann die mobile App nicht mehr benutzen, auch nicht für andere Forstbetriebe. Der Zugang im Browser bleibt.',
        {
          name,
        },
      ),
      done: t('Die App ist für {name} gesperrt.', { name }),
    },
    'unlock-app': {
      title: t('App freigeben?'),
      label: t('App freigeben'),
      danger: false,
      text: t('{name} kann die mobile App wieder benutzen.', { name }),
      done: t('Die App ist für {name} freigegeben.', { name }),
    },
  }[kind]
  const losesManagement = kind === 'disconnect' || kind === 'no-admin'
  const confirm = () => {
    const what =
      kind === 'disconnect'
        ? ({ kind: 'disconnect', person } as const)
        : kind === 'lock-app' || kind === 'unlock-app'
          ? ({ kind: 'app', person, status: kind === 'lock-app' ? 'gesperrt' : 'aktiv' } as const)
          : ({
              kind: 'status',
              person,
              hq_status: kind === 'admin' ? ['hq_user', 'hq_admin'] : ['hq_user'],
            } as const)
    const back =
      what.kind === 'app'
        ? { ...what, status: what.status === 'aktiv' ? ('gesperrt' as const) : ('aktiv' as const) }
        : what.kind === 'status' && !isMe
          ? {
              ...what,
              hq_status: kind === 'admin' ? ['hq_user' as const] : ['hq_user' as const, 'hq_admin' as const],
            }
          : null
    act.mutate(what.kind === 'status' ? { ...what, hq_status: [...what.hq_status] } : what, {
      onSuccess: () => {
        if (back) toast.undo(texts.done, () => act.mutateAsync(back))
        else toast.success(texts.done)
        onClose()
      },
      onError: (error) => {
        toast.error(messageOf(error))
        onClose()
      },
    })
  }
  return (
    <ConfirmDialog
      open
      title={texts.title}
      record={name}
      confirmLabel={texts.label}
      danger={texts.danger}
      busy={act.isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <p>{texts.text}</p>
      {losesManagement && isMe && <p>{t('Das sind Sie selbst: Sie können es danach nicht zurücknehmen.')}</p>}
      {losesManagement && lastManager && (
        <p>
          {t(
            'Danach verwaltet niemand mehr diesen Forstbetrieb; Personen können dann nur noch die Kundenverwaltung und wir zuordnen.',
          )}
        </p>
      )}
    </ConfirmDialog>
  )
}
