// All subscription terms, declared for the list kit.
import type { AboRow } from '#contract/abo.ts'
import { gte, lte, neq } from '../../data/addresses.ts'
import type { ListColumn } from '../../list/list.ts'
import type { TableList } from '../../list/table-source.ts'
import { Badge, DateText } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { euro, moduleName, months, STATE_TONES, stateText } from './finances-words.ts'
import { MODULE } from './period.ts'

const COLUMNS = [
  'id',
  'hqid',
  'sHQ',
  'client_id',
  'kunde',
  'modul',
  'beginn',
  'ende',
  'laufzeit',
  'preis',
  'rabatt',
  'rabatt_monate',
  'netto',
  'gutschein_id',
  'zustand',
  'gekuendigt_am',
] as const satisfies readonly (keyof AboRow)[]

const columns = (): ListColumn<AboRow>[] => [
  {
    key: 'forstbetrieb',
    title: t('Forstbetrieb'),
    sortable: true,
    cell: ({ sHQ }) => sHQ,
    exported: ({ sHQ }) => sHQ,
  },
  {
    key: 'kunde',
    title: t('Kunde'),
    cell: ({ kunde, client_id }) => <a href={`/kunden/${client_id}`}>{kunde}</a>,
    exported: ({ kunde }) => kunde,
  },
  {
    key: 'modul',
    title: t('Modul'),
    sortable: true,
    cell: ({ modul }) => moduleName(modul),
    exported: ({ modul }) => moduleName(modul),
  },
  {
    key: 'zustand',
    title: t('Status'),
    sortable: true,
    cell: ({ zustand }) => <Badge tone={STATE_TONES[zustand]}>{stateText(zustand)}</Badge>,
    exported: ({ zustand }) => stateText(zustand),
  },
  {
    key: 'beginn',
    title: t('Beginn'),
    sortable: true,
    cell: ({ beginn }) => <DateText value={beginn} />,
    exported: ({ beginn }) => ({ day: beginn }),
  },
  {
    key: 'ende',
    title: t('Ende'),
    sortable: true,
    cell: ({ ende }) => <DateText value={ende} />,
    exported: ({ ende }) => ({ day: ende }),
  },
  {
    key: 'laufzeit',
    title: t('Laufzeit'),
    optional: true,
    align: 'end',
    cell: ({ laufzeit }) => <span className="nums">{months(laufzeit)}</span>,
    exported: ({ laufzeit }) => laufzeit,
  },
  {
    key: 'rabatt',
    title: t('Rabatt'),
    sortable: true,
    align: 'end',
    cell: ({ rabatt, rabatt_monate }) =>
      rabatt > 0 ? (
        <span className="nums">
          {formatNumber(rabatt)}&nbsp;%
          <div className="soft">{t('für {term}', { term: months(rabatt_monate) })}</div>
        </span>
      ) : (
        <span className="soft">–</span>
      ),
    exported: ({ rabatt }) => rabatt,
    alsoExported: [{ title: t('Monate mit Rabatt'), exported: ({ rabatt_monate }) => rabatt_monate }],
  },
  {
    key: 'preis',
    title: t('Listenpreis netto'),
    optional: true,
    sortable: true,
    align: 'end',
    cell: ({ preis }) => <span className="nums">{euro(preis)}</span>,
    exported: ({ preis }) => preis,
  },
  {
    key: 'netto',
    title: t('Preis netto'),
    sortable: true,
    align: 'end',
    cell: ({ netto }) => <span className="nums">{euro(netto)}</span>,
    exported: ({ netto }) => netto,
  },
  {
    key: 'gutschein',
    title: t('Gutschein'),
    optional: true,
    align: 'end',
    cell: ({ gutschein_id }) => gutschein_id ?? <span className="soft">–</span>,
    exported: ({ gutschein_id }) => gutschein_id,
  },
]

export const ABOS: TableList<AboRow> = {
  name: 'abos',
  queryKey: ['abo', 'list'],
  words: () => ({
    title: t('Abos'),
    one: t('1 Laufzeit'),
    many: (n) => t('{n} Laufzeiten', { n }),
    search: t('Abos suchen'),
    searchHint: t('Forstbetrieb, Kunde, Ort'),
    none: t('Keine Abos gefunden'),
    empty: t('Noch keine Abos'),
    emptyHint: t('Forstbetriebe schließen ihr Abo selbst ab; hier steht es dann.'),
  }),
  icon: 'card',
  source: { kind: 'table', table: 'abo_liste', key: 'id', select: COLUMNS },
  rowKey: ({ id }) => id,
  rowHref: ({ hqid }) => `/forstbetriebe/${hqid}`,
  rowName: ({ sHQ, modul }) => `${sHQ}, ${moduleName(modul)}`,
  rowTone: ({ zustand }) => (zustand === 'beendet' ? 'soft' : undefined),
  columns,
  sorts: {
    forstbetrieb: { column: 'sortname' },
    modul: {},
    zustand: {},
    beginn: { downFirst: true },
    ende: {},
    rabatt: { downFirst: true },
    preis: { downFirst: true },
    netto: { downFirst: true },
  },
  sort: '-beginn',
  filters: [
    {
      kind: 'one',
      key: 'zustand',
      label: () => t('Status'),
      options: () => [
        { value: 'laufend', label: t('laufend (auch gekündigt)') },
        ...(['aktiv', 'gekuendigt', 'beendet'] as const).map((value) => ({ value, label: stateText(value) })),
      ],
      filters: ([value]) =>
        value === 'laufend'
          ? [neq('zustand', 'beendet')]
          : value === undefined
            ? []
            : [{ key: 'zustand', value: `eq.${value}`, inner: `zustand.eq.${value}` }],
    },
    {
      kind: 'many',
      key: 'modul',
      label: () => t('Modul'),
      options: () => MODULE.map((feature) => ({ value: feature, label: moduleName(feature) })),
    },
    {
      kind: 'flag',
      key: 'rabatt',
      label: () => t('Mit Rabatt'),
      filters: ([value]) => (value === 'ja' ? [gte('rabatt', 0.01)] : [lte('rabatt', 0)]),
    },
    { kind: 'days', key: 'beginn', label: () => t('Beginn') },
    { kind: 'days', key: 'ende', label: () => t('Ende') },
  ],
}

/** Those of a customer, for its admins: to read, each beside the page of its holding. */
export const OWN_ABOS: TableList<AboRow> = {
  ...ABOS,
  name: 'eigene-abos',
  queryKey: ['abo', 'list', 'own'],
  rowHref: ({ client_id, hqid }) => `/kunde/${client_id}/forstbetrieb/${hqid}`,
  columns: () => columns().filter(({ key }) => key !== 'kunde'),
}
