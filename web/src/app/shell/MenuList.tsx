// Entries and groups of the menu. Up and down arrow keys move between visible entries; right opens a group,
// left closes it.
import { type KeyboardEvent, useId, useRef } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import type { MenuEntry } from '../menu.ts'
import type { FlyingGroupProps } from './FlyingGroup.tsx'
import { openBeside } from './open-beside.ts'
import type { Groups } from './use-groups.ts'

interface ListProps {
  readonly entries: readonly MenuEntry[]
  readonly active: string
  /** Icons only: groups open to the side. */
  readonly collapsed: boolean
  readonly groups: Groups
}

// Few people work with the menu folded to icons.
const FlyingGroup = splitOff(async () => (await import('./FlyingGroup.tsx')).FlyingGroup, WaitingGroup)

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
  const { active, collapsed } = rest
  if (entry.act)
    return (
      <li>
        <button type="button" data-menu-item className="sidebar-link" onClick={entry.act}>
          <Inside entry={entry} />
        </button>
      </li>
    )
  if (entry.children.length === 0) return <Leaf entry={entry} active={active} collapsed={collapsed} />
  if (!collapsed) return <FoldingGroup entry={entry} {...rest} />
  return (
    <FlyingGroup
      title={entry.named ? entry.title : t(entry.title)}
      active={active}
      holdsActive={holds(entry, active)}
      inside={<Inside entry={entry} />}
      list={<MenuList {...rest} entries={entry.children} collapsed={false} />}
    />
  )
}

function WaitingGroup({ holdsActive, inside }: FlyingGroupProps) {
  return (
    <li>
      <button
        type="button"
        data-menu-item
        className="sidebar-link"
        data-holds-active={holdsActive || undefined}
        aria-expanded={false}
      >
        {inside}
      </button>
    </li>
  )
}

/** Lets long German compounds wrap to a second line; the soft hyphen is not part of the name. */
const breakable = (title: string): string =>
  title.replaceAll(/(?<=\p{L}{5})(?=verwaltung|stammdaten)/gu, '\u00ad')

const Inside = ({ entry }: { entry: MenuEntry }) => (
  <>
    <Icon name={entry.icon ?? 'file'} size={20} />
    <span className="sidebar-label">{entry.named ? entry.title : breakable(t(entry.title))}</span>
  </>
)

function Leaf({ entry, active, collapsed }: { entry: MenuEntry; active: string; collapsed: boolean }) {
  const { path, external, title, named } = entry
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
        className={named ? 'sidebar-link sidebar-named' : 'sidebar-link'}
        title={named && title}
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
