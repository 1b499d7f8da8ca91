// The list of a customer's people, declared for the list kit.
import { Clip } from '../list/Clip.tsx'
import type { List, ListColumn } from '../list/list.ts'
import { Badge } from '../ui/Display.tsx'
import { t } from '../ui/text.ts'
import { MitgliedMenu } from './MitgliedMenu.tsx'
import { type Mitgliedschaft, rollenToGive, type Viewer } from './may-do.ts'
import { nameOf } from '../record/person/person-words.ts'
import { appText, LINK_ROLLEN, linkRolle, sortedName, zugangText } from './mitglied-words.ts'
import { loadMitglieder, type MitgliederKunde, mitgliederKey } from './mitglieder.data.ts'

const jaNein = (on: boolean) => (on ? t('ja') : t('nein'))

const columns = (kunde: MitgliederKunde, viewer: Viewer): readonly ListColumn<Mitgliedschaft>[] => [
  { key: 'name', title: t('Name'), sortable: true, width: '24%', cell: (row) => <Clip text={nameOf(row)} />, exported: nameOf },
  {
    key: 'mail',
    title: t('E-Mail'),
    sortable: true,
    cell: ({ mail, email }) => <Clip text={mail ?? email} />,
    exported: ({ mail, email }) => mail ?? email,
  },
  { key: 'rolle', title: t('Rolle'), sortable: true, cell: ({ rolle }) => linkRolle(rolle), exported: ({ rolle }) => linkRolle(rolle) },
  {
    key: 'kataster',
    title: t('Kataster'),
    sortable: true,
    cell: ({ kataster_enabled }) => (kataster_enabled ? jaNein(true) : <span className="soft">{jaNein(false)}</span>),
    exported: ({ kataster_enabled }) => jaNein(kataster_enabled),
  },
  {
    key: 'app',
    title: t('App'),
    sortable: true,
    cell: ({ app_status }) => (app_status === 'aktiv' ? appText(app_status) : <Badge tone="warning">{appText(app_status)}</Badge>),
    exported: ({ app_status }) => appText(app_status),
  },
  {
    key: 'zugang',
    title: t('Zugang'),
    sortable: true,
    cell: ({ enabled }) => <Badge tone={enabled ? 'success' : 'danger'}>{zugangText(enabled)}</Badge>,
    exported: ({ enabled }) => zugangText(enabled),
  },
  ...(rollenToGive(viewer).length > 0
    ? [
        {
          key: 'aktionen',
          title: t('Aktionen'),
          align: 'end' as const,
          fixed: true,
          cell: (row: Mitgliedschaft) => <MitgliedMenu person={row} kunde={kunde} viewer={viewer} />,
        },
      ]
    : []),
]

/** `hrefOf`: the page of a person, for those who may open it. */
export const mitgliederList = (kunde: MitgliederKunde, viewer: Viewer, hrefOf?: (user_id: number) => string): List<Mitgliedschaft> => ({
  name: 'mitglieder',
  queryKey: mitgliederKey(kunde.client_id),
  words: () => ({
    title: t('Nutzer von {name}', { name: kunde.name }),
    one: t('1 Nutzer'),
    many: (n) => t('{n} Nutzer', { n }),
    search: t('Nutzer suchen'),
    searchHint: t('Name, E-Mail'),
    none: t('Keine Nutzer gefunden'),
    empty: t('Noch keine Nutzer'),
    emptyHint: t('Diesem Kunden ist noch niemand zugeordnet.'),
  }),
  icon: 'people',
  source: {
    kind: 'array',
    scope: [kunde.client_id],
    load: (signal) => loadMitglieder(kunde.client_id, signal),
    text: (row) => [nameOf(row), row.mail, row.email, row.username].join(' '),
  },
  rowKey: ({ user_id }) => user_id,
  rowName: nameOf,
  rowTone: ({ enabled }) => (enabled ? undefined : 'soft'),
  ...(hrefOf && { rowHref: ({ user_id }: Mitgliedschaft) => hrefOf(user_id) }),
  columns: () => columns(kunde, viewer),
  sorts: {
    name: { of: sortedName },
    mail: { of: ({ mail, email }) => mail ?? email },
    rolle: { of: ({ rolle }) => linkRolle(rolle) },
    kataster: { of: ({ kataster_enabled }) => kataster_enabled },
    app: { column: 'app_status' },
    zugang: { of: ({ enabled }) => zugangText(enabled) },
  },
  sort: 'name',
  filters: [
    {
      kind: 'many',
      key: 'rolle',
      label: () => t('Rolle'),
      options: () => LINK_ROLLEN.map((rolle) => ({ value: rolle, label: linkRolle(rolle) })),
    },
    { kind: 'flag', key: 'kataster', label: () => t('Kataster'), column: 'kataster_enabled' },
    {
      kind: 'one',
      key: 'app',
      label: () => t('App'),
      column: 'app_status',
      options: () => ['aktiv', 'gesperrt'].map((status) => ({ value: status, label: appText(status) })),
    },
    {
      kind: 'flag',
      key: 'zugang',
      label: () => t('Zugang'),
      column: 'enabled',
      words: ['frei', 'gesperrt'],
      texts: () => [zugangText(true), zugangText(false)],
    },
  ],
})
