// The survey of a customer: staff choose the customer, customers see their own.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useHasRole } from '../../data/session.ts'
import { RecordField } from '../../list/RecordField.tsx'
import { PlacesPage } from '../../places/PlacesPage.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { Page } from '../../ui/Page.tsx'
import { setPreference, usePreference } from '../../ui/preferences.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { Kataster } from './Kataster.tsx'
import './kataster.css'
import { ownQuery, KUNDE_FILTER, kundeQuery } from './kataster.data.ts'

/** Clears filters and selection, which make no sense for another customer. */
const anew = (kunde: string | undefined) => ({
  kunde,
  objekt: undefined,
  aus: undefined,
  art: undefined,
  vermessen: undefined,
  erfq: undefined,
  qdt: undefined,
  seite: undefined,
  sort: undefined,
})

export function KatasterPage() {
  return useHasRole('apus_admin', 'apus_team') ? <ForTeam /> : <ForKunden />
}

function ForTeam() {
  const { search, setSearch, path } = useView()
  const id = /^[1-9]\d{0,14}$/.test(search['kunde'] ?? '') ? search['kunde']! : ''
  const kunde = useQuery({ ...kundeQuery(id), enabled: id !== '' })
  const opened = kunde.data?.client_id
  useEffect(() => {
    if (opened !== undefined) setPreference('kunde', opened)
  }, [opened])
  const choice = (
    <div className="kataster-wahl">
      <RecordField
        filter={KUNDE_FILTER}
        label={id === '' ? t('Anderen Kunden öffnen') : t('Kunde')}
        value={id}
        apply={(next) => setSearch(anew(next === '' ? undefined : next))}
      />
      {id !== '' && (
        <ButtonLink href={path} icon="map">
          {t('Alle Kunden')}
        </ButtonLink>
      )}
    </div>
  )
  if (id === '') return <Overview choice={choice} />
  if (kunde.data) return <Kataster key={id} kunde={kunde.data} choice={choice} team />
  return (
    <Empty choice={choice}>
      {kunde.isPending ? (
        <Skeleton lines={8} />
      ) : (
        <ErrorState error={kunde.error} onRetry={() => void kunde.refetch()} />
      )}
    </Empty>
  )
}

function Overview({ choice }: { choice: ReactNode }) {
  const last = usePreference('kunde')
  const { data } = useQuery({ ...kundeQuery(String(last)), enabled: last > 0, retry: false })
  return (
    <PlacesPage was="kataster" choice={choice} last={data ? { id: data.client_id, name: data.name } : null} />
  )
}

function ForKunden() {
  const { search, setSearch, path } = useView()
  const own = useQuery(ownQuery)
  const all = own.data ?? []
  const asked = search['kunde']
  const kunde = asked === undefined ? all[0] : all.find(({ client_id }) => String(client_id) === asked)
  const choice = all.length > 1 && kunde !== undefined && (
    <div className="kataster-wahl">
      <SelectField
        label={t('Kunde')}
        options={all.map(({ client_id, name }) => ({
          value: String(client_id),
          label: `${name} (${client_id})`,
        }))}
        value={String(kunde.client_id)}
        onChange={({ target }) => setSearch(anew(target.value))}
      />
    </div>
  )
  if (kunde) return <Kataster key={kunde.client_id} kunde={kunde} choice={choice} team={false} />
  return (
    <Empty choice={choice}>
      {own.isPending ? (
        <Skeleton lines={8} />
      ) : own.data === undefined ? (
        <ErrorState error={own.error} onRetry={() => void own.refetch()} />
      ) : asked !== undefined ? (
        <EmptyState
          icon="search"
          title={t('Diesen Kunden gibt es nicht')}
          action={<ButtonLink href={path}>{t('Zu Ihren Kunden')}</ButtonLink>}
        >
          {t('Er gehört nicht zu Ihren Stammdaten, oder der Link ist unvollständig.')}
        </EmptyState>
      ) : (
        <EmptyState icon="layers" title={t('Noch kein Kunde')}>
          {t('Ihr Zugang ist noch mit keinem Kunden verbunden. Ihr Ansprechpartner bei uns richtet das ein.')}
        </EmptyState>
      )}
    </Empty>
  )
}

const Empty = ({ choice, children }: { choice: ReactNode; children: ReactNode }) => (
  <Page>
    {choice}
    <Card>{children}</Card>
  </Page>
)
