// Jump-to search: records of several kinds in one answer.

export type SearchKind =
  | 'kunde'
  | 'hq'
  | 'benutzer'
  | 'karte'
  | 'rechnung'
  | 'angebot'
  /** A received invoice. */
  | 'eingang'
  /** A recurring invoice. */
  | 'serie'
  | 'habitatbaum'

export interface Hit {
  art: SearchKind
  /** client_id, idHQ, user_id or id of the plan, document or tree. */
  id: number
  titel: string
  /**
   * A second line: postcode and place, name of the customer, sign-in address, district and customer of a
   * plan; customer (or sender), amount and day of a document; holding of a tree.
   */
  zusatz: string | null
  /** The customer of the record; for people, the first of their customers that the caller can see, if any. */
  client_id: number | null
  /**
   * 0 number or whole title, 1 beginning of the title, 2 words of the title, 3 words of the other text, 4
   * anywhere.
   */
  rang: number
}

export interface SearchRpc {
  /** The best `grenze` records of each kind, best first. Defaults: all kinds, eight of each. */
  a_suche: { takes: { text: string; arten?: readonly SearchKind[]; grenze?: number }; answers: Hit[] }
}
