// The history of a person: the record and the links to customers and headquarters in one timeline.
import type { HistoryEntry } from '#contract/history.ts'
import { BENUTZER_FIELDS } from '#domain/benutzer-fields.ts'
import { columnsWith } from '#domain/fields.ts'
import type { HistoryWords } from '../../record/history-lines.ts'
import { t } from '../../ui/text.ts'
import { fieldLabel, showValue } from '../../record/person/person-kind.ts'
import { kundeRoleName } from './nutzer-words.ts'

/** Names for entries that only have ids. */
export interface Names {
  readonly kunden: ReadonlyMap<number, string>
  readonly hqs: ReadonlyMap<number, string>
}

const PERSON: HistoryWords = {
  order: columnsWith(BENUTZER_FIELDS, 'label'),
  hidden: ['user_id', 'sortname', 'suchtext'],
  label: fieldLabel,
  show: showValue,
}

const KUNDE: HistoryWords = {
  order: ['rolle', 'kataster_enabled'],
  hidden: ['client_id', 'user_id'],
  label: (field) =>
    field === 'rolle' ? t('Rolle beim Kunden') : field === 'kataster_enabled' ? t('Kataster') : field,
  show: (field, value) =>
    field === 'rolle' && typeof value === 'string' ? kundeRoleName(value) : showValue(field, value),
}

const isAdminStatus = (value: unknown) => Array.isArray(value) && value.includes('hq_admin')
const HQ: HistoryWords = {
  order: ['hq_status'],
  hidden: ['client_id', 'user_id', 'hqid'],
  label: (field) => (field === 'hq_status' ? t('Rolle im Forstbetrieb') : field),
  show: (field, value) => {
    if (field !== 'hq_status') return showValue(field, value)
    return value === null || value === undefined
      ? ''
      : isAdminStatus(value)
        ? t('Verwaltung')
        : t('Nutzer/in')
  },
}

export const wordsOf = ({ tabelle }: Pick<HistoryEntry, 'tabelle'>): HistoryWords =>
  tabelle === 'benutzer_kunde' ? KUNDE : tabelle === 'benutzer_hq' ? HQ : PERSON

type Keyed = Pick<HistoryEntry, 'tabelle' | 'schluessel' | 'aktion'>
/** The id before the person's own: the key of a link is 'customer/person' or 'headquarters/person'. */
export const otherEnd = ({ schluessel }: Pick<HistoryEntry, 'schluessel'>): number =>
  Number(schluessel.split('/')[0])

/** The action in a few words. */
export function headingOf(entry: Keyed, { kunden, hqs }: Names): string {
  const { tabelle, aktion } = entry
  if (tabelle === 'benutzer_kunde') {
    const id = otherEnd(entry)
    const name = kunden.get(id) ?? t('Nr. {id}', { id })
    if (aktion === 'neu') return t('Kunde zugeordnet: {name}', { name })
    return aktion === 'geloescht'
      ? t('Vom Kunden gelöst: {name}', { name })
      : t('Zuordnung zum Kunden geändert: {name}', { name })
  }
  if (tabelle === 'benutzer_hq') {
    const id = otherEnd(entry)
    const name = hqs.get(id) ?? t('Nr. {id}', { id })
    if (aktion === 'neu') return t('Forstbetrieb zugeordnet: {name}', { name })
    return aktion === 'geloescht'
      ? t('Vom Forstbetrieb gelöst: {name}', { name })
      : t('Rolle im Forstbetrieb geändert: {name}', { name })
  }
  return aktion === 'neu'
    ? t('Person angelegt')
    : aktion === 'geloescht'
      ? t('Person gelöscht')
      : t('Angaben geändert')
}
