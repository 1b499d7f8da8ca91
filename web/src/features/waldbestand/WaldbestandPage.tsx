// The stands of a holding: staff choose the holding, everybody else sees their own.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Waldbestand as Wald } from '#contract/bestand.ts'
import { WithoutBetrieb, UnknownBetrieb } from '../../list/BetriebPicker.tsx'
import { useHasRole } from '../../data/session.ts'
import { BetriebStart } from '../../places/BetriebStart.tsx'
import { WithoutFe } from '../../list/FeModule.tsx'
import { Card } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { useView } from '../../ui/view.tsx'
import { LevelTotals } from './LevelTotals.tsx'
import { EmptyBestand, Waldbestand } from './Waldbestand.tsx'
import './waldbestand.css'
import { waldbestandQuery } from './waldbestand.data.ts'

const BordersPage = splitOff(
  async () => (await import('./BordersPage.tsx')).BordersPage,
  <Skeleton lines={8} />,
)

/** Parameters dropped on switching to another holding; only the colours of the map are kept. */
const KEYS = [
  'bestand',
  'e1',
  'e2',
  'e3',
  'e4',
  'e5',
  'art',
  'ak',
  'nutzung',
  'ha',
  'suche',
  'seite',
  'sort',
  'grenze',
]

export const WaldbestandPage = () => (
  <BetriebStart was="waldbestand" keys={KEYS}>
    {(id, choice) => <Betrieb key={id} id={id} choice={choice} />}
  </BetriebStart>
)

const WithoutModule = ({
  forest,
  umfang,
  choice,
}: {
  forest: Wald
  umfang: 'nicht_freigegeben' | 'kein_modul'
  choice: ReactNode
}) => (
  <Page subtitle={forest.sHQ}>
    {choice}
    <Card>
      <WithoutFe umfang={umfang} hq={forest} />
    </Card>
  </Page>
)

function Betrieb({ id, choice }: { id: string; choice: ReactNode }) {
  const query = useQuery(waldbestandQuery(id))
  const { search } = useView()
  const isStaff = useHasRole('ogf_admin', 'ogf_team')
  const { data } = query
  if (data && data.umfang !== 'alles' && !(data.umfang === 'summen' && data.summen.length === 0))
    return data.umfang === 'summen' ? (
      <LevelTotals forest={data} choice={choice} />
    ) : (
      <WithoutModule forest={data} umfang={data.umfang} choice={choice} />
    )
  if (data && isStaff && search['grenzen'] === '1') return <BordersPage forest={data} choice={choice} />
  if (data && data.bestaende.length > 0) return <Waldbestand forest={data} choice={choice} />
  if (data) return <EmptyBestand forest={data} choice={choice} />
  return (
    <WithoutBetrieb choice={choice}>
      {query.isPending ? (
        <Skeleton lines={8} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <UnknownBetrieb />
      )}
    </WithoutBetrieb>
  )
}
