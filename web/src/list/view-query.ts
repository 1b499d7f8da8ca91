// A saved view and the state of a list: the query text that is kept, and back.
import { type List, type ListState, parseState, printState } from './list.ts'

type AnyList = Pick<List<never>, 'sorts' | 'sort' | 'filters' | 'pageSize'>

/** Always from the first page. */
export const queryOf = (list: AnyList, state: ListState): string =>
  new URLSearchParams(printState(list, { ...state, seite: 1 })).toString()

/** What a kept query means today: filters and columns that exist no more are left out. */
export const stateOf = (list: AnyList, query: string): ListState =>
  parseState(list, Object.fromEntries(new URLSearchParams(query)))

export const isShown = (list: AnyList, query: string, state: ListState): boolean =>
  queryOf(list, stateOf(list, query)) === queryOf(list, state)
