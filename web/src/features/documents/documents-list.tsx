// The list of a customer's documents, declared for the list kit.
import { decimal, formatEuro, negateText, sign } from '#domain/geld.ts'
import type { ArrayList } from '../../list/array-source.ts'
import type { ListColumn } from '../../list/list.ts'
import { Badge, DateText } from '../../ui/Display.tsx'
import { formatDate } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { Files } from './Files.tsx'
import { kindText, nameOf, STATES, stateText, stateWord, toneOf, todoOf } from './document-words.ts'
import { type CustomerDocument, hrefOf, KEY, keyOf, fetchDocuments } from './documents.data.ts'

export interface Kunde {
  readonly id: number
  readonly name: string
}
const isZero = (amount: string): boolean => sign(decimal(amount)) === 0

const columns = (several: boolean): ListColumn<CustomerDocument>[] => [
  {
    key: 'nummer',
    title: t('Dokument'),
    fixed: true,
    sortable: true,
    cell: ({ art, nummer }) => (
      <>
        {kindText(art)} <span className="nums">{nummer}</span>
      </>
    ),
    exported: ({ nummer }) => nummer,
    alsoExported: [{ title: t('Art'), exported: ({ art }) => kindText(art) }],
  },
  {
    key: 'stand',
    title: t('Status'),
    cell: (row) => <Badge tone={toneOf(row)}>{stateText(row)}</Badge>,
    exported: stateText,
    alsoExported: [
      {
        title: t('Fällig oder gültig bis'),
        exported: ({ faellig }) => (faellig === null ? null : { day: faellig }),
      },
    ],
  },
  ...(several
    ? [
        {
          key: 'kunde',
          title: t('Kunde'),
          sortable: true,
          cell: ({ kunde }: CustomerDocument) => kunde,
          exported: ({ kunde }: CustomerDocument) => kunde,
        },
      ]
    : []),
  {
    key: 'datum',
    title: t('Datum'),
    sortable: true,
    cell: ({ datum }) => <DateText value={datum} />,
    exported: ({ datum }) => ({ day: datum }),
  },
  {
    key: 'betrag',
    title: t('Betrag'),
    sortable: true,
    align: 'end',
    cell: ({ betrag }) => <span className="nums">{formatEuro(betrag)}</span>,
    exported: ({ betrag }) => Number(betrag),
  },
  {
    key: 'offen',
    title: t('Offen'),
    sortable: true,
    align: 'end',
    cell: ({ offen }) => {
      if (isZero(offen)) return <span className="soft">–</span>
      return (
        <span className="nums">
          {sign(decimal(offen)) < 0
            ? t('Guthaben {betrag}', { betrag: formatEuro(negateText(offen)) })
            : formatEuro(offen)}
        </span>
      )
    },
    exported: ({ offen }) => Number(offen),
  },
  {
    key: 'dateien',
    title: t('Dateien'),
    fixed: true,
    align: 'end',
    cell: (row) => (
      <span className="dok-files">
        <Files dokument={row} small />
      </span>
    ),
  },
]

/** The list for these customers; most people have one. */
export const documentsOf = (kunden: readonly Kunde[]): ArrayList<CustomerDocument> => ({
  name: 'dokumente',
  queryKey: KEY,
  words: () => ({
    title: t('Dokumente'),
    one: t('1 Dokument'),
    many: (n) => t('{n} Dokumente', { n }),
    search: t('Dokumente suchen'),
    searchHint: t('Nummer, Art oder Betrag'),
    none: t('Kein Dokument gefunden'),
    empty: t('Noch keine Dokumente'),
    emptyHint: t(
      'Hier liegen künftig Ihre Angebote und Rechnungen. Sobald etwas Neues da ist, sagen wir Ihnen Bescheid.',
    ),
  }),
  icon: 'file',
  source: {
    kind: 'array',
    load: fetchDocuments,
    text: ({ art, nummer, kunde, betrag, datum, stand }) =>
      `${nummer} ${kindText(art)} ${kunde} ${formatEuro(betrag)} ${betrag} ${formatDate(datum)} ${stateWord(stand)}`,
  },
  rowKey: keyOf,
  rowHref: hrefOf,
  rowName: nameOf,
  rowTone: ({ stand }) => (stand === 'ersetzt' || stand === 'storniert' ? 'soft' : undefined),
  columns: () => columns(kunden.length > 1),
  sorts: {
    nummer: {},
    kunde: {},
    datum: { downFirst: true },
    // As numbers for sorting only; display stays exact.
    betrag: { of: ({ betrag }) => Number(betrag), downFirst: true },
    offen: { of: ({ offen }) => Number(offen), downFirst: true },
  },
  sort: '-datum',
  filters: [
    {
      kind: 'one',
      key: 'tun',
      label: () => t('Zu tun'),
      options: () => [
        { value: 'antworten', label: t('Angebot beantworten') },
        { value: 'zahlen', label: t('Rechnung bezahlen') },
      ],
      of: todoOf,
    },
    {
      kind: 'many',
      key: 'art',
      label: () => t('Art'),
      options: () =>
        (['angebot', 'rechnung', 'abschlag', 'schluss', 'storno', 'korrektur'] as const).map((value) => ({
          value,
          label: kindText(value),
        })),
    },
    {
      kind: 'many',
      key: 'stand',
      label: () => t('Status'),
      options: () => STATES.map((value) => ({ value, label: stateWord(value) })),
    },
    { kind: 'days', key: 'zeit', label: () => t('Datum'), column: 'datum' },
    ...(kunden.length > 1
      ? [
          {
            kind: 'many' as const,
            key: 'kunde',
            label: () => t('Kunde'),
            open: true,
            of: ({ client_id }: CustomerDocument) => String(client_id),
            options: () => kunden.map(({ id, name }) => ({ value: String(id), label: name })),
          },
        ]
      : []),
    { kind: 'range', key: 'betrag', label: () => t('Betrag'), of: ({ betrag }) => Number(betrag), unit: '€' },
  ],
})
