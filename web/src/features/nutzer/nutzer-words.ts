// People in words: as lists sort them, and their links.
import type { Named } from '../../record/person/person-words.ts'
import { t } from '../../ui/text.ts'

/** Forst, Eva: as lists are sorted. */
export const sortedName = ({ first_name, last_name, username }: Named): string =>
  [last_name, first_name].filter(Boolean).join(', ') || username

export const KUNDE_ROLLEN = ['nutzer', 'kundenadmin', 'admin'] as const
export type KundeRolle = (typeof KUNDE_ROLLEN)[number]
export const isKundeRolle = (text: string): text is KundeRolle => (KUNDE_ROLLEN as readonly string[]).includes(text)

/** The role of a link to a customer. */
export function kundeRolle(rolle: string): string {
  switch (rolle) {
    case 'nutzer':
      return t('Nutzer (Karten ansehen)')
    case 'kundenadmin':
      return t('Kundenadmin (Stammdaten, Forstbetriebe)')
    case 'admin':
      return t('Administrator (Karten, Nutzer)')
    default:
      return rolle
  }
}
