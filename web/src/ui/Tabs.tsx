// Parts of one record, one at a time. Left and right move, only the chosen tab is in the tab order.
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import './tabs.css'

export interface TabDef {
  readonly id: string
  readonly label: string
  readonly content: ReactNode
  /** A number beside the label. */
  readonly count?: number | undefined
}

export function Tabs({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string
  tabs: readonly TabDef[]
  value: string
  onChange: (id: string) => void
}) {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const chosen = tabs.find(({ id }) => id === value) ?? tabs[0]
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
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${chosen?.id ?? ''}`} className="tabpanel">
        {chosen?.content}
      </div>
    </div>
  )
}
