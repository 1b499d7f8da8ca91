// Converts between the state of a list and the query stored in a saved view.
import { type List, type ListState, parseState, printState } from './list.ts'

type AnyList = Pick<List<never>, 'sorts' | 'sort' | 'filters' | 'groups' | 'grouped' | 'pageSize'>

/** A list as it is shown now. */
export interface ShownList<Row> {
  list: List<Row>
  state: ListState
  /** Keys of the visible columns. */
  columns: readonly string[]
}

/** Always the first page. */
export const queryOf = (list: AnyList, state: ListState): string =>
  new URLSearchParams(printState(list, { ...state, seite: 1 })).toString()

/** The state for a stored query; filters and columns that no longer exist are ignored. */
export const stateOf = (list: AnyList, query: string): ListState =>
  parseState(list, Object.fromEntries(new URLSearchParams(query)))

export const isShown = (list: AnyList, query: string, state: ListState): boolean =>
  queryOf(list, stateOf(list, query)) === queryOf(list, state)
