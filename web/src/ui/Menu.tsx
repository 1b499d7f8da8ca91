// A button with a list of actions, based on the native popover. Arrow keys move, Escape closes and returns
// focus to the button, letters jump to an entry.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import './menu.css'
import { placeBeside } from './place.ts'

export interface MenuItem {
  readonly key: string
  readonly label: string
  readonly icon?: IconName
  readonly onSelect?: () => void
  /** Makes the entry a link. */
  readonly href?: string
  readonly external?: boolean
  readonly danger?: boolean
  readonly disabled?: boolean
  /** Draws a separator above the entry. */
  readonly divided?: boolean
  /** Makes the entry a toggle; the menu stays open. */
  readonly checked?: boolean
}

export interface MenuProps {
  /** Accessible name of the button and the list. */
  label: string
  trigger: ReactNode
  items: readonly MenuItem[]
  align?: 'start' | 'end'
  className?: string
  header?: ReactNode
}

export function Menu({
  label,
  trigger,
  items,
  align = 'start',
  className = 'button button-secondary',
  header,
}: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const close = () => list.current?.hidePopover()
  // The entries are rendered only while the menu is open, so it is positioned and focused afterwards.
  useEffect(() => {
    if (!open || !list.current || !button.current) return
    placeBeside(list.current, button.current, align)
    itemsOf(list.current)[0]?.focus()
  }, [open, align])
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={label}
        onKeyDown={(event) => {
          if (open) closeOnEscape(event, list.current)
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          list.current?.showPopover()
        }}
      >
        {trigger}
      </button>
      <div
        id={id}
        ref={list}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="menu"
        onKeyDown={(event) => moveInMenu(event, list.current)}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {header && (
          <div className="menu-header" role="presentation">
            {header}
          </div>
        )}
        {open && items.map((item) => <MenuEntry key={item.key} item={item} close={close} />)}
      </div>
    </>
  )
}

export function MenuEntry({ item, close }: { item: MenuItem; close: () => void }) {
  const className = `menu-item${item.danger ? ' menu-item-danger' : ''}${item.divided ? ' menu-item-divided' : ''}`
  const inside = (
    <>
      <span className="menu-mark">
        {item.checked === undefined
          ? item.icon && <Icon name={item.icon} size={17} />
          : item.checked && <Icon name="check" size={17} />}
      </span>
      {item.label}
    </>
  )
  if (item.href !== undefined)
    return (
      <a
        role="menuitem"
        tabIndex={-1}
        className={className}
        href={item.href}
        onClick={close}
        {...(item.external && { target: '_blank', rel: 'noopener' })}
      >
        {inside}
      </a>
    )
  return (
    <button
      type="button"
      role={item.checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
      aria-checked={item.checked}
      tabIndex={-1}
      className={className}
      disabled={item.disabled}
      onClick={() => {
        if (item.checked === undefined) close()
        item.onSelect?.()
      }}
    >
      {inside}
    </button>
  )
}

const itemsOf = (list: HTMLElement) => [
  ...list.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)'),
]

/** By itself, so that a dialog around the menu takes the Escape as used. */
function closeOnEscape(event: KeyboardEvent, list: HTMLElement | null) {
  if (event.key !== 'Escape') return
  event.preventDefault()
  list?.hidePopover()
}
function moveInMenu(event: KeyboardEvent, list: HTMLElement | null) {
  if (!list) return
  closeOnEscape(event, list)
  const items = itemsOf(list)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = nextItem(event.key, at, items)
  if (event.key === 'Tab') list.hidePopover()
  if (!next) return
  event.preventDefault()
  next.focus()
}
function nextItem(key: string, at: number, items: readonly HTMLElement[]): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items[(at - 1 + items.length) % items.length]
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const after = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  return after.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))
}
