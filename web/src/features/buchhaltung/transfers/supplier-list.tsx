// Suppliers, declared for the list kit.
import type { Kreditor } from '#contract/eingang.ts'
import { formatIban } from '#domain/iban.ts'
import type { ArrayList } from '../../../list/array-source.ts'
import { rpc } from '../../../data/rpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { t } from '../../../ui/text.ts'
import { EINGANG_KEY } from '../eingang/eingang.data.ts'

/** @param onEdit opens the form of a supplier */
export const suppliersListOf = (onEdit: (kreditor: Kreditor) => void): ArrayList<Kreditor> => ({
  name: 'lieferanten',
  queryKey: [...EINGANG_KEY, 'kreditoren'],
  words: () => ({
    title: t('Lieferanten'),
    one: t('1 Lieferant'),
    many: (n) => t('{n} Lieferanten', { n }),
    search: t('Lieferanten suchen'),
    searchHint: t('Name, USt-IdNr., IBAN'),
    none: t('Kein Lieferant gefunden'),
    empty: t('Noch kein Lieferant'),
    emptyHint: t('Ein Lieferant wird mit der ersten Rechnung angelegt, die Sie von ihm freigeben.'),
  }),
  icon: 'building',
  source: {
    kind: 'array',
    load: (signal) => rpc('a_get_kreditoren', {}, { signal }),
    text: ({ name, ust_id, iban }) => `${name} ${ust_id} ${iban}`,
  },
  rowKey: ({ id }) => id,
  rowName: ({ name }) => name,
  columns: () => [
    {
      key: 'name',
      title: t('Lieferant'),
      sortable: true,
      fixed: true,
      cell: ({ name }) => name,
      exported: ({ name }) => name,
    },
    {
      key: 'ust_id',
      title: t('USt-IdNr.'),
      sortable: true,
      cell: ({ ust_id }) => ust_id,
      exported: ({ ust_id }) => ust_id,
    },
    {
      key: 'iban',
      title: t('IBAN'),
      cell: ({ iban }) => <span className="nums">{formatIban(iban)}</span>,
      exported: ({ iban }) => iban,
    },
    {
      key: 'konto',
      title: t('Kreditorenkonto'),
      sortable: true,
      cell: ({ konto }) => <span className="nums">{konto}</span>,
      exported: ({ konto }) => konto,
    },
    {
      key: 'aufwandskonto',
      title: t('Aufwandskonto'),
      cell: ({ aufwandskonto }) => <span className="nums">{aufwandskonto}</span>,
      exported: ({ aufwandskonto }) => aufwandskonto,
    },
    {
      key: 'aktion',
      title: t('Aktionen'),
      align: 'end',
      cell: (row) => (
        <Button
          size="small"
          icon="edit"
          aria-label={t('{name} bearbeiten', { name: row.name })}
          onClick={() => onEdit(row)}
        >
          {t('Bearbeiten')}
        </Button>
      ),
      exported: () => null,
    },
  ],
  sorts: { name: {}, ust_id: {}, konto: {} },
  sort: 'name',
  filters: [],
})
