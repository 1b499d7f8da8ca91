// The list of invoices.
import type { List } from '../../../list/list.ts'
import type { InvoiceKind } from '#domain/beleg.ts'
import { t } from '../../../ui/text.ts'
import type { RechnungState } from '../beleg.data.ts'
import { belegeLists, type BelegRow, dayColumn, euroColumn } from '../belege-list.tsx'
import { invoiceKindText, RECHNUNG_STATES, RECHNUNG_TONES, rechnungStateText } from '../draft-words.ts'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'

const KINDS: readonly InvoiceKind[] = ['rechnung', 'abschlag', 'schluss', 'storno', 'korrektur']

export interface RechnungRow extends BelegRow<RechnungState> {
  readonly art: InvoiceKind
  readonly folge: number | null
  readonly rn_datum: string
  readonly faellig: string | null
  readonly offen: number
}

export const rechnungenOf: (withArchive: boolean) => List<RechnungRow> = belegeLists<
  RechnungState,
  RechnungRow
>({
  docKind: RECHNUNG_KIND,
  name: 'rechnungen',
  table: 'rechnung_liste',
  words: () => ({
    title: t('Rechnungen'),
    one: t('1 Rechnung'),
    many: (n) => t('{n} Rechnungen', { n }),
    search: t('Rechnungen suchen'),
    searchHint: t('Nummer, Kunde, Bestellnummer'),
    none: t('Keine Rechnung gefunden'),
    empty: t('Noch keine Rechnungen'),
    emptyHint: t('Eine Rechnung beginnt als Entwurf und bekommt ihre Nummer beim Ausstellen.'),
  }),
  rowName: ({ nummer, kunde }) => (nummer === null ? t('Entwurf für {kunde}', { kunde }) : nummer),
  states: RECHNUNG_STATES,
  stateText: rechnungStateText,
  tones: RECHNUNG_TONES,
  over: 'storniert',
  datum: 'rn_datum',
  nummer: { column: 'folge', nullable: true, downFirst: true },
  besideNumber: ({ art }) =>
    art === 'abschlag' || art === 'schluss' ? <div className="soft">{invoiceKindText(art)}</div> : null,
  more: () => [dayColumn('faellig', t('Fällig'), 'faellig')],
  end: () => [euroColumn('offen', t('Offen'))],
  select: ['folge', 'art', 'faellig', 'offen'],
  lesser: ['netto', 'faellig'],
  sorts: { faellig: { nullable: true }, offen: { downFirst: true } },
  filters: [
    {
      kind: 'many',
      key: 'art',
      label: () => t('Art'),
      options: () => KINDS.map((value) => ({ value, label: invoiceKindText(value) })),
    },
    { kind: 'days', key: 'frist', label: () => t('Fällig'), column: 'faellig' },
    { kind: 'range', key: 'rest', label: () => t('Offen'), column: 'offen', unit: '€' },
  ],
})
