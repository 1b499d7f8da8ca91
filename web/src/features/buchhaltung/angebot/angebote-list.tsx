// The list of offers.
import type { List } from '../../../list/list.ts'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import type { AngebotState } from '../beleg.data.ts'
import { belegeLists, type BelegRow, centsText, dayColumn, euroColumn } from '../belege-list.tsx'
import { ANGEBOT_STATES, ANGEBOT_TONES, angebotStateText } from '../draft-words.ts'
import { ANGEBOT_KIND } from '../beleg-kinds.ts'

export interface AngebotRow extends BelegRow<AngebotState> {
  readonly an_datum: string
  readonly gueltig_bis: string | null
  readonly chance: number | null
  /** The amount that counts: what was ordered, otherwise what was sent. */
  readonly gilt_netto: number
  readonly gilt_brutto: number
  /** Ordered but not yet billed. */
  readonly rest_brutto: number
  /** Weighted by probability. */
  readonly gewichtet: number
  readonly erwartet_am: string | null
}

export const angeboteOf: (withArchive: boolean) => List<AngebotRow> = belegeLists<AngebotState, AngebotRow>({
  docKind: ANGEBOT_KIND,
  name: 'angebote',
  table: 'angebot_liste',
  words: () => ({
    title: t('Angebote'),
    one: t('1 Angebot'),
    many: (n) => t('{n} Angebote', { n }),
    search: t('Angebote suchen'),
    searchHint: t('Nummer, Kunde'),
    none: t('Kein Angebot gefunden'),
    empty: t('Noch keine Angebote'),
    emptyHint: t('Ein Angebot beginnt als Entwurf und bekommt seine Nummer beim Ausstellen.'),
  }),
  rowName: ({ nummer, kunde, an_datum }) =>
    nummer === null ? t('Entwurf für {kunde} vom {tag}', { kunde, tag: formatDate(an_datum) }) : nummer,
  states: ANGEBOT_STATES,
  stateText: angebotStateText,
  tones: ANGEBOT_TONES,
  over: 'ersetzt',
  datum: 'an_datum',
  amounts: { netto: 'gilt_netto', brutto: 'gilt_brutto' },
  besideBrutto: ({ brutto, gilt_brutto }) =>
    brutto !== gilt_brutto && (
      <div className="soft">{t('angeboten {betrag}', { betrag: centsText(brutto) })}</div>
    ),
  besideNumber: ({ nummer, stand }) =>
    nummer !== null && stand === 'entwurf' && <span className="soft"> {t('neue Fassung')}</span>,
  more: () => [
    dayColumn('gueltig_bis', t('Gültig bis'), 'gueltig_bis'),
    {
      key: 'chance',
      title: t('Chance'),
      sortable: true,
      align: 'end',
      cell: ({ chance }) => (chance === null ? <span className="soft">–</span> : `${chance}\u00A0%`),
      exported: ({ chance }) => chance,
    },
  ],
  end: () => [
    { ...euroColumn<AngebotRow>('rest_brutto', t('Noch abzurechnen')), optional: true },
    { ...euroColumn<AngebotRow>('gewichtet', t('Nach Chance')), optional: true },
    { ...dayColumn<AngebotRow>('geld', t('Geld erwartet'), 'erwartet_am'), optional: true },
  ],
  select: ['gueltig_bis', 'chance', 'gilt_netto', 'gilt_brutto', 'rest_brutto', 'gewichtet', 'erwartet_am'],
  lesser: ['netto', 'chance', 'gueltig_bis'],
  sorts: {
    rest_brutto: { downFirst: true },
    gewichtet: { downFirst: true },
    geld: { column: 'erwartet_am', nullable: true },
    gueltig_bis: { nullable: true },
    chance: { nullable: true, downFirst: true },
  },
  filters: [{ kind: 'days', key: 'geld', label: () => t('Geld erwartet'), column: 'erwartet_am' }],
})
