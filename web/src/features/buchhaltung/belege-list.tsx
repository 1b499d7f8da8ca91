// The lists of invoices and offers; archived ones are hidden unless requested.
import type { ReactNode } from 'react'
import { formatEuro } from '#domain/geld.ts'
import { eq } from '../../data/addresses.ts'
import type { OneFilter } from '../../list/filter-kinds.ts'
import type { List, ListColumn, TableSource } from '../../list/list.ts'
import { Badge, DateText, type Tone } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { KUNDE_FILTER } from './beleg.data.ts'
import type { DocKind } from './beleg-kinds.ts'
import { DISPATCH_FILTER, dispatchColumn } from './dispatch/dispatch-list.tsx'
import type { DispatchStatus } from './dispatch/dispatch-words.ts'

/** A double holds a numeric column with two decimals exactly up to 90,000,000,000,000.00. */
export const centsText = (amount: number): string => formatEuro(amount.toFixed(2))

const ARCHIVE_FILTER: OneFilter<{ archiviert: boolean }> = {
  kind: 'one',
  key: 'archiv',
  label: () => t('Archiv'),
  options: () => [
    { value: 'mit', label: t('auch archivierte') },
    { value: 'nur', label: t('nur archivierte') },
  ],
  filters: ([value]) => (value === 'nur' ? [eq('archiviert', true)] : []),
}
const withoutArchive = <Row,>(list: List<Row>): List<Row> => ({
  ...list,
  source: { ...(list.source as TableSource<Row>), scope: [eq('archiviert', false)] },
})

/** Columns of both lists. Amounts arrive as numbers here and are only displayed. */
export interface BelegRow<State extends string = string> {
  readonly id: number
  readonly client_id: number
  readonly kunde: string
  readonly nummer: string | null
  readonly stand: State
  readonly bearbeiter: string
  readonly netto: number
  readonly brutto: number
  readonly archiviert: boolean
  readonly versand: DispatchStatus | null
}

type Keys<Row, Value> = { [Key in keyof Row & string]: Row[Key] extends Value ? Key : never }[keyof Row &
  string]
export const dayColumn = <Row,>(
  key: string,
  title: string,
  field: Keys<Row, string | null>,
): ListColumn<Row> => {
  const of = (row: Row) => row[field] as string | null
  return {
    key,
    title,
    sortable: true,
    cell: (row) => <DateText value={of(row)} />,
    exported: (row) => {
      const day = of(row)
      return day === null ? null : { day }
    },
  }
}
export const euroColumn = <Row,>(
  field: Keys<Row, number>,
  title: string,
  { key = field, beside }: { key?: string; beside?: ((row: Row) => ReactNode) | undefined } = {},
): ListColumn<Row> => ({
  key,
  title,
  sortable: true,
  align: 'end',
  cell: (row) => (
    <>
      <span className="nums">{centsText(row[field] as number)}</span>
      {beside?.(row)}
    </>
  ),
  exported: (row) => row[field] as number,
  sum: { column: field, of: (row) => row[field] as number, digits: 2, show: formatEuro },
})

/** What differs between the list of invoices and that of offers. */
export interface BelegListSpec<State extends string, Row extends BelegRow<State>> {
  readonly docKind: DocKind
  readonly name: string
  readonly table: string
  readonly words: List<Row>['words']
  readonly rowName: (row: Row) => string
  readonly states: readonly State[]
  readonly stateText: (stand: State) => string
  readonly tones: Readonly<Record<State, Tone>>
  /** The state of completed documents. */
  readonly over: State
  readonly datum: Keys<Row, string>
  /** How the number sorts; not sortable if left out. */
  readonly nummer?: NonNullable<List<Row>['sorts']>[string]
  /** Rendered beside the number. */
  readonly besideNumber?: (row: Row) => ReactNode
  /** The columns with the amounts that count; default netto and brutto. */
  readonly amounts?: { readonly netto: Keys<Row, number>; readonly brutto: Keys<Row, number> }
  /** Rendered below the gross amount. */
  readonly besideBrutto?: (row: Row) => ReactNode
  /** Extra columns: after the date, and at the end. */
  readonly more: () => readonly ListColumn<Row>[]
  readonly end?: () => readonly ListColumn<Row>[]
  readonly select: readonly (keyof Row & string)[]
  readonly lesser: readonly string[]
  readonly sorts: List<Row>['sorts']
  readonly filters?: List<Row>['filters']
}

interface AmountColumns<Row> {
  readonly netto: Keys<Row, number>
  readonly brutto: Keys<Row, number>
}

const columnsOf = <State extends string, Row extends BelegRow<State>>(
  list: BelegListSpec<State, Row>,
  { netto, brutto }: AmountColumns<Row>,
): ListColumn<Row>[] => [
  numberColumn(list),
  {
    key: 'kunde',
    title: t('Kunde'),
    sortable: true,
    cell: ({ kunde }) => kunde,
    exported: ({ kunde }) => kunde,
  },
  {
    key: 'stand',
    title: t('Status'),
    cell: ({ stand, archiviert }) => (
      <>
        <Badge tone={list.tones[stand]}>{list.stateText(stand)}</Badge>
        {archiviert && <Badge>{t('Archiv')}</Badge>}
      </>
    ),
    exported: ({ stand }) => list.stateText(stand),
  },
  dayColumn<Row>('datum', t('Datum'), list.datum as never),
  ...list.more(),
  {
    key: 'bearbeiter',
    title: t('Bearbeiter'),
    optional: true,
    cell: ({ bearbeiter }) => bearbeiter,
    exported: ({ bearbeiter }) => bearbeiter,
  },
  dispatchColumn<Row>(),
  euroColumn<Row>(netto, t('Netto'), { key: 'netto' }),
  euroColumn<Row>(brutto, t('Brutto'), { key: 'brutto', beside: list.besideBrutto }),
  ...(list.end?.() ?? []),
]

const numberColumn = <State extends string, Row extends BelegRow<State>>({
  nummer: sort,
  besideNumber,
}: BelegListSpec<State, Row>): ListColumn<Row> => ({
  key: 'nummer',
  title: t('Nummer'),
  ...(sort && { sortable: true }),
  fixed: true,
  cell: (row) => (
    <>
      {row.nummer === null ? (
        <span className="soft">{t('Entwurf')}</span>
      ) : (
        <span className="beleg-nummer">{row.nummer}</span>
      )}
      {besideNumber?.(row)}
    </>
  ),
  exported: ({ nummer }) => nummer ?? t('Entwurf'),
})

const filtersOf = <State extends string, Row extends BelegRow<State>>(
  { docKind, states, stateText, datum, filters }: BelegListSpec<State, Row>,
  { brutto }: AmountColumns<Row>,
): NonNullable<List<Row>['filters']> => [
  {
    kind: 'many',
    key: 'stand',
    label: () => t('Status'),
    options: () => states.map((value) => ({ value, label: stateText(value) })),
  },
  { kind: 'days', key: 'zeit', label: () => docKind.words().date, column: datum },
  ...(filters ?? []),
  { ...KUNDE_FILTER, column: 'client_id' },
  { kind: 'range', key: 'betrag', label: () => t('Brutto'), column: brutto, unit: '€' },
  DISPATCH_FILTER,
  ARCHIVE_FILTER,
]

/** The list, with or without archived rows. */
export function belegeLists<State extends string, Row extends BelegRow<State>>(
  list: BelegListSpec<State, Row>,
): (withArchive: boolean) => List<Row> {
  const { docKind, datum } = list
  const amounts = list.amounts ?? {
    netto: 'netto' as Keys<Row, number>,
    brutto: 'brutto' as Keys<Row, number>,
  }
  const all: List<Row> = {
    name: list.name,
    queryKey: [docKind.docKind, 'list'],
    words: list.words,
    icon: 'file',
    source: {
      kind: 'table',
      table: list.table,
      key: 'id',
      select: [
        'id',
        'client_id',
        'kunde',
        'sortname',
        'nummer',
        'stand',
        datum,
        'bearbeiter',
        'netto',
        'brutto',
        'archiviert',
        'versand',
        ...list.select,
      ],
    },
    rowKey: ({ id }) => id,
    rowHref: ({ id, stand }) => (stand === 'entwurf' ? docKind.draft(id) : docKind.record(id)),
    rowName: list.rowName,
    rowTone: ({ stand, archiviert }) => (archiviert || stand === list.over ? 'soft' : undefined),
    columns: () => columnsOf(list, amounts),
    lesser: list.lesser,
    sorts: {
      ...(list.nummer && { nummer: list.nummer }),
      kunde: { column: 'sortname' },
      datum: { column: datum, downFirst: true },
      netto: { column: amounts.netto, downFirst: true },
      brutto: { column: amounts.brutto, downFirst: true },
      ...list.sorts,
    },
    sort: '-datum',
    groups: [
      { key: 'stand', label: () => t('Status'), text: (value) => list.stateText(value as State) },
      { key: 'kunde', label: () => t('Kunde'), column: 'client_id', named: 'kunde' },
    ],
    filters: filtersOf(list, amounts),
  }
  const current = withoutArchive(all)
  return (withArchive) => (withArchive ? all : current)
}
