// The list of customers, declared for the list kit: search, filters, sorting and columns.
import type { TableList } from '../../list/table-source.ts'
import { t } from '../../ui/text.ts'
import { fieldLabel, LISTED_FIELDS, type ListedKunde } from '../../record/kunde/kunde-fields.ts'
import { KUNDE_FILTERS } from '../../record/kunde/kunde-filters.ts'
import { kundenColumns } from './kunden-columns.tsx'

export const KUNDEN: TableList<ListedKunde> = {
  name: 'kunden',
  queryKey: ['kunde', 'list'],
  words: () => ({
    title: t('Kunden'),
    one: t('1 Kunde'),
    many: (n) => t('{n} Kunden', { n }),
    search: t('Kunden suchen'),
    searchHint: t('Name, Ort, PLZ, Straße, Ansprechpartner'),
    none: t('Keine Kunden gefunden'),
    empty: t('Noch keine Kunden'),
    emptyHint: t('Legen Sie den ersten Kunden an oder übernehmen Sie Ihren Bestand aus einer Tabelle.'),
  }),
  icon: 'people',
  source: { kind: 'table', table: 'kunde', key: 'client_id', select: LISTED_FIELDS },
  lesser: ['geaendert', 'kontakt', 'plz'],
  rowKey: ({ client_id }) => client_id,
  rowHref: ({ client_id }) => `/kunden/${client_id}`,
  rowName: ({ name }) => name,
  columns: kundenColumns,
  sorts: {
    name: { column: 'sortname' },
    strasse: {},
    ort: { column: 'sortort' },
    plz: {},
    bundesland: { nullable: true },
    epsg: {},
    geaendert: { column: 'geaendert_am', downFirst: true, keyAgainst: true },
    nr: { column: 'client_id' },
  },
  sort: 'name',
  cells: {
    roles: ['ogf_admin', 'apus_admin', 'apus_team'],
    load: async () => (await import('./kunden-cells.ts')).kundenCells,
  },
  groups: [{ key: 'bundesland', label: () => fieldLabel('bundesland') }],
  filters: [
    ...KUNDE_FILTERS,
    {
      kind: 'prefix',
      key: 'plz',
      label: () => t('PLZ beginnt mit'),
      digits: true,
      maxLength: 5,
      whole: 5,
      placeholder: () => t('zum Beispiel 01'),
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
