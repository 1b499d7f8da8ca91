// Names and descriptions of roles.
import type { Role } from '#domain/roles.ts'
import { t } from './text.ts'

interface Words {
  readonly name: () => string
  /** What people with that role may do, in one sentence. */
  readonly explained: () => string
}
const WORDS: Readonly<Record<Role, Words>> = {
  ogf_init: {
    name: () => t('Neu registriert'),
    explained: () =>
      t(
        'Hat sich angemeldet und ist noch keinem Kunden oder Forstbetrieb zugeordnet. Sieht nur die Startseite.',
      ),
  },
  ogf_standard: {
    name: () => t('Forstbetrieb'),
    explained: () => t('Arbeitet mit den Daten der zugeordneten Forstbetriebe.'),
  },
  ogf_team: {
    name: () => t('Team Forst'),
    explained: () => t('Gehört zu unserem Team Forst: liest alle Kunden, Forstbetriebe und Nutzer.'),
  },
  ogf_admin: {
    name: () => t('Verwaltung Forst'),
    explained: () => t('Verwaltet die Forstseite: alle Kunden, Forstbetriebe, Nutzer und Gutscheine.'),
  },
  ogf_fb_admin: {
    name: () => t('Verwaltung des Forstbetriebs'),
    explained: () =>
      t('Verwaltet die Nutzer der Forstbetriebe, in denen sie oder er als Verwaltung eingetragen ist.'),
  },
  multiple_fb: {
    name: () => t('Mehrere Forstbetriebe'),
    explained: () => t('Ist mehr als einem Forstbetrieb zugeordnet und kann zwischen ihnen wechseln.'),
  },
  inactive_fb: {
    name: () => t('Forstbetrieb nicht freigeschaltet'),
    explained: () =>
      t('Keiner der zugeordneten Forstbetriebe ist freigeschaltet; deren Daten bleiben verschlossen.'),
  },
  kundenadmin: {
    name: () => t('Kundenadmin'),
    explained: () =>
      t('Pflegt die Stammdaten der eigenen Kunden und verwaltet deren Nutzer und Forstbetriebe.'),
  },
  appuser: {
    name: () => t('Kartennutzung'),
    explained: () => t('Sieht die Pläne der zugeordneten Kunden.'),
  },
  appuser_admin: {
    name: () => t('Kartennutzung mit Verwaltung'),
    explained: () => t('Sieht die Pläne der zugeordneten Kunden, gibt sie frei und verwaltet deren Nutzer.'),
  },
  apus_team: {
    name: () => t('Team Vermessung'),
    explained: () =>
      t('Gehört zu unserem Team Vermessung: bearbeitet Pläne und liest alle Kunden und Nutzer.'),
  },
  apus_admin: {
    name: () => t('Verwaltung Vermessung'),
    explained: () => t('Verwaltet die Vermessungsseite: Pläne, Kunden, Nutzer und Buchhaltung.'),
  },
  pruefer: {
    name: () => t('Betriebsprüfung'),
    explained: () =>
      t('Liest die Buchhaltung und das Archiv für die Prüfung bis zu einem festen Tag. Sonst nichts.'),
  },
  admin: {
    name: () => t('Administration'),
    explained: () => t('Darf alles, was beide Verwaltungen dürfen.'),
  },
}
const wordsOf = (role: string): Words | undefined =>
  Object.hasOwn(WORDS, role) ? WORDS[role as Role] : undefined

/** Name of a role. Unknown roles are shown as is. */
export const roleInWords = (role: string): string => wordsOf(role)?.name() ?? role

export const roleExplained = (role: string): string => wordsOf(role)?.explained() ?? ''
