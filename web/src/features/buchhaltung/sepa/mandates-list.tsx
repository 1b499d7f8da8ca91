// The list of mandates, declared for the list kit.
import type { Mandat } from '#contract/sepa.ts'
import { formatIban } from '#domain/iban.ts'
import type { ArrayList } from '../../../list/array-source.ts'
import { Badge, DateText } from '../../../ui/Display.tsx'
import { Button } from '../../../ui/Button.tsx'
import { t } from '../../../ui/text.ts'
import { KUNDE_FILTER } from '../beleg.data.ts'
import { kindText, stateText, TONES } from './mandate-words.ts'
import { fetchMandates, MANDATES_KEY } from './sepa.data.ts'

const STATES = ['aktiv', 'widerrufen', 'verbraucht', 'abgelaufen'] as const
export const mandatesListOf = (onRevoke: (row: Mandat) => void): ArrayList<Mandat> => ({
  name: 'mandate',
  queryKey: MANDATES_KEY,
  words: () => ({
    title: t('Mandate'),
    one: t('1 Mandat'),
    many: (n) => t('{n} Mandate', { n }),
    search: t('Mandate suchen'),
    searchHint: t('Referenz, Kunde, Kontoinhaber'),
    none: t('Kein Mandat gefunden'),
    empty: t('Noch kein Mandat'),
    emptyHint: t('Tragen Sie ein, was ein Kunde unterschrieben hat; dann kann eingezogen werden.'),
  }),
  icon: 'card',
  source: {
    kind: 'array',
    load: fetchMandates,
    text: ({ referenz, kunde, inhaber }) => `${referenz} ${kunde ?? ''} ${inhaber}`,
  },
  rowKey: ({ id }) => id,
  rowName: ({ referenz }) => referenz,
  rowTone: ({ stand }) => (stand === 'aktiv' ? undefined : 'soft'),
  columns: () => [
    {
      key: 'referenz',
      title: t('Mandatsreferenz'),
      sortable: true,
      fixed: true,
      cell: ({ referenz }) => referenz,
      exported: ({ referenz }) => referenz,
    },
    {
      key: 'kunde',
      title: t('Kunde'),
      sortable: true,
      cell: ({ kunde }) => kunde,
      exported: ({ kunde }) => kunde,
    },
    {
      key: 'iban',
      title: t('Konto'),
      cell: ({ iban, inhaber }) => (
        <>
          {inhaber}
          <div className="soft nums">{formatIban(iban)}</div>
        </>
      ),
      exported: ({ iban }) => iban,
    },
    { key: 'art', title: t('Art'), cell: kindText, exported: kindText },
    {
      key: 'unterschrieben',
      title: t('Unterschrieben am'),
      sortable: true,
      cell: ({ unterschrieben }) => <DateText value={unterschrieben} />,
      exported: ({ unterschrieben }) => ({ day: unterschrieben }),
    },
    {
      key: 'stand',
      title: t('Stand'),
      cell: ({ stand }) => <Badge tone={TONES[stand]}>{stateText(stand)}</Badge>,
      exported: ({ stand }) => stateText(stand),
    },
    {
      key: 'widerruf',
      title: t('Aktionen'),
      fixed: true,
      align: 'end',
      cell: (row) =>
        row.widerrufen_am === null && (
          <Button
            size="small"
            variant="quiet"
            aria-label={t('Mandat {referenz} widerrufen', { referenz: row.referenz })}
            onClick={() => onRevoke(row)}
          >
            {t('Widerrufen')}
          </Button>
        ),
      exported: () => null,
    },
  ],
  sorts: { referenz: {}, kunde: { nullable: true }, unterschrieben: { downFirst: true } },
  sort: 'referenz',
  filters: [
    {
      kind: 'one',
      key: 'stand',
      label: () => t('Stand'),
      options: () => STATES.map((value) => ({ value, label: stateText(value) })),
      of: ({ stand }) => stand,
    },
    { ...KUNDE_FILTER, column: 'client_id' },
  ],
})
