// /buchhaltung/dashboard: what is open, overdue and expected, the cash forecast, revenue, offers. Every figure leads to the list that it adds up.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Buchhaltung } from '#contract/uebersicht.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Display.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import '../buchhaltung.css'
import { NeuerBeleg } from '../NeuerBeleg.tsx'
import { ANGEBOT_SORTE, RECHNUNG_SORTE } from '../sorten.ts'
import { AngeboteStand } from './AngeboteStand.tsx'
import { Ausblick } from './Ausblick.tsx'
import { Kennzahlen } from './Kennzahlen.tsx'
import { parseJahr } from './rechnen.ts'
import './uebersicht.css'
import { buchhaltungQuery } from './uebersicht.data.ts'
import { UmsatzJahr } from './UmsatzJahr.tsx'

export function UebersichtPage() {
  const { search } = useView()
  const query = useQuery({ ...buchhaltungQuery(parseJahr(search['jahr'])), placeholderData: keepPreviousData })
  const { data } = query
  return (
    <Page
      subtitle={data ? t('Stand {tag}', { tag: formatDate(data.heute) }) : '\u00A0'}
      actions={
        <>
          <NeuerBeleg sorte={ANGEBOT_SORTE} />
          <NeuerBeleg sorte={RECHNUNG_SORTE} />
        </>
      }
    >
      {data ? (
        data.leer ? (
          <Anfang unternehmen={data.unternehmen} />
        ) : (
          <Inhalt data={data} />
        )
      ) : query.isError ? (
        <Card>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        </Card>
      ) : (
        <Wartet />
      )}
    </Page>
  )
}

function Inhalt({ data }: { data: Buchhaltung }) {
  return (
    <>
      <Kennzahlen data={data} />
      <Ausblick heute={data.heute} />
      <UmsatzJahr data={data} />
      <AngeboteStand angebote={data.angebote} />
    </>
  )
}

/** As high as what comes: nothing moves when it is there. */
function Wartet() {
  return (
    <>
      <Kennzahlen />
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

function Anfang({ unternehmen }: { unternehmen: boolean }) {
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
              'Schreiben Sie oben das erste Angebot oder die erste Rechnung. Erwartete Einnahmen und Ausgaben ohne Beleg tragen Sie unter Prognosen ein.',
            )
          : t('Tragen Sie zuerst Ihr Unternehmen ein: Anschrift, Steuernummer und Bankverbindung stehen auf jeder Rechnung.')}
      </EmptyState>
    </Card>
  )
}
