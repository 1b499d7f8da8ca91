// The list of forecasts, declared for the list kit.
import type { Prognose } from '#contract/prognose.ts'
import { formatEuro, negateText } from '#domain/geld.ts'
import { PROGNOSE_KINDS } from '#domain/prognose.ts'
import type { ArrayList } from '../../../list/array-source.ts'
import type { ListColumn } from '../../../list/list.ts'
import { Badge, DateText } from '../../../ui/Display.tsx'
import { moment } from '../../../ui/export/cells.ts'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { today } from '../../../ui/today.ts'
import { RowActions } from '../RowActions.tsx'
import { KEY, loadPrognosen } from './prognose.data.ts'
import { kindText } from './prognose-words.ts'

/** Negative for expenses. */
export const signed = ({ art, betrag }: Pick<Prognose, 'art' | 'betrag'>): string =>
  art === 'Ausgabe' ? negateText(betrag) : betrag
export const prognoseName = (row: Prognose): string =>
  t('{art} {betrag} am {tag}', {
    art: kindText(row.art),
    betrag: formatEuro(row.betrag),
    tag: formatDate(row.datum),
  })

const NONE = '-'
const columns = (): ListColumn<Prognose>[] => [
  {
    key: 'datum',
    title: t('Datum'),
    sortable: true,
    cell: ({ datum }) => <DateText value={datum} />,
    exported: ({ datum }) => ({ day: datum }),
  },
  {
    key: 'art',
    title: t('Art'),
    sortable: true,
    cell: ({ art }) => <Badge tone={art === 'Einnahme' ? 'success' : 'info'}>{kindText(art)}</Badge>,
    exported: ({ art }) => kindText(art),
  },
  {
    key: 'kategorie',
    title: t('Kategorie'),
    sortable: true,
    cell: ({ kategorie }) => kategorie ?? <span className="soft">–</span>,
    exported: ({ kategorie }) => kategorie,
  },
  {
    key: 'bemerkung',
    title: t('Bemerkung'),
    cell: ({ bemerkung }) => (
      <span className="buch-text">{bemerkung ?? <span className="soft">–</span>}</span>
    ),
    exported: ({ bemerkung }) => bemerkung,
  },
  {
    key: 'betrag',
    title: t('Betrag'),
    sortable: true,
    fixed: true,
    align: 'end',
    cell: (row) => <span className="nums">{formatEuro(signed(row))}</span>,
    exported: (row) => Number(signed(row)),
    sum: { column: 'betrag', of: signed, digits: 2, show: formatEuro },
  },
  {
    key: 'geaendert',
    title: t('Geändert'),
    sortable: true,
    optional: true,
    cell: ({ geaendert_am, geaendert_von }) => (
      <>
        <DateText value={geaendert_am} />
        {geaendert_von && <div className="soft">{geaendert_von}</div>}
      </>
    ),
    exported: ({ geaendert_am }) => moment(geaendert_am),
  },
  {
    key: 'tun',
    title: t('Aktionen'),
    fixed: true,
    align: 'end',
    cell: (row) => <RowActions row={row} name={prognoseName(row)} />,
  },
]

/** The list, with these categories in its filter. */
export const prognosenOf = (categories: readonly string[]): ArrayList<Prognose> => ({
  name: 'prognosen',
  queryKey: KEY,
  words: () => ({
    title: t('Prognosen'),
    one: t('1 Prognose'),
    many: (n) => t('{n} Prognosen', { n }),
    search: t('Prognosen suchen'),
    searchHint: t('Kategorie, Bemerkung oder Betrag'),
    none: t('Keine Prognose gefunden'),
    empty: t('Noch keine Prognosen'),
    emptyHint: t('Hier stehen erwartete Einnahmen und Ausgaben, zu denen es noch keinen Beleg gibt.'),
  }),
  icon: 'file',
  source: {
    kind: 'array',
    load: loadPrognosen,
    text: ({ kategorie, bemerkung, betrag, art, datum }) =>
      `${kategorie ?? ''} ${bemerkung ?? ''} ${formatEuro(betrag)} ${betrag} ${kindText(art)} ${formatDate(datum)}`,
  },
  rowKey: ({ id }) => id,
  rowName: prognoseName,
  rowTone: ({ datum }) => (datum < today() ? 'soft' : undefined),
  columns,
  sorts: {
    datum: {},
    art: {},
    kategorie: { nullable: true },
    // As numbers for sorting only; display and sums stay exact.
    betrag: { of: (row) => Number(signed(row)), downFirst: true },
    geaendert: { column: 'geaendert_am', downFirst: true },
  },
  sort: 'datum',
  groups: [
    { key: 'kategorie', label: () => t('Kategorie') },
    { key: 'art', label: () => t('Art'), text: (value) => kindText(value as Prognose['art']) },
  ],
  filters: [
    {
      kind: 'one',
      key: 'art',
      label: () => t('Art'),
      options: () => PROGNOSE_KINDS.map((art) => ({ value: art, label: kindText(art) })),
    },
    {
      kind: 'one',
      key: 'lage',
      label: () => t('Fälligkeit'),
      options: () => [
        { value: 'offen', label: t('ab heute') },
        { value: 'vorbei', label: t('vergangen') },
      ],
      of: ({ datum }) => (datum < today() ? 'vorbei' : 'offen'),
    },
    { kind: 'days', key: 'zeit', label: () => t('Datum'), column: 'datum' },
    {
      kind: 'many',
      key: 'kategorie',
      label: () => t('Kategorie'),
      open: true,
      none: NONE,
      options: () => [
        { value: NONE, label: t('ohne Kategorie') },
        ...categories.map((name) => ({ value: name, label: name })),
      ],
    },
    { kind: 'range', key: 'hoehe', label: () => t('Betrag'), column: 'betrag', unit: '€', min: 0 },
  ],
})
