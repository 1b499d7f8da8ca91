// The stands of a holding: staff choose whose, everybody else sees their own.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Waldbestand as Wald } from '#contract/bestand.ts'
import { BetriebWahl, OhneBetrieb, UnbekannterBetrieb } from '../../list/BetriebWahl.tsx'
import { OhneFe } from '../../list/FeModul.tsx'
import { Card } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { EbenenSummen } from './EbenenSummen.tsx'
import { LeererBestand, Waldbestand } from './Waldbestand.tsx'
import './waldbestand.css'
import { waldbestandQuery } from './waldbestand.data.ts'

/** Another holding has nothing in common with the one before but the colours of its map. */
const KEYS = ['bestand', 'e1', 'e2', 'e3', 'e4', 'e5', 'art', 'ak', 'nutzung', 'ha', 'suche', 'seite', 'sort']

export const WaldbestandPage = () => (
  <BetriebWahl keys={KEYS} frage={t('Wessen Waldbestand möchten Sie sehen?')}>
    {(id, wahl) => <Betrieb key={id} id={id} wahl={wahl} />}
  </BetriebWahl>
)

const OhneModul = ({ wald, umfang, wahl }: { wald: Wald; umfang: 'nicht_freigegeben' | 'kein_modul'; wahl: ReactNode }) => (
  <Page subtitle={wald.sHQ}>
    {wahl}
    <Card>
      <OhneFe umfang={umfang} hq={wald} />
    </Card>
  </Page>
)

function Betrieb({ id, wahl }: { id: string; wahl: ReactNode }) {
  const query = useQuery(waldbestandQuery(id))
  const { data } = query
  if (data && data.umfang !== 'alles' && !(data.umfang === 'summen' && data.summen.length === 0))
    return data.umfang === 'summen' ? <EbenenSummen wald={data} wahl={wahl} /> : <OhneModul wald={data} umfang={data.umfang} wahl={wahl} />
  if (data && data.bestaende.length > 0) return <Waldbestand wald={data} wahl={wahl} />
  if (data) return <LeererBestand wald={data} wahl={wahl} />
  return (
    <OhneBetrieb wahl={wahl}>
      {query.isPending ? (
        <Skeleton lines={8} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <UnbekannterBetrieb />
      )}
    </OhneBetrieb>
  )
}
