// The list of invoices, declared for the list kit.
import type { List, ListColumn } from '../../../list/list.ts'
import { Badge, DateText } from '../../../ui/Display.tsx'
import { t } from '../../../ui/text.ts'
import { KUNDE_FILTER, type RechnungStand } from '../beleg.data.ts'
import { ARCHIV_FILTER, centsText, ohneArchiv } from '../belege-list.tsx'
import { RECHNUNG_STAENDE, RECHNUNG_TONES, rechnungStandText } from '../entwurf-words.ts'

/** A row of the view; amounts come as numbers here and are only shown. */
export interface RechnungZeile {
  readonly id: number
  readonly client_id: number
  readonly kunde: string
  readonly nummer: string | null
  readonly art: 'rechnung' | 'storno'
  readonly stand: RechnungStand
  readonly rn_datum: string
  readonly faellig: string | null
  readonly bearbeiter: string
  readonly netto: number
  readonly brutto: number
  readonly offen: number
  readonly archiviert: boolean
}

const columns = (): ListColumn<RechnungZeile>[] => [
  {
    key: 'nummer',
    title: t('Nummer'),
    sortable: true,
    fixed: true,
    cell: ({ nummer }) => (nummer === null ? <span className="soft">{t('Entwurf')}</span> : <span className="beleg-nummer">{nummer}</span>),
    exported: ({ nummer }) => nummer ?? t('Entwurf'),
  },
  { key: 'kunde', title: t('Kunde'), sortable: true, cell: ({ kunde }) => kunde, exported: ({ kunde }) => kunde },
  {
    key: 'stand',
    title: t('Stand'),
    cell: ({ stand, archiviert }) => (
      <>
        <Badge tone={RECHNUNG_TONES[stand]}>{rechnungStandText(stand)}</Badge>
        {archiviert && <Badge>{t('Archiv')}</Badge>}
      </>
    ),
    exported: ({ stand }) => rechnungStandText(stand),
  },
  {
    key: 'datum',
    title: t('Datum'),
    sortable: true,
    cell: ({ rn_datum }) => <DateText value={rn_datum} />,
    exported: ({ rn_datum }) => ({ day: rn_datum }),
  },
  {
    key: 'faellig',
    title: t('Fällig'),
    sortable: true,
    cell: ({ faellig }) => <DateText value={faellig} />,
    exported: ({ faellig }) => (faellig === null ? null : { day: faellig }),
  },
  {
    key: 'bearbeiter',
    title: t('Bearbeiter'),
    optional: true,
    cell: ({ bearbeiter }) => bearbeiter,
    exported: ({ bearbeiter }) => bearbeiter,
  },
  {
    key: 'netto',
    title: t('Netto'),
    sortable: true,
    align: 'end',
    cell: ({ netto }) => <span className="nums">{centsText(netto)}</span>,
    exported: ({ netto }) => netto,
  },
  {
    key: 'brutto',
    title: t('Brutto'),
    sortable: true,
    align: 'end',
    cell: ({ brutto }) => <span className="nums">{centsText(brutto)}</span>,
    exported: ({ brutto }) => brutto,
  },
  {
    key: 'offen',
    title: t('Offen'),
    sortable: true,
    align: 'end',
    cell: ({ offen }) => <span className="nums">{centsText(offen)}</span>,
    exported: ({ offen }) => offen,
  },
]

const RECHNUNGEN: List<RechnungZeile> = {
  name: 'rechnungen',
  queryKey: ['rechnung', 'list'],
  words: () => ({
    title: t('Rechnungen'),
    one: t('1 Rechnung'),
    many: (n) => t('{n} Rechnungen', { n }),
    search: t('Rechnungen suchen'),
    searchHint: t('Nummer, Kunde, Bestellnummer'),
    none: t('Keine Rechnung gefunden'),
    empty: t('Noch keine Rechnungen'),
    emptyHint: t('Eine Rechnung beginnt als Entwurf und bekommt ihre Nummer beim Ausstellen.'),
  }),
  icon: 'file',
  source: {
    kind: 'table',
    table: 'rechnung_liste',
    key: 'id',
    select: [
      'id',
      'client_id',
      'kunde',
      'sortname',
      'nummer',
      'folge',
      'art',
      'stand',
      'rn_datum',
      'faellig',
      'bearbeiter',
      'netto',
      'brutto',
      'offen',
      'archiviert',
    ],
  },
  rowKey: ({ id }) => id,
  rowHref: ({ id, stand }) =>
    stand === 'entwurf' ? `/buchhaltung/rechnungen/rechnung/update/${id}` : `/buchhaltung/rechnungen/rechnung/${id}`,
  rowName: ({ nummer, kunde }) => (nummer === null ? t('Entwurf für {kunde}', { kunde }) : nummer),
  rowTone: ({ stand, archiviert }) => (archiviert || stand === 'storniert' ? 'soft' : undefined),
  columns,
  sorts: {
    nummer: { column: 'folge', nullable: true, downFirst: true },
    kunde: { column: 'sortname' },
    datum: { column: 'rn_datum', downFirst: true },
    faellig: { nullable: true },
    netto: { downFirst: true },
    brutto: { downFirst: true },
    offen: { downFirst: true },
  },
  sort: '-datum',
  filters: [
    {
      kind: 'many',
      key: 'stand',
      label: () => t('Stand'),
      options: () => RECHNUNG_STAENDE.map((value) => ({ value, label: rechnungStandText(value) })),
    },
    { kind: 'days', key: 'zeit', label: () => t('Rechnungsdatum'), column: 'rn_datum' },
    { kind: 'days', key: 'frist', label: () => t('Fällig'), column: 'faellig' },
    { ...KUNDE_FILTER, column: 'client_id' },
    { kind: 'range', key: 'betrag', label: () => t('Brutto'), column: 'brutto', unit: '€' },
    ARCHIV_FILTER,
  ],
}
export const rechnungenOf = (mitArchiv: boolean): List<RechnungZeile> => (mitArchiv ? RECHNUNGEN : OHNE_ARCHIV)
const OHNE_ARCHIV: List<RechnungZeile> = { ...RECHNUNGEN, source: ohneArchiv(RECHNUNGEN.source) }
