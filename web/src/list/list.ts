// The list kit: a list is declared with the types in this file, keeps its state in the address bar only, and
// is rendered by ListPage.
//
//   const KUNDEN: List<KundeRow> = { name: 'kunden', words, source: { kind: 'table', … }, columns, … }
//   export const KundenPage = () => <ListPage list={KUNDEN} actions={…} />
//
// filter-kinds.ts has the kinds of filters, table-source.ts the queries to the data API, array-source.ts the
// same for rows that are in the browser. How to use it: docs/architecture.md, "Lists".
import type { Filter } from '../data/addresses.ts'
import type { Column } from '../ui/DataTable.tsx'
import type { ExportCell } from '../ui/export/cells.ts'
import type { ListCells } from './cell-edit.ts'
import { cleanFilter, type ListFilter } from './filter-kinds.ts'

export const PAGE_SIZES = [25, 50, 100] as const
export type PageSize = (typeof PAGE_SIZES)[number]

/** A column on screen and in exports. The key of a sortable column is also the key of its sort. */
export interface ListColumn<Row> extends Column<Row> {
  /** Cell in an export; without it the column is not exported. */
  readonly exported?: (row: Row) => ExportCell
  /** Additional export columns, for values that share this column on screen. */
  readonly alsoExported?: readonly { readonly title: string; readonly exported: (row: Row) => ExportCell }[]
  /** Added up below the list. Not for prices of a piece, shares or numbers that name something. */
  readonly sum?: ColumnSum<Row>
}
export interface ColumnSum<Row> {
  /** Column of the data API; a numeric one. */
  readonly column: string
  /** The same of a row in the browser. */
  readonly of: (row: Row) => string | number | null
  /** Decimals. */
  readonly digits: number
  readonly show: (decimal: string) => string
}

export interface Sorting<Row> {
  /**
   * Column of the data API, or of a row in the browser; defaults to the sort's key. For texts, name the
   * normalised copy (sortname).
   */
  readonly column?: string
  /** Value of a row in the browser; defaults to the column's value. Texts are normalised by the kit. */
  readonly of?: (row: Row) => unknown
  /**
   * Values may be missing: such rows come last in ascending and first in descending order, as in PostgreSQL.
   */
  readonly nullable?: boolean
  /** The first click sorts descending: dates, amounts. */
  readonly downFirst?: boolean
  /** The key that breaks ties sorts in the opposite direction, to match the index. */
  readonly keyAgainst?: boolean
}

/** Rows of the data API: the server searches, filters, sorts and pages them. */
export interface TableSource<Row> {
  readonly kind: 'table'
  readonly table: string
  /** Unique and never null; breaks ties and pages through an export. */
  readonly key: string
  readonly select: readonly string[]
  /**
   * Column with the lower-case search text, umlauts written out (search.search_text); default: `suchtext`,
   * false for no search.
   */
  readonly search?: string | false
  /** Conditions that always apply, such as the customer whose holdings are listed. */
  readonly scope?: readonly Filter[]
  /** Adds data from elsewhere to the rows of a page or export chunk. */
  readonly complete?: (rows: readonly Row[], signal: AbortSignal) => Promise<readonly Row[]>
}

/**
 * All rows of a procedure's answer: searched, filtered and sorted in the browser. Suitable for 10,000 rows.
 */
export interface ArraySource<Row> {
  readonly kind: 'array'
  /** Distinguishes cached answers that depend on something: ['hq', id]. */
  readonly scope?: readonly (string | number)[]
  readonly load: (signal: AbortSignal) => Promise<readonly Row[]>
  /** The text that is searched; false for no search. */
  readonly text: ((row: Row) => string) | false
  /** Heading of a row, for grouped lists. Groups are sorted by name. */
  readonly group?: (row: Row) => string
}

export interface ListWords {
  /** Kunden: caption, file name and sheet name. */
  readonly title: string
  /** 1 Kunde */
  readonly one: string
  /** 500 Kunden; takes the formatted number. */
  readonly many: (n: string) => string
  /** Kunden suchen */
  readonly search?: string
  readonly searchHint?: string
  /** Keine Kunden gefunden */
  readonly none: string
  /** Noch keine Kunden */
  readonly empty: string
  /** What to do about an empty list. */
  readonly emptyHint?: string
}

/** A simple field whose equal values make a group. */
export interface Grouping {
  /** In the address. */
  readonly key: string
  readonly label: () => string
  /** Column of the data API, or of a row in the browser; defaults to the key. */
  readonly column?: string
  /** Column with the name of the record whose number the value is. */
  readonly named?: string
  /** What a value is called; default: itself. */
  readonly text?: (value: string | number | boolean | null) => string
}

export interface List<Row> {
  /** Identifies stored columns and saved views; one word, unique among lists. */
  readonly name: string
  readonly words: () => ListWords
  readonly source: TableSource<Row> | ArraySource<Row>
  readonly rowKey: (row: Row) => string | number
  readonly columns: () => readonly ListColumn<Row>[]
  readonly sorts: Readonly<Record<string, Sorting<Row>>>
  /** Default order: 'name', '-datum'. */
  readonly sort: string
  readonly filters?: readonly ListFilter<Row>[]
  /** What its rows can be grouped by. */
  readonly groups?: readonly Grouping[]
  /** Key of the grouping that it opens with. */
  readonly grouped?: string
  /** Cells that may be changed in the list. */
  readonly cells?: ListCells
  /** Keys of the columns to hide, in this order, when there is not enough room. */
  readonly lesser?: readonly string[]
  /** Address that a row links to. */
  readonly rowHref?: (row: Row) => string
  /** Name of a row, for its checkbox; defaults to the text of the first exported column. */
  readonly rowName?: (row: Row) => string
  readonly rowTone?: (row: Row) => 'faulty' | 'soft' | undefined
  /** Prefix of the query keys, for invalidation; default: [name, 'list']. */
  readonly queryKey?: readonly string[]
  /** Icon of the empty state. */
  readonly icon?: 'inbox' | 'people' | 'person' | 'building' | 'card' | 'file' | 'tree' | 'mail'
  readonly pageSize?: PageSize
}

/** The state of a list, as in the address bar. */
export interface ListState {
  readonly suche: string
  /** Filter values by key, as in the address; never empty strings. */
  readonly filter: Readonly<Record<string, string>>
  readonly sort: string
  readonly isDescending: boolean
  /** Page number, from 1. */
  readonly seite: number
  readonly zeilen: PageSize
  /** What the rows are grouped by. */
  readonly gruppe?: string
}

export const queryKeyOf = (list: Pick<List<never>, 'name' | 'queryKey'>): readonly string[] =>
  list.queryKey ?? [list.name, 'list']

/**
 * Normalises a search: single blanks between words, and no characters that a database or URL cannot handle.
 */
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

/** Words of a search; those after the tenth are ignored. */
export const wordsOf = (suche: string): string[] =>
  suche
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, 10)

type AnyList = Pick<List<never>, 'sorts' | 'sort' | 'filters' | 'groups' | 'grouped' | 'pageSize'>

/** ?gruppe=keine: no groups where the list would open with some. */
const NO_GROUP = 'keine'

export function plainState({ sort, pageSize = 25, grouped }: AnyList): ListState {
  return {
    suche: '',
    filter: {},
    sort: sort.replace('-', ''),
    isDescending: sort.startsWith('-'),
    seite: 1,
    zeilen: pageSize,
    ...(grouped !== undefined && { gruppe: grouped }),
  }
}

/** A router may have parsed digits as a number and "true" as a boolean. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : ''

/** Reads the query of an address; anything missing, invalid or unknown falls back to the default. */
export function parseState(list: AnyList, search: unknown): ListState {
  const given = (typeof search === 'object' && search !== null ? search : {}) as Record<string, unknown>
  const own = (key: string) => (Object.hasOwn(given, key) ? textOf(given[key]) : '')
  const { gruppe: usual, ...plain } = plainState(list)
  const filter: Record<string, string> = {}
  for (const kind of list.filters ?? []) {
    const value = cleanFilter(kind, own(kind.key))
    if (value !== '') filter[kind.key] = value
  }
  const sort = own('sort')
  const column = sort.replace(/^-/, '')
  const sorted = Object.hasOwn(list.sorts, column) ? { sort: column, isDescending: sort.startsWith('-') } : {}
  const page = own('seite')
  const rows = own('zeilen')
  const asked = own('gruppe')
  const group = list.groups?.some(({ key }) => key === asked) ? asked : asked === NO_GROUP ? undefined : usual
  return {
    ...plain,
    suche: cleanSearch(own('suche')),
    filter,
    ...sorted,
    seite: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
    zeilen: PAGE_SIZES.find((size) => String(size) === rows) ?? plain.zeilen,
    ...(group !== undefined && { gruppe: group }),
  }
}

/** Query ?liste=alle: shows the list without filters where a bare address would open the standard view. */
export const PLAIN_KEY = 'liste'
export const PLAIN_WORD = 'alle'

/** Query keys that belong to the list. */
export const urlKeys = (list: AnyList): string[] => [
  PLAIN_KEY,
  'suche',
  ...(list.filters ?? []).map(({ key }) => key),
  'sort',
  'gruppe',
  'zeilen',
  'seite',
]

/** The query for a state. Only differences from the default, so that the default list has a bare address. */
export function printState(list: AnyList, state: ListState): Record<string, string> {
  const plain = plainState(list)
  const sign = (descending: boolean) => (descending ? '-' : '')
  const isPlainSort = state.sort === plain.sort && state.isDescending === plain.isDescending
  return {
    ...(state.suche !== '' && { suche: state.suche }),
    ...state.filter,
    ...(!isPlainSort && { sort: sign(state.isDescending) + state.sort }),
    ...(state.gruppe !== plain.gruppe && { gruppe: state.gruppe ?? NO_GROUP }),
    ...(state.zeilen !== plain.zeilen && { zeilen: String(state.zeilen) }),
    ...(state.seite !== 1 && { seite: String(state.seite) }),
  }
}

/** Any change other than paging returns to the first page. */
export const changeState = (state: ListState, change: Partial<ListState>): ListState => ({
  ...state,
  seite: 1,
  ...change,
})

/**
 * Sets one filter; '' removes it.
 * @param frees dependent filters that are removed when its value changes
 */
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

/** The first click sorts ascending (dates: newest first), the second reverses it. */
export function sortBy(list: AnyList, state: ListState, sort: string): ListState {
  const isDescending = state.sort === sort ? !state.isDescending : (list.sorts[sort]?.downFirst ?? false)
  return changeState(state, { sort, isDescending })
}

/** Number of active filters, not counting the search. */
export const countFilters = (state: ListState): number => Object.keys(state.filter).length
export const isNarrowed = (state: ListState): boolean => state.suche !== '' || countFilters(state) > 0
export const withoutFilters = (state: ListState): ListState => changeState(state, { suche: '', filter: {} })
