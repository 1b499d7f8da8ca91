// Terms and vouchers that expire within the next 60 days.
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AboRow } from '#contract/abo.ts'
import type { Gutschein } from '#contract/gutschein.ts'
import type { Page as Rows } from '../../data/rows.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Card, DateText } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { EmptyState, ErrorState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { dayAhead, today } from '../../ui/today.ts'
import { endingAbos, endingGutscheine } from './finances.data.ts'
import { euro, moduleName, STATE_TONES } from './finances-words.ts'

export const SOON_DAYS = 60

export function Expiring() {
  const from = today()
  const to = dayAhead(SOON_DAYS)
  const abos = useQuery(endingAbos(from, to))
  const gutscheine = useQuery(endingGutscheine(from, to))
  return (
    <div className="stack">
      <Ending
        title={t('Laufzeiten, die in 60 Tagen enden')}
        answer={abos}
        columns={aboColumns()}
        rowKey={({ id }) => id}
        rowHref={({ hqid }) => `/forstbetriebe/${hqid}`}
        empty={t('Keine Laufzeit endet in den nächsten 60 Tagen.')}
        all="/finanzen/index?teil=abos&zustand=laufend&sort=ende"
      />
      <Ending
        title={t('Gutscheine, die in 60 Tagen ablaufen')}
        answer={gutscheine}
        columns={gutscheinColumns()}
        rowKey={({ id }) => id}
        empty={t('Kein offener Gutschein läuft in den nächsten 60 Tagen ab.')}
        all="/gutschein/index?zustand=offen&sort=bis"
      />
    </div>
  )
}

interface EndingProps<Row> {
  title: string
  answer: UseQueryResult<Rows<Row>>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => number
  rowHref?: (row: Row) => string
  empty: ReactNode
  /** Link to the full list. */
  all: string
}
function Ending<Row>({ title, answer, columns, rowKey, rowHref, empty, all }: EndingProps<Row>) {
  const { rows = [], total = 0 } = answer.data ?? {}
  return (
    <Card
      flush
      title={total ? `${title} (${formatNumber(total)})` : title}
      actions={<a href={all}>{t('Alle anzeigen')}</a>}
    >
      {answer.isError ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <DataTable
          caption={title}
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          {...(rowHref && { rowHref })}
          loading={answer.isPending}
          skeletonRows={4}
          empty={
            <EmptyState icon="check" title={t('Nichts läuft aus')}>
              {empty}
            </EmptyState>
          }
        />
      )}
    </Card>
  )
}

const aboColumns = (): Column<AboRow>[] => [
  { key: 'hq', title: t('Forstbetrieb'), cell: ({ sHQ }) => sHQ },
  { key: 'kunde', title: t('Kunde'), cell: ({ kunde }) => kunde },
  { key: 'modul', title: t('Modul'), cell: ({ modul }) => moduleName(modul) },
  { key: 'ende', title: t('Ende'), cell: ({ ende }) => <DateText value={ende} /> },
  {
    key: 'danach',
    title: t('Danach'),
    cell: ({ zustand }) => (
      <Badge tone={STATE_TONES[zustand]}>
        {zustand === 'gekuendigt' ? t('endet') : t('verlängert sich')}
      </Badge>
    ),
  },
  {
    key: 'netto',
    title: t('Preis netto'),
    align: 'end',
    cell: ({ netto }) => <span className="nums">{euro(netto)}</span>,
  },
]
const gutscheinColumns = (): Column<Gutschein>[] => [
  { key: 'id', title: t('Gutschein'), cell: ({ id }) => t('Gutschein {id}', { id }) },
  { key: 'bis', title: t('Einlösbar bis'), cell: ({ expire_date }) => <DateText value={expire_date} /> },
  {
    key: 'abo',
    title: t('Rabatt Abo'),
    align: 'end',
    cell: ({ rabatt_abo }) => <span className="nums">{formatNumber(rabatt_abo)}&nbsp;%</span>,
  },
  {
    key: 'kawm',
    title: t('Rabatt KAWM'),
    align: 'end',
    cell: ({ rabatt_kawm }) => <span className="nums">{formatNumber(rabatt_kawm)}&nbsp;%</span>,
  },
]
