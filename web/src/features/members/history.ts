// The history of a customer's people and of a person's customers as readable lines.
import type { HistoryEntry } from '#contract/history.ts'
import { linkRoleName, type Role } from '../../members/member-words.ts'
import type { HistoryWords } from '../../record/history-lines.ts'
import { fieldLabel } from '../../record/person/person-kind.ts'
import { formatDate } from '../../ui/format.ts'
import { roleInWords } from '../../ui/role-words.ts'
import { t } from '../../ui/text.ts'

/** Parses client_id/user_id, the key of a link. */
export function linkOf({ schluessel }: Pick<HistoryEntry, 'schluessel'>): {
  client_id: number
  user_id: number
} {
  const [client_id = 0, user_id = 0] = schluessel.split('/').map(Number)
  return { client_id, user_id }
}
export const linksIn = (entries: readonly Pick<HistoryEntry, 'schluessel' | 'tabelle'>[]) =>
  entries.filter(({ tabelle }) => tabelle === 'benutzer_kunde').map(linkOf)

const yesNo = (value: unknown) => (value === true ? t('ja') : t('nein'))
const isRole = (value: unknown): value is Role =>
  value === 'nutzer' || value === 'admin' || value === 'kundenadmin'

const LINK: HistoryWords = {
  order: ['rolle', 'kataster_enabled'],
  hidden: ['client_id', 'user_id'],
  label: (field) => (field === 'rolle' ? t('Rolle') : field === 'kataster_enabled' ? t('Kataster') : field),
  show: (field, value) => {
    if (value === null || value === undefined) return ''
    if (field === 'kataster_enabled') return yesNo(value)
    return isRole(value) ? linkRoleName(value) : String(value)
  },
}
export const LINK_WORDS = LINK

const personLabel = (field: string): string =>
  ({
    email: t('E-Mail (Anmeldung)'),
    mail: t('E-Mail (Kontakt)'),
    app_status: t('App'),
    enabled: t('Zugang aktiv'),
    reg_date: t('Registriert am'),
  })[field] ?? fieldLabel(field)

export const PERSON_WORDS: HistoryWords = {
  order: [
    'last_name',
    'first_name',
    'email',
    'mail',
    'username',
    'system_status',
    'apus_team',
    'apus_admin',
    'pruefer_bis',
    'app_status',
    'enabled',
  ],
  hidden: ['user_id', 'reg_date'],
  label: personLabel,
  show: (field, value) => {
    if (value === null || value === undefined) return ''
    if (typeof value === 'boolean') return yesNo(value)
    if (field === 'pruefer_bis') return formatDate(String(value))
    return field === 'system_status' ? roleInWords(String(value)) : String(value)
  },
}

/** A link's event from the customer's side: who joined, left or was changed. */
export function joinedText(action: HistoryEntry['aktion'], name: string): string {
  if (action === 'neu') return t('{name} hinzugefügt', { name })
  return action === 'geloescht' ? t('{name} entfernt', { name }) : t('{name} geändert', { name })
}
/** The same from the person's side. */
export function joinedKundeText(action: HistoryEntry['aktion'], kunde: string): string {
  if (action === 'neu') return t('Zu {kunde} hinzugefügt', { kunde })
  return action === 'geloescht' ? t('Aus {kunde} entfernt', { kunde }) : t('Bei {kunde} geändert', { kunde })
}
