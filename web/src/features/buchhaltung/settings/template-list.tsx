// The lists of templates and text blocks, declared for the list kit, with and without archived ones.
import type { TextModule, PositionTemplate } from '#contract/template.ts'
import { TEXT_MODULE_KINDS } from '#domain/text-module.ts'
import { formatGerman } from '#domain/geld.ts'
import { priceOf, pricePlaces } from '#domain/template.ts'
import type { ArrayList } from '../../../list/array-source.ts'
import type { ListColumn } from '../../../list/list.ts'
import { Badge, DateText } from '../../../ui/Display.tsx'
import { moment } from '../../../ui/export/cells.ts'
import { t } from '../../../ui/text.ts'
import { RowActions } from '../RowActions.tsx'
import { TEXT_MODULES_KEY, fetchTextModules, fetchTemplates, TEMPLATES_KEY } from './template.data.ts'
import { textModuleKindText } from './template-words.ts'
import { rateText } from './rate-text.ts'

interface Archivable {
  readonly archiviert: boolean
  readonly geaendert_am: string
  readonly geaendert_von: string | null
}
const Name = ({ name, archiviert }: { name: string; archiviert: boolean }) => (
  <>
    <strong className="buch-text">{name}</strong> {archiviert && <Badge>{t('archiviert')}</Badge>}
  </>
)
const changed = <Row extends Archivable>(): ListColumn<Row> => ({
  key: 'geaendert',
  title: t('Geändert'),
  sortable: true,
  optional: true,
  cell: ({ geaendert_am, geaendert_von }) => (
    <>
      <DateText value={geaendert_am} />
      {geaendert_von && <div className="soft">{geaendert_von}</div>}
    </>
  ),
  exported: ({ geaendert_am }) => moment(geaendert_am),
})
const archived = <Row extends Archivable>({ archiviert }: Row) => (archiviert ? ('soft' as const) : undefined)

const templateColumns = (): ListColumn<PositionTemplate>[] => [
  {
    key: 'bez',
    title: t('Bezeichnung'),
    sortable: true,
    cell: ({ bez, archiviert }) => <Name name={bez} archiviert={archiviert} />,
    exported: ({ bez }) => bez,
    alsoExported: [{ title: t('Gruppe'), exported: ({ gruppe }) => gruppe }],
  },
  {
    key: 'erl',
    title: t('Erläuterung'),
    cell: ({ erl_titel, erl }) => (
      <span className="buch-text buch-clamp">{[erl_titel, erl].filter(Boolean).join(': ')}</span>
    ),
    exported: ({ erl }) => erl,
  },
  {
    key: 'einheit',
    title: t('Einheit'),
    sortable: true,
    cell: ({ einheit }) => einheit,
    exported: ({ einheit }) => einheit,
  },
  {
    key: 'ep',
    title: t('Preis netto'),
    sortable: true,
    align: 'end',
    cell: ({ ep }) => <span className="nums">{`${formatGerman(priceOf(ep), pricePlaces)}\u00a0€`}</span>,
    exported: ({ ep }) => Number(ep),
  },
  {
    key: 'ust_satz',
    title: t('Steuersatz'),
    align: 'end',
    cell: ({ ust_satz }) =>
      ust_satz === null ? (
        <span className="soft">{t('wie im Beleg')}</span>
      ) : (
        <span className="nums">{`${rateText(ust_satz)}\u00a0%`}</span>
      ),
    exported: ({ ust_satz }) => (ust_satz === null ? null : Number(ust_satz)),
  },
  changed(),
  {
    key: 'tun',
    title: t('Aktionen'),
    fixed: true,
    align: 'end',
    cell: (row) => <RowActions row={row} name={row.bez} />,
  },
]
const templates = (archive: boolean): ArrayList<PositionTemplate> => ({
  name: 'positionsvorlagen',
  queryKey: TEMPLATES_KEY,
  words: () => ({
    title: t('Positionsvorlagen'),
    one: t('1 Vorlage'),
    many: (n) => t('{n} Vorlagen', { n }),
    search: t('Positionsvorlagen suchen'),
    searchHint: t('Bezeichnung, Gruppe oder Erläuterung'),
    none: t('Keine Vorlage gefunden'),
    empty: t('Noch keine Positionsvorlagen'),
    emptyHint: t('Leistungen, die Sie öfter abrechnen: in Angeboten und Rechnungen schnell eingefügt.'),
  }),
  icon: 'file',
  source: {
    kind: 'array',
    scope: [archive ? 'archiv' : 'aktiv'],
    load: (signal) => fetchTemplates(archive, signal),
    text: ({ bez, gruppe, einheit, erl_titel, erl }) =>
      `${bez} ${gruppe ?? ''} ${einheit} ${erl_titel} ${erl}`,
    group: ({ gruppe }) => gruppe ?? t('Ohne Gruppe'),
  },
  rowKey: ({ id }) => id,
  rowName: ({ bez }) => bez,
  rowTone: archived,
  columns: templateColumns,
  // As numbers for sorting only.
  sorts: {
    bez: {},
    einheit: {},
    ep: { of: ({ ep }) => Number(ep) },
    geaendert: { column: 'geaendert_am', downFirst: true },
  },
  sort: 'bez',
  pageSize: 100,
})
export const TEMPLATES = templates(false)
export const TEMPLATES_WITH_ARCHIVE = templates(true)

const textModuleColumns = (): ListColumn<TextModule>[] => [
  {
    key: 'titel',
    title: t('Titel'),
    sortable: true,
    cell: ({ titel, archiviert }) => <Name name={titel} archiviert={archiviert} />,
    exported: ({ titel }) => titel,
    alsoExported: [{ title: t('Art'), exported: ({ art }) => textModuleKindText(art) }],
  },
  {
    key: 'text',
    title: t('Text'),
    fixed: true,
    cell: ({ text }) => <span className="buch-text buch-clamp">{text}</span>,
    exported: ({ text }) => text,
  },
  changed(),
  {
    key: 'tun',
    title: t('Aktionen'),
    fixed: true,
    align: 'end',
    cell: (row) => <RowActions row={row} name={row.titel} />,
  },
]
const textModules = (archive: boolean): ArrayList<TextModule> => ({
  name: 'freitexte',
  queryKey: TEXT_MODULES_KEY,
  words: () => ({
    title: t('Textbausteine'),
    one: t('1 Textbaustein'),
    many: (n) => t('{n} Textbausteine', { n }),
    search: t('Textbausteine suchen'),
    searchHint: t('Titel oder Text'),
    none: t('Kein Textbaustein gefunden'),
    empty: t('Noch keine Textbausteine'),
    emptyHint: t('Anreden, Anschreiben und Schlusstexte, die in Belegen und E-Mails wiederkehren.'),
  }),
  icon: 'file',
  source: {
    kind: 'array',
    scope: [archive ? 'archiv' : 'aktiv'],
    load: (signal) => fetchTextModules(archive, signal),
    text: ({ titel, text }) => `${titel} ${text}`,
    group: ({ art }) => textModuleKindText(art),
  },
  rowKey: ({ id }) => id,
  rowName: ({ titel }) => titel,
  rowTone: archived,
  columns: textModuleColumns,
  sorts: { titel: {}, geaendert: { column: 'geaendert_am', downFirst: true } },
  sort: 'titel',
  pageSize: 100,
  filters: [
    {
      kind: 'many',
      key: 'art',
      label: () => t('Art'),
      options: () => TEXT_MODULE_KINDS.map((art) => ({ value: art, label: textModuleKindText(art) })),
    },
  ],
})
export const TEXT_MODULES = textModules(false)
export const TEXT_MODULES_WITH_ARCHIVE = textModules(true)
