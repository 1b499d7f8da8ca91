// Tabs for the parts of a record. Left and right arrow keys switch; only the selected tab is in the tab
// order. A part with unsaved work stays, hidden, while another is shown; all others are left.
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import './tabs.css'
import { PartContext } from './unsaved.ts'

export interface TabDef {
  readonly id: string
  readonly label: string
  readonly content: ReactNode
  /** A number beside the label. */
  readonly count?: number | undefined
}

interface TabsProps {
  label: string
  tabs: readonly TabDef[]
  value: string
  onChange: (id: string) => void
}

export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const chosen = tabs.find(({ id }) => id === value) ?? tabs[0]
  const { kept, keep } = useKeptTabs()
  const isMounted = (tab: TabDef) => tab === chosen || kept.has(tab.id)
  // On narrow screens the tab bar scrolls: brings the selected tab into view, also after following a link.
  // Scrolls only the bar, never the page.
  useEffect(() => {
    const row = list.current
    const tab = row?.querySelector('[aria-selected="true"]')
    if (!row || !tab) return
    const [outer, inner] = [row.getBoundingClientRect(), tab.getBoundingClientRect()]
    if (inner.left < outer.left || inner.right > outer.right)
      row.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2
  }, [chosen?.id])
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === chosen?.id)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = tabs[(to + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }
  return (
    <div className="tabs">
      <div ref={list} role="tablist" tabIndex={-1} aria-label={label} className="tablist" onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            data-tab={tab.id}
            id={`${base}-${tab.id}`}
            aria-selected={tab === chosen}
            aria-controls={isMounted(tab) ? `${base}-panel-${tab.id}` : undefined}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
            {tab.count !== undefined && <span className="tab-count nums">{tab.count}</span>}
          </button>
        ))}
      </div>
      {tabs.filter(isMounted).map((tab) => (
        <Panel key={tab.id} tab={tab} base={base} isHidden={tab !== chosen} keep={keep} />
      ))}
    </div>
  )
}

type KeepTab = (tab: string, holder: string, isHolding: boolean) => void

/** The tabs in which something is held. */
function useKeptTabs() {
  const [holders, setHolders] = useState<ReadonlyMap<string, string>>(new Map())
  const outer = useContext(PartContext)
  const keep = useCallback<KeepTab>(
    (tab, holder, isHolding) => {
      outer?.(holder, isHolding)
      setHolders((before) => {
        const now = new Map(before)
        if (isHolding) now.set(holder, tab)
        else now.delete(holder)
        return now
      })
    },
    [outer],
  )
  return { kept: new Set(holders.values()), keep }
}

function Panel({
  tab: { id, content },
  base,
  isHidden,
  keep,
}: {
  tab: TabDef
  base: string
  isHidden: boolean
  keep: KeepTab
}) {
  const keepThis = useCallback(
    (holder: string, isHolding: boolean) => keep(id, holder, isHolding),
    [keep, id],
  )
  return (
    <PartContext value={keepThis}>
      <div
        role="tabpanel"
        id={`${base}-panel-${id}`}
        aria-labelledby={`${base}-${id}`}
        className="tabpanel"
        hidden={isHidden}
      >
        {content}
      </div>
    </PartContext>
  )
}
