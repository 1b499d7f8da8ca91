// Lists of plans, declared for the list kit: all for staff, a customer's own ones, and those of one customer.
import type { KundeKarteRow } from '#contract/karte.ts'
import { EPSG_CODES, epsgName } from '#domain/epsg.ts'
import { isNull, notNull } from '../../data/addresses.ts'
import { rpc } from '../../data/rpc.ts'
import type { ArrayList } from '../../list/array-source.ts'
import type { ListFilter } from '../../list/filter-kinds.ts'
import { naturalText } from '../../list/fold.ts'
import type { ListWords } from '../../list/list.ts'
import type { TableList } from '../../list/table-source.ts'
import { t } from '../../ui/text.ts'
import { kundeColumns, ownColumns, type Plain, type Row, SELECT, staffColumns } from './karte-columns.tsx'
import { KARTE_LISTS, KUNDE_FILTER } from './karte.data.ts'
import {
  answerForCustomer,
  answerName,
  CLIENT_STATUS,
  fieldLabel,
  STATUS,
  statusForCustomer,
  statusName,
} from './karte-words.ts'

export const karteHref = (id: number): string => `/karten/${id}`

const statusFilter = (name: typeof statusName, label = (): string => fieldLabel('status')) =>
  ({
    kind: 'many',
    key: 'status',
    label,
    options: () => STATUS.map((value) => ({ value, label: name(value) })),
  }) as const
const answerFilter = (name: typeof answerName, label: () => string) =>
  ({
    kind: 'many',
    key: 'antwort',
    label,
    column: 'client_status',
    options: () => CLIENT_STATUS.map((value) => ({ value, label: name(value) })),
  }) as const

const REGISTER_FILTERS = [
  { kind: 'prefix', key: 'kreis', label: () => fieldLabel('kreis'), maxLength: 60 },
  { kind: 'prefix', key: 'gemarkung', label: () => fieldLabel('gemarkung'), maxLength: 60 },
  { kind: 'prefix', key: 'typ', label: () => fieldLabel('typ'), maxLength: 60 },
  { kind: 'range', key: 'jahr', label: () => fieldLabel('jahr'), min: 1700, max: 2100 },
] as const

const STAFF_FILTERS = [
  statusFilter(statusName),
  answerFilter(answerName, () => fieldLabel('client_status')),
  {
    kind: 'flag',
    key: 'sichtbar',
    label: () => t('Kundensicht'),
    column: 'show_client',
    texts: (): [string, string] => [t('sichtbar'), t('nicht sichtbar')],
  },
  {
    kind: 'flag',
    key: 'georef',
    label: () => t('Georeferenzierung'),
    words: ['mit', 'ohne'],
    texts: (): [string, string] => [t('georeferenziert'), t('nicht georeferenziert')],
    filters: ([value]: readonly string[]) => [value === 'mit' ? notNull('georef_typ') : isNull('georef_typ')],
    fits: ({ georef_typ }: Plain, [value]: readonly string[]) => (georef_typ !== null) === (value === 'mit'),
  },
  ...REGISTER_FILTERS,
  {
    kind: 'many',
    key: 'epsg',
    label: () => fieldLabel('epsg'),
    options: () => EPSG_CODES.map((code) => ({ value: String(code), label: epsgName(code) })),
  },
] as const satisfies readonly ListFilter<Plain>[]

const SORTS = {
  name: { column: 'sortname' },
  kreis: { nullable: true },
  gemeinde: { nullable: true },
  gemarkung: { nullable: true },
  auftr_nr: { nullable: true },
  reg_nr: { nullable: true },
  typ: { nullable: true },
  ausf_unternehmen: { nullable: true },
  jahr: { nullable: true },
  scale: { nullable: true },
  epsg: {},
  geaendert: { column: 'geaendert_am', downFirst: true, keyAgainst: true },
  nr: { column: 'id' },
} as const

const words = (more: Partial<ListWords> = {}): ListWords => ({
  title: t('Karten'),
  one: t('1 Plan'),
  many: (n) => t('{n} Pläne', { n }),
  search: t('Pläne suchen'),
  searchHint: t('Name, Kunde, Auftrags- und Registernummer, Ort'),
  none: t('Keine Pläne gefunden'),
  empty: t('Noch keine Pläne'),
  emptyHint: t(
    'Legen Sie einen Plan an, oder laden Sie gleich mehrere Scans hoch: Aus jeder Datei wird ein Plan.',
  ),
  ...more,
})

/** All plans of all customers, for staff. */
export const KARTEN: TableList<Row> = {
  name: 'karten',
  queryKey: [...KARTE_LISTS, 'alle'],
  words: () => words(),
  icon: 'file',
  source: { kind: 'table', table: 'karte_liste', key: 'id', select: SELECT },
  rowKey: ({ id }) => id,
  rowHref: ({ id }) => karteHref(id),
  rowName: ({ map_name }) => map_name,
  lesser: ['jahr', 'auftr_nr', 'kreis', 'gemarkung'],
  columns: staffColumns,
  sorts: { ...SORTS, kunde: { column: 'kunde_sortname' } },
  sort: 'name',
  filters: [KUNDE_FILTER, ...STAFF_FILTERS],
}

/** Plans opened to the caller's customers, in customers' terms. */
const own = (mayAnswer: boolean): TableList<Row> => ({
  ...KARTEN,
  name: 'karten-eigene',
  queryKey: [...KARTE_LISTS, mayAnswer ? 'eigene-antwort' : 'eigene'],
  words: () =>
    words({
      searchHint: t('Name, Nummer, Gemeinde, Gemarkung'),
      emptyHint: t('Sobald wir einen Plan für Sie freigeben, steht er hier.'),
    }),
  lesser: ['typ', 'jahr', 'gemarkung'],
  columns: ownColumns(mayAnswer),
  filters: [
    statusFilter(statusForCustomer, () => t('Bearbeitungsstatus')),
    answerFilter(answerForCustomer, () => t('Ihre Antwort')),
    ...REGISTER_FILTERS,
  ],
})
export const OWN_KARTEN = own(false)
export const OWN_KARTEN_WITH_ANSWER = own(true)

/** For a customer's page. */
export const kartenOf = (client_id: number): ArrayList<KundeKarteRow> => ({
  name: 'kunde-karten',
  queryKey: [...KARTE_LISTS, 'kunde'],
  words: () => words({ searchHint: t('Name, Nummer, Gemeinde, Gemarkung') }),
  icon: 'file',
  source: {
    kind: 'array',
    scope: [client_id],
    load: (signal) => rpc('a_get_map_list_from_db', { client_id }, { signal }),
    text: ({ map_name, auftr_nr, reg_nr, kreis, gemeinde, gemarkung, ausf_unternehmen, jahr }) =>
      [map_name, auftr_nr, reg_nr, kreis, gemeinde, gemarkung, ausf_unternehmen, jahr]
        .filter((part) => part !== null)
        .join(' '),
  },
  rowKey: ({ id }) => id,
  rowHref: ({ id }) => karteHref(id),
  rowName: ({ map_name }) => map_name,
  lesser: ['jahr', 'auftr_nr', 'kreis', 'gemarkung'],
  columns: kundeColumns,
  sorts: { ...SORTS, name: { of: ({ map_name }) => naturalText(map_name) } },
  sort: 'name',
  filters: STAFF_FILTERS,
})
