// Columns of the list of people, on screen and in a file.
import { Clip } from '../../list/Clip.tsx'
import type { ListColumn } from '../../list/list.ts'
import { changedColumn, numberColumn } from '../../list/stamp-columns.tsx'
import { Badge, DateText } from '../../ui/Display.tsx'
import { moment } from '../../ui/export/cells.ts'
import { roleInWords } from '../../ui/role-words.ts'
import { t } from '../../ui/text.ts'
import type { NutzerRow } from './nutzer-row.ts'
import { appAccessText, zugang } from '../../record/person/person-words.ts'
import { sortedName } from './nutzer-words.ts'
import { MailLink } from '../../ui/MailLink.tsx'

/** The base role and the team flags. */
const roles = ({ system_status, apus_admin, apus_team }: NutzerRow): string[] => [
  ...new Set(
    [system_status, ...(apus_admin ? ['apus_admin'] : []), ...(apus_team ? ['apus_team'] : [])].map(
      roleInWords,
    ),
  ),
]
const linked = ({ linkedNames = [] }: NutzerRow): string => linkedNames.join(', ')

export const nutzerColumns = (): readonly ListColumn<NutzerRow>[] => [
  {
    key: 'name',
    title: t('Name'),
    sortable: true,
    width: '22%',
    cell: (row) => <Clip text={sortedName(row)} width={260} />,
    exported: sortedName,
    alsoExported: [
      { title: t('Vorname'), exported: ({ first_name }) => first_name },
      { title: t('Nachname'), exported: ({ last_name }) => last_name },
    ],
  },
  {
    key: 'email',
    title: t('Anmeldeadresse'),
    sortable: true,
    cell: ({ email }) => <MailLink address={email} />,
    exported: ({ email }) => email,
  },
  {
    key: 'mail',
    title: t('Kontaktadresse'),
    optional: true,
    cell: ({ mail }) => <MailLink address={mail} />,
    exported: ({ mail }) => mail,
  },
  {
    key: 'status',
    title: t('Rolle'),
    sortable: true,
    cell: (row) => <Clip text={roles(row).join(', ')} />,
    exported: (row) => roles(row).join(', '),
  },
  {
    key: 'verbunden',
    title: t('Zugeordnet zu'),
    cell: (row) => <Clip text={linked(row)} />,
    exported: linked,
  },
  {
    key: 'zugang',
    title: t('Zugang'),
    cell: ({ enabled }) =>
      enabled ? (
        <Badge tone="success">{zugang(enabled)}</Badge>
      ) : (
        <Badge tone="danger">{zugang(enabled)}</Badge>
      ),
    exported: ({ enabled }) => zugang(enabled),
  },
  {
    key: 'app',
    title: t('Mobile App'),
    optional: true,
    cell: ({ app_status }) =>
      app_status === 'aktiv' ? (
        appAccessText(app_status)
      ) : (
        <Badge tone="warning">{appAccessText(app_status)}</Badge>
      ),
    exported: ({ app_status }) => appAccessText(app_status),
  },
  {
    key: 'kataster',
    title: t('Kataster'),
    optional: true,
    cell: ({ kataster_enabled }) => (kataster_enabled ? t('ja') : <span className="soft">{t('nein')}</span>),
    exported: ({ kataster_enabled }) => (kataster_enabled ? t('ja') : t('nein')),
  },
  {
    key: 'anmeldung',
    title: t('Erste Anmeldung'),
    cell: ({ erste_anmeldung = null }) =>
      erste_anmeldung === null ? (
        <span className="soft">{t('noch nie')}</span>
      ) : (
        <DateText value={erste_anmeldung} />
      ),
    exported: ({ erste_anmeldung = null }) => moment(erste_anmeldung),
  },
  {
    key: 'registriert',
    title: t('Registriert'),
    sortable: true,
    optional: true,
    cell: ({ reg_date }) => <DateText value={reg_date} />,
    exported: ({ reg_date }) => moment(reg_date),
  },
  changedColumn(),
  numberColumn(({ user_id }) => user_id),
]
