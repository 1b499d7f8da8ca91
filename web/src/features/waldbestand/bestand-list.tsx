// The stands of a holding as a list: all are in the browser, so that map, charts and list show the same rows.
import type { ShortBestand, Waldbestand } from '#contract/bestand.ts'
import {
  addressText,
  type Choice,
  levelText,
  areasByGroup,
  type Group,
  GROUPS,
  classOf,
  classText,
  LAST_CLASS,
  leadingGroupOf,
  type Level,
  stockOf,
} from '#domain/bestand.ts'
import { ColorSwatch } from '../../karte/BestandSurface.tsx'
import type { ArrayList } from '../../list/array-source.ts'
import { levelKey, cascadeLevels } from '../../list/cascade-levels.ts'
import { cascade, NONE } from '../../list/cascade.ts'
import type { ListColumn } from '../../list/list.ts'
import type { ListFilter } from '../../list/filter-kinds.ts'
import { Button } from '../../ui/Button.tsx'
import { DateText, NumberText } from '../../ui/Display.tsx'
import { day } from '../../ui/export/cells.ts'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { groupColor, groupName, ageClassName } from './waldbestand-words.ts'

export interface TableRow extends ShortBestand {
  /** Position in natural order. */
  readonly nr: number
  readonly adresse: string
  readonly leadingGroup: Group
  readonly groups: readonly Group[]
  readonly ageClass: number | null
  readonly totalStock: number | null
}
export function rowsOf({ bestaende, ebenen }: Waldbestand): TableRow[] {
  return bestaende.map((row, nr) => ({
    ...row,
    nr,
    adresse: addressText(row, ebenen),
    leadingGroup: leadingGroupOf(row),
    groups: [...areasByGroup(row).keys()],
    ageClass: classOf(row.ak),
    totalStock: stockOf(row),
  }))
}

/** A missing value is written as a dash in the address. */
export const EMPTY = NONE
const decode = (value: string): string => value.replaceAll('%2C', ',').replaceAll('%25', '%')
export const choiceOf = (filter: Readonly<Record<string, string>>): Choice =>
  Array.from({ length: 5 }, (_, at) => {
    const value = filter[levelKey(at)]
    return value === undefined || value === '' ? null : value === EMPTY ? '' : decode(value)
  })

export const levelValue = (wert: string, { name }: Pick<Level, 'name'>): string =>
  wert === '' ? t('ohne') : levelText(wert, name)

const distinct = (rows: readonly TableRow[], of: (row: TableRow) => string | null): string[] =>
  [...new Set(rows.flatMap((row) => of(row) ?? []))].toSorted((a, b) => a.localeCompare(b, 'de'))

function filtersOf(rows: readonly TableRow[], levelNames: readonly string[]): ListFilter<TableRow>[] {
  const levels = cascade(rows, cascadeLevels<TableRow>(levelNames), () => t('ohne'))
  const kinds = GROUPS.filter((group) => rows.some(({ groups }) => groups.includes(group)))
  return [
    ...levels,
    {
      kind: 'many',
      key: 'art',
      label: () => t('Baumart'),
      of: ({ groups }) => groups,
      options: () => kinds.map((value) => ({ value, label: groupName(value) })),
    },
    {
      kind: 'many',
      key: 'ak',
      label: () => t('Altersklasse'),
      of: ({ ageClass }) => ageClass,
      none: EMPTY,
      options: () => [
        ...Array.from({ length: LAST_CLASS }, (_, at) => ({
          value: String(at + 1),
          label: ageClassName(at + 1),
        })),
        { value: EMPTY, label: ageClassName(null) },
      ],
    },
    {
      kind: 'many',
      key: 'nutzung',
      label: () => t('Nutzungsart'),
      of: ({ nutzungsart }) => nutzungsart,
      none: EMPTY,
      options: () => [
        ...distinct(rows, ({ nutzungsart }) => nutzungsart).map((value) => ({ value, label: value })),
        { value: EMPTY, label: t('ohne Angabe') },
      ],
    },
    { kind: 'range', key: 'ha', label: () => t('Fläche'), unit: 'ha', min: 0, of: ({ ha }) => ha },
  ]
}

function Picker({ row }: { row: TableRow }) {
  const view = useView()
  return (
    <Button
      size="small"
      icon="map"
      aria-pressed={view.search['bestand'] === String(row.id)}
      aria-label={t('{name} ansehen', { name: row.adresse })}
      onClick={() => view.setSearch({ bestand: String(row.id) })}
    >
      {row.adresse}
    </Button>
  )
}

/** What every stand has. */
const mainColumns = (levels: readonly string[]): readonly ListColumn<TableRow>[] => [
  {
    key: 'adresse',
    title: t('Bestand'),
    sortable: true,
    cell: (row) => <Picker row={row} />,
    exported: ({ adresse }) => adresse,
    alsoExported: [
      ...levels.flatMap((name, at) =>
        name === '' ? [] : [{ title: name, exported: (row: TableRow) => row.l[at] ?? null }],
      ),
      { title: t('Bestandsnummer'), exported: ({ s }) => s },
    ],
  },
  {
    key: 'flaeche',
    title: t('Fläche'),
    align: 'end',
    sortable: true,
    cell: ({ ha }) => <NumberText value={ha} digits={2} unit="ha" />,
    exported: ({ ha }) => ha,
  },
  {
    key: 'alter',
    title: t('Alter'),
    align: 'end',
    sortable: true,
    cell: ({ alter }) => <NumberText value={alter} digits={0} />,
    exported: ({ alter }) => alter,
    alsoExported: [
      {
        title: t('Altersklasse'),
        exported: ({ ageClass }) => (ageClass === null ? null : classText(ageClass)),
      },
    ],
  },
  {
    key: 'leit',
    title: t('Baumarten'),
    cell: ({ leadingGroup, arten }) => (
      <span className="wald-arten">
        <ColorSwatch farbe={groupColor(leadingGroup)} />
        {speciesText(arten) || groupName(leadingGroup)}
      </span>
    ),
    exported: ({ arten, leadingGroup }) => speciesText(arten) || groupName(leadingGroup),
  },
  {
    key: 'vorrat',
    title: t('Vorrat'),
    align: 'end',
    sortable: true,
    cell: ({ totalStock }) => <NumberText value={totalStock} digits={0} unit="Vfm" />,
    exported: ({ totalStock }) => totalStock,
    alsoExported: [
      {
        title: t('Vorrat je Hektar'),
        exported: ({ totalStock, ha }) => (totalStock === null ? null : Math.round(totalStock / ha)),
      },
    ],
  },
]

/** What is shown on demand. */
const moreColumns = (): readonly ListColumn<TableRow>[] => [
  {
    key: 'typ',
    title: t('Bestandestyp'),
    optional: true,
    sortable: true,
    cell: ({ bestandestyp }) => bestandestyp ?? '–',
    exported: ({ bestandestyp }) => bestandestyp,
  },
  {
    key: 'nutzungsart',
    title: t('Nutzungsart'),
    optional: true,
    cell: ({ nutzungsart }) => nutzungsart ?? '–',
    exported: ({ nutzungsart }) => nutzungsart,
  },
  {
    key: 'stichtag',
    title: t('Stichtag'),
    optional: true,
    cell: ({ tag }) => (tag === null ? '–' : <DateText value={tag} />),
    exported: ({ tag }) => day(tag),
  },
  {
    key: 'bemerkung',
    title: t('Bemerkung'),
    optional: true,
    cell: ({ bemerkung }) => bemerkung ?? '–',
    exported: ({ bemerkung }) => bemerkung,
  },
]

const columns = (levels: readonly string[]): readonly ListColumn<TableRow>[] => [
  ...mainColumns(levels),
  ...moreColumns(),
]

/** '70 % Rotbuche, 30 % Fichte': the species of the upper layer, as the plan lists it. */
export function speciesText(kinds: ShortBestand['arten']): string {
  const [first] = kinds
  return kinds
    .filter(([layer]) => layer === first?.[0])
    .map(([, baumart, share]) => (share === null ? baumart : `${Math.round(share)} % ${baumart}`))
    .join(', ')
}

export function bestandList(forest: Waldbestand, rows: readonly TableRow[]): ArrayList<TableRow> {
  return {
    name: 'waldbestand',
    words: () => ({
      title: t('Bestände'),
      one: t('1 Bestand'),
      many: (n) => t('{n} Bestände', { n }),
      search: t('Bestände suchen'),
      none: t('Kein Bestand passt zu diesem Filter'),
      empty: t('Noch keine Bestände'),
    }),
    source: {
      kind: 'array',
      // Another import has other stands; renamed levels have another version.
      scope: [forest.idHQ, forest.version, rows[0]?.id ?? 0, rows.length],
      load: () => Promise.resolve(rows),
      text: ({ adresse, bestandestyp, bemerkung, arten }) =>
        [adresse, bestandestyp, bemerkung, ...arten.map(([, baumart]) => baumart)].filter(Boolean).join(' '),
    },
    rowKey: ({ id }) => id,
    rowName: ({ adresse }) => adresse,
    columns: () => columns(forest.ebenen),
    sorts: {
      adresse: { of: ({ nr }) => nr },
      flaeche: { of: ({ ha }) => ha, downFirst: true },
      alter: { of: ({ alter }) => alter, nullable: true },
      vorrat: { of: ({ totalStock }) => totalStock, nullable: true, downFirst: true },
      typ: { of: ({ bestandestyp }) => bestandestyp, nullable: true },
    },
    sort: 'adresse',
    filters: filtersOf(rows, forest.ebenen),
    lesser: ['vorrat', 'alter', 'leit'],
    queryKey: ['waldbestand', String(forest.idHQ), 'liste'],
    icon: 'tree',
  }
}
