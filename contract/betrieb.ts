// State of the installation, shown to the provider's admins: GET {generalApi}/betrieb.

export interface Betrieb {
  engine: string
  version: string
  /** Number or name of the last migration. */
  schema: string
  sicherung: Backup | null
  /** False with BACKUP=off: the database is backed up by other means. */
  sicherung_geplant: boolean
  pruefung: Check | null
  frei_bytes: number | null
  /**
   * Any statement may change settings, including the claims that the policies read: the operator still has a
   * setup step to do.
   */
  set_config_offen: boolean
  /** The base map's file (BASEMAP_FILE); null if none is set. */
  grundkarte: BetriebBaseMap | null
  /** What is wrong with services of base maps, in sentences. */
  kartendienste: readonly string[]
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
export interface BetriebBaseMap {
  datei: string
  /** Bytes; null if it cannot be used. */
  groesse: number | null
  /** A sentence; null if all is well. */
  fehler: string | null
}
