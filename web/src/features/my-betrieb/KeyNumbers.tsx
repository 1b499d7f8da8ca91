// Figures with their growth and one chart: revenue for those who keep the books, otherwise the trees of the
// last twelve months.
import { useQuery } from '@tanstack/react-query'
import type { Desk } from '#contract/desk.ts'
import type { Buchhaltung } from '#contract/overview.ts'
import { formatEuro } from '#domain/geld.ts'
import { useHasRole } from '../../data/session.ts'
import { GroupedBars } from '../../ui/chart/GroupedBars.tsx'
import { StackedBars } from '../../ui/chart/StackedBars.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { monthName } from '../../ui/month-name.ts'
import { t } from '../../ui/text.ts'
import { deskQuery } from './desk.data.ts'
import { deskFigures } from './desk-words.ts'
import { Figures } from '../../ui/Figures.tsx'
import { buchhaltungQuery } from './my-betrieb.data.ts'
import { Part } from './Part.tsx'

/** @param leadsTo whether this person may open the page of a figure */
export function KeyNumbers({ leadsTo }: { leadsTo: (path: string) => boolean }) {
  const query = useQuery(deskQuery)
  const books = useHasRole('apus_admin')
  return (
    <Part title={t('Zahlen und Entwicklung')} query={query} lines={10}>
      {(desk) => (
        <div className="stack">
          {desk.zahlen.length > 0 && <Figures label={t('Bestand')} zahlen={deskFigures(desk, leadsTo)} />}
          {books ? <Revenue /> : desk.baeume.length > 0 && <TreesByMonth months={desk.baeume} />}
        </div>
      )}
    </Part>
  )
}

function TreesByMonth({ months }: { months: Desk['baeume'] }) {
  const total = months.reduce((sum, { anzahl }) => sum + anzahl, 0)
  if (total === 0)
    return <p className="soft">{t('In den letzten zwölf Monaten wurde kein Habitatbaum erfasst.')}</p>
  return (
    <div className="stack">
      <h3>{t('Erfasste Habitatbäume je Monat')}</h3>
      <StackedBars
        label={t('Erfasste Habitatbäume je Monat, zusammen {n}', { n: formatNumber(total) })}
        series={[{ key: 'baeume', name: t('Habitatbäume') }]}
        bars={months.map(({ monat, anzahl }) => ({
          key: monat,
          label: monthName(monat, 'short'),
          title: t('{monat}: {n}', { monat: monthName(monat, 'long'), n: formatNumber(anzahl) }),
          values: [anzahl],
        }))}
        formatValue={formatNumber}
        tableOf={t('Monat')}
      />
    </div>
  )
}

function Revenue() {
  const query = useQuery(buchhaltungQuery)
  if (query.data === undefined) return null
  return <RevenueChart data={query.data} />
}

function RevenueChart({ data: { jahr, monate, umsatz } }: { data: Buchhaltung }) {
  return (
    <div className="stack">
      <h3>{t('Umsatz {jahr}, netto: {betrag}', { jahr, betrag: formatEuro(umsatz.netto) })}</h3>
      <GroupedBars
        label={t('Umsatz je Monat, netto, neben dem Vorjahr')}
        series={[
          { key: 'jahr', name: String(jahr) },
          { key: 'vorjahr', name: String(jahr - 1) },
        ]}
        bars={monate.map(({ monat, netto, vorjahr_netto }) => ({
          key: monat,
          label: monthName(monat, 'short').slice(0, 3),
          title: t('{monat}: {betrag}, Vorjahr {vorjahr}', {
            monat: monthName(monat, 'long'),
            betrag: formatEuro(netto),
            vorjahr: formatEuro(vorjahr_netto),
          }),
          values: [Math.max(0, Number(netto)), Math.max(0, Number(vorjahr_netto))],
        }))}
        formatValue={(value) => formatEuro(value.toFixed(2)).replace(/,00/, '')}
        tableOf={t('Monat')}
      />
      <div className="actions">
        <ButtonLink href="/buchhaltung/dashboard" icon="chart">
          {t('Übersicht der Buchhaltung')}
        </ButtonLink>
      </div>
    </div>
  )
}
