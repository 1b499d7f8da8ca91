// The list of open items on a day, declared for the list kit: by customer, with the amounts by age.
import type { OpenItem, OpenItemAge } from '#contract/zahlung.ts'
import { formatEuro } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import type { ArrayList } from '../../../list/array-source.ts'
import type { ListColumn } from '../../../list/list.ts'
import { mahnLevelText } from '../../../record/beleg/beleg-states.ts'
import { DateText } from '../../../ui/Display.tsx'
import { formatDate, formatNumber } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'

const AGES: readonly OpenItemAge[] = ['nicht_faellig', 'bis_30', 'bis_60', 'bis_90', 'ueber_90', 'guthaben']
export function ageText(age: OpenItemAge): string {
  switch (age) {
    case 'nicht_faellig':
      return t('Nicht fällig')
    case 'bis_30':
      return t('1–30 Tage')
    case 'bis_60':
      return t('31–60 Tage')
    case 'bis_90':
      return t('61–90 Tage')
    case 'ueber_90':
      return t('Über 90 Tage')
    case 'guthaben':
      return t('Guthaben')
  }
}

/** Why an item is not simply an unpaid invoice. */
function remarkOf({ lage }: OpenItem): string | null {
  switch (lage) {
    case 'ueberzahlt':
      return t('zu viel bezahlt')
    case 'storniert':
      return t('storniert, zurückzuzahlen')
    case 'korrigiert':
      return t('korrigiert, zurückzuzahlen')
    case 'vorauszahlung':
      return t('vor der Rechnung bezahlt')
    default:
      return null
  }
}
const levelText = ({ stufe }: OpenItem): string | null => (stufe === 0 ? null : mahnLevelText(stufe))

const Amount = ({ value }: { value: string }) => (
  <span className={value.startsWith('-') ? 'nums buch-minus' : 'nums'}>{formatEuro(value)}</span>
)
/** An amount that is added up; `of`: null where the column is empty. */
const amount = (key: string, title: string, of: (row: OpenItem) => string | null): ListColumn<OpenItem> => ({
  key,
  title,
  align: 'end',
  cell: (row) => {
    const value = of(row)
    return value === null ? null : <Amount value={value} />
  },
  exported: (row) => {
    const value = of(row)
    return value === null ? null : Number(value)
  },
  sum: { column: key, of, digits: 2, show: formatEuro },
})

const accountPath = (client_id: number): string => `/buchhaltung/offene-posten/konto/${client_id}`

const columns = (): ListColumn<OpenItem>[] => [
  {
    key: 'nummer',
    title: t('Rechnung'),
    sortable: true,
    fixed: true,
    cell: (row) => (
      <>
        <span className="beleg-nummer">{row.nummer}</span>
        {remarkOf(row) !== null && <div className="soft">{remarkOf(row)}</div>}
      </>
    ),
    exported: ({ nummer }) => nummer,
    alsoExported: [{ title: t('Bemerkung'), exported: remarkOf }],
  },
  {
    key: 'kunde',
    title: t('Kunde'),
    sortable: true,
    cell: ({ client_id, kunde }) => <a href={accountPath(client_id)}>{kunde}</a>,
    exported: ({ kunde }) => kunde,
  },
  {
    key: 'rn_datum',
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
    exported: ({ faellig }) => ({ day: faellig }),
  },
  {
    key: 'tage',
    title: t('Tage überfällig'),
    sortable: true,
    align: 'end',
    cell: ({ tage }) => <span className="nums">{tage === 0 ? '–' : formatNumber(tage)}</span>,
    exported: ({ tage }) => tage,
  },
  { key: 'stufe', title: t('Gemahnt'), cell: levelText, exported: levelText },
  amount('brutto', t('Rechnungsbetrag'), ({ brutto }) => brutto),
  amount('bezahlt', t('Bezahlt'), ({ bezahlt }) => bezahlt),
  { ...amount('offen', t('Offen'), ({ offen }) => offen), sortable: true },
  ...AGES.map((age) => amount(age, ageText(age), ({ klasse, offen }) => (klasse === age ? offen : null))),
]

/** Everything that refreshes it after a change of an invoice is below its key. */
const KEY = ['rechnung', 'offene-posten'] as const

export const openItemsOf = (day: string): ArrayList<OpenItem> => ({
  name: 'offeneposten',
  queryKey: KEY,
  words: () => ({
    title: t('Offene Posten zum {tag}', { tag: formatDate(day) }),
    one: t('1 offener Posten'),
    many: (n) => t('{n} offene Posten', { n }),
    search: t('Offene Posten suchen'),
    searchHint: t('Nummer, Kunde'),
    none: t('Kein offener Posten gefunden'),
    empty: t('An diesem Tag war nichts offen'),
    emptyHint: t('Hier stehen Rechnungen, die an dem Tag noch nicht ausgeglichen waren, und Guthaben.'),
  }),
  icon: 'inbox',
  source: {
    kind: 'array',
    scope: [day],
    load: (signal) => rpc('a_get_offene_posten', { stichtag: day }, { signal }),
    text: ({ nummer, kunde }) => `${nummer} ${kunde}`,
  },
  lesser: ['bezahlt', 'brutto', 'rn_datum', 'stufe', 'tage', 'faellig', 'kunde'],
  rowKey: ({ rechnung_id }) => rechnung_id,
  rowHref: ({ rechnung_id }) => `/buchhaltung/rechnungen/rechnung/${rechnung_id}`,
  rowName: ({ nummer }) => nummer,
  columns,
  sorts: {
    nummer: {},
    kunde: {},
    rn_datum: {},
    faellig: {},
    tage: { downFirst: true },
    // As numbers for sorting only; display and sums stay exact.
    offen: { of: ({ offen }) => Number(offen), downFirst: true },
  },
  sort: 'faellig',
  filters: [
    {
      kind: 'many',
      key: 'alter',
      label: () => t('Alter'),
      options: () => AGES.map((value) => ({ value, label: ageText(value) })),
      of: ({ klasse }) => klasse,
    },
    {
      kind: 'one',
      key: 'stufe',
      label: () => t('Gemahnt'),
      options: () =>
        ([0, 1, 2, 3] as const).map((level) => ({
          value: String(level),
          label: level === 0 ? t('noch nicht gemahnt') : mahnLevelText(level),
        })),
      of: ({ stufe }) => String(stufe),
    },
  ],
  groups: [{ key: 'kunde', label: () => t('Kunde'), column: 'client_id', named: 'kunde' }],
  grouped: 'kunde',
})
