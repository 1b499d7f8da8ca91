// /buchhaltung/dashboard: what is open, overdue and expected, the cash forecast, revenue, offers. Every
// figure links to the list whose rows it adds up.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Buchhaltung } from '#contract/overview.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Display.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import '../buchhaltung.css'
import { NewBelegButton } from '../NewBelegButton.tsx'
import { ANGEBOT_KIND, RECHNUNG_KIND } from '../beleg-kinds.ts'
import { AngeboteByState } from './AngeboteByState.tsx'
import { Outlook } from './Outlook.tsx'
import { KeyFigures } from './KeyFigures.tsx'
import { parseYear } from './figures.ts'
import '../../../ui/key-figures.css'
import './overview.css'
import { buchhaltungQuery } from './overview.data.ts'
import { UmsatzYear } from './UmsatzYear.tsx'

export function OverviewPage() {
  const { search } = useView()
  const query = useQuery({
    ...buchhaltungQuery(parseYear(search['jahr'])),
    placeholderData: keepPreviousData,
  })
  const { data } = query
  return (
    <Page
      subtitle={data ? t('Stand {tag}', { tag: formatDate(data.heute) }) : '\u00A0'}
      actions={
        <>
          <NewBelegButton docKind={ANGEBOT_KIND} />
          <NewBelegButton docKind={RECHNUNG_KIND} />
        </>
      }
    >
      {data ? (
        data.leer ? (
          <Start unternehmen={data.unternehmen} />
        ) : (
          <Content data={data} />
        )
      ) : query.isError ? (
        <Card>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        </Card>
      ) : (
        <Waiting />
      )}
    </Page>
  )
}

function Content({ data }: { data: Buchhaltung }) {
  return (
    <>
      <KeyFigures data={data} />
      <Outlook heute={data.heute} />
      <UmsatzYear data={data} />
      <AngeboteByState angebote={data.angebote} />
    </>
  )
}

/** Same height as the content, so that nothing shifts when it loads. */
function Waiting() {
  return (
    <>
      <KeyFigures />
      {[t('Liquidität'), t('Umsatz')].map((title) => (
        <Card key={title} title={title}>
          <div className="ueb-platz">
            <Skeleton lines={8} />
          </div>
        </Card>
      ))}
    </>
  )
}

function Start({ unternehmen }: { unternehmen: boolean }) {
  return (
    <Card>
      <EmptyState
        icon="euro"
        title={t('Die Bücher sind noch leer')}
        action={
          unternehmen ? (
            <ButtonLink icon="calendar" href="/buchhaltung/prognosen">
              {t('Prognosen eintragen')}
            </ButtonLink>
          ) : (
            <ButtonLink variant="primary" icon="gear" href="/buchhaltung/einstellungen">
              {t('Unternehmen eintragen')}
            </ButtonLink>
          )
        }
      >
        {unternehmen
          ? t(
              'Schreiben Sie oben das erste Angebot oder die erste Rechnung. Erwartete Einnahmen und Ausgaben ' +
                'ohne Beleg tragen Sie unter Prognosen ein.',
            )
          : t(
              'Tragen Sie zuerst Ihr Unternehmen ein: Anschrift, Steuernummer und Bankverbindung stehen auf ' +
                'jeder Rechnung.',
            )}
      </EmptyState>
    </Card>
  )
}
