// Texts for people and their links.
import type { Named } from '../../record/person/person-words.ts'
import { t } from '../../ui/text.ts'

/** Forst, Eva: the form used for sorting. */
export const sortedName = ({ first_name, last_name, username }: Named): string =>
  [last_name, first_name].filter(Boolean).join(', ') || username

export const KUNDE_ROLES = ['nutzer', 'kundenadmin', 'admin'] as const
export type KundeRole = (typeof KUNDE_ROLES)[number]
export const isKundeRole = (text: string): text is KundeRole =>
  (KUNDE_ROLES as readonly string[]).includes(text)

/** The role of a link to a customer. */
export function kundeRoleName(role: string): string {
  switch (role) {
    case 'nutzer':
      return t('Nutzer (Pläne ansehen)')
    case 'kundenadmin':
      return t('Kundenadmin (Stammdaten, Forstbetriebe)')
    case 'admin':
      return t('Administrator (Pläne, Nutzer)')
    default:
      return role
  }
}
