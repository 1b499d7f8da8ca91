// The history of a headquarters in words: one list across master data, switches, area and people.
import type { HistoryEntry } from '#contract/history.ts'
import { HQ_INPUTS, SWITCH_INPUTS } from '#domain/hq-fields.ts'
import { hqLabel, showHqValue } from '../../record/hq/hq-fields.ts'
import type { HistoryWords } from '../../record/history-lines.ts'
import { t } from '../../ui/text.ts'

/** `names`: people by id, as far as the caller may see them. */
export function hqWords(names: ReadonlyMap<number, string>): HistoryWords {
  return {
    order: ['user_id', ...HQ_INPUTS, ...SWITCH_INPUTS],
    hidden: ['idHQ', 'hqid', 'client_id'],
    label: hqLabel,
    show: (field, value) =>
      field === 'user_id' && value !== null && value !== undefined
        ? (names.get(Number(value)) ?? t('Person Nr. {id}', { id: String(value) }))
        : showHqValue(field, value),
  }
}

/** The action as a heading. */
export function hqAction({ tabelle, aktion }: Pick<HistoryEntry, 'tabelle' | 'aktion'>): string {
  switch (tabelle) {
    case 'kunde_hq':
      return aktion === 'neu' ? t('Module angelegt') : t('Module geändert')
    case 'hq_flaeche':
      return aktion === 'neu'
        ? t('Fläche gezeichnet')
        : aktion === 'geloescht'
          ? t('Fläche gelöscht')
          : t('Fläche ersetzt')
    case 'benutzer_hq':
      return aktion === 'neu'
        ? t('Person zugeordnet')
        : aktion === 'geloescht'
          ? t('Zuordnung aufgehoben')
          : t('Rolle geändert')
    default:
      return aktion === 'neu'
        ? t('Forstbetrieb angelegt')
        : aktion === 'geloescht'
          ? t('Forstbetrieb gelöscht')
          : t('Stammdaten geändert')
  }
}

/** Ids of the people whose names a history needs. */
export function peopleIn(
  entries: readonly Pick<HistoryEntry, 'tabelle' | 'alt' | 'neu' | 'schluessel'>[],
): number[] {
  const ids = entries
    .filter(({ tabelle }) => tabelle === 'benutzer_hq')
    .map(({ schluessel }) => Number(schluessel.split('/')[1]))
  return [...new Set(ids.filter((id) => Number.isInteger(id)))].sort((a, b) => a - b)
}
