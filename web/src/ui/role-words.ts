// Names and descriptions of roles.
import { t } from './text.ts'

/** Name of a role. Unknown roles are shown as is. */
export function roleInWords(role: string): string {
  switch (role) {
    case 'ogf_init':
      return t('Neu registriert')
    case 'ogf_standard':
      return t('Forstbetrieb')
    case 'ogf_team':
      return t('Team Forst')
    case 'ogf_admin':
      return t('Verwaltung Forst')
    case 'ogf_fb_admin':
      return t('Verwaltung des Forstbetriebs')
    case 'multiple_fb':
      return t('Mehrere Forstbetriebe')
    case 'inactive_fb':
      return t('Forstbetrieb nicht freigeschaltet')
    case 'kundenadmin':
      return t('Kundenverwaltung')
    case 'appuser':
      return t('Kartennutzung')
    case 'appuser_admin':
      return t('Kartennutzung mit Verwaltung')
    case 'apus_team':
      return t('Team Vermessung')
    case 'apus_admin':
      return t('Verwaltung Vermessung')
    case 'admin':
      return t('Administration')
    default:
      return role
  }
}

/** What people with that role may do, in one sentence. */
export function roleExplained(role: string): string {
  switch (role) {
    case 'ogf_init':
      return t(
        'Hat sich angemeldet und ist noch keinem Kunden oder Forstbetrieb zugeordnet. Sieht nur die Startseite.',
      )
    case 'ogf_standard':
      return t('Arbeitet mit den Daten der zugeordneten Forstbetriebe.')
    case 'ogf_team':
      return t('Gehört zu unserem Team Forst: liest alle Kunden, Forstbetriebe und Nutzer.')
    case 'ogf_admin':
      return t('Verwaltet die Forstseite: alle Kunden, Forstbetriebe, Nutzer und Gutscheine.')
    case 'ogf_fb_admin':
      return t('Verwaltet die Nutzer der Forstbetriebe, in denen sie oder er als Verwaltung eingetragen ist.')
    case 'multiple_fb':
      return t('Ist mehr als einem Forstbetrieb zugeordnet und kann zwischen ihnen wechseln.')
    case 'inactive_fb':
      return t('Keiner der zugeordneten Forstbetriebe ist freigeschaltet; deren Daten bleiben verschlossen.')
    case 'kundenadmin':
      return t('Pflegt die Stammdaten der eigenen Kunden und verwaltet deren Nutzer und Forstbetriebe.')
    case 'appuser':
      return t('Sieht die Karten der zugeordneten Kunden.')
    case 'appuser_admin':
      return t('Sieht die Karten der zugeordneten Kunden, gibt sie frei und verwaltet deren Nutzer.')
    case 'apus_team':
      return t('Gehört zu unserem Team Vermessung: bearbeitet Karten und liest alle Kunden und Nutzer.')
    case 'apus_admin':
      return t('Verwaltet die Vermessungsseite: Karten, Kunden, Nutzer und Buchhaltung.')
    case 'admin':
      return t('Darf alles, was beide Verwaltungen dürfen.')
    default:
      return ''
  }
}
