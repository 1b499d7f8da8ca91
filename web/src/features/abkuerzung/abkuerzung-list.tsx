// The list of abbreviations, declared for the list kit.
import type { Abkuerzung } from '#contract/abkuerzung.ts'
import type { ArrayList } from '../../list/array-source.ts'
import type { ListColumn } from '../../list/list.ts'
import { DateText } from '../../ui/Display.tsx'
import { moment } from '../../ui/export/cells.ts'
import { t } from '../../ui/text.ts'
import { KEY, loadAbkuerzungen } from './abkuerzung.data.ts'
import { LETTERS, letterOf } from './abkuerzung-check.ts'
import { RowActions } from './RowActions.tsx'

const columns = (editable: boolean): ListColumn<Abkuerzung>[] => [
  {
    key: 'abk',
    title: t('Abkürzung'),
    sortable: true,
    cell: ({ abk }) => <strong>{abk}</strong>,
    exported: ({ abk }) => abk,
    alsoExported: [{ title: t('Gruppe'), exported: ({ gruppe }) => gruppe }],
  },
  {
    key: 'bedeutung',
    title: t('Bedeutung'),
    sortable: true,
    fixed: true,
    cell: ({ bedeutung }) => <span className="abk-meaning">{bedeutung}</span>,
    exported: ({ bedeutung }) => bedeutung,
  },
  {
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
  },
  ...(editable
    ? [
        {
          key: 'tun',
          title: t('Aktionen'),
          fixed: true,
          align: 'end' as const,
          cell: (row: Abkuerzung) => <RowActions row={row} />,
        },
      ]
    : []),
]

const listFor = (editable: boolean): ArrayList<Abkuerzung> => ({
  name: 'abkuerzungen',
  queryKey: KEY,
  words: () => ({
    title: t('Abkürzungen'),
    one: t('1 Abkürzung'),
    many: (n) => t('{n} Abkürzungen', { n }),
    search: t('Abkürzungen suchen'),
    searchHint: t('Abkürzung oder Bedeutung'),
    none: t('Keine Abkürzung gefunden'),
    empty: t('Noch keine Abkürzungen'),
    emptyHint: t('Hier stehen die Abkürzungen, die in Plänen, Listen und Schreiben vorkommen.'),
  }),
  icon: 'file',
  source: {
    kind: 'array',
    load: loadAbkuerzungen,
    text: ({ abk, bedeutung, gruppe }) => `${abk} ${bedeutung} ${gruppe}`,
    group: ({ gruppe }) => gruppe,
  },
  rowKey: ({ id }) => id,
  rowName: ({ abk }) => abk,
  columns: () => columns(editable),
  sorts: { abk: {}, bedeutung: {}, geaendert: { column: 'geaendert_am', downFirst: true } },
  sort: 'abk',
  pageSize: 100,
  filters: [
    {
      kind: 'one',
      key: 'anfang',
      label: () => t('Anfangsbuchstabe'),
      options: () => LETTERS.map((letter) => ({ value: letter, label: letter })),
      of: ({ abk }) => letterOf(abk),
    },
  ],
})
export const ABKUERZUNGEN = listFor(false)
export const ABKUERZUNGEN_KEPT = listFor(true)
