// The list kit: a list is declared (this file's types), its state stands in the address bar alone, and ListPage draws it.
//
//   const KUNDEN: List<KundeRow> = { name: 'kunden', words, source: { kind: 'table', … }, columns, sorts, sort: 'name', filters: […] }
//   export const KundenPage = () => <ListPage list={KUNDEN} actions={…} />
//
// filter-kinds.ts knows the kinds of filters, table-source.ts what the data API is asked, array-source.ts the same for rows that are in the browser already.
// How to use it: docs/architecture.md, "Lists".
import type { Filter } from '../data/addresses.ts'
import type { Column } from '../ui/DataTable.tsx'
import type { ExportCell } from '../ui/export/cells.ts'
import { cleanFilter, type ListFilter } from './filter-kinds.ts'

export const PAGE_SIZES = [25, 50, 100] as const
export type PageSize = (typeof PAGE_SIZES)[number]

/** A column on screen and in a file. Sortable columns bear the key of their sort. */
export interface ListColumn<Row> extends Column<Row> {
  /** Left out: not part of an export. */
  readonly exported?: (row: Row) => ExportCell
  /** Further columns of a file, for what stands on screen within this one. */
  readonly alsoExported?: readonly { readonly title: string; readonly exported: (row: Row) => ExportCell }[]
}

export interface Sorting<Row> {
  /** Column of the data API, or of a row in the browser; the sort's own key when left out. Texts should name their folded copy (sortname). */
  readonly column?: string
  /** Value of a row, for rows in the browser; the column's value when left out. Texts are folded by the kit. */
  readonly of?: (row: Row) => unknown
  /** Rows without a value exist: they come last upwards and first downwards, as PostgreSQL puts them. */
  readonly nullable?: boolean
  /** The first click sorts downwards: dates, amounts. */
  readonly downFirst?: boolean
  /** Among equals the key runs the other way, because the index does. */
  readonly keyAgainst?: boolean
}

/** Rows of the data API: searched, filtered, sorted and cut into pages by the server. */
export interface TableSource<Row> {
  readonly kind: 'table'
  readonly table: string
  /** Unique and never null; decides among equals and leads through an export. */
  readonly key: string
  readonly select: readonly string[]
  /** Lower-case search text with its umlauts written out (rechte.search_text); `suchtext` when left out, false without a search. */
  readonly search?: string | false
  /** Always true of this list: the customer whose holdings it shows. */
  readonly scope?: readonly Filter[]
  /** Brings what the rows of a page (or of a stretch of an export) need from elsewhere. */
  readonly complete?: (rows: readonly Row[], signal: AbortSignal) => Promise<readonly Row[]>
}

/** All rows of a procedure's answer: searched, filtered and sorted in the browser. Good for 10,000. */
export interface ArraySource<Row> {
  readonly kind: 'array'
  /** Names the answer among the kept ones, where it depends on something: ['hq', id]. */
  readonly scope?: readonly (string | number)[]
  readonly load: (signal: AbortSignal) => Promise<readonly Row[]>
  /** What the search looks at; false without a search. */
  readonly text: ((row: Row) => string) | false
  /** Rows under headings: the heading of a row. Groups are in the order of their names. */
  readonly group?: (row: Row) => string
}

export interface ListWords {
  /** Kunden: caption, name of file and sheet. */
  readonly title: string
  /** 1 Kunde */
  readonly one: string
  /** 500 Kunden; gets the number as text. */
  readonly many: (n: string) => string
  /** Kunden suchen */
  readonly search?: string
  readonly searchHint?: string
  /** Keine Kunden gefunden */
  readonly none: string
  /** Noch keine Kunden */
  readonly empty: string
  /** What to do about it. */
  readonly emptyHint?: string
}

export interface List<Row> {
  /** Of stored columns and saved views; one word, unique among lists. */
  readonly name: string
  readonly words: () => ListWords
  readonly source: TableSource<Row> | ArraySource<Row>
  readonly rowKey: (row: Row) => string | number
  readonly columns: () => readonly ListColumn<Row>[]
  readonly sorts: Readonly<Record<string, Sorting<Row>>>
  /** Of the plain list: 'name', '-datum'. */
  readonly sort: string
  readonly filters?: readonly ListFilter<Row>[]
  /** Keys of columns that go where there is no room for all of them, in this order. */
  readonly lesser?: readonly string[]
  /** Where a row leads. */
  readonly rowHref?: (row: Row) => string
  /** How a row is called, for ticking it; text of the first export column when left out. */
  readonly rowName?: (row: Row) => string
  readonly rowTone?: (row: Row) => 'faulty' | 'soft' | undefined
  /** First part of the keys of its kept answers, for invalidating them; [name, 'list'] when left out. */
  readonly queryKey?: readonly string[]
  /** Icon of the empty list. */
  readonly icon?: 'inbox' | 'people' | 'person' | 'building' | 'card' | 'file' | 'tree' | 'mail'
  readonly pageSize?: PageSize
}

/** What the address bar says. */
export interface ListState {
  readonly suche: string
  /** Values of filters by key, as they stand in the address; never empty ones. */
  readonly filter: Readonly<Record<string, string>>
  readonly sort: string
  readonly isDescending: boolean
  /** From 1. */
  readonly seite: number
  readonly zeilen: PageSize
}

export const queryKeyOf = (list: Pick<List<never>, 'name' | 'queryKey'>): readonly string[] =>
  list.queryKey ?? [list.name, 'list']

/** What the search box sends on: one blank between words, nothing that a database or an address line would choke on. */
export const cleanSearch = (text: string): string =>
  Array.from(
    text
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
      .trim(),
  )
    .slice(0, 100)
    .join('')
    .trim()

/** Words of a search; more than ten ask for nothing more. */
export const wordsOf = (suche: string): string[] =>
  suche
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, 10)

type AnyList = Pick<List<never>, 'sorts' | 'sort' | 'filters' | 'pageSize'>

export function plainState({ sort, pageSize = 25 }: AnyList): ListState {
  return {
    suche: '',
    filter: {},
    sort: sort.replace('-', ''),
    isDescending: sort.startsWith('-'),
    seite: 1,
    zeilen: pageSize,
  }
}

/** A router may have read digits as a number and "true" as a truth value. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : ''

/** Reads the query of an address; whatever is missing, broken or unknown becomes the plain list. */
export function parseState(list: AnyList, search: unknown): ListState {
  const given = (typeof search === 'object' && search !== null ? search : {}) as Record<string, unknown>
  const own = (key: string) => (Object.hasOwn(given, key) ? textOf(given[key]) : '')
  const plain = plainState(list)
  const filter: Record<string, string> = {}
  for (const kind of list.filters ?? []) {
    const value = cleanFilter(kind, own(kind.key))
    if (value !== '') filter[kind.key] = value
  }
  const sort = own('sort')
  const column = sort.replace(/^-/, '')
  const sorted = Object.hasOwn(list.sorts, column) ? { sort: column, isDescending: sort.startsWith('-') } : {}
  const seite = own('seite')
  const zeilen = own('zeilen')
  return {
    ...plain,
    suche: cleanSearch(own('suche')),
    filter,
    ...sorted,
    seite: /^[1-9]\d{0,5}$/.test(seite) ? Number(seite) : 1,
    zeilen: PAGE_SIZES.find((size) => String(size) === zeilen) ?? plain.zeilen,
  }
}

/** Says "the plain list" where a bare address would open the standard view: ?liste=alle. */
export const PLAIN_KEY = 'liste'
export const PLAIN_WORD = 'alle'

/** Parts of an address that belong to the list. */
export const urlKeys = (list: AnyList): string[] => [
  PLAIN_KEY,
  'suche',
  ...(list.filters ?? []).map(({ key }) => key),
  'sort',
  'zeilen',
  'seite',
]

/** The query of an address: only what differs from the plain list, so that the plain list has a plain address. */
export function printState(list: AnyList, state: ListState): Record<string, string> {
  const plain = plainState(list)
  const sign = (descending: boolean) => (descending ? '-' : '')
  const isPlainSort = state.sort === plain.sort && state.isDescending === plain.isDescending
  return {
    ...(state.suche !== '' && { suche: state.suche }),
    ...state.filter,
    ...(!isPlainSort && { sort: sign(state.isDescending) + state.sort }),
    ...(state.zeilen !== plain.zeilen && { zeilen: String(state.zeilen) }),
    ...(state.seite !== 1 && { seite: String(state.seite) }),
  }
}

/** Anything but turning the page leads back to the first one. */
export const changeState = (state: ListState, change: Partial<ListState>): ListState => ({
  ...state,
  seite: 1,
  ...change,
})

/** With one filter set anew; '' takes it away. @param frees filters that hang on it and go with what it was */
export function withFilter(
  state: ListState,
  key: string,
  value: string,
  frees: readonly string[] = [],
): ListState {
  const { [key]: old = '', ...rest } = state.filter
  const others =
    old === value
      ? rest
      : Object.fromEntries(Object.entries(rest).filter(([other]) => !frees.includes(other)))
  return changeState(state, { filter: value === '' ? others : { ...others, [key]: value } })
}

/** First click sorts upwards (dates: newest first), the second turns it round. */
export function sortBy(list: AnyList, state: ListState, sort: string): ListState {
  const isDescending = state.sort === sort ? !state.isDescending : (list.sorts[sort]?.downFirst ?? false)
  return changeState(state, { sort, isDescending })
}

/** How many filters besides the search narrow the list. */
export const countFilters = (state: ListState): number => Object.keys(state.filter).length
export const isNarrowed = (state: ListState): boolean => state.suche !== '' || countFilters(state) > 0
export const withoutFilters = (state: ListState): ListState => changeState(state, { suche: '', filter: {} })
