// Links of a person to headquarters, and whether they administer them.
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { rpc } from '../../data/rpc.ts'
import { useSession } from '../../data/session.ts'
import { RecordField } from '../../list/RecordField.tsx'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import type { Column } from '../../ui/DataTable.tsx'
import { Badge } from '../../ui/Display.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { LinkTable } from './LinkTable.tsx'
import { LiveCheckbox } from './LiveCheckbox.tsx'
import { findHqs, type HqLink, hqName, hqStatusOf, type Links, useChange } from './nutzer.data.ts'
import { nameOf } from '../../record/person/person-words.ts'

interface Props {
  person: NutzerRecord
  links: UseQueryResult<Links>
}
const named = ({ hq, hqid }: HqLink): string => hq?.sHQ ?? t('Forstbetrieb Nr. {id}', { id: hqid })

export function NutzerForstbetriebe({ person, links }: Props) {
  const { user_id, username } = person
  const setAdmin = useChange(String(user_id), ({ hqid, admin }: { hqid: number; admin: boolean }) =>
    rpc('a_set_hq_status', { user_id, hqid, hq_status: hqStatusOf(admin) }),
  )
  const self = useSession().user?.user_id === user_id
  const busy = setAdmin.isPending
  const onError = (error: unknown) => toast.error(messageOf(error))
  const columns: readonly Column<HqLink>[] = [
    {
      key: 'hq',
      title: t('Forstbetrieb'),
      cell: (link) => <a href={`/forstbetriebe/${link.hqid}`}>{named(link)}</a>,
    },
    {
      key: 'frei',
      title: t('Status'),
      cell: ({ hq }) =>
        hq?.fb_enabled ? (
          <Badge tone="success">{t('freigeschaltet')}</Badge>
        ) : (
          <Badge tone="warning">{t('nicht freigeschaltet')}</Badge>
        ),
    },
    {
      key: 'verwaltung',
      title: t('Verwaltung'),
      cell: (link) => (
        <LiveCheckbox
          label={t('verwaltet die Nutzer')}
          aria-label={t('Verwaltung von {name}', { name: named(link) })}
          stored={link.hq_status.includes('hq_admin')}
          disabled={busy || (self && !link.hq_status.includes('hq_admin'))}
          onWish={(admin) =>
            setAdmin
              .mutateAsync({ hqid: link.hqid, admin })
              .then(
                () =>
                  toast.undo(t('Gespeichert.'), () =>
                    setAdmin.mutateAsync({ hqid: link.hqid, admin: !admin }),
                  ),
                onError,
              )
          }
        />
      ),
    },
  ]
  const rows = links.data?.hqs
  return (
    <LinkTable
      person={person}
      query={links}
      rows={rows}
      caption={t('Forstbetriebe von {name}', { name: nameOf(person) })}
      columns={columns}
      idOf={({ hqid }) => hqid}
      named={named}
      remove={(hqId: number) => rpc('__o_disconnect_user_from_hq', { username, user_id, hqid: hqId })}
      loss={t('Die Person verliert sofort den Zugriff auf die Daten dieses Forstbetriebs.')}
      busy={busy}
      add={!self && <AddHq person={person} taken={rows ?? []} />}
      empty={
        <EmptyState icon="tree" title={t('Kein Forstbetrieb zugeordnet')}>
          {t('Wählen Sie oben einen Forstbetrieb. Damit arbeitet die Person mit dessen Daten.')}
        </EmptyState>
      }
    />
  )
}

const FILTER = {
  kind: 'record',
  key: 'forstbetrieb',
  label: () => t('Forstbetrieb'),
  find: findHqs,
  name: hqName,
} as const

function AddHq({ person, taken }: { person: NutzerRecord; taken: readonly HqLink[] }) {
  const { user_id, username } = person
  const [hq, setHq] = useState('')
  const add = useChange(String(user_id), () => rpc('__o_connect_user_to_hq', { username, user_id, hqid: hq }))
  const known = taken.some(({ hqid }) => String(hqid) === hq)
  return (
    <form
      className="nutzer-add-link"
      aria-label={t('Forstbetrieb zuordnen')}
      onSubmit={(event) => {
        event.preventDefault()
        if (hq === '' || known || add.isPending) return
        add.mutate(undefined, {
          onError: (error) => toast.error(messageOf(error)),
          onSuccess: () => {
            setHq('')
            toast.success(t('Forstbetrieb zugeordnet.'))
          },
        })
      }}
    >
      <RecordField filter={FILTER} label={t('Forstbetrieb')} value={hq} apply={setHq} />
      <Button type="submit" variant="primary" icon="plus" busy={add.isPending} disabled={hq === '' || known}>
        {known ? t('Schon zugeordnet') : t('Zuordnen')}
      </Button>
    </form>
  )
}
