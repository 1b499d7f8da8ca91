// The page of all invoices or all offers: above the list the sums of all that fits its filters.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { add, dezimal, type Dezimal, formatEuro, NULL } from '#domain/geld.ts'
import { selectPage } from '../../data/rows.ts'
import type { List, ListState } from '../../list/list.ts'
import { countText, ListCard, useList } from '../../list/ListPage.tsx'
import { filtersOf, type TableList } from '../../list/table-source.ts'
import { Page } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import type { BelegZeile } from './belege-list.tsx'
import './buchhaltung.css'
import { NeuerBeleg } from './NeuerBeleg.tsx'
import type { Sorte } from './sorten.ts'

type Betraege<K extends string> = Readonly<Record<K | 'stand', unknown>>
type Betrag<K extends string> = Readonly<Record<K, Dezimal>>
const MOST = 10_000

/** Of everything that fits, not of the page alone; null while unknown and where there is too much to add up. */
function useSummen<Row, K extends keyof Row & string>(
  list: List<Row>,
  state: ListState,
  columns: readonly K[],
): { readonly ausgestellt: Betrag<K>; readonly entwuerfe: Betrag<K>; readonly darunter: Betrag<K> } | null {
  const table = list as TableList<Row>
  const filters = filtersOf(table, state)
  const { data } = useQuery({
    queryKey: [...(list.queryKey ?? [list.name]), 'summen', filters.map(({ key, inner }) => `${key} ${inner}`)],
    queryFn: async ({ signal }) => {
      const select = ['stand', ...columns]
      const { rows } = await selectPage<Betraege<K>>(table.source.table, { select, filters, limit: MOST, count: 'none', signal })
      if (rows.length === MOST) return null
      const total = (counts: (row: Betraege<K>, column: K) => boolean) =>
        Object.fromEntries(
          columns.map((column) => [
            column,
            rows.filter((row) => counts(row, column)).reduce((sum, row) => add(sum, dezimal(Number(row[column]).toFixed(2))), NULL),
          ]),
        ) as Record<K, Dezimal>
      return {
        ausgestellt: total(({ stand }) => stand !== 'entwurf'),
        entwuerfe: total(({ stand }) => stand === 'entwurf'),
        darunter: total((row, column) => row.stand !== 'entwurf' && Number(row[column]) < 0),
      }
    },
    placeholderData: keepPreviousData,
  })
  return data ?? null
}

export function BelegePage<Stand extends string, Row extends BelegZeile<Stand>, K extends keyof Row & string>({
  sorte,
  listOf,
  columns,
  betraege,
  figures,
}: {
  sorte: Sorte
  listOf: (mitArchiv: boolean) => List<Row>
  columns: readonly (K | 'netto' | 'brutto')[]
  /** Which of them hold the amounts that count; netto and brutto when left out. */
  betraege?: { readonly netto: K; readonly brutto: K }
  /** Between the sums of what was issued and those of drafts. `darunter`: of amounts below zero alone. */
  figures?: (ausgestellt: Betrag<K> | undefined, darunter: Betrag<K> | undefined) => ReactNode
}) {
  const { search } = useView()
  const list = listOf((search['archiv'] ?? '') !== '')
  const model = useList(list)
  const sums = useSummen(list, model.shown, columns)
  const { netto, brutto } = betraege ?? ({ netto: 'netto', brutto: 'brutto' } as const)
  const begin = <NeuerBeleg sorte={sorte} />
  return (
    <Page subtitle={countText(model)} actions={begin}>
      <dl className="buch-figures" aria-label={sorte.words().sums}>
        <Summe name={t('Netto, ausgestellt')} value={sums?.ausgestellt[netto]} />
        <Summe name={t('Brutto, ausgestellt')} value={sums?.ausgestellt[brutto]} />
        {figures?.(sums?.ausgestellt, sums?.darunter)}
        <Summe name={t('Brutto in Entwürfen')} value={sums?.entwuerfe[brutto]} />
      </dl>
      <ListCard model={model} firstSteps={begin} />
    </Page>
  )
}

export function Summe({ name, value }: { name: string; value: Dezimal | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={value && value.wert < 0n ? 'buch-minus' : undefined}>{value ? formatEuro(value) : '\u00A0'}</dd>
    </div>
  )
}
