// The stands of a holding: staff choose whose, everybody else sees their own.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useHasRole, useSession } from '../../data/session.ts'
import { RecordField } from '../../list/RecordField.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { LeererBestand, Waldbestand } from './Waldbestand.tsx'
import './waldbestand.css'
import { BETRIEB_FILTER, betriebeQuery, waldbestandQuery } from './waldbestand.data.ts'

/** Another holding has nothing in common with the one before but the colours of its map. */
const KEYS = ['bestand', 'e1', 'e2', 'e3', 'e4', 'e5', 'art', 'ak', 'nutzung', 'ha', 'suche', 'seite', 'sort']
const anew = (fb: string | undefined) => ({ ...Object.fromEntries(KEYS.map((key) => [key, undefined])), fb })
const idOf = (text: string | undefined): string => (/^[1-9]\d{0,14}$/.test(text ?? '') ? text! : '')

export function WaldbestandPage() {
  return useHasRole('ogf_admin', 'ogf_team') ? <FuerTeam /> : <FuerBetriebe />
}

function FuerTeam() {
  const { search, setSearch } = useView()
  const id = idOf(search['fb'])
  const wahl = (
    <div className="wald-wahl">
      <RecordField
        filter={BETRIEB_FILTER}
        label={t('Forstbetrieb')}
        value={id}
        apply={(next) => setSearch(anew(next === '' ? undefined : next))}
      />
    </div>
  )
  if (id !== '') return <Betrieb key={id} id={id} wahl={wahl} />
  return (
    <Leer wahl={wahl}>
      <EmptyState icon="forest" title={t('Wessen Waldbestand möchten Sie sehen?')}>
        {t('Wählen Sie oben einen Forstbetrieb: sein Name oder der des Kunden genügt.')}
      </EmptyState>
    </Leer>
  )
}

function FuerBetriebe() {
  const { search, setSearch, path } = useView()
  const { activeHq } = useSession()
  const betriebe = useQuery(betriebeQuery)
  const all = betriebe.data ?? []
  const asked = search['fb']
  const first = all.find(({ idHQ }) => idHQ === activeHq?.idHQ) ?? all[0]
  const betrieb = asked === undefined ? first : all.find(({ idHQ }) => String(idHQ) === asked)
  const wahl = all.length > 1 && betrieb !== undefined && (
    <div className="wald-wahl">
      <SelectField
        label={t('Forstbetrieb')}
        options={all.map(({ idHQ, sHQ }) => ({ value: String(idHQ), label: sHQ }))}
        value={String(betrieb.idHQ)}
        onChange={({ target }) => setSearch(anew(target.value))}
      />
    </div>
  )
  if (betrieb) return <Betrieb key={betrieb.idHQ} id={String(betrieb.idHQ)} wahl={wahl} />
  return (
    <Leer wahl={wahl}>
      {betriebe.isPending ? (
        <Skeleton lines={8} />
      ) : betriebe.data === undefined ? (
        <ErrorState error={betriebe.error} onRetry={() => void betriebe.refetch()} />
      ) : asked !== undefined ? (
        <Unbekannt action={<ButtonLink href={path}>{t('Zu Ihren Forstbetrieben')}</ButtonLink>} />
      ) : (
        <EmptyState icon="forest" title={t('Noch kein Forstbetrieb')}>
          {t('Ihr Zugang ist noch mit keinem Forstbetrieb verbunden. Ihre Ansprechperson bei uns richtet das ein.')}
        </EmptyState>
      )}
    </Leer>
  )
}

const Unbekannt = ({ action }: { action?: ReactNode }) => (
  <EmptyState icon="search" title={t('Diesen Forstbetrieb gibt es nicht')} action={action}>
    {t('Er gehört nicht zu Ihren Forstbetrieben, oder der Link ist unvollständig.')}
  </EmptyState>
)

function Betrieb({ id, wahl }: { id: string; wahl: ReactNode }) {
  const query = useQuery(waldbestandQuery(id))
  const { data } = query
  if (data && data.bestaende.length > 0)
    return <Waldbestand key={query.dataUpdatedAt} wald={data} stand={query.dataUpdatedAt} wahl={wahl} />
  if (data) return <LeererBestand wald={data} wahl={wahl} />
  return (
    <Leer wahl={wahl}>
      {query.isPending ? (
        <Skeleton lines={8} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Unbekannt />
      )}
    </Leer>
  )
}

const Leer = ({ wahl, children }: { wahl: ReactNode; children: ReactNode }) => (
  <Page>
    {wahl}
    <Card>{children}</Card>
  </Page>
)
