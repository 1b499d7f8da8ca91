// The list of disclosures, deletions and blocks: for whom and by whom.
import type { PrivacyOperation } from '#contract/privacy.ts'
import type { ListColumn } from '../../list/list.ts'
import type { TableList } from '../../list/table-source.ts'
import { Badge, DateText } from '../../ui/Display.tsx'
import { moment } from '../../ui/export/cells.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { KIND_TONES, kindText } from './privacy-words.ts'

const whom = ({ person_id, client_id }: PrivacyOperation) =>
  person_id === null ? t('Kunde {id}', { id: client_id ?? '' }) : t('Person {id}', { id: person_id })
const rowsOf = ({ umfang }: PrivacyOperation) => Object.values(umfang).reduce((sum, count) => sum + count, 0)

const columns = (): ListColumn<PrivacyOperation>[] => [
  {
    key: 'zeit',
    title: t('Zeit'),
    sortable: true,
    cell: ({ zeit }) => <DateText value={zeit} time />,
    exported: ({ zeit }) => moment(zeit),
  },
  {
    key: 'art',
    title: t('Vorgang'),
    cell: ({ art }) => <Badge tone={KIND_TONES[art]}>{kindText(art)}</Badge>,
    exported: ({ art }) => kindText(art),
  },
  { key: 'wen', title: t('Für wen'), cell: whom, exported: whom },
  {
    key: 'wer',
    title: t('Durch wen'),
    cell: ({ wer }) => wer ?? t('System'),
    exported: ({ wer }) => wer ?? t('System'),
  },
  {
    key: 'umfang',
    title: t('Datensätze'),
    align: 'end',
    cell: (row) => <span className="nums">{formatNumber(rowsOf(row))}</span>,
    exported: rowsOf,
  },
]

export const PRIVACY_ACTS: TableList<PrivacyOperation> = {
  name: 'datenschutz',
  queryKey: ['datenschutz', 'vorgaenge'],
  words: () => ({
    title: t('Vorgänge'),
    one: t('1 Vorgang'),
    many: (n) => t('{n} Vorgänge', { n }),
    none: t('Keine Vorgänge gefunden'),
    empty: t('Noch keine Vorgänge'),
    emptyHint: t('Hier steht, wer wann für wen eine Auskunft erstellt oder Daten gelöscht hat.'),
  }),
  icon: 'file',
  source: {
    kind: 'table',
    table: 'datenschutz_vorgang',
    key: 'id',
    select: ['id', 'zeit', 'art', 'wer', 'user_id', 'person_id', 'client_id', 'umfang'],
    search: false,
  },
  rowKey: ({ id }) => id,
  rowName: whom,
  columns,
  sorts: { zeit: { downFirst: true } },
  sort: '-zeit',
  filters: [
    {
      kind: 'many',
      key: 'vorgang',
      column: 'art',
      label: () => t('Vorgang'),
      options: () =>
        (['auskunft', 'selbstauskunft', 'loeschung', 'sperrung'] as const).map((value) => ({
          value,
          label: kindText(value),
        })),
    },
    { kind: 'days', key: 'am', label: () => t('Zeit'), column: 'zeit', time: true },
  ],
}
