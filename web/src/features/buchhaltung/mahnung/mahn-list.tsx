// The list of overdue invoices, declared for the list kit: how long, how much, and which reminder comes next.
import type { MahnListRow } from '#contract/zahlung.ts'
import { formatEuro } from '#domain/geld.ts'
import type { ArrayList } from '../../../list/array-source.ts'
import type { ListColumn } from '../../../list/list.ts'
import { Badge, DateText } from '../../../ui/Display.tsx'
import { formatDate, formatNumber } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { mahnLevelText } from '../../../record/beleg/beleg-states.ts'
import { KUNDE_FILTER } from '../beleg.data.ts'
import { RemindButton } from './RemindButton.tsx'
import { fetchMahnList, MAHN_LIST_KEY } from './mahnung.data.ts'

type Situation = 'dran' | 'laeuft' | 'einzug' | 'durch'
const situationOf = ({ dran, naechste, einzug }: MahnListRow): Situation =>
  einzug !== null ? 'einzug' : naechste === null ? 'durch' : dran ? 'dran' : 'laeuft'
function situationText(situation: Situation): string {
  switch (situation) {
    case 'dran':
      return t('mahnbar')
    case 'laeuft':
      return t('Frist läuft noch')
    case 'einzug':
      return t('wird eingezogen')
    case 'durch':
      return t('alle Stufen gemahnt')
  }
}
const TONES = { dran: 'warning', laeuft: 'neutral', einzug: 'neutral', durch: 'danger' } as const
const soFarText = ({ stufe }: MahnListRow): string =>
  stufe === 0 ? t('noch nicht gemahnt') : mahnLevelText(stufe)

const columns = (onRemind: (row: MahnListRow) => void): ListColumn<MahnListRow>[] => [
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
    exported: ({ faellig }) => ({ day: faellig }),
  },
  {
    key: 'tage',
    title: t('Tage überfällig'),
    sortable: true,
    align: 'end',
    cell: ({ tage }) => <span className="nums">{formatNumber(tage)}</span>,
    exported: ({ tage }) => tage,
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
  {
    key: 'bisher',
    title: t('Bisher'),
    cell: (row) => (
      <>
        {soFarText(row)}
        {row.letzte !== null && <div className="soft">{formatDate(row.letzte)}</div>}
      </>
    ),
    exported: soFarText,
  },
  {
    key: 'lage',
    title: t('Stand'),
    cell: (row) => <Badge tone={TONES[situationOf(row)]}>{situationText(situationOf(row))}</Badge>,
    exported: (row) => situationText(situationOf(row)),
  },
  {
    key: 'naechste',
    title: t('Nächste Stufe'),
    fixed: true,
    align: 'end',
    cell: (row) =>
      row.naechste === null || row.einzug !== null ? (
        <span className="soft">–</span>
      ) : (
        <RemindButton
          row={row}
          name={t('{stufe} zu {nummer} schreiben', {
            stufe: mahnLevelText(row.naechste),
            nummer: row.nummer,
          })}
          text={mahnLevelText(row.naechste)}
          onRemind={() => onRemind(row)}
        />
      ),
    exported: ({ naechste }) => (naechste === null ? null : mahnLevelText(naechste)),
  },
]

export const mahnListOf = (onRemind: (row: MahnListRow) => void): ArrayList<MahnListRow> => ({
  name: 'mahnungen',
  queryKey: MAHN_LIST_KEY,
  words: () => ({
    title: t('Mahnungen'),
    one: t('1 überfällige Rechnung'),
    many: (n) => t('{n} überfällige Rechnungen', { n }),
    search: t('Überfällige Rechnungen suchen'),
    searchHint: t('Nummer, Kunde'),
    none: t('Keine überfällige Rechnung gefunden'),
    empty: t('Nichts ist überfällig'),
    emptyHint: t('Hier stehen Rechnungen, deren Zahlungsziel verstrichen ist.'),
  }),
  icon: 'inbox',
  source: { kind: 'array', load: fetchMahnList, text: ({ nummer, kunde }) => `${nummer} ${kunde ?? ''}` },
  lesser: ['tage', 'bisher', 'lage'],
  rowKey: ({ rechnung_id }) => rechnung_id,
  rowHref: ({ rechnung_id }) => `/buchhaltung/rechnungen/rechnung/${rechnung_id}`,
  rowName: ({ nummer }) => nummer,
  rowTone: (row) => (situationOf(row) === 'laeuft' || situationOf(row) === 'einzug' ? 'soft' : undefined),
  columns: () => columns(onRemind),
  sorts: {
    nummer: {},
    kunde: { nullable: true },
    faellig: {},
    tage: { downFirst: true },
    // As numbers for sorting only; display and sums stay exact.
    offen: { of: ({ offen }) => Number(offen), downFirst: true },
  },
  sort: 'faellig',
  filters: [
    {
      kind: 'one',
      key: 'lage',
      label: () => t('Stand'),
      options: () =>
        (['dran', 'laeuft', 'einzug', 'durch'] as const).map((value) => ({
          value,
          label: situationText(value),
        })),
      of: situationOf,
    },
    {
      kind: 'one',
      key: 'stufe',
      label: () => t('Bisher'),
      options: () =>
        ([0, 1, 2, 3] as const).map((level) => ({
          value: String(level),
          label: level === 0 ? t('noch nicht gemahnt') : mahnLevelText(level),
        })),
      of: ({ stufe }) => String(stufe),
    },
    { kind: 'days', key: 'zeit', label: () => t('Fällig'), column: 'faellig' },
    { ...KUNDE_FILTER, column: 'client_id' },
  ],
})
