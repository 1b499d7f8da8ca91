// The list's state, read from and written to the address bar; it is stored nowhere else.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useView } from '../ui/view.tsx'
import {
  changeState,
  cleanSearch,
  type List,
  type ListState,
  parseState,
  PLAIN_KEY,
  PLAIN_WORD,
  printState,
  urlKeys,
  withFilter,
} from './list.ts'
import { readStandard, type StandardView, useStandard } from './standard-view.ts'
import { stateOf } from './view-query.ts'

const TYPING_MS = 250
type Search = Readonly<Record<string, string>>

export interface How {
  readonly replace?: boolean
}
export interface ListControl {
  readonly state: ListState
  /** Stable, so that the table is not rendered again because of it. */
  readonly show: (next: ListState, how?: How) => void
  readonly change: (part: Partial<ListState>, how?: How) => void
  readonly setFilter: (key: string, value: string, how?: How) => void
  /** The standard view that is being opened. */
  readonly opening: StandardView | null
}

/** An address without list state opens the standard view, if there is one. */
const openingOf = <Row>(list: List<Row>, standard: StandardView | null, search: Search) =>
  standard !== null && !urlKeys(list).some((key) => search[key] !== undefined) ? standard : null
const stateFrom = <Row>(list: List<Row>, opening: StandardView | null, search: Search) =>
  opening ? stateOf(list, opening.suche) : parseState(list, search)

/** The state with which the list opens at an address with this query. */
export const firstState = <Row>(list: List<Row>, search: Search): ListState =>
  stateFrom(list, openingOf(list, readStandard(list.name), search), search)

export function useListState<Row>(list: List<Row>): ListControl {
  const { search, setSearch } = useView()
  const standard = useStandard(list.name)
  const opening = openingOf(list, standard, search)
  const state = useMemo(() => stateFrom(list, opening, search), [list, search, opening])
  const lastChanged = useRef<string>(undefined)
  /** As this list last wrote its state. */
  const written = useRef<string>(undefined)
  const latest = useRef({ list, setSearch, state })
  useLayoutEffect(() => {
    latest.current = { list, setSearch, state }
  })
  useLayoutEffect(() => {
    // Came from elsewhere, by the back button say: the next change begins a separate entry.
    if (JSON.stringify(printState(list, state)) !== written.current) lastChanged.current = undefined
  }, [list, state])
  const show = useCallback((next: ListState, how: How = {}) => {
    const { list: present, setSearch: write } = latest.current
    const none = Object.fromEntries(urlKeys(present).map((key) => [key, undefined]))
    const printed = printState(present, next)
    written.current = JSON.stringify(printed)
    // Without this marker the empty query would open the standard view again.
    const plain =
      Object.keys(printed).length === 0 && readStandard(present.name) !== null
        ? { [PLAIN_KEY]: PLAIN_WORD }
        : {}
    write({ ...none, ...plain, ...printed }, how)
  }, [])
  useEffect(() => {
    if (opening) show(stateOf(latest.current.list, opening.suche), { replace: true })
  }, [opening, show])
  /** Consecutive changes of the same filter make one history entry. */
  const note = useCallback((what: string, how: How): How => {
    const again = lastChanged.current === what && what !== 'seite'
    lastChanged.current = what
    return { replace: how.replace ?? again }
  }, [])
  const change = useCallback(
    (part: Partial<ListState>, how: How = {}) =>
      show(changeState(latest.current.state, part), note(Object.keys(part).join(), how)),
    [show, note],
  )
  const setFilter = useCallback(
    (key: string, value: string, how: How = {}) => {
      const { list: present, state: now } = latest.current
      const frees = present.filters?.find((filter) => filter.key === key)?.frees
      show(withFilter(now, key, value, frees), note(key, how))
    },
    [show, note],
  )
  return { state, show, change, setFilter, opening }
}

/**
 * Text of the search box: runs ahead of the address while the user types, and follows it when it changes
 * otherwise (back button, menu).
 */
export function useSearchText(suche: string, change: ListControl['change']) {
  const [text, setText] = useState(suche)
  const sent = useRef(suche)
  useEffect(() => {
    if (suche === sent.current) return
    sent.current = suche
    setText(suche)
  }, [suche])
  useEffect(() => {
    const typed = cleanSearch(text)
    if (typed === sent.current) return undefined
    const timer = setTimeout(() => {
      sent.current = typed
      change({ suche: typed }, { replace: true })
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, change])
  return [text, setText] as const
}
