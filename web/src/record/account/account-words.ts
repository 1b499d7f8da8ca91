// Texts for the state and the events of an account.
import type { AccountInfo } from '#contract/nutzer.ts'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

const words = (): Readonly<Record<string, string>> => ({
  angemeldet: t('Angemeldet'),
  abgemeldet: t('Abgemeldet'),
  anmeldung_fehlgeschlagen: t('Anmeldung fehlgeschlagen'),
  anmeldung_gesperrt: t('Anmeldung während einer Sperre versucht'),
  konto_gesperrt: t('Nach Fehlversuchen gesperrt'),
  konto_entsperrt: t('Sperre nach Fehlversuchen aufgehoben'),
  eingeladen: t('Eingeladen'),
  einladung_angenommen: t('Einladung angenommen'),
  eingerichtet: t('Erste Einrichtung'),
  passwort_gesetzt: t('Passwort gesetzt'),
  passwort_vergessen: t('Link für ein neues Passwort angefordert'),
  sitzungen_beendet: t('Sitzungen beendet'),
  zweiter_faktor_eingerichtet: t('Zweiter Faktor eingerichtet'),
  zweiter_faktor_entfernt: t('Zweiter Faktor entfernt'),
  zweiter_faktor_fehlgeschlagen: t('Zweiter Faktor fehlgeschlagen'),
  notfallcode_benutzt: t('Notfallcode benutzt'),
})
/** Unknown kinds keep their own name. */
export const eventWord = (art: string): string => words()[art] ?? art

export type AccountState = 'keins' | 'eingeladen' | 'abgelaufen' | 'aktiv'
/** No account yet, invited, invitation expired, in use. */
export function accountState(
  { passwort, einladung_bis }: Pick<AccountInfo, 'passwort' | 'einladung_bis'>,
  now: Date,
): AccountState {
  if (passwort) return 'aktiv'
  if (einladung_bis === null) return 'keins'
  return new Date(einladung_bis) > now ? 'eingeladen' : 'abgelaufen'
}
export function stateText(account: AccountInfo, now: Date): string {
  switch (accountState(account, now)) {
    case 'aktiv':
      return t('Passwort gesetzt')
    case 'eingeladen':
      return t('eingeladen, Link gilt bis {when}', { when: formatDateTime(account.einladung_bis) })
    case 'abgelaufen':
      return t('eingeladen, Link ist am {when} abgelaufen', { when: formatDateTime(account.einladung_bis) })
    case 'keins':
      return t('noch nicht eingeladen')
  }
}
