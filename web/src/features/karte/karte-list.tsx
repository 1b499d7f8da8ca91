// Lists of plans, declared for the list kit: all for staff, a customer's own ones, and those of one customer.
import type { KarteListRow, KundeKarteRow } from '#contract/karte.ts'
import { EPSG_CODES, epsgName } from '#domain/epsg.ts'
import { isNull, notNull } from '../../data/addresses.ts'
import { rpc } from '../../data/rpc.ts'
import type { ArrayList } from '../../list/array-source.ts'
import { Clip } from '../../list/Clip.tsx'
import type { ListFilter } from '../../list/filter-kinds.ts'
import { naturalText } from '../../list/fold.ts'
import type { ListColumn, ListWords } from '../../list/list.ts'
import { changedColumn, numberColumn } from '../../list/stamp-columns.tsx'
import type { TableList } from '../../list/table-source.ts'
import { Badge } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { KARTE_LISTS, KUNDE_FILTER } from './karte.data.ts'
import {
  answerForCustomer,
  answerName,
  answerTone,
  CLIENT_STATUS,
  dinName,
  fieldLabel,
  georefName,
  isWaiting,
  scaleText,
  STATUS,
  statusForCustomer,
  statusName,
  statusTone,
  todoText,
} from './karte-words.ts'
import { Preview } from './Preview.tsx'

const SELECT = [
  'id',
  'map_name',
  'client_id',
  'kunde',
  'typ',
  'jahr',
  'scale',
  'din',
  'epsg',
  'georef_typ',
  'status',
  'client_status',
  'show_client',
  'ausf_unternehmen',
  'auftr_nr',
  'reg_nr',
  'kreis',
  'gemarkung',
  'gemeinde',
  'punkte',
  'scan',
  'geaendert_am',
] as const satisfies readonly (keyof KarteListRow)[]
export type Row = Pick<KarteListRow, (typeof SELECT)[number]>
/** The columns common to every list of plans. */
type Plain = Pick<KundeKarteRow, keyof KundeKarteRow & keyof Row>

export const karteHref = (id: number): string => `/karten/${id}`

function plainColumns<R extends Plain>() {
  const text = (
    key: 'kreis' | 'gemeinde' | 'gemarkung' | 'auftr_nr' | 'reg_nr' | 'typ' | 'ausf_unternehmen',
    more: Partial<ListColumn<R>> = {},
  ) => ({
    key,
    title: fieldLabel(key),
    sortable: true,
    cell: (row: R) => <Clip text={row[key]} />,
    exported: (row: R) => row[key],
    ...more,
  })
  return {
    name: {
      key: 'name',
      title: fieldLabel('map_name'),
      sortable: true,
      width: '26%',
      // The first cell is the row's link, so picture and name are inside it together.
      cell: ({ id, map_name, scan }: R) => (
        <span className="karte-zelle">
          <Preview karte={id} name={map_name} scan={scan} />
          <span className="karte-zelle-name" title={map_name}>
            {map_name}
          </span>
        </span>
      ),
      exported: ({ map_name }: R) => map_name,
    },
    status: {
      key: 'status',
      title: fieldLabel('status'),
      cell: ({ status }: R) => <Badge tone={statusTone(status)}>{statusName(status)}</Badge>,
      exported: ({ status }: R) => statusName(status),
    },
    antwort: {
      key: 'antwort',
      title: t('Kundensicht'),
      cell: ({ show_client, client_status }: R) =>
        show_client ? (
          <Badge tone={answerTone(client_status)}>{answerName(client_status)}</Badge>
        ) : (
          <span className="soft">{t('nicht sichtbar')}</span>
        ),
      exported: ({ show_client, client_status }: R) =>
        show_client ? answerName(client_status) : t('nicht sichtbar'),
    },
    georef: {
      key: 'georef',
      title: t('Georeferenzierung'),
      optional: true,
      cell: ({ georef_typ, punkte }: R) =>
        georef_typ === null ? (
          <span className="soft">–</span>
        ) : (
          <span className="nums">
            {punkte === 1
              ? t('{verfahren}, 1 Punkt', { verfahren: georefName(georef_typ) })
              : t('{verfahren}, {n} Punkte', { verfahren: georefName(georef_typ), n: punkte })}
          </span>
        ),
      exported: ({ georef_typ }: R) => (georef_typ === null ? null : georefName(georef_typ)),
      alsoExported: [{ title: t('Passpunkte'), exported: ({ punkte }: R) => punkte }],
    },
    epsg: {
      key: 'epsg',
      title: t('EPSG'),
      sortable: true,
      optional: true,
      width: '76px',
      cell: ({ epsg }: R) => (
        <span className="nums" title={epsgName(epsg)}>
          {epsg}
        </span>
      ),
      exported: ({ epsg }: R) => epsgName(epsg),
    },
    jahr: {
      key: 'jahr',
      title: fieldLabel('jahr'),
      sortable: true,
      width: '72px',
      cell: ({ jahr }: R) =>
        jahr === null ? <span className="soft">–</span> : <span className="nums">{jahr}</span>,
      exported: ({ jahr }: R) => jahr,
    },
    scale: {
      key: 'scale',
      title: fieldLabel('scale'),
      sortable: true,
      optional: true,
      width: '96px',
      cell: ({ scale }: R) =>
        scale === null ? <span className="soft">–</span> : <span className="nums">{scaleText(scale)}</span>,
      exported: ({ scale }: R) => scale,
      alsoExported: [
        { title: fieldLabel('din'), exported: ({ din }: R) => (din === null ? null : dinName(din)) },
      ],
    },
    kreis: text('kreis'),
    gemeinde: text('gemeinde', { optional: true }),
    gemarkung: text('gemarkung'),
    auftr_nr: text('auftr_nr'),
    reg_nr: text('reg_nr', { optional: true }),
    typ: text('typ', { optional: true }),
    unternehmen: text('ausf_unternehmen', { optional: true }),
    geaendert: changedColumn<R>(),
    nr: numberColumn<R>(({ id }) => id),
  } as const satisfies Record<string, ListColumn<R>>
}

const staffColumns = (): readonly ListColumn<Row>[] => {
  const c = plainColumns<Row>()
  const kunde: ListColumn<Row> = {
    key: 'kunde',
    title: t('Kunde'),
    sortable: true,
    cell: (row) => <Clip text={row.kunde} />,
    exported: (row) => row.kunde,
  }
  return [
    c.name,
    kunde,
    c.status,
    c.antwort,
    c.kreis,
    c.gemarkung,
    { ...c.auftr_nr, optional: true },
    c.jahr,
    c.georef,
    c.epsg,
    c.reg_nr,
    c.gemeinde,
    c.typ,
    c.scale,
    c.unternehmen,
    c.geaendert,
    c.nr,
  ]
}
const kundeColumns = (): readonly ListColumn<KundeKarteRow>[] => {
  const c = plainColumns<KundeKarteRow>()
  return [
    c.name,
    c.status,
    c.antwort,
    c.kreis,
    c.gemarkung,
    c.auftr_nr,
    c.jahr,
    c.georef,
    c.epsg,
    c.reg_nr,
    c.gemeinde,
    c.typ,
    c.scale,
    c.unternehmen,
    c.geaendert,
    c.nr,
  ]
}
const ownColumns = (mayAnswer: boolean) => (): readonly ListColumn<Row>[] => {
  const c = plainColumns<Row>()
  return [
    c.name,
    {
      key: 'status',
      title: t('Stand der Arbeit'),
      cell: ({ status }) => <Badge tone={statusTone(status)}>{statusForCustomer(status)}</Badge>,
      exported: ({ status }) => statusForCustomer(status),
    },
    {
      key: 'tun',
      title: t('Was zu tun ist'),
      width: '24%',
      cell: ({ client_status }) =>
        isWaiting(client_status) && mayAnswer ? (
          <strong>{todoText(client_status, mayAnswer)}</strong>
        ) : (
          <span className="soft">{todoText(client_status, mayAnswer)}</span>
        ),
      exported: ({ client_status }) => todoText(client_status, mayAnswer),
      alsoExported: [
        { title: t('Ihre Antwort'), exported: ({ client_status }) => answerForCustomer(client_status) },
      ],
    },
    c.gemarkung,
    c.jahr,
    { ...c.typ, optional: false },
    { ...c.kreis, optional: true },
    c.gemeinde,
    { ...c.auftr_nr, optional: true },
    c.reg_nr,
    c.scale,
    c.unternehmen,
    c.geaendert,
    c.nr,
  ]
}

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
    statusFilter(statusForCustomer, () => t('Stand der Arbeit')),
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
