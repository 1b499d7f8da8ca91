// State of the installation, shown to the provider's admins: GET {generalApi}/betrieb.

export interface Betrieb {
  engine: string
  version: string
  /** Number or name of the last migration. */
  schema: string
  sicherung: Backup | null
  pruefung: Check | null
  frei_bytes: number | null
  /** Any statement may change settings, among them the claims that the policies read: an operator's step is still missing. */
  set_config_offen: boolean
  /** When this server process started (ISO). */
  gestartet: string
}
export interface Backup {
  zeit: string
  groesse: number
  ergebnis: 'ok' | 'fehler'
  meldung: string | null
}
export interface Check {
  zeit: string
  ergebnis: 'ok' | 'fehler'
  meldung: string | null
}
