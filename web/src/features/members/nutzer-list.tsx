// The drainage half's list of people, declared for the list kit.
import type { Member } from '#contract/members.ts'
import { eq } from '../../data/addresses.ts'
import { Clip } from '../../list/Clip.tsx'
import type { ListColumn } from '../../list/list.ts'
import { numberColumn } from '../../list/stamp-columns.tsx'
import type { TableList } from '../../list/table-source.ts'
import { nameOf } from '../../record/person/person-words.ts'
import { appText, accessText } from '../../members/member-words.ts'
import { MEMBER } from '../../members/members.data.ts'
import { Badge, DateText } from '../../ui/Display.tsx'
import { moment } from '../../ui/export/cells.ts'
import { roleInWords } from '../../ui/role-words.ts'
import { t } from '../../ui/text.ts'
import { MailLink } from '../../ui/MailLink.tsx'

const SELECT = [
  'user_id',
  'first_name',
  'last_name',
  'username',
  'email',
  'mail',
  'system_status',
  'apus_team',
  'apus_admin',
  'app_status',
  'enabled',
  'reg_date',
  'kunden',
] as const satisfies readonly (keyof Member)[]
type Row = Pick<Member, (typeof SELECT)[number]>

const STATUS = [
  'ogf_init',
  'appuser',
  'appuser_admin',
  'apus_team',
  'apus_admin',
  'admin',
  'ogf_standard',
  'kundenadmin',
  'ogf_team',
  'ogf_admin',
]

/** What the flags add to the base role; empty if they add nothing. */
function flagsText({
  apus_admin,
  apus_team,
  system_status,
}: Pick<Row, 'apus_admin' | 'apus_team' | 'system_status'>): string {
  const flags = [...(apus_admin ? ['apus_admin'] : []), ...(apus_team ? ['apus_team'] : [])]
  return flags
    .filter((flag) => flag !== system_status)
    .map(roleInWords)
    .join(', ')
}

export const nutzerHref = (user_id: number): string => `/member-management/users/${user_id}`

const columns = (): readonly ListColumn<Row>[] => [
  {
    key: 'name',
    title: t('Name'),
    sortable: true,
    width: '22%',
    cell: (row) => <Clip text={nameOf(row)} />,
    exported: nameOf,
  },
  {
    key: 'mail',
    title: t('E-Mail'),
    sortable: true,
    cell: ({ email }) => <MailLink address={email} />,
    exported: ({ email }) => email,
  },
  {
    key: 'rolle',
    title: t('Grundrolle'),
    sortable: true,
    cell: ({ system_status }) => <Clip text={roleInWords(system_status)} />,
    exported: ({ system_status }) => roleInWords(system_status),
  },
  {
    key: 'zusatz',
    title: t('Zusätzlich'),
    cell: (row) =>
      flagsText(row) === '' ? <span className="soft">–</span> : <Badge tone="info">{flagsText(row)}</Badge>,
    exported: flagsText,
  },
  {
    key: 'kunden',
    title: t('Kunden'),
    sortable: true,
    align: 'end',
    width: '84px',
    cell: ({ kunden }) =>
      kunden === 0 ? <span className="soft">0</span> : <span className="nums">{kunden}</span>,
    exported: ({ kunden }) => kunden,
  },
  {
    key: 'app',
    title: t('App'),
    cell: ({ app_status }) =>
      app_status === 'aktiv' ? appText(app_status) : <Badge tone="warning">{appText(app_status)}</Badge>,
    exported: ({ app_status }) => appText(app_status),
  },
  {
    key: 'zugang',
    title: t('Zugang'),
    cell: ({ enabled }) => <Badge tone={enabled ? 'success' : 'danger'}>{accessText(enabled)}</Badge>,
    exported: ({ enabled }) => accessText(enabled),
  },
  {
    key: 'seit',
    title: t('Registriert'),
    sortable: true,
    optional: true,
    cell: ({ reg_date }) => <DateText value={reg_date} />,
    exported: ({ reg_date }) => moment(reg_date),
  },
  {
    key: 'kontakt',
    title: t('Kontaktadresse'),
    optional: true,
    cell: ({ mail }) => <MailLink address={mail} />,
    exported: ({ mail }) => mail,
  },
  numberColumn(({ user_id }) => user_id),
]

export const NUTZER: TableList<Row> = {
  name: 'mitglieder-nutzer',
  queryKey: [...MEMBER, 'list'],
  words: () => ({
    title: t('Nutzer'),
    one: t('1 Person'),
    many: (n) => t('{n} Personen', { n }),
    search: t('Nutzer suchen'),
    searchHint: t('Name, E-Mail, Benutzername'),
    none: t('Keine Personen gefunden'),
    empty: t('Noch keine Personen'),
    emptyHint: t('Personen werden bei ihrem Kunden angelegt.'),
  }),
  icon: 'person',
  source: { kind: 'table', table: 'mitglied', key: 'user_id', select: SELECT },
  lesser: ['zusatz', 'app'],
  rowKey: ({ user_id }) => user_id,
  rowHref: ({ user_id }) => nutzerHref(user_id),
  rowName: nameOf,
  rowTone: ({ enabled }) => (enabled ? undefined : 'soft'),
  columns,
  sorts: {
    name: { column: 'sortname' },
    mail: { column: 'email' },
    rolle: { column: 'system_status' },
    kunden: { downFirst: true },
    seit: { column: 'reg_date', downFirst: true },
    nr: { column: 'user_id' },
  },
  sort: 'name',
  filters: [
    {
      kind: 'many',
      key: 'rolle',
      label: () => t('Grundrolle'),
      column: 'system_status',
      options: () => STATUS.map((status) => ({ value: status, label: roleInWords(status) })),
    },
    {
      kind: 'one',
      key: 'zusatz',
      label: () => t('Zusätzlich'),
      options: () => ['apus_team', 'apus_admin'].map((flag) => ({ value: flag, label: roleInWords(flag) })),
      filters: ([flag]) => (flag === undefined ? [] : [eq(flag, true)]),
    },
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
    { kind: 'days', key: 'seit', label: () => t('Registriert'), column: 'reg_date', time: true },
  ],
}
