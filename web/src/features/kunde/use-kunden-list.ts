// The list's state, read from the address bar and written to it; nothing of it is kept anywhere else.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useView } from '../../ui/view.tsx'
import { changeList, cleanSearch, type KundenList, parseKundenList, printKundenList, URL_KEYS } from './kunden-list.ts'

const NONE = Object.fromEntries(URL_KEYS.map((key) => [key, undefined]))
const TYPING_MS = 250

export function useKundenList() {
  const { search, setSearch } = useView()
  const list = useMemo(() => parseKundenList(search), [search])
  const lastChanged = useRef<string>(undefined)
  const write = useRef(setSearch)
  useLayoutEffect(() => {
    write.current = setSearch
  }, [setSearch])
  /** Always the same function, so that the table need not be drawn again for it. */
  const show = useCallback(
    (next: KundenList, how: { replace?: boolean } = {}) => write.current({ ...NONE, ...printKundenList(next) }, how),
    [],
  )
  /** Several switches of one filter in a row are one step back. */
  const change = (part: Partial<KundenList>, how: { replace?: boolean } = {}) => {
    const what = Object.keys(part).join()
    const again = lastChanged.current === what && what !== 'seite'
    lastChanged.current = what
    show(changeList(list, part), { replace: how.replace ?? again })
  }
  return { list, show, change }
}

/** The text in the search box: ahead of the address while one types, and following it when the address changes by itself (back button, menu). */
export function useSearchText(list: KundenList, change: (part: Partial<KundenList>, how?: { replace?: boolean }) => void) {
  const [text, setText] = useState(list.suche)
  const sent = useRef(list.suche)
  const latest = useRef(change)
  useLayoutEffect(() => {
    latest.current = change
  })
  useEffect(() => {
    if (list.suche === sent.current) return
    sent.current = list.suche
    setText(list.suche)
  }, [list.suche])
  useEffect(() => {
    const suche = cleanSearch(text)
    if (suche === sent.current) return undefined
    const timer = setTimeout(() => {
      sent.current = suche
      latest.current({ suche }, { replace: true })
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText] as const
}
