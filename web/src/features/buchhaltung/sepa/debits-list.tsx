// What can be collected, declared for the list kit.
import type { Lastschrift } from '#contract/sepa.ts'
import { formatEuro } from '#domain/geld.ts'
import type { ArrayList } from '../../../list/array-source.ts'
import { DateText } from '../../../ui/Display.tsx'
import { t } from '../../../ui/text.ts'
import { KUNDE_FILTER } from '../beleg.data.ts'
import { DEBITS_KEY, fetchDebits } from './sepa.data.ts'

export const DEBITS: ArrayList<Lastschrift> = {
  name: 'lastschriften',
  queryKey: DEBITS_KEY,
  words: () => ({
    title: t('Lastschriften'),
    one: t('1 offene Rechnung mit Mandat'),
    many: (n) => t('{n} offene Rechnungen mit Mandat', { n }),
    search: t('Rechnungen suchen'),
    searchHint: t('Nummer, Kunde'),
    none: t('Keine Rechnung gefunden'),
    empty: t('Nichts ist einzuziehen'),
    emptyHint: t(
      'Hier stehen offene Rechnungen von Kunden mit aktivem Mandat. Ein Mandat tragen Sie unter „Mandate“ ein.',
    ),
  }),
  icon: 'card',
  source: { kind: 'array', load: fetchDebits, text: ({ nummer, kunde }) => `${nummer} ${kunde}` },
  rowKey: ({ rechnung_id }) => rechnung_id,
  rowHref: ({ rechnung_id }) => `/buchhaltung/rechnungen/rechnung/${rechnung_id}`,
  rowName: ({ nummer }) => nummer,
  columns: () => [
    {
      key: 'nummer',
      title: t('Rechnung'),
      sortable: true,
      fixed: true,
      cell: ({ nummer }) => <span className="beleg-nummer">{nummer}</span>,
      exported: ({ nummer }) => nummer,
    },
    {
      key: 'kunde',
      title: t('Kunde'),
      sortable: true,
      cell: ({ kunde }) => kunde,
      exported: ({ kunde }) => kunde,
    },
    {
      key: 'faellig',
      title: t('Fällig'),
      sortable: true,
      cell: ({ faellig }) => <DateText value={faellig} />,
      exported: ({ faellig }) => (faellig === null ? null : { day: faellig }),
    },
    {
      key: 'referenz',
      title: t('Mandatsreferenz'),
      cell: ({ referenz, angekuendigt }) => (
        <>
          {referenz}
          {angekuendigt !== null && angekuendigt !== referenz && (
            <div className="soft">{t('angekündigt: {mandat}', { mandat: angekuendigt })}</div>
          )}
        </>
      ),
      exported: ({ referenz }) => referenz,
    },
    {
      key: 'tag',
      title: t('Angekündigt für'),
      sortable: true,
      cell: ({ tag }) => <DateText value={tag} />,
      exported: ({ tag }) => (tag === null ? null : { day: tag }),
    },
    {
      key: 'offen',
      title: t('Offen'),
      sortable: true,
      align: 'end',
      cell: ({ offen }) => <span className="nums">{formatEuro(offen)}</span>,
      exported: ({ offen }) => Number(offen),
      sum: { column: 'offen', of: ({ offen }) => offen, digits: 2, show: formatEuro },
    },
  ],
  sorts: {
    nummer: {},
    kunde: {},
    faellig: { nullable: true },
    tag: { nullable: true },
    // As numbers for sorting only; display and sums stay exact.
    offen: { of: ({ offen }) => Number(offen), downFirst: true },
  },
  sort: 'faellig',
  filters: [
    { kind: 'days', key: 'zeit', label: () => t('Fällig'), column: 'faellig' },
    { ...KUNDE_FILTER, column: 'client_id' },
  ],
}
