// The list's state, read from the address bar and written to it; nothing of it is kept anywhere else.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useView } from '../ui/view.tsx'
import { changeState, cleanSearch, type List, type ListState, parseState, printState, urlKeys, withFilter } from './list.ts'

const TYPING_MS = 250

export interface How {
  readonly replace?: boolean
}
export interface ListControl {
  readonly state: ListState
  /** Always the same function, so that the table need not be drawn again for it. */
  readonly show: (next: ListState, how?: How) => void
  readonly change: (part: Partial<ListState>, how?: How) => void
  readonly setFilter: (key: string, value: string, how?: How) => void
}

export function useListState<Row>(list: List<Row>): ListControl {
  const { search, setSearch } = useView()
  const state = useMemo(() => parseState(list, search), [list, search])
  const lastChanged = useRef<string>(undefined)
  const latest = useRef({ list, setSearch, state })
  useLayoutEffect(() => {
    latest.current = { list, setSearch, state }
  })
  const show = useCallback((next: ListState, how: How = {}) => {
    const { list: present, setSearch: write } = latest.current
    const none = Object.fromEntries(urlKeys(present).map((key) => [key, undefined]))
    write({ ...none, ...printState(present, next) }, how)
  }, [])
  /** Several switches of one filter in a row are one step back. */
  const note = useCallback((what: string, how: How): How => {
    const again = lastChanged.current === what && what !== 'seite'
    lastChanged.current = what
    return { replace: how.replace ?? again }
  }, [])
  const change = useCallback(
    (part: Partial<ListState>, how: How = {}) => show(changeState(latest.current.state, part), note(Object.keys(part).join(), how)),
    [show, note],
  )
  const setFilter = useCallback(
    (key: string, value: string, how: How = {}) => show(withFilter(latest.current.state, key, value), note(key, how)),
    [show, note],
  )
  return { state, show, change, setFilter }
}

/** The text in the search box: ahead of the address while one types, and following it when the address changes by itself (back button, menu). */
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
