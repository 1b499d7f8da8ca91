// The list of recurring invoices, declared for the list kit.
import type { SerieRow } from '#contract/serie.ts'
import { formatEuro } from '#domain/geld.ts'
import { RHYTHMS } from '#domain/serie.ts'
import type { ArrayList } from '../../../list/array-source.ts'
import { Badge, DateText } from '../../../ui/Display.tsx'
import { t } from '../../../ui/text.ts'
import { KUNDE_FILTER } from '../beleg.data.ts'
import { fetchSerien, SERIE_KEY, seriePath } from './serie.data.ts'
import { rhythmText, SERIE_TONES, serieStateText } from './serie-words.ts'

const STATES = ['aktiv', 'pausiert', 'beendet'] as const

export const SERIEN: ArrayList<SerieRow> = {
  name: 'serien',
  queryKey: SERIE_KEY,
  words: () => ({
    title: t('Wiederkehrende Rechnungen'),
    one: t('1 wiederkehrende Rechnung'),
    many: (n) => t('{n} wiederkehrende Rechnungen', { n }),
    search: t('Wiederkehrende Rechnungen suchen'),
    searchHint: t('Bezeichnung, Kunde'),
    none: t('Keine wiederkehrende Rechnung gefunden'),
    empty: t('Noch keine wiederkehrende Rechnung'),
    emptyHint: t(
      'Richten Sie eine aus einer Rechnung oder einem Entwurf ein, zum Beispiel für ein Monitoring.',
    ),
  }),
  icon: 'file',
  source: { kind: 'array', load: fetchSerien, text: ({ titel, kunde }) => `${titel} ${kunde}` },
  rowKey: ({ id }) => id,
  rowHref: ({ id }) => seriePath(id),
  rowName: ({ titel }) => titel,
  rowTone: ({ stand }) => (stand === 'beendet' ? 'soft' : undefined),
  columns: () => [
    {
      key: 'titel',
      title: t('Bezeichnung'),
      sortable: true,
      fixed: true,
      cell: ({ titel }) => titel,
      exported: ({ titel }) => titel,
    },
    {
      key: 'kunde',
      title: t('Kunde'),
      sortable: true,
      cell: ({ kunde }) => kunde,
      exported: ({ kunde }) => kunde,
    },
    {
      key: 'monate',
      title: t('Rhythmus'),
      sortable: true,
      cell: ({ monate }) => rhythmText(monate),
      exported: ({ monate }) => rhythmText(monate),
    },
    {
      key: 'naechste',
      title: t('Nächste am'),
      sortable: true,
      cell: ({ naechste, faellige }) => (
        <>
          <DateText value={naechste} />{' '}
          {faellige > 0 && <Badge tone="warning">{t('{n} fällig', { n: faellige })}</Badge>}
        </>
      ),
      exported: ({ naechste }) => (naechste === null ? null : { day: naechste }),
      alsoExported: [{ title: t('Fällige Zeiträume'), exported: ({ faellige }) => faellige }],
    },
    {
      key: 'netto',
      title: t('Netto'),
      align: 'end',
      sortable: true,
      cell: ({ netto }) => <span className="nums">{formatEuro(netto)}</span>,
      exported: ({ netto }) => Number(netto),
    },
    {
      key: 'stand',
      title: t('Status'),
      cell: ({ stand }) => <Badge tone={SERIE_TONES[stand]}>{serieStateText(stand)}</Badge>,
      exported: ({ stand }) => serieStateText(stand),
    },
    {
      key: 'ende',
      title: t('Letzter Tag'),
      optional: true,
      cell: ({ ende }) => <DateText value={ende} />,
      exported: ({ ende }) => (ende === null ? null : { day: ende }),
    },
    {
      key: 'angelegte',
      title: t('Rechnungen bisher'),
      align: 'end',
      optional: true,
      cell: ({ angelegte }) => <span className="nums">{angelegte}</span>,
      exported: ({ angelegte }) => angelegte,
    },
  ],
  sorts: {
    titel: {},
    kunde: {},
    monate: {},
    naechste: { nullable: true },
    netto: { of: ({ netto }) => Number(netto), downFirst: true },
  },
  sort: 'naechste',
  filters: [
    {
      kind: 'many',
      key: 'stand',
      label: () => t('Status'),
      open: true,
      options: () => STATES.map((value) => ({ value, label: serieStateText(value) })),
      of: ({ stand }) => stand,
    },
    {
      kind: 'many',
      key: 'rhythmus',
      label: () => t('Rhythmus'),
      options: () => RHYTHMS.map((months) => ({ value: String(months), label: rhythmText(months) })),
      of: ({ monate }) => String(monate),
    },
    { ...KUNDE_FILTER, column: 'client_id' },
  ],
}
