// Headquarters of a customer with their areas and enabled modules.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasRole } from '../../data/session.ts'
import { accessName } from '../../record/hq/hq-fields.ts'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Badge, Card, DateText, NumberText } from '../../ui/Display.tsx'
import { EmptyState, ErrorState } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { type HqWithSwitches, kundeHqs } from './kunde.data.ts'
import '../../record/record.css'

// Loaded on demand.
const CreateHq = splitOff(async () => (await import('../../record/hq/CreateHq.tsx')).CreateHq)

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
  {
    key: 'flaeche',
    title: t('Fläche'),
    align: 'end',
    cell: ({ dcFLAEHB }) => <NumberText value={dcFLAEHB} digits={2} unit="ha" />,
  },
  { key: 'fe', title: t('FE-Stichtag'), cell: ({ dtFE }) => <DateText value={dtFE} /> },
  { key: 'module', title: t('Module'), cell: ({ switches }) => <Switches switches={switches} /> },
  {
    key: 'enabled',
    title: t('Zugang'),
    cell: ({ fb_enabled }) => (
      <Badge tone={fb_enabled ? 'success' : 'warning'}>{accessName(fb_enabled)}</Badge>
    ),
  },
]

function Switches({ switches }: Pick<HqWithSwitches, 'switches'>) {
  const on = [
    switches?.fe_enabled && t('FE'),
    switches?.basis_fe_enabled && t('Basis-FE'),
    switches?.kawm_enabled && t('KAWM'),
  ].filter((name) => typeof name === 'string')
  if (on.length === 0) return <span className="soft">{t('keine')}</span>
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

/** `base`: prefix of the customer's address, which each headquarters' address extends. */
export function KundeForstbetriebe({ id, base }: { id: string; base: '/kunden' | '/kunde' }) {
  const mayAdd = useHasRole('ogf_admin')
  const [adding, setAdding] = useState(false)
  const hrefOf = ({ idHQ }: { idHQ: number }) => `${base}/${id}/forstbetrieb/${idHQ}`
  const hqs = useInfiniteQuery(kundeHqs(id))
  if (hqs.isError && hqs.data === undefined)
    return (
      <Card>
        <ErrorState error={hqs.error} onRetry={() => void hqs.refetch()} />
      </Card>
    )
  const rows = hqs.data?.pages.flatMap((page) => page.rows) ?? []
  const add = mayAdd && (
    <Button variant={rows.length === 0 ? 'primary' : 'secondary'} icon="plus" onClick={() => setAdding(true)}>
      {t('Forstbetrieb anlegen')}
    </Button>
  )
  return (
    <div className="stack">
      {rows.length > 0 && add && <div className="actions">{add}</div>}
      <Card flush>
        <DataTable
          caption={t('Forstbetriebe')}
          columns={columns()}
          rows={rows}
          rowKey={({ idHQ }) => idHQ}
          rowHref={hrefOf}
          loading={hqs.isPending}
          skeletonRows={3}
          empty={
            <EmptyState icon="tree" title={t('Keine Forstbetriebe')} action={add}>
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
      {adding && <CreateHq client_id={Number(id)} hrefOf={hrefOf} onClose={() => setAdding(false)} />}
    </div>
  )
}
