// Chooses the holding whose records a page shows: staff pick any, everyone else sees their own and can switch
// if they have several. The choice is kept in the address (?fb=) and remembered as the default of other
// pages.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { beginWith, chooseHq, useChosenHq } from '../data/active-hq.ts'
import { isMissing } from '../data/api-error.ts'
import { useHasRole, useSession } from '../data/session.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Card } from '../ui/Display.tsx'
import { SelectField } from '../ui/Field.tsx'
import { Page } from '../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { t } from '../ui/text.ts'
import { useView } from '../ui/view.tsx'
import { BETRIEB_FILTER, type Betrieb, betriebeQuery, betriebQuery } from './betrieb.data.ts'
import './list.css'
import { RecordField } from './RecordField.tsx'

interface Props {
  /** Query keys that belong to the previous holding and are removed with it. */
  keys: readonly string[]
  /** Asked of those who choose among all holdings: Zu welchem Forstbetrieb gehören die Bäume? */
  question?: string
  /** Shown to them instead while the address names no holding. */
  overview?: (choice: ReactNode) => ReactNode
  children: (id: string, choice: ReactNode) => ReactNode
}

const anew = (keys: readonly string[], fb: string | undefined) => ({
  ...Object.fromEntries(keys.map((key) => [key, undefined])),
  fb,
})
const idOf = (text: string | undefined): string => (/^[1-9]\d{0,14}$/.test(text ?? '') ? text! : '')

export function BetriebPicker(props: Props) {
  return useHasRole('ogf_admin', 'ogf_team') ? <ForTeam {...props} /> : <ForBetriebe {...props} />
}

function ForTeam({ keys, question, overview, children }: Props) {
  const { search, setSearch, path } = useView()
  const chosen = useChosenHq()
  const asked = idOf(search['fb'])
  // An overview offers the one opened last; without one, the page begins with it.
  const id = asked === '' && overview === undefined && chosen > 0 ? String(chosen) : asked
  useRemembered(asked)
  const choice = (
    <div className="betrieb-wahl">
      <RecordField
        filter={BETRIEB_FILTER}
        label={id === '' && overview ? t('Anderen Forstbetrieb öffnen') : t('Forstbetrieb')}
        value={id}
        apply={(next) => {
          if (overview === undefined || next !== '') chooseHq(Number(next))
          setSearch(anew(keys, next === '' ? undefined : next))
        }}
      />
      {id !== '' && overview && (
        <ButtonLink href={path} icon="map">
          {t('Alle Forstbetriebe')}
        </ButtonLink>
      )}
    </div>
  )
  if (id !== '') return children(id, choice)
  if (overview) return overview(choice)
  return (
    <WithoutBetrieb choice={choice}>
      <EmptyState icon="forest" title={question ?? t('Forstbetrieb auswählen')}>
        {t('Wählen Sie oben einen Forstbetrieb: sein Name oder der des Kunden genügt.')}
      </EmptyState>
    </WithoutBetrieb>
  )
}

/** A holding that was opened by its address is the one opened last, if it exists. */
function useRemembered(id: string) {
  const { data } = useQuery({ ...betriebQuery(id), enabled: id !== '' })
  const opened = data?.idHQ
  useEffect(() => {
    if (opened !== undefined) chooseHq(opened)
  }, [opened])
}

function ForBetriebe({ keys, children }: Props) {
  const { search, setSearch, path } = useView()
  const { activeHq } = useSession()
  const betriebe = useQuery(betriebeQuery)
  const all = betriebe.data ?? []
  const asked = search['fb']
  const first = beginWith(all, {
    chosen: useChosenHq(),
    usual: activeHq?.idHQ,
    any: useHasRole('kundenadmin'),
  })
  const betrieb = asked === undefined ? first : all.find(({ idHQ }) => String(idHQ) === asked)
  const choice = all.length > 1 && betrieb !== undefined && (
    <div className="betrieb-wahl">
      <SelectField
        label={t('Forstbetrieb')}
        options={all.map(({ idHQ, sHQ }) => ({ value: String(idHQ), label: sHQ }))}
        value={String(betrieb.idHQ)}
        onChange={({ target }) => {
          chooseHq(Number(target.value))
          setSearch(anew(keys, target.value))
        }}
      />
    </div>
  )
  if (betrieb) return children(String(betrieb.idHQ), choice)
  return (
    <WithoutBetrieb choice={choice}>
      {betriebe.isPending ? (
        <Skeleton lines={8} />
      ) : betriebe.data === undefined ? (
        <ErrorState error={betriebe.error} onRetry={() => void betriebe.refetch()} />
      ) : asked !== undefined ? (
        <UnknownBetrieb action={<ButtonLink href={path}>{t('Zu Ihren Forstbetrieben')}</ButtonLink>} />
      ) : (
        <EmptyState icon="forest" title={t('Noch kein Forstbetrieb')}>
          {t(
            'Ihr Zugang ist noch mit keinem Forstbetrieb verbunden. Ihr Ansprechpartner bei uns richtet ' +
              'das ein.',
          )}
        </EmptyState>
      )}
    </WithoutBetrieb>
  )
}

/** Loads the chosen holding. Without access to it, the page says the same as if it did not exist. */
export function BetriebLoading({
  id,
  choice,
  children,
}: {
  id: string
  choice: ReactNode
  children: (betrieb: Betrieb) => ReactNode
}) {
  const query = useQuery(betriebQuery(id))
  if (query.data) return children(query.data)
  return (
    <WithoutBetrieb choice={choice}>
      {query.isPending ? (
        <Skeleton lines={8} />
      ) : isMissing(query.error) ? (
        <UnknownBetrieb />
      ) : (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
    </WithoutBetrieb>
  )
}

export const UnknownBetrieb = ({ action }: { action?: ReactNode }) => (
  <EmptyState icon="search" title={t('Diesen Forstbetrieb gibt es nicht')} action={action}>
    {t('Er gehört nicht zu Ihren Forstbetrieben, oder der Link ist unvollständig.')}
  </EmptyState>
)

/** The page while no holding is shown. */
export const WithoutBetrieb = ({ choice, children }: { choice: ReactNode; children: ReactNode }) => (
  <Page>
    {choice}
    <Card>{children}</Card>
  </Page>
)
