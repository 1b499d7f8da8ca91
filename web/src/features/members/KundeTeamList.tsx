// Our team members who look after a customer. apus_admin assigns and removes them.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import type { TeamOfClient } from '#contract/rpc.ts'
import { RecordField } from '../../list/RecordField.tsx'
import { nameOf } from '../../record/person/person-words.ts'
import '../../members/members.css'
import {
  findPerson,
  personName,
  team as teamQuery,
  useChangeMember,
  useJoin,
} from '../../members/members.data.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Card } from '../../ui/Display.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { nutzerHref } from './nutzer-list.tsx'
import './members.css'

const MEMBER = {
  kind: 'record',
  key: 'team',
  label: () => t('Teammitglied'),
  find: findPerson('team'),
  name: personName,
} as const

export function KundeTeamList({ kunde, mayChange }: { kunde: Kunde; mayChange: boolean }) {
  const query = useQuery(teamQuery(kunde.client_id))
  const [leaving, setLeaving] = useState<TeamOfClient | null>(null)
  const change = useChangeMember()
  const { client_id } = kunde
  const remove = (person: TeamOfClient) =>
    change.mutateAsync({ client_id, change: { kind: 'remove', user_id: person.user_id } }).then(() => {
      toast.success(t('{name} betreut {kunde} nicht mehr.', { name: nameOf(person), kunde: kunde.name }))
      setLeaving(null)
    })
  return (
    <Card title={t('Team')}>
      <div className="stack">
        {mayChange && <Assign kunde={kunde} present={query.data ?? []} />}
        {query.isPending ? (
          <Skeleton lines={3} />
        ) : query.data === undefined ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : query.data.length === 0 ? (
          <EmptyState icon="people" title={t('Noch niemand zugeteilt')}>
            {t('Wer hier steht, wird dem Kunden als Ansprechpartner gezeigt.')}
          </EmptyState>
        ) : (
          <ul className="mitglied-team" aria-label={t('Team von {name}', { name: kunde.name })}>
            {query.data.map((person) => (
              <li key={person.user_id}>
                {mayChange ? (
                  <a href={nutzerHref(person.user_id)}>{nameOf(person)}</a>
                ) : (
                  <strong>{nameOf(person)}</strong>
                )}
                <a href={`mailto:${encodeURIComponent(person.mail ?? person.email)}`}>
                  {person.mail ?? person.email}
                </a>
                {person.apus_admin && <Badge tone="info">{t('Verwaltung')}</Badge>}
                {!person.enabled && <Badge tone="danger">{t('gesperrt')}</Badge>}
                {mayChange && (
                  <Button size="small" onClick={() => setLeaving(person)}>
                    {t('Zuteilung beenden')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      <ConfirmDialog
        open={leaving !== null}
        title={t('Zuteilung beenden?')}
        record={leaving ? `${nameOf(leaving)} · ${kunde.name}` : ''}
        confirmLabel={t('Zuteilung beenden')}
        danger
        busy={change.isPending}
        onConfirm={() => leaving && !change.isPending && remove(leaving)}
        onCancel={() => setLeaving(null)}
      >
        <p>
          {t(
            'Der Kunde sieht diese Person nicht mehr als Ansprechpartner. Lesen kann sie den Kunden wie ' +
              'alle im Team weiterhin.',
          )}
        </p>
      </ConfirmDialog>
    </Card>
  )
}

function Assign({ kunde, present }: { kunde: Kunde; present: readonly TeamOfClient[] }) {
  const [person, setPerson] = useState('')
  const join = useJoin()
  const isThere = present.some(({ user_id }) => String(user_id) === person)
  const add = () => {
    if (person === '' || isThere || join.isPending) return
    join.mutate(
      { client_id: kunde.client_id, user_id: Number(person), kataster: true, rolle: 'nutzer' },
      {
        onSuccess: () => {
          setPerson('')
          toast.success(t('Zugeteilt.'))
        },
        onError: (error) => toast.error(messageOf(error)),
      },
    )
  }
  return (
    <form
      className="mitglieder-assign"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <RecordField filter={MEMBER} label={t('Teammitglied suchen')} value={person} apply={setPerson} />
      <Button type="submit" variant="primary" busy={join.isPending} disabled={person === '' || isThere}>
        {t('Zuteilen')}
      </Button>
      {isThere && <span className="soft">{t('Diese Person ist schon zugeteilt.')}</span>}
    </form>
  )
}
