// Lists of survey objects, one per kind. They share the map's filters through the address.
import { OTHER, type ObjectKind, OBJECT_KINDS, SURVEYED } from '#contract/kataster-tile.ts'
import { and, eq, type Filter, isNull, oneOf, or } from '../../data/addresses.ts'
import type { ListFilter } from '../../list/filter-kinds.ts'
import type { List, ListColumn } from '../../list/list.ts'
import { fieldName, fixName, kindWords, valueText } from '../../record/kataster/kataster-words.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Badge, DateText, NumberText } from '../../ui/Display.tsx'
import { day } from '../../ui/export/cells.ts'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import type { ObjectRecord } from './kataster.data.ts'
import { targetText } from './kataster.data.ts'
import { objectHref } from './object.data.ts'
import { surveyedText, wortOf } from './kataster-words.ts'

type Row = Omit<ObjectRecord, 'g3857'>

const SELECT = [
  'id',
  'schluessel',
  'vermessen',
  'erfq',
  'qdt',
  'art',
  'dn',
  'material',
  'tiefe',
  'baujahr',
  'plan_nr',
  'zustand',
  'datum',
  'genauigkeit_cm',
  'lage_fix',
  'genauigkeit_geschaetzt',
] as const

/** Rows with one of these values; OTHER also matches rows without one. */
const orNone =
  (column: string) =>
  (values: readonly string[]): readonly Filter[] =>
    values.includes(OTHER) ? [or(isNull(column), oneOf(column, values))] : [oneOf(column, values)]
const SURVEYED_FILTER = {
  ja: eq('vermessen', true),
  nein: eq('vermessen', false),
  offen: isNull('vermessen'),
}

export interface Values {
  readonly erfq: readonly string[]
  readonly qdt: readonly string[]
}

export const objectFilters = ({ erfq, qdt }: Values): readonly ListFilter<Row>[] => [
  {
    kind: 'many',
    key: 'vermessen',
    label: () => t('Einmessung'),
    options: () => SURVEYED.map((value) => ({ value, label: surveyedText(value) })),
    filters: (values) => {
      const asked = SURVEYED.filter((wort) => values.includes(wort)).map((wort) => SURVEYED_FILTER[wort])
      return asked.length === 1 ? asked : [or(...asked)]
    },
  },
  {
    kind: 'many',
    key: 'erfq',
    label: () => t('Erfassungsquelle'),
    options: () => erfq.map((value) => ({ value, label: valueText(value) })),
    open: true,
    filters: orNone('erfq'),
  },
  {
    kind: 'many',
    key: 'qdt',
    label: () => t('Qualität'),
    options: () => qdt.map((value) => ({ value, label: valueText(value) })),
    open: true,
    filters: orNone('qdt'),
  },
  // Only affects the map; a filter nevertheless, because the chart bars set it together with the filters, so
  // it is displayed and removed with them.
  {
    kind: 'many',
    key: 'aus',
    label: () => t('In der Karte ausgeblendet'),
    options: () => OBJECT_KINDS.map((value) => ({ value, label: kindWords(value).many })),
    filters: () => [],
  },
]

function ShowOnMap({ art, row }: { art: ObjectKind; row: Row }) {
  const view = useView()
  const target = targetText({ art, id: row.id })
  const name = row.schluessel ?? String(row.id)
  return (
    <IconButton
      size="small"
      icon="map"
      aria-pressed={view.search['objekt'] === target}
      label={t('{name} in der Karte zeigen', { name })}
      onClick={() => view.setSearch({ objekt: target })}
    />
  )
}

/** What it is and what it is made of. */
const objectColumns = (art: ObjectKind): readonly ListColumn<Row>[] => [
  {
    key: 'schluessel',
    title: t('Nummer'),
    sortable: true,
    cell: (row) => row.schluessel ?? String(row.id),
    exported: (row) => row.schluessel ?? String(row.id),
  },
  { key: 'karte', title: t('Karte'), cell: (row) => <ShowOnMap art={art} row={row} /> },
  {
    key: 'vermessen',
    title: t('Einmessung'),
    cell: ({ vermessen }) => (
      <Badge tone={vermessen ? 'success' : vermessen === false ? 'warning' : 'neutral'}>
        {surveyedText(wortOf(vermessen))}
      </Badge>
    ),
    exported: ({ vermessen }) => surveyedText(wortOf(vermessen)),
  },
  { key: 'art', title: t('Art'), cell: (row) => row.art ?? '–', exported: (row) => row.art },
  {
    key: 'dn',
    title: t('DN'),
    align: 'end',
    cell: (row) => <NumberText value={row.dn} />,
    exported: (row) => row.dn,
  },
  {
    key: 'material',
    title: t('Material'),
    cell: (row) => row.material ?? '–',
    exported: (row) => row.material,
  },
  ...(art === 'draenage'
    ? [
        {
          key: 'laenge',
          title: t('Leitungslänge'),
          align: 'end' as const,
          cell: (row: Row) => <NumberText value={row.laenge} digits={1} unit="m" />,
          exported: (row: Row) => (row.laenge === undefined ? null : Math.round(row.laenge * 100) / 100),
        },
      ]
    : []),
]

/** Where its data comes from; more on demand. */
const sourceColumns = (): readonly ListColumn<Row>[] => [
  {
    key: 'tiefe',
    title: t('Tiefe'),
    align: 'end',
    optional: true,
    cell: (row) => <NumberText value={row.tiefe} digits={2} unit="m" />,
    exported: (row) => row.tiefe,
  },
  {
    key: 'erfq',
    title: t('Erfassungsquelle'),
    cell: (row) => valueText(row.erfq),
    exported: (row) => valueText(row.erfq),
  },
  {
    key: 'qdt',
    title: t('Qualität'),
    cell: (row) => valueText(row.qdt),
    exported: (row) => valueText(row.qdt),
  },
  {
    key: 'zustand',
    title: t('Zustand'),
    optional: true,
    cell: (row) => row.zustand ?? '–',
    exported: (row) => row.zustand,
  },
  {
    key: 'plan_nr',
    title: t('Plan'),
    optional: true,
    cell: (row) => row.plan_nr ?? '–',
    exported: (row) => row.plan_nr,
  },
  {
    key: 'baujahr',
    title: t('Baujahr'),
    optional: true,
    align: 'end',
    cell: (row) => row.baujahr ?? '–',
    exported: (row) => row.baujahr,
  },
  {
    key: 'datum',
    title: t('Stand'),
    optional: true,
    cell: (row) => <DateText value={row.datum} />,
    exported: (row) => day(row.datum),
  },
]

/** How well it was measured; all on demand. */
const placeColumns = (): readonly ListColumn<Row>[] => [
  {
    key: 'genauigkeit',
    title: t('Genauigkeit'),
    optional: true,
    align: 'end',
    cell: (row) => <NumberText value={row.genauigkeit_cm} digits={1} unit="cm" />,
    exported: (row) => row.genauigkeit_cm,
    alsoExported: [
      {
        title: fieldName('genauigkeit_geschaetzt'),
        exported: ({ genauigkeit_geschaetzt: estimated }) =>
          estimated === null ? null : estimated ? t('ja') : t('nein'),
      },
    ],
  },
  {
    key: 'lage_fix',
    title: fieldName('lage_fix'),
    optional: true,
    cell: (row) => (row.lage_fix === null ? '–' : fixName(row.lage_fix)),
    exported: (row) => row.lage_fix && fixName(row.lage_fix),
  },
]

const columns = (art: ObjectKind): readonly ListColumn<Row>[] => [
  ...objectColumns(art),
  ...sourceColumns(),
  ...placeColumns(),
]

export function objectList(kunde: number, art: ObjectKind, values: Values): List<Row> {
  return {
    name: `kataster_${art}`,
    words: () => {
      const { one, many } = kindWords(art)
      return {
        title: many,
        one: `1 ${one}`,
        many: (n) => `${n} ${many}`,
        none: t('Keine Objekte passen zu diesem Filter'),
        empty: t('Noch keine {was}', { was: many }),
      }
    },
    source: {
      kind: 'table',
      table: art,
      key: 'id',
      select: art === 'draenage' ? [...SELECT, 'laenge'] : SELECT,
      search: false,
      scope: [and(eq('client_id', kunde))],
    },
    rowKey: (row) => row.id,
    rowHref: (row) => objectHref({ art, id: row.id }),
    columns: () => columns(art),
    sorts: { objekt: { column: 'id' }, schluessel: { nullable: true } },
    sort: 'objekt',
    filters: objectFilters(values),
    queryKey: ['kataster', String(kunde), 'liste', art],
    icon: 'tree',
  }
}

export { OBJECT_KINDS }
