// Tabs for the parts of a record. Left and right arrow keys switch; only the selected tab is in the tab
// order.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import './tabs.css'

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
            aria-controls={`${base}-panel`}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
            {tab.count !== undefined && <span className="tab-count nums">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${chosen?.id ?? ''}`}
        className="tabpanel"
      >
        {chosen?.content}
      </div>
    </div>
  )
}
