// The rows of the list. Drawn again only when something in them changed.
import { memo } from 'react'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import type { KundeRow } from './kunden-address.ts'
import type { KundenColumn } from './kunden-columns.tsx'
import { countFilters, type KundenList, type SortKey, sortBy, withoutFilters } from './kunden-list.ts'

export interface KundenTableProps {
  columns: readonly KundenColumn[]
  visible: readonly string[] | undefined
  rows: readonly KundeRow[]
  list: KundenList
  /** Null while unknown. */
  total: number | null
  loading: boolean
  stale: boolean
  show: (list: KundenList) => void
  /** Left out for those who may not. */
  onAdd: (() => void) | undefined
}

export const KundenTable = memo(function KundenTable({
  columns,
  visible,
  rows,
  list,
  total,
  loading,
  stale,
  show,
  onAdd,
}: KundenTableProps) {
  return (
    <DataTable
      caption={t('Kunden')}
      columns={columns}
      visible={visible}
      rows={rows}
      rowKey={({ client_id }) => client_id}
      rowHref={({ client_id }) => `/kunden/${client_id}`}
      sort={{ column: list.sort, descending: list.absteigend }}
      onSort={({ column }) => show(sortBy(list, column as SortKey))}
      loading={loading}
      stale={stale}
      skeletonRows={Math.min(list.zeilen, 15)}
      empty={<NoKunden list={list} total={total} show={show} onAdd={onAdd} />}
    />
  )
})

function NoKunden({ list, total, show, onAdd }: Pick<KundenTableProps, 'list' | 'total' | 'show' | 'onAdd'>) {
  if (list.seite > 1)
    return (
      <EmptyState
        icon="search"
        title={t('Diese Seite gibt es nicht')}
        action={
          <Button onClick={() => show({ ...list, seite: Math.max(1, Math.ceil((total ?? 0) / list.zeilen)) })}>
            {t('Zur letzten Seite')}
          </Button>
        }
      >
        {t('Die Liste ist inzwischen kürzer.')}
      </EmptyState>
    )
  if (list.suche !== '' || countFilters(list) > 0)
    return (
      <EmptyState
        icon="search"
        title={t('Keine Kunden gefunden')}
        action={<Button onClick={() => show(withoutFilters(list))}>{t('Suche und Filter zurücksetzen')}</Button>}
      >
        {t('Zu dieser Suche und diesen Filtern gibt es keine Kunden. Prüfen Sie die Schreibweise oder suchen Sie mit weniger Wörtern.')}
      </EmptyState>
    )
  return (
    <EmptyState
      icon="people"
      title={t('Noch keine Kunden')}
      action={
        onAdd && (
          <>
            <Button variant="primary" icon="plus" onClick={onAdd}>
              {t('Kunde anlegen')}
            </Button>
            <ButtonLink href="/kunden/import" icon="upload">
              {t('Kunden importieren')}
            </ButtonLink>
          </>
        )
      }
    >
      {t('Legen Sie den ersten Kunden an oder übernehmen Sie Ihren Bestand aus einer Tabelle.')}
    </EmptyState>
  )
}
