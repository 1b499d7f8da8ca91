// Sign-in events: written once, never changed, for the provider's admins. No passwords, no tokens, no network
// addresses.
import type { Query } from './idp-database.ts'

export type EventKind =
  | 'angemeldet'
  | 'anmeldung_fehlgeschlagen'
  | 'anmeldung_gesperrt'
  | 'konto_gesperrt'
  | 'konto_entsperrt'
  | 'abgemeldet'
  | 'passwort_vergessen'
  | 'passwort_gesetzt'
  | 'eingeladen'
  | 'einladung_angenommen'
  | 'eingerichtet'
  | 'zweiter_faktor_eingerichtet'
  | 'zweiter_faktor_fehlgeschlagen'
  | 'zweiter_faktor_entfernt'
  | 'notfallcode_benutzt'
  | 'sitzungen_beendet'

export interface Event {
  readonly art: EventKind
  readonly konto_id?: string | null
  readonly email?: string | null
  /** The admin who did it. */
  readonly wer?: string | null
}

export async function recordEvent(
  query: Query,
  { art, konto_id = null, email = null, wer = null }: Event,
): Promise<void> {
  await query(
    'insert into idp.ereignis (art, konto_id, email, wer) values ($1, $2, $3, $4)',
    art,
    konto_id,
    email?.slice(0, 254) ?? null,
    wer,
  )
}
