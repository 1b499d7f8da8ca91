// What a summary says of changes and people.
import type { KundePerson, SummaryChange } from '#contract/summary.ts'
import { t } from '../../ui/text.ts'
import { hqLabel } from '../hq/hq-fields.ts'
import { fieldLabel } from '../kunde/kunde-fields.ts'

export const linkRoleName = (role: KundePerson['rolle']): string =>
  role === 'admin' ? t('Administrator') : role === 'kundenadmin' ? t('Kundenadmin') : t('Nutzer/in')

const BY_ACTION = { neu: 0, geaendert: 1, geloescht: 2 } as const

/** The change as a heading; the name of the holding, person or plan is part of it. */
export function changeText({ tabelle, aktion, name }: SummaryChange): string {
  const at = BY_ACTION[aktion]
  switch (tabelle) {
    case 'kunde':
      return [t('Kunde angelegt'), t('Stammdaten geändert'), t('Kunde gelöscht')][at]!
    case 'kunde_hq':
      return named(name, [t('Module angelegt'), t('Module geändert'), t('Module gelöscht')][at]!)
    case 'hq_flaeche':
      return named(name, [t('Fläche gezeichnet'), t('Fläche ersetzt'), t('Fläche gelöscht')][at]!)
    case 'hq':
      return named(
        name,
        [t('Forstbetrieb angelegt'), t('Stammdaten geändert'), t('Forstbetrieb gelöscht')][at]!,
      )
    case 'kartenblatt':
      return named(name, [t('Plan angelegt'), t('Plan geändert'), t('Plan gelöscht')][at]!)
    default:
      return named(name, [t('Person zugeordnet'), t('Rolle geändert'), t('Zuordnung aufgehoben')][at]!)
  }
}
const named = (name: string | null, what: string): string => (name === null ? what : `${what}: ${name}`)

const MOST_FIELDS = 4
/** The columns that changed; undefined where they have no names of their own. */
export function fieldsText({ tabelle, felder }: SummaryChange): string | undefined {
  if (felder.length === 0 || tabelle === 'kartenblatt' || tabelle === 'benutzer_kunde') return undefined
  const names = felder.map(tabelle === 'kunde' ? fieldLabel : hqLabel)
  const shown = names.slice(0, MOST_FIELDS).join(', ')
  return names.length > MOST_FIELDS
    ? t('{felder} und {n} weitere', { felder: shown, n: names.length - MOST_FIELDS })
    : shown
}
