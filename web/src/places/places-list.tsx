// The lists of holdings and customers that have something, one for each page that begins with one.
import type { Place, PlaceSubject } from '#contract/places.ts'
import { rpc } from '../data/rpc.ts'
import type { ArrayList } from '../list/array-source.ts'
import type { ListColumn, ListWords } from '../list/list.ts'
import { DateText, NumberText } from '../ui/Display.tsx'
import { formatDate, formatNumber } from '../ui/format.ts'
import { t } from '../ui/text.ts'

type PlaceColumn = ListColumn<Place>
const number = (
  key: 'anzahl' | 'markiert' | 'soll' | 'karten',
  title: string,
  more: Partial<PlaceColumn> = {},
): PlaceColumn => ({
  key,
  title,
  align: 'end',
  sortable: true,
  cell: (row) => <NumberText value={row[key]} />,
  exported: (row) => row[key],
  ...more,
})

const ownColumns = (was: PlaceSubject): readonly PlaceColumn[] => {
  switch (was) {
    case 'habitat':
      return [number('anzahl', t('Bäume'))]
    case 'kawm':
      return [
        number('anzahl', t('Bäume'), {
          cell: ({ anzahl, soll }) => (
            <span className="nums">
              {soll === null
                ? formatNumber(anzahl)
                : t('{n} von {soll}', { n: formatNumber(anzahl), soll: formatNumber(soll) })}
            </span>
          ),
        }),
        number('soll', t('Benötigt'), { optional: true }),
        number('markiert', t('Markiert'), { optional: true }),
        {
          key: 'frist',
          title: t('Frist'),
          sortable: true,
          cell: ({ frist }) => <DateText value={frist} />,
          exported: ({ frist }) => (frist === null ? null : { day: frist }),
        },
      ]
    case 'waldbestand':
      return [
        number('anzahl', t('Bestände')),
        {
          key: 'hektar',
          title: t('Fläche'),
          align: 'end',
          sortable: true,
          cell: ({ hektar }) => <NumberText value={hektar} digits={1} unit="ha" />,
          exported: ({ hektar }) => hektar,
        },
      ]
    case 'kataster':
      return [number('anzahl', t('Objekte')), number('karten', t('Pläne'))]
  }
}

const columns = (was: PlaceSubject): readonly PlaceColumn[] => [
  {
    key: 'name',
    title: was === 'kataster' ? t('Kunde') : t('Forstbetrieb'),
    sortable: true,
    cell: (row) => (
      <>
        {row.name}
        <span className="places-more">{summary(was, row)}</span>
      </>
    ),
    exported: ({ name }) => name,
  },
  {
    key: 'zusatz',
    title: was === 'kataster' ? t('Ort') : t('Kunde'),
    sortable: true,
    cell: ({ zusatz }) => zusatz ?? <span className="soft">–</span>,
    exported: ({ zusatz }) => zusatz,
  },
  ...ownColumns(was),
  {
    key: 'geaendert',
    title: t('Geändert'),
    sortable: true,
    cell: ({ geaendert_am }) => <DateText value={geaendert_am} />,
    exported: ({ geaendert_am }) => (geaendert_am === null ? null : { day: geaendert_am.slice(0, 10) }),
  },
]

/** 240 Bäume: what there is of a holding or customer, in one line. */
export function countText(was: PlaceSubject, { anzahl, soll, hektar }: Place): string {
  const n = formatNumber(anzahl)
  switch (was) {
    case 'habitat':
      return anzahl === 1 ? t('1 Baum') : t('{n} Bäume', { n })
    case 'kawm':
      return soll === null
        ? t('{n} Bäume', { n })
        : t('{n} von {soll} Bäumen', { n, soll: formatNumber(soll) })
    case 'waldbestand':
      return anzahl === 1
        ? t('1 Bestand, {ha} ha', { ha: formatNumber(hektar, 1) })
        : t('{n} Bestände, {ha} ha', { n, ha: formatNumber(hektar, 1) })
    case 'kataster':
      return anzahl === 1 ? t('1 Objekt') : t('{n} Objekte', { n })
  }
}

/** Everything but the name in one line: all there is room for on a phone. */
export const summary = (was: PlaceSubject, row: Place): string =>
  [
    row.zusatz,
    countText(was, row),
    row.geaendert_am && t('geändert am {tag}', { tag: formatDate(row.geaendert_am) }),
  ]
    .filter(Boolean)
    .join(' · ')

function emptyWords(was: PlaceSubject): Pick<ListWords, 'empty' | 'emptyHint'> {
  switch (was) {
    case 'habitat':
      return {
        empty: t('Noch keine Habitatbäume'),
        emptyHint: t('Wählen Sie oben einen Forstbetrieb und legen Sie dort den ersten Baum an.'),
      }
    case 'kawm':
      return {
        empty: t('KAWM ist noch für keinen Forstbetrieb freigeschaltet'),
        emptyHint: t('Freigeschaltet wird das Modul auf der Seite eines Forstbetriebs.'),
      }
    case 'waldbestand':
      return {
        empty: t('Noch keine Bestände'),
        emptyHint: t('Wählen Sie oben einen Forstbetrieb und lesen Sie dort seine Bestände ein.'),
      }
    case 'kataster':
      return {
        empty: t('Noch keine Vermessung'),
        emptyHint: t('Wählen Sie oben einen Kunden und importieren Sie dort seine Vermessung.'),
      }
  }
}

export const hrefOf = (was: PlaceSubject, path: string, id: number): string =>
  `${path}?${was === 'kataster' ? 'kunde' : 'fb'}=${id}`

/** `asked` is the search that the server answers; empty while the browser has every row. */
export const placesList = (was: PlaceSubject, path: string, asked: string): ArrayList<Place> => ({
  name: `orte-${was}`,
  queryKey: ['orte', was],
  words: () => ({
    ...(was === 'kataster'
      ? {
          title: t('Kunden mit Vermessung'),
          one: t('1 Kunde'),
          many: (n: string) => t('{n} Kunden', { n }),
          search: t('Kunden suchen'),
          searchHint: t('Name oder Ort'),
          none: t('Keine Kunden gefunden'),
        }
      : {
          title: t('Forstbetriebe'),
          one: t('1 Forstbetrieb'),
          many: (n: string) => t('{n} Forstbetriebe', { n }),
          search: t('Forstbetriebe suchen'),
          searchHint: t('Name oder Kunde'),
          none: t('Keine Forstbetriebe gefunden'),
        }),
    ...emptyWords(was),
  }),
  icon: was === 'kataster' ? 'building' : 'tree',
  source: {
    kind: 'array',
    scope: [asked],
    // Descending order reverses rows changed at the same time: this way they stay as they came.
    load: async (signal) => (await rpc('__o_get_places', { was, suche: asked }, { signal })).toReversed(),
    // What the server found also matches in columns that are not here.
    text: asked === '' ? ({ name, zusatz }) => `${name} ${zusatz ?? ''}` : () => asked,
  },
  rowKey: ({ id }) => id,
  rowHref: ({ id }) => hrefOf(was, path, id),
  rowName: ({ name }) => name,
  columns: () => columns(was),
  sorts: {
    name: {},
    zusatz: { nullable: true },
    anzahl: { downFirst: true },
    markiert: { downFirst: true, nullable: true },
    soll: { downFirst: true, nullable: true },
    frist: { nullable: true },
    hektar: { downFirst: true, nullable: true },
    karten: { downFirst: true, nullable: true },
    geaendert: { column: 'geaendert_am', downFirst: true, nullable: true },
  },
  sort: '-geaendert',
  lesser: ['karten', 'zusatz', 'frist', 'geaendert', 'hektar'],
})
