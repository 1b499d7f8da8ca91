// /kunden/index: all customers, for staff. Searching, filtering, sorting and paging happen on the server.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { ApiError } from '../../data/api-error.ts'
import { useHasRole } from '../../data/session.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ColumnChooser, shownColumns } from '../../ui/DataTable.tsx'
import { Card } from '../../ui/Display.tsx'
import { SearchField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Page, Toolbar } from '../../ui/Page.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { useStoredColumns } from '../../ui/stored-columns.ts'
import { t } from '../../ui/text.ts'
import { KundenFilter } from './KundenFilter.tsx'
import { KundenTable } from './KundenTable.tsx'
import './kunde.css'
import { kundenCount, kundenRows } from './kunde.data.ts'
import type { KundeRow } from './kunden-address.ts'
import { kundenColumns } from './kunden-columns.tsx'
import { countFilters, FIRST_VIEW, type KundenList, PAGE_SIZES, withoutFilters } from './kunden-list.ts'
import { useKundenList, useSearchText } from './use-kunden-list.ts'

// Not part of the list until somebody asks for it.
const KundenExport = lazy(async () => ({ default: (await import('./KundenExport.tsx')).KundenExport }))
const KundeAnlegen = lazy(async () => ({ default: (await import('./KundeAnlegen.tsx')).KundeAnlegen }))

const NO_ROWS: readonly KundeRow[] = []

export function KundenPage() {
  const { list, show, change } = useKundenList()
  const [text, setText] = useSearchText(list, change)
  const all = useMemo(() => kundenColumns(), [])
  const [visible, choose] = useStoredColumns(
    'kunden',
    all.map(({ key }) => key),
  )
  const [open, setOpen] = useState<'xlsx' | 'csv' | 'new' | null>(null)
  const filters = countFilters(list)
  const [filterOpen, setFilterOpen] = useState(filters > 0)
  const mayAdd = useHasRole('ogf_admin', 'apus_admin')
  // The controls answer at once; the rows follow in a render that a further click may interrupt.
  const shownList = useDeferredValue(list)
  const shownVisible = useDeferredValue(visible)
  const { rows, total } = useRows(shownList)
  const columns = shownColumns(all, visible) as typeof all
  const shown = rows.data?.rows ?? NO_ROWS
  const add = useCallback(() => setOpen('new'), [setOpen])

  return (
    <Page
      subtitle={total === null ? ' ' : countText(total, list)}
      actions={
        <>
          {mayAdd && (
            <ButtonLink href="/kunden/import" icon="upload">
              {t('Importieren')}
            </ButtonLink>
          )}
          {mayAdd && (
            <Button variant="primary" icon="plus" onClick={() => setOpen('new')}>
              {t('Kunde anlegen')}
            </Button>
          )}
        </>
      }
    >
      <Card flush>
        <div className="kunde-toolbar">
          <Toolbar label={t('Suche und Ansicht')}>
            <SearchField
              label={t('Kunden suchen')}
              placeholder={t('Name, Ort, PLZ, Straße, Ansprechpartner')}
              value={text}
              onValue={setText}
              maxLength={100}
            />
            <Button icon="filter" aria-expanded={filterOpen} aria-controls="kunden-filter" onClick={() => setFilterOpen(!filterOpen)}>
              {filters === 0 ? t('Filter') : t('Filter ({n})', { n: filters })}
            </Button>
            <span className="toolbar-push" />
            <ColumnChooser columns={all} visible={visible} onChange={choose} />
            <Menu
              label={t('Export')}
              align="end"
              trigger={
                <>
                  <Icon name="download" />
                  {t('Export')}
                </>
              }
              items={[
                { key: 'xlsx', label: t('Excel (XLSX)'), onSelect: () => setOpen('xlsx') },
                { key: 'csv', label: t('CSV für Excel'), onSelect: () => setOpen('csv') },
              ]}
            />
          </Toolbar>
          <div id="kunden-filter" hidden={!filterOpen}>
            {filterOpen && <KundenFilter list={list} onChange={change} onReset={() => show(withoutFilters(list))} />}
          </div>
        </div>
        {rows.isError && rows.data === undefined ? (
          <ErrorState
            error={rows.error}
            onRetry={() => void rows.refetch()}
            action={
              rows.error instanceof ApiError &&
              rows.error.code === 'bad_filter' && <Button onClick={() => show(FIRST_VIEW)}>{t('Alle Filter zurücksetzen')}</Button>
            }
          />
        ) : (
          <KundenTable
            columns={all}
            visible={shownVisible}
            rows={shown}
            list={shownList}
            total={shown.length === 0 ? total : null}
            loading={rows.isPending}
            stale={rows.isPlaceholderData}
            show={show}
            onAdd={mayAdd ? add : undefined}
          />
        )}
        {total !== 0 && (
          <Pagination
            page={list.seite}
            pageSize={list.zeilen}
            total={total}
            shown={shown.length}
            onPage={(seite) => change({ seite })}
            onPageSize={(size) => change({ zeilen: PAGE_SIZES.find((known) => known === size) ?? 25 })}
          />
        )}
      </Card>
      <Suspense>
        {(open === 'xlsx' || open === 'csv') && (
          <KundenExport format={open} list={list} columns={columns} total={total} onClose={() => setOpen(null)} />
        )}
        {open === 'new' && <KundeAnlegen onClose={() => setOpen(null)} />}
      </Suspense>
    </Page>
  )
}

/** Rows, their number, and the next page fetched ahead once this one is there. */
function useRows(list: KundenList) {
  const client = useQueryClient()
  const rows = useQuery(kundenRows(list))
  const here = rows.isPlaceholderData ? undefined : rows.data
  // The last page tells the number by itself.
  const known =
    here && !here.hasNext && (here.rows.length > 0 || list.seite === 1) ? (list.seite - 1) * list.zeilen + here.rows.length : null
  const count = useQuery({ ...kundenCount(list), enabled: here !== undefined && known === null, placeholderData: keepPreviousData })
  const hasNext = here?.hasNext ?? false
  useEffect(() => {
    if (hasNext) void client.prefetchQuery(kundenRows({ ...list, seite: list.seite + 1 }))
  }, [client, list, hasNext])
  return { rows, total: known ?? count.data ?? null }
}

function countText(total: number, list: KundenList): string {
  const narrowed = list.suche !== '' || countFilters(list) > 0
  if (total === 1) return narrowed ? t('1 Treffer') : t('1 Kunde')
  return narrowed ? t('{n} Treffer', { n: formatNumber(total) }) : t('{n} Kunden', { n: formatNumber(total) })
}
