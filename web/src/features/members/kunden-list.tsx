// The drainage half's list of customers, declared for the list kit.
import type { KundeMembers } from '#contract/members.ts'
import { epsgName } from '#domain/epsg.ts'
import { eq, gt, isNull, notNull } from '../../data/addresses.ts'
import { Clip } from '../../list/Clip.tsx'
import type { ListColumn } from '../../list/list.ts'
import { changedColumn, numberColumn } from '../../list/stamp-columns.tsx'
import type { TableList } from '../../list/table-source.ts'
import { declaredColumns, katasterColumn, plainColumn } from '../../members/kunde-columns.tsx'
import { contactName, fieldLabel, LISTED_FIELDS, type ListedKunde } from '../../record/kunde/kunde-fields.ts'
import { KUNDE_FILTERS } from '../../record/kunde/kunde-filters.ts'
import { KUNDE_LISTS } from '../../record/kunde/kunde-record.data.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

type Row = ListedKunde & Pick<KundeMembers, 'nutzer' | 'team'>

/** Zero is dimmed. */
const count = (value: number) =>
  value === 0 ? (
    <span className="soft">{formatNumber(0)}</span>
  ) : (
    <span className="nums">{formatNumber(value)}</span>
  )

const columns = (): readonly ListColumn<Row>[] => [
  {
    key: 'name',
    title: fieldLabel('name'),
    sortable: true,
    width: '26%',
    cell: ({ name, name_zusatz }) => <Clip text={name_zusatz ? `${name}, ${name_zusatz}` : name} />,
    exported: ({ name }) => name,
    alsoExported: [{ title: fieldLabel('name_zusatz'), exported: ({ name_zusatz }) => name_zusatz }],
  },
  {
    key: 'plz',
    title: fieldLabel('plz'),
    sortable: true,
    optional: true,
    width: '64px',
    cell: ({ plz }) => plz,
    exported: ({ plz }) => plz,
  },
  plainColumn('ort', { sortable: true }),
  plainColumn('bundesland', { sortable: true }),
  {
    key: 'epsg',
    title: t('EPSG'),
    sortable: true,
    width: '76px',
    cell: ({ epsg }) => (
      <span className="nums" title={epsgName(epsg)}>
        {epsg}
      </span>
    ),
    exported: ({ epsg }) => epsgName(epsg),
  },
  katasterColumn(),
  {
    key: 'nutzer',
    title: t('Nutzer'),
    sortable: true,
    align: 'end',
    width: '80px',
    cell: ({ nutzer }) => count(nutzer),
    exported: ({ nutzer }) => nutzer,
  },
  {
    key: 'team',
    title: t('Team'),
    sortable: true,
    align: 'end',
    width: '72px',
    cell: ({ team }) => count(team),
    exported: ({ team }) => team,
  },
  plainColumn('ordner', { sortable: true }),
  {
    key: 'kontakt',
    title: t('Ansprechpartner'),
    optional: true,
    cell: (row) => <Clip text={contactName(row)} />,
    exported: contactName,
  },
  ...declaredColumns(),
  changedColumn(),
  numberColumn(({ client_id }) => client_id),
]

export const kundeHref = (client_id: number): string => `/member-management/client/${client_id}`

/** Filter for "has some" or "has none" of a count column. */
const some =
  (column: string) =>
  ([value]: readonly string[]) => [value === 'mit' ? gt(column, 0) : eq(column, 0)]

export const KUNDEN: TableList<Row> = {
  name: 'mitglieder-kunden',
  queryKey: [...KUNDE_LISTS, 'members'],
  words: () => ({
    title: t('Kunden'),
    one: t('1 Kunde'),
    many: (n) => t('{n} Kunden', { n }),
    search: t('Kunden suchen'),
    searchHint: t('Name, Ort, PLZ, Straße, Ansprechpartner'),
    none: t('Keine Kunden gefunden'),
    empty: t('Noch keine Kunden'),
    emptyHint: t('Sobald ein Kunde angelegt ist, steht er hier.'),
  }),
  icon: 'people',
  source: {
    kind: 'table',
    table: 'kunde_mitglieder',
    key: 'client_id',
    select: [...LISTED_FIELDS, 'nutzer', 'team'],
  },
  lesser: ['ordner', 'epsg', 'team'],
  rowKey: ({ client_id }) => client_id,
  rowHref: ({ client_id }) => kundeHref(client_id),
  rowName: ({ name }) => name,
  columns,
  sorts: {
    name: { column: 'sortname' },
    plz: {},
    ort: { column: 'sortort' },
    bundesland: { nullable: true },
    epsg: {},
    nutzer: { downFirst: true },
    team: { downFirst: true },
    ordner: { nullable: true },
    geaendert: { column: 'geaendert_am', downFirst: true, keyAgainst: true },
    nr: { column: 'client_id' },
  },
  sort: 'name',
  filters: [
    ...KUNDE_FILTERS,
    {
      kind: 'flag',
      key: 'team',
      label: () => t('Team'),
      words: ['mit', 'ohne'],
      texts: () => [t('mit Team'), t('ohne Team')],
      filters: some('team'),
    },
    {
      kind: 'flag',
      key: 'nutzer',
      label: () => t('Nutzer'),
      words: ['mit', 'ohne'],
      texts: () => [t('mit Nutzern'), t('ohne Nutzer')],
      filters: some('nutzer'),
    },
    {
      kind: 'flag',
      key: 'ordner',
      label: () => fieldLabel('ordner'),
      words: ['mit', 'ohne'],
      texts: () => [t('mit Ordner'), t('ohne Ordner')],
      filters: ([value]) => [value === 'mit' ? notNull('ordner') : isNull('ordner')],
    },
  ],
}
