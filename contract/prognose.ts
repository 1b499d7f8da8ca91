// Forecasts: expected income and expenses that no document covers yet.
import type { PrognoseKind } from '#domain/prognose.ts'

export interface Prognose {
  id: number
  datum: string
  /** Decimal text, always positive: `art` gives the direction. */
  betrag: string
  art: PrognoseKind
  kategorie: string | null
  bemerkung: string | null
  version: number
  geaendert_am: string
  geaendert_von: string | null
}
type Id = number | string
/**
 * Category and remark are our additions to the specification. If omitted, a new forecast has none and a
 * changed one keeps its own; an empty text clears them.
 */
interface PrognoseTakes {
  datum: string
  betrag: string
  art: PrognoseKind
  kategorie?: string
  bemerkung?: string
}

export interface PrognoseRpc {
  a_get_prognose: { takes: Record<string, never>; answers: Prognose[] }
  a_insert_prognose: { takes: PrognoseTakes; answers: number }
  /**
   * Refused with the rule changed_meanwhile if the row has a different version by now; without a version the
   * last write wins. Returns the new version.
   */
  a_update_prognose: { takes: PrognoseTakes & { id: Id; version?: number }; answers: number }
  a_delete_prognose: { takes: { prognose_id: Id }; answers: null }
}
