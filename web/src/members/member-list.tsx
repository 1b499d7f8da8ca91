// List declaration for a customer's people.
import { Clip } from '../list/Clip.tsx'
import type { List, ListColumn } from '../list/list.ts'
import { Badge } from '../ui/Display.tsx'
import { t } from '../ui/text.ts'
import { MemberMenu } from './MemberMenu.tsx'
import { type Membership, rolesToGive, type Viewer } from './may-do.ts'
import { nameOf } from '../record/person/person-words.ts'
import { appText, LINK_ROLES, linkRoleName, sortedName, accessText } from './member-words.ts'
import { fetchMembers, type MembersKunde, membersKey } from './members.data.ts'
import { MailLink } from '../ui/MailLink.tsx'

const yesNo = (on: boolean) => (on ? t('ja') : t('nein'))

const columns = (kunde: MembersKunde, viewer: Viewer): readonly ListColumn<Membership>[] => [
  {
    key: 'name',
    title: t('Name'),
    sortable: true,
    width: '24%',
    cell: (row) => <Clip text={nameOf(row)} />,
    exported: nameOf,
  },
  {
    key: 'mail',
    title: t('E-Mail'),
    sortable: true,
    cell: ({ mail, email }) => <MailLink address={mail ?? email} />,
    exported: ({ mail, email }) => mail ?? email,
  },
  {
    key: 'rolle',
    title: t('Rolle'),
    sortable: true,
    cell: ({ rolle }) => linkRoleName(rolle),
    exported: ({ rolle }) => linkRoleName(rolle),
  },
  {
    key: 'kataster',
    title: t('Kataster'),
    sortable: true,
    cell: ({ kataster_enabled }) =>
      kataster_enabled ? yesNo(true) : <span className="soft">{yesNo(false)}</span>,
    exported: ({ kataster_enabled }) => yesNo(kataster_enabled),
  },
  {
    key: 'app',
    title: t('App'),
    sortable: true,
    cell: ({ app_status }) =>
      app_status === 'aktiv' ? appText(app_status) : <Badge tone="warning">{appText(app_status)}</Badge>,
    exported: ({ app_status }) => appText(app_status),
  },
  {
    key: 'zugang',
    title: t('Zugang'),
    sortable: true,
    cell: ({ enabled }) => <Badge tone={enabled ? 'success' : 'danger'}>{accessText(enabled)}</Badge>,
    exported: ({ enabled }) => accessText(enabled),
  },
  ...(rolesToGive(viewer).length > 0
    ? [
        {
          key: 'aktionen',
          title: t('Aktionen'),
          align: 'end' as const,
          fixed: true,
          cell: (row: Membership) => <MemberMenu person={row} kunde={kunde} viewer={viewer} />,
        },
      ]
    : []),
]

/** @param hrefOf address of a person's page, for viewers who may open it */
export const memberList = (
  kunde: MembersKunde,
  viewer: Viewer,
  hrefOf?: (user_id: number) => string,
): List<Membership> => ({
  name: 'members',
  queryKey: membersKey(kunde.client_id),
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
    load: (signal) => fetchMembers(kunde.client_id, signal),
    text: (row) => [nameOf(row), row.mail, row.email, row.username].join(' '),
  },
  rowKey: ({ user_id }) => user_id,
  rowName: nameOf,
  rowTone: ({ enabled }) => (enabled ? undefined : 'soft'),
  ...(hrefOf && { rowHref: ({ user_id }: Membership) => hrefOf(user_id) }),
  columns: () => columns(kunde, viewer),
  sorts: {
    name: { of: sortedName },
    mail: { of: ({ mail, email }) => mail ?? email },
    rolle: { of: ({ rolle }) => linkRoleName(rolle) },
    kataster: { of: ({ kataster_enabled }) => kataster_enabled },
    app: { column: 'app_status' },
    zugang: { of: ({ enabled }) => accessText(enabled) },
  },
  sort: 'name',
  filters: [
    {
      kind: 'many',
      key: 'rolle',
      label: () => t('Rolle'),
      options: () => LINK_ROLES.map((role) => ({ value: role, label: linkRoleName(role) })),
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
      texts: () => [accessText(true), accessText(false)],
    },
  ],
})
