// What can be transferred, declared for the list kit.
import type { Payable } from '#contract/eingang.ts'
import { formatEuro } from '#domain/geld.ts'
import { formatIban } from '#domain/iban.ts'
import type { ArrayList } from '../../../list/array-source.ts'
import { Badge, DateText } from '../../../ui/Display.tsx'
import { t } from '../../../ui/text.ts'
import { eingangPath } from '../eingang/eingang-path.ts'
import { accountsOf } from './transfer-form.ts'
import { fetchPayable, PAYABLE_KEY } from './transfers.data.ts'

export const PAYABLE: ArrayList<Payable> = {
  name: 'ueberweisungen',
  queryKey: PAYABLE_KEY,
  words: () => ({
    title: t('Überweisungen'),
    one: t('1 freigegebene Rechnung'),
    many: (n) => t('{n} freigegebene Rechnungen', { n }),
    search: t('Rechnungen suchen'),
    searchHint: t('Nummer, Lieferant'),
    none: t('Keine Rechnung gefunden'),
    empty: t('Nichts ist zu überweisen'),
    emptyHint: t('Hier stehen Eingangsrechnungen, die freigegeben und noch offen sind.'),
  }),
  icon: 'card',
  source: { kind: 'array', load: fetchPayable, text: ({ nummer, kreditor }) => `${nummer} ${kreditor}` },
  rowKey: ({ eingang_id }) => eingang_id,
  rowHref: ({ eingang_id }) => eingangPath(eingang_id),
  rowName: ({ nummer }) => nummer,
  columns: () => [
    {
      key: 'kreditor',
      title: t('Lieferant'),
      sortable: true,
      fixed: true,
      cell: ({ kreditor }) => kreditor,
      exported: ({ kreditor }) => kreditor,
    },
    {
      key: 'nummer',
      title: t('Rechnungsnummer'),
      sortable: true,
      cell: ({ nummer }) => <span className="beleg-nummer">{nummer}</span>,
      exported: ({ nummer }) => nummer,
    },
    {
      key: 'faellig',
      title: t('Fällig'),
      sortable: true,
      cell: ({ faellig }) => <DateText value={faellig} />,
      exported: ({ faellig }) => ({ day: faellig }),
    },
    {
      key: 'iban',
      title: t('IBAN'),
      cell: (row) => <Account row={row} />,
      exported: (row) => accountsOf(row).join(' / '),
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
    kreditor: {},
    nummer: {},
    faellig: {},
    // As numbers for sorting only; display and sums stay exact.
    offen: { of: ({ offen }) => Number(offen), downFirst: true },
  },
  sort: 'faellig',
  filters: [{ kind: 'days', key: 'zeit', label: () => t('Fällig'), column: 'faellig' }],
}

function Account({ row }: { row: Payable }) {
  const [first, second] = accountsOf(row)
  if (first === undefined)
    return (
      <Badge tone="warning">{row.iban + row.bekannt === '' ? t('IBAN fehlt') : t('IBAN ungültig')}</Badge>
    )
  return (
    <>
      <span className="nums">{formatIban(first)}</span>{' '}
      {second !== undefined && <Badge tone="danger">{t('andere IBAN auf der Rechnung')}</Badge>}
    </>
  )
}
