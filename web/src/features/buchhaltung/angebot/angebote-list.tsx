// The list of offers, declared for the list kit.
import { formatDate } from '../../../ui/format.ts'
import type { List, ListColumn } from '../../../list/list.ts'
import { Badge, DateText } from '../../../ui/Display.tsx'
import { t } from '../../../ui/text.ts'
import { type AngebotStand, KUNDE_FILTER } from '../beleg.data.ts'
import { ARCHIV_FILTER, centsText, ohneArchiv } from '../belege-list.tsx'
import { ANGEBOT_STAENDE, ANGEBOT_TONES, angebotStandText } from '../entwurf-words.ts'

/** A row of the view; amounts come as numbers here and are only shown. */
export interface AngebotZeile {
  readonly id: number
  readonly client_id: number
  readonly kunde: string
  readonly nummer: string | null
  readonly stand: AngebotStand
  readonly an_datum: string
  readonly gueltig_bis: string | null
  readonly bearbeiter: string
  readonly netto: number
  readonly brutto: number
  readonly chance: number | null
  readonly archiviert: boolean
}

const columns = (): ListColumn<AngebotZeile>[] => [
  {
    key: 'nummer',
    title: t('Nummer'),
    fixed: true,
    cell: ({ nummer, stand }) => (
      <>
        {nummer ?? <span className="soft">{t('Entwurf')}</span>}
        {nummer !== null && stand === 'entwurf' && <span className="soft"> {t('neue Fassung')}</span>}
      </>
    ),
    exported: ({ nummer }) => nummer ?? t('Entwurf'),
  },
  { key: 'kunde', title: t('Kunde'), sortable: true, cell: ({ kunde }) => kunde, exported: ({ kunde }) => kunde },
  {
    key: 'stand',
    title: t('Stand'),
    cell: ({ stand, archiviert }) => (
      <>
        <Badge tone={ANGEBOT_TONES[stand]}>{angebotStandText(stand)}</Badge>
        {archiviert && <Badge>{t('Archiv')}</Badge>}
      </>
    ),
    exported: ({ stand }) => angebotStandText(stand),
  },
  {
    key: 'datum',
    title: t('Datum'),
    sortable: true,
    cell: ({ an_datum }) => <DateText value={an_datum} />,
    exported: ({ an_datum }) => ({ day: an_datum }),
  },
  {
    key: 'gueltig_bis',
    title: t('Gültig bis'),
    sortable: true,
    cell: ({ gueltig_bis }) => <DateText value={gueltig_bis} />,
    exported: ({ gueltig_bis }) => (gueltig_bis === null ? null : { day: gueltig_bis }),
  },
  {
    key: 'chance',
    title: t('Chance'),
    sortable: true,
    align: 'end',
    cell: ({ chance }) => (chance === null ? <span className="soft">–</span> : `${chance}\u00A0%`),
    exported: ({ chance }) => chance,
  },
  {
    key: 'bearbeiter',
    title: t('Bearbeiter'),
    optional: true,
    cell: ({ bearbeiter }) => bearbeiter,
    exported: ({ bearbeiter }) => bearbeiter,
  },
  {
    key: 'netto',
    title: t('Netto'),
    sortable: true,
    align: 'end',
    cell: ({ netto }) => <span className="nums">{centsText(netto)}</span>,
    exported: ({ netto }) => netto,
  },
  {
    key: 'brutto',
    title: t('Brutto'),
    sortable: true,
    align: 'end',
    cell: ({ brutto }) => <span className="nums">{centsText(brutto)}</span>,
    exported: ({ brutto }) => brutto,
  },
]

const ANGEBOTE: List<AngebotZeile> = {
  name: 'angebote',
  queryKey: ['angebot', 'list'],
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
  icon: 'file',
  source: {
    kind: 'table',
    table: 'angebot_liste',
    key: 'id',
    select: [
      'id',
      'client_id',
      'kunde',
      'sortname',
      'nummer',
      'stand',
      'an_datum',
      'gueltig_bis',
      'bearbeiter',
      'netto',
      'brutto',
      'chance',
      'archiviert',
    ],
  },
  rowKey: ({ id }) => id,
  rowHref: ({ id, stand }) => (stand === 'entwurf' ? `/buchhaltung/angebote/angebot/update/${id}` : `/buchhaltung/angebote/angebot/${id}`),
  rowName: ({ nummer, kunde, an_datum }) =>
    nummer === null ? t('Entwurf für {kunde} vom {tag}', { kunde, tag: formatDate(an_datum) }) : nummer,
  rowTone: ({ stand, archiviert }) => (archiviert || stand === 'ersetzt' ? 'soft' : undefined),
  columns,
  sorts: {
    kunde: { column: 'sortname' },
    datum: { column: 'an_datum', downFirst: true },
    gueltig_bis: { nullable: true },
    chance: { nullable: true, downFirst: true },
    netto: { downFirst: true },
    brutto: { downFirst: true },
  },
  sort: '-datum',
  filters: [
    {
      kind: 'many',
      key: 'stand',
      label: () => t('Stand'),
      options: () => ANGEBOT_STAENDE.map((value) => ({ value, label: angebotStandText(value) })),
    },
    { kind: 'days', key: 'zeit', label: () => t('Angebotsdatum'), column: 'an_datum' },
    { ...KUNDE_FILTER, column: 'client_id' },
    { kind: 'range', key: 'betrag', label: () => t('Brutto'), column: 'brutto', unit: '€' },
    ARCHIV_FILTER,
  ],
}
const OHNE_ARCHIV: List<AngebotZeile> = { ...ANGEBOTE, source: ohneArchiv(ANGEBOTE.source) }
export const angeboteOf = (mitArchiv: boolean): List<AngebotZeile> => (mitArchiv ? ANGEBOTE : OHNE_ARCHIV)
