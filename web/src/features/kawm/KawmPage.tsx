// /kawm/index: the grant of a holding, its trees by stand and by month, and the evidence.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useHasRole } from '../../data/session.ts'
import { type Betrieb, betriebQuery } from '../../list/betrieb.data.ts'
import { WithoutBetrieb, UnknownBetrieb } from '../../list/BetriebPicker.tsx'
import { BetriebStart } from '../../places/BetriebStart.tsx'
import { kawmQuery } from '../../record/kawm/kawm.data.ts'
import { isMissing } from '../../data/api-error.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { Kawm } from './Kawm.tsx'
import './kawm.css'

/** Parameters dropped on switching to another holding, for which they make no sense. */
const KEYS = ['bestand', 'stufe', 'e1', 'e2', 'e3', 'e4', 'e5', 'suche', 'seite', 'sort', 'liste']

export const KawmPage = () => (
  <BetriebStart was="kawm" keys={KEYS}>
    {(id, choice) => <Laden key={id} id={id} choice={choice} />}
  </BetriebStart>
)

function Laden({ id, choice }: { id: string; choice: ReactNode }) {
  const query = useQuery(betriebQuery(id))
  const maySee = useHasRole('ogf_admin', 'ogf_team', 'kundenadmin')
  const { data } = query
  if (data && (data.fb_enabled || maySee)) return <State betrieb={data} choice={choice} />
  return (
    <WithoutBetrieb choice={choice}>
      {data ? (
        <EmptyState icon="lock" title={t('{name} ist noch nicht freigeschaltet', { name: data.sHQ })}>
          {t(
            'Den Stand der Förderung sehen Sie, sobald Ihr Ansprechpartner bei uns den Forstbetrieb ' +
              'freischaltet.',
          )}
        </EmptyState>
      ) : query.isPending ? (
        <Skeleton lines={8} />
      ) : isMissing(query.error) ? (
        <UnknownBetrieb />
      ) : (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
    </WithoutBetrieb>
  )
}

function State({ betrieb, choice }: { betrieb: Betrieb; choice: ReactNode }) {
  const query = useQuery(kawmQuery(betrieb.idHQ))
  if (query.data?.modul) return <Kawm kawm={query.data} betrieb={betrieb} choice={choice} />
  return (
    <WithoutBetrieb choice={choice}>
      {query.data ? (
        <NotBooked betrieb={betrieb} />
      ) : query.isPending ? (
        <Skeleton lines={8} />
      ) : (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
    </WithoutBetrieb>
  )
}

/** What the module is, and how to get it. */
function NotBooked({ betrieb }: { betrieb: Betrieb }) {
  const admin = useHasRole('ogf_admin')
  const maySubscribe = useHasRole('ogf_standard')
  return (
    <EmptyState
      icon="leaf"
      title={t('KAWM ist für {name} nicht freigeschaltet', { name: betrieb.sHQ })}
      action={
        admin ? (
          <ButtonLink href={`/forstbetriebe/${betrieb.idHQ}`}>{t('Zum Forstbetrieb')}</ButtonLink>
        ) : maySubscribe ? (
          <ButtonLink href="/na/index" variant="primary">
            {t('Abo abschließen')}
          </ButtonLink>
        ) : undefined
      }
    >
      <p>
        {t(
          'Klimaangepasstes Waldmanagement (KAWM) ist eine Förderung des Bundes. Sie verlangt fünf ' +
            'Habitatbäume oder Anwärter je Hektar, markiert binnen zwei Jahren nach der Bewilligung.',
        )}
      </p>
      <p>
        {t(
          'Mit dem Modul sehen Sie, wie viele Bäume noch fehlen und in welchen Beständen, und erstellen den ' +
            'Nachweis mit Karte, Liste und GIS-Datei.',
        )}
      </p>
      {!admin && !maySubscribe && (
        <p>
          {t('Buchen können es die Personen des Betriebs; Ihr Ansprechpartner bei uns hilft gern weiter.')}
        </p>
      )}
    </EmptyState>
  )
}
