// Texts about a customer's people.
import type { AppUserOfClient } from '#contract/rpc.ts'
import type { Named } from '../record/person/person-words.ts'
import { t } from '../ui/text.ts'

/** Last name first, as lists sort people. */
export const sortedName = ({ first_name, last_name, username }: Named): string =>
  [last_name, first_name].filter(Boolean).join(' ') || username

/** The role of a link to a customer. */
export type Role = AppUserOfClient['rolle']
export const LINK_ROLES = ['nutzer', 'admin', 'kundenadmin'] as const satisfies readonly Role[]

export function linkRoleName(role: Role): string {
  switch (role) {
    case 'nutzer':
      return t('Nutzer/in')
    case 'admin':
      return t('Administrator')
    case 'kundenadmin':
      return t('Kundenadmin')
  }
}
export function linkRoleExplained(role: Role): string {
  switch (role) {
    case 'nutzer':
      return t(
        'Sieht die Pläne dieses Kunden und, wenn das Kataster freigeschaltet ist, die Übersichten zur ' +
          'Einmessung.',
      )
    case 'admin':
      return t('Gibt außerdem Pläne frei, pflegt den Ansprechpartner und verwaltet die Nutzer dieses Kunden.')
    case 'kundenadmin':
      return t(
        'Verwaltet die Forstseite dieses Kunden: Stammdaten, Forstbetriebe und deren Nutzer. Sieht ' +
          'keine Pläne.',
      )
  }
}

export const appText = (app_status: string): string => (app_status === 'aktiv' ? t('aktiv') : t('gesperrt'))
export const accessText = (enabled: boolean): string => (enabled ? t('aktiv') : t('gesperrt'))
