// Roles in words, for people.
import { t } from '../ui/text.ts'

const WORDS: Readonly<Record<string, string>> = {
  ogf_init: 'Neu registriert',
  ogf_standard: 'Forstbetrieb',
  ogf_team: 'Team Forst',
  ogf_admin: 'Verwaltung Forst',
  ogf_fb_admin: 'Verwaltung des Forstbetriebs',
  multiple_fb: 'Mehrere Forstbetriebe',
  inactive_fb: 'Forstbetrieb nicht freigeschaltet',
  kundenadmin: 'Kundenverwaltung',
  appuser: 'Kartennutzung',
  appuser_admin: 'Kartennutzung mit Verwaltung',
  apus_team: 'Team Vermessung',
  apus_admin: 'Verwaltung Vermessung',
  admin: 'Administration',
}
export const rolleInWords = (role: string): string => t(WORDS[role] ?? role)
