// The stands of a holding with their trees for the grant, as a list: all are in the browser, so that map and
// list show the same rows.
import type { KawmBestaende } from '#contract/kawm.ts'
import { addressText } from '#domain/bestand.ts'
import { missingInBestand, perHa, LEVELS, type Level, levelOf } from '#domain/kawm-bestand.ts'
import { ColorSwatch } from '../../karte/BestandSurface.tsx'
import type { ArrayList } from '../../list/array-source.ts'
import type { ListFilter } from '../../list/filter-kinds.ts'
import { cascadeLevels } from '../../list/cascade-levels.ts'
import { cascade } from '../../list/cascade.ts'
import type { ListColumn } from '../../list/list.ts'
import { Button } from '../../ui/Button.tsx'
import { NumberText } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'

export interface TableRow {
  readonly id: number
  /** Position in natural order. */
  readonly nr: number
  readonly l: readonly (string | null)[]
  readonly s: number | null
  readonly adresse: string
  readonly ha: number
  readonly erfasst: number
  readonly markiert: number
  readonly anwaerter: number
  readonly byLocation: number
  readonly perHa: number
  readonly fehlt: number
  readonly stufe: Level
}
export const rowsOf = ({ bestaende, ebenen }: KawmBestaende): TableRow[] =>
  bestaende.map(([id, l, s, ha, captured, marked, candidates, byLocation], nr) => ({
    id,
    nr,
    l,
    s,
    adresse: addressText({ l, s }, ebenen),
    ha,
    erfasst: captured,
    markiert: marked,
    anwaerter: candidates,
    byLocation,
    perHa: perHa(captured, ha),
    fehlt: missingInBestand(captured, ha),
    stufe: levelOf(captured, ha),
  }))

export const levelName = (level: Level): string =>
  ({
    ohne: t('ohne Bäume'),
    wenig: t('unter 2,5 je ha'),
    fast: t('2,5 bis unter 5 je ha'),
    genug: t('5 bis unter 10 je ha'),
    viel: t('10 und mehr je ha'),
  })[level]
/** From none over too few to enough; distinguishable in greyscale too. */
export const LEVEL_COLOR: Readonly<Record<Level, string>> = {
  ohne: '#f3efe4',
  wenig: '#f2cf8a',
  fast: '#e09a3e',
  genug: '#5fa463',
  viel: '#1d5c38',
}

function filtersOf(rows: readonly TableRow[], levelNames: readonly string[]): ListFilter<TableRow>[] {
  const levels = cascade(rows, cascadeLevels<TableRow>(levelNames))
  return [
    {
      kind: 'many',
      key: 'stufe',
      label: () => t('Bäume je Hektar'),
      of: ({ stufe }) => stufe,
      options: () => LEVELS.map((value) => ({ value, label: levelName(value) })),
    },
    ...levels,
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

const columns = (): readonly ListColumn<TableRow>[] => [
  {
    key: 'adresse',
    title: t('Bestand'),
    sortable: true,
    cell: (row) => <Picker row={row} />,
    exported: ({ adresse }) => adresse,
  },
  {
    key: 'ha',
    title: t('Fläche'),
    align: 'end',
    sortable: true,
    cell: ({ ha }) => <NumberText value={ha} digits={2} unit="ha" />,
    exported: ({ ha }) => ha,
  },
  {
    key: 'erfasst',
    title: t('Erfasst'),
    align: 'end',
    sortable: true,
    cell: ({ erfasst }) => <NumberText value={erfasst} />,
    exported: ({ erfasst }) => erfasst,
  },
  {
    key: 'markiert',
    title: t('Markiert'),
    align: 'end',
    sortable: true,
    cell: ({ markiert }) => <NumberText value={markiert} />,
    exported: ({ markiert }) => markiert,
  },
  {
    key: 'anwaerter',
    title: t('Anwärter'),
    align: 'end',
    sortable: true,
    cell: ({ anwaerter }) => <NumberText value={anwaerter} />,
    exported: ({ anwaerter }) => anwaerter,
  },
  {
    key: 'jeha',
    title: t('Bäume je ha'),
    align: 'end',
    sortable: true,
    cell: (row) => (
      <span className="kawm-dichte">
        <ColorSwatch farbe={LEVEL_COLOR[row.stufe]} />
        <NumberText value={row.perHa} digits={2} />
      </span>
    ),
    exported: (row) => Math.round(row.perHa * 100) / 100,
  },
  {
    key: 'fehlt',
    title: t('Bis 5 je ha fehlen'),
    align: 'end',
    sortable: true,
    cell: ({ fehlt }) => <NumberText value={fehlt} />,
    exported: ({ fehlt }) => fehlt,
  },
]

export function kawmList(
  { idHQ, ebenen }: KawmBestaende,
  rows: readonly TableRow[],
  stand: number,
): ArrayList<TableRow> {
  return {
    name: 'kawm-bestaende',
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
      scope: [idHQ, stand],
      load: () => Promise.resolve(rows),
      text: ({ adresse }) => adresse,
    },
    rowKey: ({ id }) => id,
    rowName: ({ adresse }) => adresse,
    columns,
    sorts: {
      adresse: { of: ({ nr }) => nr },
      ha: { of: ({ ha }) => ha, downFirst: true },
      erfasst: { of: ({ erfasst }) => erfasst, downFirst: true },
      markiert: { of: ({ markiert }) => markiert, downFirst: true },
      anwaerter: { of: ({ anwaerter }) => anwaerter, downFirst: true },
      jeha: { of: (row) => row.perHa },
      fehlt: { of: ({ fehlt }) => fehlt, downFirst: true },
    },
    sort: 'adresse',
    filters: filtersOf(rows, ebenen),
    lesser: ['anwaerter', 'markiert', 'fehlt', 'ha'],
    queryKey: ['habitat', 'list', 'kawm', String(idHQ), 'liste'],
    icon: 'tree',
  }
}
