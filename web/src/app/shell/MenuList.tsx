// Entries and groups of the menu. Up and down arrow keys move between visible entries; right opens a group,
// left closes it.
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import type { MenuEntry } from '../menu.ts'
import type { Groups } from './use-groups.ts'

interface ListProps {
  readonly entries: readonly MenuEntry[]
  readonly active: string
  /** Icons only: groups open to the side. */
  readonly collapsed: boolean
  readonly groups: Groups
}

/** Delay before a group opens on hover, and before it closes again. */
const HOVER_MS = 300

export function MenuList({ entries, active, collapsed, groups }: ListProps) {
  return (
    // The key handler is for the links and buttons inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul className="sidebar-list" onKeyDown={onMenuKey}>
      {entries.map((entry) => (
        <Entry key={entry.path} entry={entry} active={active} collapsed={collapsed} groups={groups} />
      ))}
    </ul>
  )
}

function Entry({ entry, ...rest }: Omit<ListProps, 'entries'> & { entry: MenuEntry }) {
  if (entry.children.length === 0)
    return <Leaf entry={entry} active={rest.active} collapsed={rest.collapsed} />
  return rest.collapsed ? <FlyingGroup entry={entry} {...rest} /> : <FoldingGroup entry={entry} {...rest} />
}

/** Lets long German compounds wrap to a second line; the soft hyphen is not part of the name. */
const breakable = (title: string): string =>
  title.replaceAll(/(?<=\p{L}{5})(?=verwaltung|stammdaten)/gu, '\u00ad')

const Inside = ({ entry }: { entry: MenuEntry }) => (
  <>
    <Icon name={entry.icon ?? 'file'} size={20} />
    <span className="sidebar-label">{breakable(t(entry.title))}</span>
  </>
)

function Leaf({ entry, active, collapsed }: { entry: MenuEntry; active: string; collapsed: boolean }) {
  const { path, external, title } = entry
  const tip = useRef<HTMLSpanElement>(null)
  const show = (event: { currentTarget: HTMLElement }) => {
    if (collapsed && tip.current) openBeside(tip.current, event.currentTarget, 6)
  }
  const hide = () => tip.current?.matches(':popover-open') && tip.current.hidePopover()
  return (
    <li>
      <a
        href={path}
        data-menu-item
        className="sidebar-link"
        aria-current={path === active ? 'page' : undefined}
        onPointerEnter={(event) => event.pointerType === 'mouse' && show(event)}
        onPointerLeave={hide}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && show(event)}
        onBlur={hide}
        onClick={hide}
        onKeyDown={(event) => event.key === 'Escape' && hide()}
        {...(external && { target: '_blank', rel: 'noopener' })}
      >
        <Inside entry={entry} />
      </a>
      {/* Repeats the link's name for users who only see its icon. */}
      {collapsed && (
        <span ref={tip} popover="manual" className="sidebar-tip" aria-hidden="true">
          {t(title)}
        </span>
      )}
    </li>
  )
}

const holds = (entry: MenuEntry, active: string): boolean =>
  entry.children.some((child) => child.path === active || holds(child, active))

function FoldingGroup({
  entry,
  active,
  collapsed,
  groups,
}: Omit<ListProps, 'entries'> & { entry: MenuEntry }) {
  const id = useId()
  const open = groups.isOpen(entry.path)
  return (
    <li className="sidebar-group">
      <button
        type="button"
        data-menu-item
        className="sidebar-link"
        data-holds-active={holds(entry, active) || undefined}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => groups.set(entry.path, !open)}
      >
        <Inside entry={entry} />
        <span className="sidebar-chevron">
          <Icon name="chevronDown" size={16} />
        </span>
      </button>
      <div id={id} hidden={!open}>
        <MenuList entries={entry.children} active={active} collapsed={collapsed} groups={groups} />
      </div>
    </li>
  )
}

/**
 * A group of the collapsed menu: opens to the side, on hover after a delay, on click and key press at once.
 */
function FlyingGroup({ entry, active, groups }: Omit<ListProps, 'entries'> & { entry: MenuEntry }) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [open, setOpen] = useState(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  const [seen, setSeen] = useState(active)
  if (seen !== active) {
    setSeen(active)
    setOpen(false)
  }
  useEffect(() => {
    if (!open || !list.current || !button.current) return
    openBeside(list.current, button.current, 0)
    const element = list.current
    const onPress = (event: Event) => {
      if (event.target instanceof Node && !element.parentElement?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', onPress, true)
    return () => {
      document.removeEventListener('pointerdown', onPress, true)
      if (element.matches(':popover-open')) element.hidePopover()
    }
  }, [open])
  const later = (wanted: boolean) => (event: PointerEvent) => {
    // Touch has no hover: only a tap opens.
    if (event.pointerType !== 'mouse') return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(wanted), HOVER_MS)
  }
  const show = (wanted: boolean) => {
    clearTimeout(timer.current)
    setOpen(wanted)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const inList = list.current?.contains(event.target as Node) ?? false
    if (event.key === 'ArrowRight' && !inList) {
      show(true)
      // After it has been rendered.
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[data-menu-item]')?.focus())
    } else if ((event.key === 'ArrowLeft' || event.key === 'Escape') && open) {
      button.current?.focus()
      show(false)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // Handles hover and keys for the button and the list together.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      onPointerEnter={later(true)}
      onPointerLeave={later(false)}
      onKeyDown={onKeyDown}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) show(false)
      }}
    >
      <button
        ref={button}
        type="button"
        data-menu-item
        className="sidebar-link"
        data-holds-active={holds(entry, active) || undefined}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => show(!open)}
      >
        <Inside entry={entry} />
      </button>
      <div ref={list} id={id} popover="manual" className="sidebar-flyout">
        <p className="sidebar-flyout-title" aria-hidden="true">
          {t(entry.title)}
        </p>
        <MenuList entries={entry.children} active={active} collapsed={false} groups={groups} />
      </div>
    </li>
  )
}

/** Positions an element to the right of an entry, moved up at the bottom of the window. */
function openBeside(floating: HTMLElement, anchor: HTMLElement, gap: number) {
  if (!floating.matches(':popover-open')) floating.showPopover()
  const at = (anchor.closest('.sidebar') ?? anchor).getBoundingClientRect()
  const { top, height } = anchor.getBoundingClientRect()
  const wanted = floating.classList.contains('sidebar-tip') ? top + (height - floating.offsetHeight) / 2 : top
  floating.style.left = `${at.right + gap}px`
  floating.style.top = `${Math.max(8, Math.min(wanted, window.innerHeight - floating.offsetHeight - 8))}px`
}

const isVisible = (item: HTMLElement) => item.checkVisibility()

function onMenuKey(event: KeyboardEvent<HTMLElement>) {
  const item =
    event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-menu-item]') : null
  const root = item?.closest('.sidebar-flyout') ?? item?.closest('nav')
  if (!item || !root) return
  const to = nextItem(
    event.key,
    item,
    [...root.querySelectorAll<HTMLElement>('[data-menu-item]')].filter(isVisible),
  )
  if (to === undefined) return
  event.preventDefault()
  event.stopPropagation()
  if (to === 'press') item.click()
  else to.focus()
}

/** The entry to focus, or 'press' to activate this one; undefined for other keys. */
function nextItem(
  key: string,
  item: HTMLElement,
  items: readonly HTMLElement[],
): HTMLElement | 'press' | undefined {
  const at = items.indexOf(item)
  const expanded = item.getAttribute('aria-expanded')
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items[(at - 1 + items.length) % items.length]
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key === 'ArrowRight' && expanded === 'true') return items[at + 1]
  if ((key === 'ArrowRight' && expanded === 'false') || (key === 'ArrowLeft' && expanded === 'true'))
    return 'press'
  if (key === 'ArrowLeft')
    return (
      item.closest('ul')?.closest('li')?.querySelector<HTMLElement>(':scope > [data-menu-item]') ?? undefined
    )
  return undefined
}
