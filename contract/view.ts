// Saved personal views of lists.

export interface View {
  id: number
  /** Name of the list. */
  liste: string
  name: string
  /** The query string of its URL, without the question mark. */
  suche: string
  /** Null: the columns currently chosen. */
  spalten: string[] | null
  /** The list opens with this view. */
  standard: boolean
}

export interface ViewRpc {
  /** Null: the list opens without a view again. */
  __o_set_standardansicht: { takes: { liste: string; id: number | null }; answers: null }
}
