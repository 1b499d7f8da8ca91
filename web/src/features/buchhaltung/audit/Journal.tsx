// Everything that was done in the books, newest first; filterable by document number.
import type { JournalRow } from '#contract/buchhaltung.ts'
import { contains, eq, oneOf } from '../../../data/addresses.ts'
import { nullIfMissing, selectOne, selectPage } from '../../../data/rows.ts'
import { useHasRole } from '../../../data/session.ts'
import type { RecordFilter } from '../../../list/filter-kinds.ts'
import type { List, ListColumn } from '../../../list/list.ts'
import { ListCard, useList } from '../../../list/ListPage.tsx'
import { DateText } from '../../../ui/Display.tsx'
import { moment } from '../../../ui/export/cells.ts'
import { formatDateTime } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { eventText } from '../event-words.ts'
import { subjectText, rawContent, contentText } from './journal-words.ts'

const SUBJECTS = [
  'rechnung',
  'angebot',
  'bank',
  'datev',
  'pruefung',
  'lieferant',
  'kunde_rechnung',
  'nummernkreis',
  'pruefer',
  'verweigert',
] as const
const EVENTS = [
  'ausgestellt',
  'storniert',
  'zahlung',
  'zahlung_zurueck',
  'eingelesen',
  'exportiert',
  'gemahnt',
  'versand',
  'verweigert',
] as const

/** With the number of the document it is about, if it has one. */
type TableRow = JournalRow & { readonly nummer?: string | null }

const TABLES = { rechnung: 'rechnung_liste', angebot: 'angebot_liste' } as const
async function withNumbers(rows: readonly TableRow[], signal: AbortSignal): Promise<readonly TableRow[]> {
  const numbers = new Map<string, string | null>()
  await Promise.all(
    (['rechnung', 'angebot'] as const).map(async (subject) => {
      const ids = [
        ...new Set(rows.filter((row) => row.gegenstand === subject).map((row) => row.gegenstand_id)),
      ]
      const wanted = ids.filter((id) => id !== null)
      if (wanted.length === 0) return
      const found = await selectPage<{ id: number; nummer: string | null }>(TABLES[subject], {
        select: ['id', 'nummer'],
        filters: [oneOf('id', wanted)],
        limit: wanted.length,
        count: 'none',
        signal,
      })
      for (const { id, nummer } of found.rows) numbers.set(`${subject} ${id}`, nummer)
    }),
  )
  return rows.map((row) => ({
    ...row,
    nummer: numbers.get(`${row.gegenstand} ${row.gegenstand_id}`) ?? null,
  }))
}

function SubjectLink({ gegenstand, gegenstand_id, nummer = null }: TableRow) {
  const name = subjectText(gegenstand)
  const writes = useHasRole('apus_admin')
  if (gegenstand_id === null) return name
  // A draft has no number, and a deleted document is identified by its id.
  const text = nummer ?? t('{was} {nr}', { was: name, nr: gegenstand_id })
  // Drafts and what was deleted are no pages of an auditor.
  if (nummer === null && !writes) return text
  if (gegenstand === 'rechnung')
    return <a href={`/buchhaltung/rechnungen/rechnung/${gegenstand_id}`}>{text}</a>
  if (gegenstand === 'angebot') return <a href={`/buchhaltung/angebote/angebot/${gegenstand_id}`}>{text}</a>
  return text
}

/** Filter for one document, found by number or customer. */
const belegFilter = (
  subject: 'rechnung' | 'angebot',
  label: () => string,
  table: string,
): RecordFilter<TableRow> => ({
  kind: 'record',
  key: subject,
  label,
  filters: ([id = '']) => [eq('gegenstand', subject), eq('gegenstand_id', id)],
  find: async (text, signal) => {
    const { rows } = await selectPage<{ id: number; nummer: string | null; kunde: string }>(table, {
      select: ['id', 'nummer', 'kunde'],
      filters: [contains('suchtext', text.toLowerCase())],
      order: [{ column: 'id', descending: true }],
      limit: 8,
      count: 'none',
      signal,
    })
    return rows.map(({ id, nummer, kunde }) => ({
      value: String(id),
      label: `${nummer ?? t('Entwurf')}, ${kunde}`,
    }))
  },
  name: async (id, signal) =>
    (
      await nullIfMissing(
        selectOne<{ nummer: string | null }>(table, [eq('id', id)], { select: ['nummer'], signal }),
      )
    )?.nummer ?? null,
})

const columns = (): ListColumn<TableRow>[] => [
  {
    key: 'nr',
    title: t('Nr.'),
    sortable: true,
    fixed: true,
    align: 'end',
    cell: ({ nr }) => <span className="nums">{nr}</span>,
    exported: ({ nr }) => nr,
  },
  {
    key: 'zeit',
    title: t('Zeit'),
    cell: ({ zeit }) => <DateText value={zeit} time />,
    exported: ({ zeit }) => moment(zeit),
  },
  {
    key: 'wer',
    title: t('Wer'),
    cell: ({ wer }) => wer ?? <span className="soft">–</span>,
    exported: ({ wer }) => wer,
  },
  {
    key: 'gegenstand',
    title: t('Gegenstand'),
    cell: (row) => <SubjectLink {...row} />,
    exported: ({ gegenstand, gegenstand_id }) => `${gegenstand} ${gegenstand_id ?? ''}`.trim(),
  },
  {
    key: 'ereignis',
    title: t('Ereignis'),
    cell: ({ ereignis }) => eventText(ereignis),
    exported: ({ ereignis }) => eventText(ereignis),
  },
  {
    key: 'inhalt',
    title: t('Inhalt'),
    cell: ({ inhalt }) => <span className="buch-text buch-clamp">{contentText(inhalt)}</span>,
    exported: ({ inhalt }) => rawContent(inhalt),
  },
  {
    key: 'hash',
    title: t('Prüfsumme'),
    optional: true,
    cell: ({ hash }) => <code className="buch-text">{hash}</code>,
    exported: ({ hash }) => hash,
  },
]

const JOURNAL: List<TableRow> = {
  name: 'protokoll',
  queryKey: ['protokoll', 'list'],
  words: () => ({
    title: t('Protokoll'),
    one: t('1 Eintrag'),
    many: (n) => t('{n} Einträge', { n }),
    search: t('Protokoll durchsuchen'),
    searchHint: '',
    none: t('Kein Eintrag gefunden'),
    empty: t('Noch keine Einträge'),
    emptyHint: t('Jede Änderung an den Büchern wird hier automatisch festgehalten.'),
  }),
  icon: 'file',
  source: {
    kind: 'table',
    table: 'protokoll',
    key: 'nr',
    search: false,
    select: [
      'nr',
      'zeit',
      'wer',
      'user_id',
      'gegenstand',
      'gegenstand_id',
      'client_id',
      'ereignis',
      'inhalt',
      'hash',
    ],
    complete: withNumbers,
  },
  rowKey: ({ nr }) => nr,
  rowName: ({ nr, ereignis, zeit }) =>
    t('{nr}: {ereignis} am {zeit}', { nr, ereignis: eventText(ereignis), zeit: formatDateTime(zeit) }),
  columns,
  sorts: { nr: { downFirst: true } },
  sort: '-nr',
  filters: [
    {
      kind: 'one',
      key: 'gegenstand',
      label: () => t('Gegenstand'),
      column: 'gegenstand',
      options: () => SUBJECTS.map((one) => ({ value: one, label: subjectText(one) })),
    },
    belegFilter('rechnung', () => t('Rechnung'), 'rechnung_liste'),
    belegFilter('angebot', () => t('Angebot'), 'angebot_liste'),
    {
      kind: 'many',
      key: 'ereignis',
      label: () => t('Ereignis'),
      column: 'ereignis',
      open: true,
      options: () => EVENTS.map((one) => ({ value: one, label: eventText(one) })),
    },
    { kind: 'days', key: 'zeitraum', label: () => t('Zeit'), column: 'zeit', time: true },
  ],
}

export function Journal() {
  return <ListCard model={useList(JOURNAL)} />
}
