// Saved views of lists: personal.

export interface View {
  id: number
  /** Name of the list. */
  liste: string
  name: string
  /** The query of its address, without the question mark. */
  suche: string
  /** Null: the columns as they are chosen at the moment. */
  spalten: string[] | null
  /** The list opens with it. */
  standard: boolean
}

export interface ViewRpc {
  /** Null: the list opens as the plain list again. */
  __o_set_standardansicht: { takes: { liste: string; id: number | null }; answers: null }
}
