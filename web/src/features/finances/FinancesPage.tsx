// /finanzen/index: what the forest half earns, for the provider's admins.
import { useQuery } from '@tanstack/react-query'
import type { AboOverview } from '#contract/abo.ts'
import { ListCard, useList } from '../../list/ListPage.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { ABOS } from './abo-list.tsx'
import '../../ui/key-figures.css'
import { overview } from './finances.data.ts'
import { euro, moduleName } from './finances-words.ts'
import { Expiring } from './Expiring.tsx'
import { Umsatz } from './Umsatz.tsx'
import { addCents, MODULE } from './period.ts'

const PARTS = ['umsatz', 'abos', 'ablauf'] as const

export function FinancesPage() {
  const view = useView()
  const figures = useQuery(overview)
  const part = PARTS.find((id) => id === view.search['teil']) ?? 'umsatz'
  return (
    <Page title={t('Finanzen')} subtitle={t('Laufende Abos und KAWM-Module der Forstbetriebe')}>
      {figures.isError && !figures.data ? (
        <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />
      ) : figures.data ? (
        <Figures rows={figures.data} />
      ) : (
        <Skeleton lines={2} />
      )}
      <Tabs
        label={t('Teile der Finanzen')}
        value={part}
        // A tab starts without search and filters, because those of the other tab do not apply to it.
        onChange={(id) =>
          view.go(id === 'umsatz' ? '/finanzen/index' : `/finanzen/index?teil=${id}`, { replace: true })
        }
        tabs={[
          { id: 'umsatz', label: t('Umsatz'), content: part === 'umsatz' && <Umsatz /> },
          { id: 'abos', label: t('Abos'), content: part === 'abos' && <Abos /> },
          { id: 'ablauf', label: t('Läuft aus'), content: part === 'ablauf' && <Expiring /> },
        ]}
      />
    </Page>
  )
}

function Abos() {
  return <ListCard model={useList(ABOS)} />
}

function Figures({ rows }: { rows: readonly AboOverview[] }) {
  const sum = (of: (row: AboOverview) => number) => rows.reduce((total, row) => total + of(row), 0)
  const kawm = rows.find(({ modul }) => modul === 'kawm')
  const list = '/finanzen/index?teil=abos&zustand='
  return (
    <dl className="key-figures">
      <Figure
        name={t('Laufende Abos')}
        value={formatNumber(sum(({ laufend }) => laufend))}
        href={`${list}laufend`}
      >
        {inOrder(rows)
          .map(({ modul, laufend }) => `${moduleName(modul)} ${formatNumber(laufend)}`)
          .join(' · ')}
      </Figure>
      <Figure
        name={t('Umsatz im Jahr, netto')}
        value={euro(addCents(rows.map(({ netto }) => Number(netto))))}
      >
        {t('aus laufenden Abos')}
      </Figure>
      <Figure
        name={t('KAWM-Module')}
        value={formatNumber(kawm?.laufend ?? 0)}
        href={`${list}laufend&modul=kawm`}
      >
        {t('{n} mit Rabatt', { n: formatNumber(kawm?.mit_rabatt ?? 0) })}
      </Figure>
      <Figure
        name={t('Gekündigt')}
        value={formatNumber(sum(({ gekuendigt }) => gekuendigt))}
        href={`${list}gekuendigt`}
      >
        {t('laufen bis zum Ende ihrer Laufzeit')}
      </Figure>
      <Figure
        name={t('Enden in 60 Tagen')}
        value={formatNumber(sum(({ endet_bald }) => endet_bald))}
        href="/finanzen/index?teil=ablauf"
      >
        {t('Laufzeiten, auch solche, die sich verlängern')}
      </Figure>
    </dl>
  )
}
const inOrder = (rows: readonly AboOverview[]) =>
  MODULE.flatMap((feature) => rows.filter((row) => row.modul === feature))

function Figure({
  name,
  value,
  href,
  children,
}: {
  name: string
  value: string
  href?: string
  children: string
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {href ? (
          <a className="key-value" href={href}>
            {value}
          </a>
        ) : (
          <span className="key-value">{value}</span>
        )}
        <span className="soft">{children}</span>
      </dd>
    </div>
  )
}
