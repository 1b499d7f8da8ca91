/** One change of one record: who, when, what. Readable by anyone who may read the record. */
export interface HistoryEntry {
  id: number
  zeit: string
  /** Name of the person at that time; null for the system. */
  wer: string | null
  user_id: number | null
  tabelle: string
  schluessel: string
  client_id: number | null
  aktion: 'neu' | 'geaendert' | 'geloescht'
  /** Only the columns that changed, before and after. */
  alt: Record<string, unknown> | null
  neu: Record<string, unknown> | null
}
