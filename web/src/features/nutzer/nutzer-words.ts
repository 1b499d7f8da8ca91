// People in words: names, states, links.
import { t } from '../../ui/text.ts'

interface Named {
  readonly first_name: string | null
  readonly last_name: string | null
  readonly username: string
}
/** Eva Forst; the sign-in name where there is no other. */
export const nameOf = ({ first_name, last_name, username }: Named): string => [first_name, last_name].filter(Boolean).join(' ') || username
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

export const zugang = (enabled: boolean): string => (enabled ? t('offen') : t('gesperrt'))
export const appZugang = (status: string): string => (status === 'gesperrt' ? t('gesperrt') : t('freigegeben'))

export const GESCHLECHTER = ['weiblich', 'männlich', 'divers'] as const
export function geschlechtName(value: string): string {
  switch (value) {
    case 'weiblich':
      return t('weiblich')
    case 'männlich':
      return t('männlich')
    case 'divers':
      return t('divers')
    default:
      return value
  }
}

/** What happened to an account, from the provider's record of events. */
export function ereignisName(art: string): string {
  switch (art) {
    case 'angemeldet':
      return t('Angemeldet')
    case 'anmeldung_fehlgeschlagen':
      return t('Anmeldung fehlgeschlagen')
    case 'anmeldung_gesperrt':
      return t('Anmeldung abgewiesen (gesperrt)')
    case 'konto_gesperrt':
      return t('Nach Fehlversuchen kurz gesperrt')
    case 'konto_entsperrt':
      return t('Sperre nach Fehlversuchen aufgehoben')
    case 'abgemeldet':
      return t('Abgemeldet')
    case 'passwort_vergessen':
      return t('Neues Passwort angefordert')
    case 'passwort_gesetzt':
      return t('Passwort gesetzt')
    case 'eingeladen':
      return t('Eingeladen')
    case 'einladung_angenommen':
      return t('Einladung angenommen')
    case 'eingerichtet':
      return t('Konto bei der Einrichtung angelegt')
    case 'zweiter_faktor_eingerichtet':
      return t('Zweiter Faktor eingerichtet')
    case 'zweiter_faktor_fehlgeschlagen':
      return t('Falscher Code des zweiten Faktors')
    case 'zweiter_faktor_entfernt':
      return t('Zweiter Faktor entfernt')
    case 'notfallcode_benutzt':
      return t('Notfallcode benutzt')
    case 'sitzungen_beendet':
      return t('Sitzungen beendet')
    default:
      return art
  }
}
