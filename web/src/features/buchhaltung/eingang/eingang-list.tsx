// The list of received invoices, declared for the list kit.
import type { EingangListRow } from '#contract/eingang.ts'
import { formatEuro } from '#domain/geld.ts'
import type { List, ListColumn } from '../../../list/list.ts'
import { Badge, DateText } from '../../../ui/Display.tsx'
import { moment } from '../../../ui/export/cells.ts'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { centsText } from '../belege-list.tsx'
import { EINGANG_KEY } from './eingang.data.ts'
import { eingangPath } from './eingang-path.ts'
import { formatName, standText, STANDS, STAND_TONES } from './eingang-words.ts'

export type EingangRow = Omit<EingangListRow, 'suchtext' | 'zustand' | 'kreditor_id'>
const nameOf = ({ nummer, dateiname }: EingangRow): string => (nummer === '' ? dateiname : nummer)

type Amount = 'netto' | 'steuer' | 'brutto' | 'zahlbetrag' | 'offen'
const amount = (key: Amount, title: string, optional: boolean): ListColumn<EingangRow> => ({
  key,
  title,
  align: 'end',
  sortable: key === 'brutto' || key === 'offen',
  ...(optional && { optional }),
  cell: (row) => {
    const value = row[key]
    return value === null ? null : (
      <span className={value < 0 ? 'nums buch-minus' : 'nums'}>{centsText(value)}</span>
    )
  },
  exported: (row) => row[key],
  sum: { column: key, of: (row) => row[key] ?? 0, digits: 2, show: formatEuro },
})

const columns = (): ListColumn<EingangRow>[] => [
  {
    key: 'kreditor',
    title: t('Lieferant'),
    sortable: true,
    fixed: true,
    cell: ({ kreditor }) => kreditor || <span className="soft">{t('unbekannt')}</span>,
    exported: ({ kreditor }) => kreditor,
  },
  {
    key: 'nummer',
    title: t('Rechnungsnummer'),
    sortable: true,
    cell: (row) => (
      <>
        <span className="eingang-nummer">{nameOf(row)}</span>{' '}
        {row.fehler > 0 && <Badge tone="danger">{t('mit Fehlern')}</Badge>}{' '}
        {row.doppelt && <Badge tone="warning">{t('Nummer doppelt')}</Badge>}
      </>
    ),
    exported: nameOf,
    alsoExported: [
      { title: t('Fehler'), exported: ({ fehler }) => fehler },
      { title: t('Datei'), exported: ({ dateiname }) => dateiname },
    ],
  },
  {
    key: 'datum',
    title: t('Datum'),
    sortable: true,
    cell: ({ datum }) => <DateText value={datum} />,
    exported: ({ datum }) => (datum === null ? null : { day: datum }),
  },
  {
    key: 'faellig',
    title: t('Fällig'),
    sortable: true,
    cell: ({ faellig }) => <DateText value={faellig} />,
    exported: ({ faellig }) => (faellig === null ? null : { day: faellig }),
  },
  amount('netto', t('Netto'), true),
  amount('steuer', t('Umsatzsteuer'), true),
  amount('brutto', t('Brutto'), false),
  amount('zahlbetrag', t('Zu zahlen'), true),
  amount('offen', t('Offen'), false),
  {
    key: 'stand',
    title: t('Status'),
    cell: ({ stand, angewiesen }) => (
      <>
        <Badge tone={STAND_TONES[stand]}>{standText(stand)}</Badge>{' '}
        {angewiesen !== null && (
          <Badge tone="info">{t('angewiesen zum {tag}', { tag: formatDate(angewiesen) })}</Badge>
        )}
      </>
    ),
    exported: ({ stand }) => standText(stand),
    alsoExported: [
      {
        title: t('Angewiesen zum'),
        exported: ({ angewiesen }) => (angewiesen === null ? null : { day: angewiesen }),
      },
    ],
  },
  {
    key: 'format',
    title: t('Format'),
    optional: true,
    cell: ({ format }) => formatName(format),
    exported: ({ format }) => formatName(format),
  },
  {
    key: 'konto',
    title: t('Aufwandskonto'),
    optional: true,
    cell: ({ konto }) => <span className="nums">{konto}</span>,
    exported: ({ konto }) => konto,
  },
  {
    key: 'bezahlt_am',
    title: t('Bezahlt am'),
    optional: true,
    cell: ({ bezahlt_am }) => <DateText value={bezahlt_am} />,
    exported: ({ bezahlt_am }) => (bezahlt_am === null ? null : { day: bezahlt_am }),
  },
  {
    key: 'eingegangen_am',
    title: t('Eingegangen'),
    sortable: true,
    optional: true,
    cell: ({ eingegangen_am }) => <DateText value={eingegangen_am} time />,
    exported: ({ eingegangen_am }) => moment(eingegangen_am),
  },
]

export const EINGANG: List<EingangRow> = {
  name: 'eingang',
  queryKey: [...EINGANG_KEY, 'list'],
  words: () => ({
    title: t('Eingang'),
    one: t('1 Eingangsrechnung'),
    many: (n) => t('{n} Eingangsrechnungen', { n }),
    search: t('Eingangsrechnungen suchen'),
    searchHint: t('Lieferant, Nummer, Dateiname'),
    none: t('Keine Eingangsrechnung gefunden'),
    empty: t('Noch keine Rechnung eingegangen'),
    emptyHint: t('Ziehen Sie die erste Datei hierher: XRechnung, ZUGFeRD oder ein PDF.'),
  }),
  icon: 'inbox',
  source: {
    kind: 'table',
    table: 'eingang_liste',
    key: 'id',
    select: [
      'id',
      'kreditor',
      'nummer',
      'datum',
      'faellig',
      'netto',
      'steuer',
      'brutto',
      'zahlbetrag',
      'offen',
      'stand',
      'format',
      'dateiname',
      'konto',
      'bezahlt_am',
      'eingegangen_am',
      'fehler',
      'doppelt',
      'angewiesen',
    ],
  },
  rowKey: ({ id }) => id,
  rowHref: ({ id }) => eingangPath(id),
  rowName: nameOf,
  rowTone: ({ stand }) => (stand === 'abgelehnt' ? 'soft' : undefined),
  columns,
  sorts: {
    kreditor: {},
    nummer: {},
    datum: { downFirst: true },
    faellig: {},
    brutto: { downFirst: true },
    offen: { downFirst: true },
    eingegangen_am: { downFirst: true },
  },
  sort: '-eingegangen_am',
  filters: [
    {
      kind: 'many',
      key: 'stand',
      label: () => t('Status'),
      column: 'stand',
      open: true,
      options: () => STANDS.map((value) => ({ value, label: standText(value) })),
    },
    { kind: 'days', key: 'zeit', label: () => t('Datum'), column: 'datum' },
    { kind: 'days', key: 'frist', label: () => t('Fällig'), column: 'faellig' },
    { kind: 'range', key: 'hoehe', label: () => t('Brutto'), column: 'brutto', unit: '€' },
  ],
}
