// Headquarters of a customer with their areas and what is switched on for them.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Card, DateText, NumberText } from '../../ui/Display.tsx'
import { EmptyState, ErrorState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { type HqWithSwitches, kundeHqs } from './kunde.data.ts'

const columns = (): readonly Column<HqWithSwitches>[] => [
  {
    key: 'name',
    title: t('Forstbetrieb'),
    cell: ({ sHQ }) => (
      <span className="kunde-clip" title={sHQ}>
        {sHQ}
      </span>
    ),
  },
  { key: 'flaeche', title: t('Fläche'), align: 'end', cell: ({ dcFLAEHB }) => <NumberText value={dcFLAEHB} digits={2} unit="ha" /> },
  { key: 'fe', title: t('FE-Stichtag'), cell: ({ dtFE }) => <DateText value={dtFE} /> },
  { key: 'module', title: t('Freigeschaltet'), cell: ({ switches }) => <Switches switches={switches} /> },
  {
    key: 'enabled',
    title: t('Zugang'),
    cell: ({ fb_enabled }) => (fb_enabled ? <Badge tone="success">{t('aktiv')}</Badge> : <Badge tone="warning">{t('gesperrt')}</Badge>),
  },
]

function Switches({ switches }: Pick<HqWithSwitches, 'switches'>) {
  const on = [switches?.fe_enabled && t('FE'), switches?.basis_fe_enabled && t('Basis-FE'), switches?.kawm_enabled && t('KAWM')].filter(
    (name) => typeof name === 'string',
  )
  if (on.length === 0) return <span className="soft">{t('nichts')}</span>
  return (
    <span className="kunde-badges">
      {on.map((name) => (
        <Badge key={name} tone="info">
          {name}
        </Badge>
      ))}
    </span>
  )
}

export function KundeForstbetriebe({ id }: { id: string }) {
  const hqs = useInfiniteQuery(kundeHqs(id))
  if (hqs.isError && hqs.data === undefined)
    return (
      <Card>
        <ErrorState error={hqs.error} onRetry={() => void hqs.refetch()} />
      </Card>
    )
  const rows = hqs.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <Card flush>
      <DataTable
        caption={t('Forstbetriebe')}
        columns={columns()}
        rows={rows}
        rowKey={({ idHQ }) => idHQ}
        loading={hqs.isPending}
        skeletonRows={3}
        empty={
          <EmptyState icon="tree" title={t('Keine Forstbetriebe')}>
            {t('Zu diesem Kunden ist noch kein Forstbetrieb erfasst.')}
          </EmptyState>
        }
      />
      {hqs.hasNextPage && (
        <div className="record-more">
          <Button busy={hqs.isFetchingNextPage} onClick={() => void hqs.fetchNextPage()}>
            {t('Weitere Forstbetriebe anzeigen')}
          </Button>
        </div>
      )}
    </Card>
  )
}
