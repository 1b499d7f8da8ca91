// All bank entries, declared for the list kit.
import { createContext, useContext } from 'react'
import type { BankUmsatzListRow } from '#contract/zahlung.ts'
import { formatEuro } from '#domain/geld.ts'
import { formatIban } from '#domain/iban.ts'
import type { List, ListColumn } from '../../../list/list.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { Badge, DateText } from '../../../ui/Display.tsx'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { centsText } from '../belege-list.tsx'
import { stateText, STATE_TONES } from './reconciliation-words.ts'
import { BANK_KEY } from './bank.data.ts'

export type UmsatzRow = Pick<
  BankUmsatzListRow,
  | 'id'
  | 'konto'
  | 'datum'
  | 'betrag'
  | 'rest'
  | 'name'
  | 'iban'
  | 'zweck'
  | 'datei'
  | 'stand'
  | 'nummern'
  | 'angelegt_am'
>
export const umsatzName = ({ betrag, name, datum }: UmsatzRow): string =>
  t('{betrag} von {name} am {tag}', {
    betrag: centsText(betrag),
    name: name || t('unbekannt'),
    tag: formatDate(datum),
  })

/** Actions on an entry, provided by the page. */
export interface UmsatzActions {
  /** Reverses the payments booked from it. */
  readonly undo: (row: UmsatzRow) => void
  /** Restores an entry that was marked as unrelated. */
  readonly takeBack: (row: UmsatzRow) => void
}
export const UmsatzActionsContext = createContext<UmsatzActions | null>(null)
function UmsatzActions({ row }: { row: UmsatzRow }) {
  const acts = useContext(UmsatzActionsContext)
  const name = umsatzName(row)
  if (acts === null) return null
  if (row.stand === 'abgelegt')
    return (
      <IconButton
        icon="refresh"
        size="small"
        label={t('{name} wieder öffnen', { name })}
        onClick={() => acts.takeBack(row)}
      />
    )
  if (row.stand === 'offen') return null
  return (
    <IconButton
      icon="close"
      size="small"
      label={t('Zuordnung von {name} zurücknehmen', { name })}
      onClick={() => acts.undo(row)}
    />
  )
}

const STATES = ['offen', 'teilweise', 'zugeordnet', 'abgelegt'] as const

const columns = (): ListColumn<UmsatzRow>[] => [
  {
    key: 'datum',
    title: t('Datum'),
    sortable: true,
    cell: ({ datum }) => <DateText value={datum} />,
    exported: ({ datum }) => ({ day: datum }),
  },
  {
    key: 'name',
    title: t('Name'),
    cell: ({ name, iban }) => (
      <>
        {name || <span className="soft">–</span>}
        {iban !== '' && <div className="soft nums">{formatIban(iban)}</div>}
      </>
    ),
    exported: ({ name }) => name,
  },
  {
    key: 'zweck',
    title: t('Verwendungszweck'),
    cell: ({ zweck }) => <span className="buch-text buch-clamp">{zweck}</span>,
    exported: ({ zweck }) => zweck,
  },
  {
    key: 'stand',
    title: t('Status'),
    cell: ({ stand, nummern }) => (
      <>
        <Badge tone={STATE_TONES[stand]}>{stateText(stand)}</Badge>
        {nummern !== '' && <div className="soft">{nummern}</div>}
      </>
    ),
    exported: ({ stand, nummern }) => [stateText(stand), nummern].filter((text) => text !== '').join(': '),
  },
  {
    key: 'betrag',
    title: t('Betrag'),
    sortable: true,
    fixed: true,
    align: 'end',
    cell: ({ betrag }) => (
      <span className={betrag < 0 ? 'nums buch-minus' : 'nums'}>{centsText(betrag)}</span>
    ),
    exported: ({ betrag }) => betrag,
    sum: { column: 'betrag', of: ({ betrag }) => betrag, digits: 2, show: formatEuro },
  },
  {
    key: 'rest',
    title: t('Rest'),
    optional: true,
    align: 'end',
    cell: ({ rest }) => <span className="nums">{centsText(rest)}</span>,
    exported: ({ rest }) => rest,
    sum: { column: 'rest', of: ({ rest }) => rest, digits: 2, show: formatEuro },
  },
  {
    key: 'konto',
    title: t('Konto'),
    optional: true,
    cell: ({ konto }) => <span className="nums">{formatIban(konto)}</span>,
    exported: ({ konto }) => konto,
  },
  {
    key: 'datei',
    title: t('Datei'),
    optional: true,
    cell: ({ datei }) => datei,
    exported: ({ datei }) => datei,
  },
  { key: 'tun', title: t('Aktionen'), fixed: true, align: 'end', cell: (row) => <UmsatzActions row={row} /> },
]

export const UMSAETZE: List<UmsatzRow> = {
  name: 'umsaetze',
  queryKey: [...BANK_KEY, 'list'],
  words: () => ({
    title: t('Umsätze'),
    one: t('1 Umsatz'),
    many: (n) => t('{n} Umsätze', { n }),
    search: t('Umsätze suchen'),
    searchHint: t('Name, IBAN, Verwendungszweck, Rechnungsnummer'),
    none: t('Kein Umsatz gefunden'),
    empty: t('Noch keine Umsätze'),
    emptyHint: t('Sie kommen mit dem Kontoauszug der Bank.'),
  }),
  icon: 'card',
  source: {
    kind: 'table',
    table: 'kontoumsatz_liste',
    key: 'id',
    select: [
      'id',
      'konto',
      'datum',
      'betrag',
      'rest',
      'name',
      'iban',
      'zweck',
      'datei',
      'stand',
      'nummern',
      'angelegt_am',
    ],
  },
  rowKey: ({ id }) => id,
  rowName: umsatzName,
  rowTone: ({ stand }) => (stand === 'abgelegt' ? 'soft' : undefined),
  columns,
  sorts: { datum: { downFirst: true }, betrag: { downFirst: true } },
  sort: '-datum',
  filters: [
    {
      kind: 'many',
      key: 'stand',
      label: () => t('Status'),
      column: 'stand',
      open: true,
      options: () => STATES.map((one) => ({ value: one, label: stateText(one) })),
    },
    { kind: 'days', key: 'zeit', label: () => t('Datum'), column: 'datum' },
    { kind: 'range', key: 'hoehe', label: () => t('Betrag'), column: 'betrag', unit: '€' },
  ],
}
