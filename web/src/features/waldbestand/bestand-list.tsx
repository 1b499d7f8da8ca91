// The stands of a holding as a list: all of them are in the browser, so that map, charts and list look at the same rows.
import type { BestandKurz, Waldbestand } from '#contract/bestand.ts'
import {
  adresseText,
  type Auswahl,
  ebeneText,
  flaechenNachGruppe,
  type Gruppe,
  GRUPPEN,
  klasseOf,
  klasseText,
  LETZTE_KLASSE,
  leitgruppe,
  type Stufe,
  vorratOf,
} from '#domain/bestand.ts'
import { Farbfeld } from '../../karte/BestandFlaeche.tsx'
import type { ArrayList } from '../../list/array-source.ts'
import { ebeneKey, ebenenStufen } from '../../list/ebenen-stufen.ts'
import { kaskade, OHNE } from '../../list/kaskade.ts'
import type { ListColumn } from '../../list/list.ts'
import type { ListFilter } from '../../list/filter-kinds.ts'
import { Button } from '../../ui/Button.tsx'
import { NumberText } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { gruppeFarbe, gruppeName, klasseName } from './waldbestand-words.ts'

export interface Zeile extends BestandKurz {
  /** Place in natural order. */
  readonly nr: number
  readonly adresse: string
  readonly leit: Gruppe
  readonly gruppen: readonly Gruppe[]
  readonly klasse: number | null
  readonly vorratGanz: number | null
}
export function zeilenOf({ bestaende, ebenen }: Waldbestand): Zeile[] {
  return bestaende.map((row, nr) => ({
    ...row,
    nr,
    adresse: adresseText(row, ebenen),
    leit: leitgruppe(row),
    gruppen: [...flaechenNachGruppe(row).keys()],
    klasse: klasseOf(row.ak),
    vorratGanz: vorratOf(row),
  }))
}

/** A stand without a value is written as a dash in the address. */
export const LEER = OHNE
const decode = (value: string): string => value.replaceAll('%2C', ',').replaceAll('%25', '%')
export const auswahlOf = (filter: Readonly<Record<string, string>>): Auswahl =>
  Array.from({ length: 5 }, (_, at) => {
    const value = filter[ebeneKey(at)]
    return value === undefined || value === '' ? null : value === LEER ? '' : decode(value)
  })

export const stufeWert = (wert: string, { name }: Pick<Stufe, 'name'>): string => (wert === '' ? t('ohne') : ebeneText(wert, name))

const distinct = (rows: readonly Zeile[], of: (row: Zeile) => string | null): string[] =>
  [...new Set(rows.flatMap((row) => of(row) ?? []))].toSorted((a, b) => a.localeCompare(b, 'de'))

function filtersOf(rows: readonly Zeile[], ebenen: readonly string[]): ListFilter<Zeile>[] {
  const levels = kaskade(rows, ebenenStufen<Zeile>(ebenen), () => t('ohne'))
  const arten = GRUPPEN.filter((gruppe) => rows.some(({ gruppen }) => gruppen.includes(gruppe)))
  return [
    ...levels,
    {
      kind: 'many',
      key: 'art',
      label: () => t('Baumart'),
      of: ({ gruppen }) => gruppen,
      options: () => arten.map((value) => ({ value, label: gruppeName(value) })),
    },
    {
      kind: 'many',
      key: 'ak',
      label: () => t('Altersklasse'),
      of: ({ klasse }) => klasse,
      none: LEER,
      options: () => [
        ...Array.from({ length: LETZTE_KLASSE }, (_, at) => ({ value: String(at + 1), label: klasseName(at + 1) })),
        { value: LEER, label: klasseName(null) },
      ],
    },
    {
      kind: 'many',
      key: 'nutzung',
      label: () => t('Nutzungsart'),
      of: ({ nutzungsart }) => nutzungsart,
      none: LEER,
      options: () => [
        ...distinct(rows, ({ nutzungsart }) => nutzungsart).map((value) => ({ value, label: value })),
        { value: LEER, label: t('ohne Angabe') },
      ],
    },
    { kind: 'range', key: 'ha', label: () => t('Fläche'), unit: 'ha', min: 0, of: ({ ha }) => ha },
  ]
}

function Wahl({ row }: { row: Zeile }) {
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

const columns = (ebenen: readonly string[]): readonly ListColumn<Zeile>[] => [
  {
    key: 'adresse',
    title: t('Bestand'),
    sortable: true,
    cell: (row) => <Wahl row={row} />,
    exported: ({ adresse }) => adresse,
    alsoExported: [
      ...ebenen.flatMap((name, at) => (name === '' ? [] : [{ title: name, exported: (row: Zeile) => row.l[at] ?? null }])),
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
    alsoExported: [{ title: t('Altersklasse'), exported: ({ klasse }) => (klasse === null ? null : klasseText(klasse)) }],
  },
  {
    key: 'leit',
    title: t('Baumarten'),
    cell: ({ leit, arten }) => (
      <span className="wald-arten">
        <Farbfeld farbe={gruppeFarbe(leit)} />
        {artenText(arten) || gruppeName(leit)}
      </span>
    ),
    exported: ({ arten, leit }) => artenText(arten) || gruppeName(leit),
  },
  {
    key: 'vorrat',
    title: t('Vorrat'),
    align: 'end',
    sortable: true,
    cell: ({ vorratGanz }) => <NumberText value={vorratGanz} digits={0} unit="Vfm" />,
    exported: ({ vorratGanz }) => vorratGanz,
    alsoExported: [
      { title: t('Vorrat je Hektar'), exported: ({ vorratGanz, ha }) => (vorratGanz === null ? null : Math.round(vorratGanz / ha)) },
    ],
  },
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
  { key: 'stichtag', title: t('Stichtag'), optional: true, cell: ({ tag }) => tag ?? '–', exported: ({ tag }) => tag },
  {
    key: 'bemerkung',
    title: t('Bemerkung'),
    optional: true,
    cell: ({ bemerkung }) => bemerkung ?? '–',
    exported: ({ bemerkung }) => bemerkung,
  },
]

/** '70 % Rotbuche, 30 % Fichte': of the layers, the upper one as the plan lists it. */
export function artenText(arten: BestandKurz['arten']): string {
  const [first] = arten
  return arten
    .filter(([schicht]) => schicht === first?.[0])
    .map(([, baumart, anteil]) => (anteil === null ? baumart : `${Math.round(anteil)} % ${baumart}`))
    .join(', ')
}

export function bestandList(wald: Waldbestand, rows: readonly Zeile[]): ArrayList<Zeile> {
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
      // Another import has other stands, and other names of levels another version.
      scope: [wald.idHQ, wald.version, rows[0]?.id ?? 0, rows.length],
      load: () => Promise.resolve(rows),
      text: ({ adresse, bestandestyp, bemerkung, arten }) =>
        [adresse, bestandestyp, bemerkung, ...arten.map(([, baumart]) => baumart)].filter(Boolean).join(' '),
    },
    rowKey: ({ id }) => id,
    rowName: ({ adresse }) => adresse,
    columns: () => columns(wald.ebenen),
    sorts: {
      adresse: { of: ({ nr }) => nr },
      flaeche: { of: ({ ha }) => ha, downFirst: true },
      alter: { of: ({ alter }) => alter, nullable: true },
      vorrat: { of: ({ vorratGanz }) => vorratGanz, nullable: true, downFirst: true },
      typ: { of: ({ bestandestyp }) => bestandestyp, nullable: true },
    },
    sort: 'adresse',
    filters: filtersOf(rows, wald.ebenen),
    lesser: ['vorrat', 'alter', 'leit'],
    queryKey: ['waldbestand', String(wald.idHQ), 'liste'],
    icon: 'tree',
  }
}
