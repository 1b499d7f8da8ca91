// The habitat trees of a holding as a list: search, filters, sorting and paging on the server.
import { columnsWith } from '#domain/fields.ts'
import { HABITATBAUM_FIELDS, LEVEL_FIELDS, TREE_INPUTS, treeField } from '#domain/habitatbaum-fields.ts'
import type { HabitatbaumRow, HabitatCheck, KawmBestand } from '#contract/habitat.ts'
import { levelText, compareTexts } from '#domain/bestand.ts'
import { STRUCTURES } from '#domain/habitat/structures.ts'
import { eq, type Filter, oneOf, or } from '../../data/addresses.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { Clip } from '../../list/Clip.tsx'
import type { ListFilter } from '../../list/filter-kinds.ts'
import { cascade } from '../../list/cascade.ts'
import type { ListColumn } from '../../list/list.ts'
import { changedColumn } from '../../list/stamp-columns.tsx'
import type { TableList } from '../../list/table-source.ts'
import { Badge, DateText, NumberText } from '../../ui/Display.tsx'
import { day } from '../../ui/export/cells.ts'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { HABITAT_LISTS } from './habitat.data.ts'
import {
  addressOf,
  speciesOptions,
  kindText,
  treeName,
  FINDINGS,
  findingName,
  fieldLabel,
  markName,
  methodName,
  statusName,
  STATUSES,
  lossName,
  STATES,
  stateName,
  stateTone,
} from '../../record/habitat/habitat-words.ts'
import { showValue } from '../../record/habitat/habitat-form.ts'
import { structureNames, structureName } from '../../record/habitat/structures-text.ts'

const SELECT = [...TREE_INPUTS, 'id', 'bild', 'kontrolle_datum', 'geaendert_am'] as const
export type TableRow = Pick<HabitatbaumRow, (typeof SELECT)[number]>

export const treeHref = (id: number): string => `/habitatbaeume/${id}`
/** Most trees of a finding that are requested by id, because the length of an address is limited. */
export const MOST_FOUND = 800

/** Ids of the trees of a finding, without duplicates. */
export function idsOfFinding(check: HabitatCheck | undefined, finding: string): number[] {
  const ids = (check?.zeilen ?? [])
    .filter((row) => row.befund === finding)
    .flatMap(({ id, andere }) => (andere === null ? [id] : [id, andere]))
  return [...new Set(ids)].toSorted((a, b) => a - b)
}
/** Without ids a filter that matches nothing, because the server rejects an empty list. */
const among = (ids: readonly number[]): Filter =>
  ids.length === 0 ? eq('id', -1) : oneOf('id', ids.slice(0, MOST_FOUND))

const hasStructure = (code: string): Filter => {
  const value = `like.*|${code}|*`
  return { key: 'struktur_suche', value, inner: `struktur_suche.like."*|${code}|*"` }
}

/** The levels and the stand: each choice narrows the levels below it. */
const addressFilters = (
  addresses: readonly KawmBestand[],
  levels: readonly string[],
): ListFilter<TableRow>[] =>
  cascade<TableRow, KawmBestand>(addresses, [
    ...LEVEL_FIELDS.map((field, at) => {
      const name = levels[at] || t('Ebene {n}', { n: at + 1 })
      return {
        key: `e${at + 1}`,
        label: () => name,
        column: field,
        wert: (address: KawmBestand) => address[field] ?? '',
        text: (wert: string) => levelText(wert, name),
        compare: compareTexts,
      }
    }),
    {
      key: 'stand',
      label: () => fieldLabel('iSTAND'),
      column: 'iSTAND',
      wert: ({ iSTAND }) => (iSTAND === null ? '' : String(iSTAND)),
      text: String,
      compare: (a, b) => Number(a) - Number(b),
      onlyKnown: true,
    },
  ])

const filtersOf = (
  check: HabitatCheck | undefined,
  addresses: readonly KawmBestand[],
  levels: readonly string[],
): ListFilter<TableRow>[] => [
  { kind: 'many', key: 'art', label: () => fieldLabel('art'), options: speciesOptions },
  {
    kind: 'many',
    key: 'struktur',
    label: () => t('Struktur'),
    options: () => STRUCTURES.map(({ code }) => ({ value: code, label: `${code} ${structureName(code)}` })),
    filters: (codes) => [codes.length === 1 ? hasStructure(codes[0]!) : or(...codes.map(hasStructure))],
  },
  {
    kind: 'many',
    key: 'zustand',
    label: () => fieldLabel('zustand'),
    options: () => STATES.map((value) => ({ value, label: stateName(value) })),
  },
  {
    kind: 'one',
    key: 'status',
    label: () => fieldLabel('status'),
    options: () => STATUSES.map((value) => ({ value, label: statusName(value) })),
  },
  {
    kind: 'flag',
    key: 'markiert',
    label: () => fieldLabel('markierung_art'),
    texts: () => [t('markiert'), t('nicht markiert')],
  },
  {
    kind: 'flag',
    key: 'foto',
    column: 'bild',
    label: () => t('Foto'),
    texts: () => [t('mit Foto'), t('ohne Foto')],
  },
  {
    kind: 'one',
    key: 'befund',
    label: () => t('Prüfung'),
    options: () => FINDINGS.map((value) => ({ value, label: findingName(value) })),
    filters: ([finding = '']) => [among(idsOfFinding(check, finding))],
  },
  ...addressFilters(addresses, levels),
  { kind: 'range', key: 'bhd', label: () => fieldLabel('bhd_cm'), column: 'bhd_cm', unit: 'cm', min: 0 },
  { kind: 'flag', key: 'verloren', label: () => t('Verlust'), texts: () => [t('verloren'), t('steht noch')] },
  {
    kind: 'flag',
    key: 'kawm',
    label: () => t('Förderung (KAWM)'),
    texts: () => [t('zählt'), t('zählt nicht')],
  },
  { kind: 'days', key: 'erfasst', label: () => fieldLabel('erfasst_am'), column: 'erfasst_am' },
]

/** What kind of tree it is. */
const treeColumns = (): readonly ListColumn<TableRow>[] => [
  {
    key: 'nummer',
    title: fieldLabel('nummer'),
    sortable: true,
    cell: ({ nummer }) => nummer ?? <span className="soft">{t('ohne Nummer')}</span>,
    exported: ({ nummer }) => nummer,
  },
  {
    key: 'art',
    title: fieldLabel('art'),
    sortable: true,
    cell: ({ art, art_text }) => kindText(art, art_text),
    exported: ({ art, art_text }) => kindText(art, art_text),
  },
  {
    key: 'bhd',
    title: fieldLabel('bhd_cm'),
    align: 'end',
    sortable: true,
    cell: ({ bhd_cm }) => <NumberText value={bhd_cm} unit="cm" />,
    exported: ({ bhd_cm }) => (bhd_cm === null ? null : Number(bhd_cm)),
    alsoExported: [
      {
        title: fieldLabel('hoehe_m'),
        exported: ({ hoehe_m }) => (hoehe_m === null ? null : Number(hoehe_m)),
      },
    ],
  },
  {
    key: 'zustand',
    title: fieldLabel('zustand'),
    cell: ({ zustand, verlust_grund }) =>
      verlust_grund === null ? (
        <Badge tone={stateTone(zustand)}>{stateName(zustand)}</Badge>
      ) : (
        <Badge tone="danger">{t('verloren: {grund}', { grund: lossName(verlust_grund) })}</Badge>
      ),
    exported: ({ zustand }) => stateName(zustand),
    alsoExported: [
      { title: fieldLabel('verlust_datum'), exported: ({ verlust_datum }) => day(verlust_datum) },
      {
        title: fieldLabel('verlust_grund'),
        exported: ({ verlust_grund }) => (verlust_grund === null ? null : lossName(verlust_grund)),
      },
    ],
  },
]

/** What it has, and where it stands. */
const stateColumns = (levels: readonly string[]): readonly ListColumn<TableRow>[] => [
  {
    key: 'status',
    title: fieldLabel('status'),
    cell: ({ status }) => statusName(status),
    exported: ({ status }) => statusName(status),
  },
  {
    key: 'strukturen',
    title: fieldLabel('strukturen'),
    cell: ({ strukturen }) => <Clip text={strukturen.length === 0 ? null : structureNames(strukturen)} />,
    exported: ({ strukturen }) => structureNames(strukturen) || null,
    alsoExported: [
      {
        title: t('Codes der Strukturen'),
        exported: ({ strukturen }) => strukturen.map(({ code }) => code).join(' ') || null,
      },
    ],
  },
  {
    key: 'markierung',
    title: fieldLabel('markierung_art'),
    cell: ({ markierung_art }) =>
      markierung_art === null ? <span className="soft">{t('keine')}</span> : markName(markierung_art),
    exported: ({ markierung_art }) => (markierung_art === null ? null : markName(markierung_art)),
    alsoExported: [
      { title: fieldLabel('markierung_datum'), exported: ({ markierung_datum }) => day(markierung_datum) },
    ],
  },
  {
    key: 'adresse',
    title: t('Forstliche Adresse'),
    cell: (row) => <Clip text={addressOf(row, levels)} />,
    exported: (row) => addressOf(row, levels),
    alsoExported: [
      ...LEVEL_FIELDS.flatMap((field, at) =>
        levels[at] ? [{ title: levels[at], exported: (row: TableRow) => row[field] }] : [],
      ),
      { title: fieldLabel('iSTAND'), exported: ({ iSTAND }) => iSTAND },
    ],
  },
  {
    key: 'foto',
    title: t('Foto'),
    cell: ({ bild }) => (bild ? t('ja') : <span className="soft">{t('fehlt')}</span>),
    exported: ({ bild }) => (bild ? t('ja') : t('nein')),
  },
]

/** The fields declared with a plain column in lists, hidden at first. */
const declaredColumns = (): readonly ListColumn<TableRow>[] =>
  columnsWith(HABITATBAUM_FIELDS, 'list').map((column) => ({
    key: treeField(column).list ?? column,
    title: fieldLabel(column),
    optional: true,
    cell: (row) => <Clip text={showValue(column, row[column])} />,
    exported: (row) => row[column],
  }))

/** How it was recorded, and what is shown on demand. */
const recordColumns = (): readonly ListColumn<TableRow>[] => [
  {
    key: 'erfasst',
    title: fieldLabel('erfasst_am'),
    sortable: true,
    cell: ({ erfasst_am }) => <DateText value={erfasst_am} />,
    exported: ({ erfasst_am }) => day(erfasst_am),
    alsoExported: [{ title: fieldLabel('erfasser'), exported: ({ erfasser }) => erfasser }],
  },
  {
    key: 'kontrolle',
    title: t('Letzte Kontrolle'),
    optional: true,
    cell: ({ kontrolle_datum }) => <DateText value={kontrolle_datum} />,
    exported: ({ kontrolle_datum }) => day(kontrolle_datum),
  },
  {
    key: 'lage',
    title: t('Lage'),
    optional: true,
    cell: ({ genauigkeit_m, lage_methode }) =>
      genauigkeit_m === null
        ? methodName(lage_methode)
        : t('{methode}, ± {n} m', { methode: methodName(lage_methode), n: formatNumber(genauigkeit_m) }),
    exported: ({ lage_methode }) => methodName(lage_methode),
    alsoExported: [
      {
        title: t('Genauigkeit in Metern'),
        exported: ({ genauigkeit_m }) => (genauigkeit_m === null ? null : Number(genauigkeit_m)),
      },
      {
        title: fieldLabel('lage_fix'),
        exported: ({ lage_fix }) => showValue('lage_fix', lage_fix) || null,
      },
      {
        title: fieldLabel('genauigkeit_geschaetzt'),
        exported: ({ genauigkeit_geschaetzt }) => showValue('genauigkeit_geschaetzt', genauigkeit_geschaetzt),
      },
      { title: t('Breite (WGS 84)'), exported: ({ lat }) => lat },
      { title: t('Länge (WGS 84)'), exported: ({ lon }) => lon },
    ],
  },
  {
    key: 'kawm',
    title: t('Förderung (KAWM)'),
    optional: true,
    cell: ({ kawm }) => (kawm ? t('zählt') : t('zählt nicht')),
    exported: ({ kawm }) => (kawm ? t('ja') : t('nein')),
  },
  ...declaredColumns(),
  changedColumn(),
]

const columns = (levels: readonly string[]): readonly ListColumn<TableRow>[] => [
  ...treeColumns(),
  ...stateColumns(levels),
  ...recordColumns(),
]

export const habitatList = (
  { idHQ, ebenen }: Pick<Betrieb, 'idHQ' | 'ebenen'>,
  check: HabitatCheck | undefined,
  addresses: readonly KawmBestand[],
  emptyHint: string,
): TableList<TableRow> => ({
  name: 'habitatbaeume',
  words: () => ({
    title: t('Habitatbäume'),
    one: t('1 Habitatbaum'),
    many: (n) => t('{n} Habitatbäume', { n }),
    search: t('Habitatbäume suchen'),
    searchHint: t('Nummer, Adresse, Bemerkung'),
    none: t('Kein Habitatbaum passt zu diesem Filter'),
    empty: t('Noch keine Habitatbäume'),
    emptyHint,
  }),
  source: {
    kind: 'table',
    table: 'habitatbaeume_liste',
    key: 'id',
    select: SELECT,
    scope: [eq('idHQ', idHQ)],
  },
  rowKey: ({ id }) => id,
  rowName: treeName,
  rowHref: ({ id }) => treeHref(id),
  rowTone: ({ verlust_datum }) => (verlust_datum === null ? undefined : 'soft'),
  columns: () => columns(ebenen),
  sorts: {
    nummer: { column: 'sortname' },
    art: {},
    bhd: { column: 'bhd_cm', nullable: true, downFirst: true },
    erfasst: { column: 'erfasst_am', downFirst: true },
    geaendert: { column: 'geaendert_am', downFirst: true },
  },
  sort: 'nummer',
  filters: filtersOf(check, addresses, ebenen),
  lesser: ['foto', 'status', 'erfasst', 'adresse', 'markierung', 'bhd', 'strukturen'],
  queryKey: HABITAT_LISTS,
  icon: 'tree',
})
