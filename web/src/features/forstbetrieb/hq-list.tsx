// The list of headquarters, declared for the list kit: search, filters, sorting and columns.
import type { HqRow } from '#contract/forstbetrieb.ts'
import { HQ_INPUTS, SWITCH_INPUTS } from '#domain/hq-fields.ts'
import { Clip } from '../../list/Clip.tsx'
import type { ListColumn } from '../../list/list.ts'
import { changedColumn, numberColumn } from '../../list/stamp-columns.tsx'
import type { TableList } from '../../list/table-source.ts'
import { hqLabel, accessName } from '../../record/hq/hq-fields.ts'
import { HQ_LISTS } from '../../record/hq/hq-record.data.ts'
import { Badge } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { findKunden, kundeName } from './forstbetrieb.data.ts'
import { declaredColumns, hqColumn } from './hq-columns.tsx'
import { ModuleBadges, moduleNames } from './Module.tsx'

const SORTS = {
  name: { column: 'sortname' },
  kunde: { column: 'sortkunde', nullable: true },
  flaeche: { column: 'dcFLAEHB', nullable: true, downFirst: true },
  fe: { column: 'dtFE', nullable: true, downFirst: true },
  kawm_area: { nullable: true, downFirst: true },
  kawm_date: { column: 'kawm_approval_date', nullable: true, downFirst: true },
  geaendert: { column: 'geaendert_am', downFirst: true, keyAgainst: true },
  nr: { column: 'idHQ' },
}

const yesNo = (on: boolean): string => (on ? t('ja') : t('nein'))

/* A sortable column has the same key as its sort. */

const holdingColumns = (): readonly ListColumn<HqRow>[] => [
  {
    key: 'name',
    title: t('Forstbetrieb'),
    sortable: true,
    width: '24%',
    cell: ({ sHQ }) => <Clip text={sHQ} width={260} />,
    exported: ({ sHQ }) => sHQ,
  },
  {
    key: 'kunde',
    title: t('Kunde'),
    sortable: true,
    width: '22%',
    cell: ({ kunde }) => <Clip text={kunde} width={240} />,
    exported: ({ kunde }) => kunde,
    alsoExported: [{ title: hqLabel('client_id'), exported: ({ client_id }) => client_id }],
  },
  {
    key: 'ort',
    title: t('Ort des Kunden'),
    optional: true,
    cell: ({ kunde_ort }) => <Clip text={kunde_ort} />,
    exported: ({ kunde_ort }) => kunde_ort,
  },
  hqColumn('dcFLAEHB', { key: 'flaeche', title: t('Fläche'), sortable: true }),
  hqColumn('dtFE', { key: 'fe', sortable: true }),
]

const moduleColumns = (): readonly ListColumn<HqRow>[] => [
  {
    key: 'module',
    title: t('Module'),
    cell: (row) => <ModuleBadges row={row} />,
    exported: (row) => moduleNames(row).join(', '),
  },
  ...declaredColumns(Object.keys(SORTS)),
  {
    key: 'gezeichnet',
    title: t('Fläche gezeichnet'),
    optional: true,
    cell: ({ flaeche_gezeichnet }) =>
      flaeche_gezeichnet ? yesNo(true) : <span className="soft">{yesNo(false)}</span>,
    exported: ({ flaeche_gezeichnet }) => yesNo(flaeche_gezeichnet),
  },
  {
    key: 'zugang',
    title: hqLabel('fb_enabled'),
    cell: ({ fb_enabled }) => (
      <Badge tone={fb_enabled ? 'success' : 'warning'}>{accessName(fb_enabled)}</Badge>
    ),
    exported: ({ fb_enabled }) => accessName(fb_enabled),
  },
]

const columns = (): readonly ListColumn<HqRow>[] => [
  ...holdingColumns(),
  ...moduleColumns(),
  changedColumn(),
  numberColumn(({ idHQ }) => idHQ),
]

export const HQS: TableList<HqRow> = {
  name: 'forstbetriebe',
  queryKey: HQ_LISTS,
  words: () => ({
    title: t('Forstbetriebe'),
    one: t('1 Forstbetrieb'),
    many: (n) => t('{n} Forstbetriebe', { n }),
    search: t('Forstbetriebe suchen'),
    searchHint: t('Name, Kunde, Ort'),
    none: t('Keine Forstbetriebe gefunden'),
    empty: t('Noch keine Forstbetriebe'),
    emptyHint: t(
      'Legen Sie den ersten Forstbetrieb an oder übernehmen Sie Ihren Bestand mit den Kunden aus einer Tabelle.',
    ),
  }),
  icon: 'building',
  source: {
    kind: 'table',
    table: 'hq_liste',
    key: 'idHQ',
    select: [
      ...HQ_INPUTS,
      ...SWITCH_INPUTS,
      'idHQ',
      'client_id',
      'kunde',
      'kunde_ort',
      'flaeche_gezeichnet',
      'geaendert_am',
    ],
  },
  lesser: ['fe', 'module', 'flaeche'],
  rowKey: ({ idHQ }) => idHQ,
  rowName: ({ sHQ }) => sHQ,
  rowTone: ({ fb_enabled }) => (fb_enabled ? undefined : 'soft'),
  columns,
  sorts: SORTS,
  sort: 'name',
  cells: { roles: ['ogf_admin'], load: async () => (await import('./hq-cells.ts')).hqCells },
  groups: [
    { key: 'kunde', label: () => t('Kunde'), column: 'client_id', named: 'kunde' },
    {
      key: 'zugang',
      label: () => hqLabel('fb_enabled'),
      column: 'fb_enabled',
      text: (value) => accessName(value === true),
    },
  ],
  filters: [
    {
      kind: 'flag',
      key: 'zugang',
      label: () => hqLabel('fb_enabled'),
      column: 'fb_enabled',
      words: ['frei', 'gesperrt'],
      texts: () => [accessName(true), accessName(false)],
    },
    { kind: 'flag', key: 'fe', label: () => t('FE'), column: 'fe_enabled' },
    { kind: 'flag', key: 'basis', label: () => t('Basis-FE'), column: 'basis_fe_enabled' },
    { kind: 'flag', key: 'kawm', label: () => t('KAWM'), column: 'kawm_enabled' },
    { kind: 'flag', key: 'gezeichnet', label: () => t('Fläche gezeichnet'), column: 'flaeche_gezeichnet' },
    { kind: 'range', key: 'ha', label: () => t('Fläche'), column: 'dcFLAEHB', unit: 'ha', min: 0 },
    { kind: 'days', key: 'stichtag', label: () => hqLabel('dtFE'), column: 'dtFE' },
    {
      kind: 'record',
      key: 'kunde',
      label: () => t('Kunde'),
      column: 'client_id',
      find: findKunden,
      name: kundeName,
    },
    {
      kind: 'days',
      key: 'seit',
      label: () => t('Geändert seit'),
      column: 'geaendert_am',
      only: 'from',
      time: true,
    },
  ],
}
/** The list with links, for users who have a page for a single headquarters. */
export const HQS_LINKED: TableList<HqRow> = { ...HQS, rowHref: ({ idHQ }) => `/forstbetriebe/${idHQ}` }
