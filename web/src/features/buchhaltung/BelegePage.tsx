// The page of all invoices or all offers: above the list, the sums over all rows that match its filters.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { add, decimal, type Decimal, formatEuro, NULL } from '#domain/geld.ts'
import { selectPage } from '../../data/rows.ts'
import { useHasRole } from '../../data/session.ts'
import type { List, ListState } from '../../list/list.ts'
import { countText, ListCard, useList } from '../../list/ListPage.tsx'
import { filtersOf, type TableList } from '../../list/table-source.ts'
import { Page } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { KUNDE_FILTER } from './beleg.data.ts'
import type { BelegRow } from './belege-list.tsx'
import '../../ui/key-figures.css'
import './buchhaltung.css'
import { NewBelegButton } from './NewBelegButton.tsx'
import type { DocKind } from './beleg-kinds.ts'

type Amounts<K extends string> = Readonly<Record<K | 'stand', unknown>>
type Sums<K extends string> = Readonly<Record<K, Decimal>>
const MOST = 10_000

/**
 * Sums over all rows that match, not just the page; null while loading and if there are too many rows to add
 * up.
 */
function useSums<Row, K extends keyof Row & string>(
  list: List<Row>,
  state: ListState,
  columns: readonly K[],
): { readonly issued: Sums<K>; readonly entwuerfe: Sums<K>; readonly belowZero: Sums<K> } | null {
  const table = list as TableList<Row>
  const filters = filtersOf(table, state)
  const { data } = useQuery({
    queryKey: [
      ...(list.queryKey ?? [list.name]),
      'summen',
      filters.map(({ key, inner }) => `${key} ${inner}`),
    ],
    queryFn: async ({ signal }) => {
      const select = ['stand', ...columns]
      const { rows } = await selectPage<Amounts<K>>(table.source.table, {
        select,
        filters,
        limit: MOST,
        count: 'none',
        signal,
      })
      if (rows.length === MOST) return null
      const total = (counts: (row: Amounts<K>, column: K) => boolean) =>
        Object.fromEntries(
          columns.map((column) => [
            column,
            rows
              .filter((row) => counts(row, column))
              .reduce((sum, row) => add(sum, decimal(Number(row[column]).toFixed(2))), NULL),
          ]),
        ) as Record<K, Decimal>
      return {
        issued: total(({ stand }) => stand !== 'entwurf'),
        entwuerfe: total(({ stand }) => stand === 'entwurf'),
        belowZero: total((row, column) => row.stand !== 'entwurf' && Number(row[column]) < 0),
      }
    },
    placeholderData: keepPreviousData,
  })
  return data ?? null
}

const withoutFilter = <Row,>(list: List<Row>, key: string): List<Row> => ({
  ...list,
  filters: list.filters?.filter((filter) => filter.key !== key) ?? [],
})

export function BelegePage<State extends string, Row extends BelegRow<State>, K extends keyof Row & string>({
  docKind,
  listOf,
  columns,
  actions,
  amounts,
  figures,
}: {
  docKind: DocKind
  listOf: (withArchive: boolean) => List<Row>
  columns: readonly (K | 'netto' | 'brutto')[]
  /** Before the button for a new one, for those who write the books. */
  actions?: ReactNode
  /** The columns with the amounts that count; default netto and brutto. */
  amounts?: { readonly netto: K; readonly brutto: K }
  /**
   * Shown between the sums of issued documents and those of drafts. `belowZero`: sums of the negative amounts
   * only.
   */
  figures?: (issued: Sums<K> | undefined, belowZero: Sums<K> | undefined) => ReactNode
}) {
  // An auditor reads what is issued, and not the list of customers.
  const writes = useHasRole('apus_admin')
  const { search } = useView()
  const all = listOf((search['archiv'] ?? '') !== '')
  const list = useMemo(() => (writes ? all : withoutFilter(all, KUNDE_FILTER.key)), [all, writes])
  const model = useList(list)
  const sums = useSums(list, model.shown, columns)
  const { netto, brutto } = amounts ?? ({ netto: 'netto', brutto: 'brutto' } as const)
  const begin = writes && <NewBelegButton docKind={docKind} />
  return (
    <Page
      subtitle={countText(model)}
      actions={
        writes && (
          <>
            {actions}
            {begin}
          </>
        )
      }
    >
      <dl className="key-figures key-figures-line" aria-label={docKind.words().sums}>
        <Sum name={t('Netto, ausgestellt')} value={sums?.issued[netto]} />
        <Sum name={t('Brutto, ausgestellt')} value={sums?.issued[brutto]} />
        {figures?.(sums?.issued, sums?.belowZero)}
        {writes && <Sum name={t('Brutto in Entwürfen')} value={sums?.entwuerfe[brutto]} />}
      </dl>
      <ListCard model={model} firstSteps={begin} />
    </Page>
  )
}

export function Sum({ name, value }: { name: string; value: Decimal | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={value && value.wert < 0n ? 'key-value buch-minus' : 'key-value'}>
        {value ? formatEuro(value) : '\u00A0'}
      </dd>
    </div>
  )
}
