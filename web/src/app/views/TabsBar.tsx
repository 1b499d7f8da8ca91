// The tabs bar: one link per open page, with a close button. Right click opens a menu; Delete closes, arrow
// keys move.
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { hasUnsavedChanges, useUnsavedWatch } from '../../ui/unsaved.ts'
import { routeOf } from '../routes.ts'
import { DiscardDialog } from '../shell/DiscardDialog.tsx'
import { titleOf } from '../shell/page-name.ts'
import { afterNavigation, afterWheel } from './pane.ts'
import { TabMenu } from './TabMenu.tsx'
import type { Tab, TabsState } from './tabs.ts'
import './tabs-bar.css'
import type { TabEvent, Views } from './use-views.ts'

export function TabsBar({ views }: { views: Views }) {
  const { tabs, act } = views
  const bar = useRef<HTMLElement>(null)
  const pane = useRef<HTMLUListElement>(null)
  const [menu, setMenu] = useState<{ tab: Tab; x: number; y: number } | null>(null)
  useUnsavedWatch()
  useWheel(pane)
  useKeepInSight(pane, tabs)
  const nameOf = (tab: Tab) =>
    tab.title ?? titleOf({ path: tab.path, line: routeOf(tab.path) }, views.names) ?? t('Ohne Namen')
  const openMenu = (tab: Tab, event: MouseEvent<HTMLElement>) => {
    event.preventDefault()
    // The menu key has no pointer position: the menu then opens at the tab.
    const at = event.currentTarget.getBoundingClientRect()
    const byKey = event.clientX === 0 && event.clientY === 0
    setMenu({ tab, x: byKey ? at.left : event.clientX, y: byKey ? at.bottom : event.clientY })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const links = linksOf(pane.current)
    const at = links.indexOf(document.activeElement as HTMLElement)
    if (at < 0) return
    if (event.key === 'Delete') {
      const tab = tabs.visited[at]
      if (!tab || tab.pinned) return
      event.preventDefault()
      ;(links[at + 1] ?? links[at - 1])?.focus()
      act({ kind: 'close', path: tab.path })
      return
    }
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: links.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    links[(to + links.length) % links.length]?.focus()
  }
  return (
    <nav ref={bar} className="tabs-bar" aria-label={t('Geöffnete Seiten')}>
      {/* The key handler is for the links inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul ref={pane} className="tabs-pane" onKeyDown={onKeyDown} onScroll={() => setMenu(null)}>
        {tabs.visited.map((tab) => (
          <TabItem
            key={tab.path}
            tab={tab}
            name={nameOf(tab)}
            active={tab.path === tabs.active}
            reachable={tab.path === (tabs.active ?? tabs.visited[0]?.path)}
            dirty={hasUnsavedChanges(tab.path)}
            act={act}
            onMenu={openMenu}
          />
        ))}
      </ul>
      {menu && (
        <TabMenu
          key={menu.tab.path}
          bar={bar}
          at={menu}
          label={t('Aktionen für {name}', { name: nameOf(menu.tab) })}
          pinned={menu.tab.pinned}
          onAct={(kind) => act({ kind, path: menu.tab.path })}
          onClose={() => setMenu(null)}
        />
      )}
      <DiscardDialog
        open={views.asking !== null}
        pages={views.asking?.map(nameOf) ?? []}
        confirmLabel={t('Verwerfen')}
        onConfirm={() => views.answer(true)}
        onCancel={() => views.answer(false)}
      />
    </nav>
  )
}

interface TabItemProps {
  tab: Tab
  name: string
  active: boolean
  /** Only one tab is in the tab order; arrow keys reach the others. */
  reachable: boolean
  dirty: boolean
  act: (event: TabEvent) => void
  onMenu: (tab: Tab, event: MouseEvent<HTMLElement>) => void
}

function TabItem({ tab, name, active, reachable, dirty, act, onMenu }: TabItemProps) {
  const close = () => act({ kind: 'close', path: tab.path })
  return (
    // Middle click and context menu are for the mouse; keyboard users have Delete and the menu key on the
    // link.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      className={tab.pinned ? 'tab' : 'tab tab-closable'}
      data-active={active || undefined}
      onContextMenu={(event) => onMenu(tab, event)}
      // Pressing the middle button would start autoscroll, and releasing it would open the link in a new tab.
      onMouseDown={(event) => event.button === 1 && event.preventDefault()}
      onAuxClick={(event) => {
        if (event.button !== 1) return
        event.preventDefault()
        if (!tab.pinned) close()
      }}
    >
      <a
        href={tab.href}
        className="tab-link"
        aria-current={active ? 'page' : undefined}
        tabIndex={reachable ? 0 : -1}
        title={name}
      >
        <span className="tab-name">{name}</span>
        {dirty && (
          <span className="tab-dirty">
            <span className="visually-hidden">{t('nicht gespeichert')}</span>
          </span>
        )}
      </a>
      {!tab.pinned && (
        <button
          type="button"
          className="tab-close"
          tabIndex={-1}
          aria-label={t('{name} schließen', { name })}
          onClick={close}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </li>
  )
}

const linksOf = (pane: HTMLElement | null) => [...(pane?.querySelectorAll<HTMLElement>('.tab-link') ?? [])]

function useWheel(pane: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = pane.current
    if (!element) return
    const onWheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.deltaX !== 0) return
      const to = afterWheel(
        { scrollLeft: element.scrollLeft, width: element.clientWidth, scrollWidth: element.scrollWidth },
        event.deltaY,
        event.deltaMode,
      )
      if (to === null) return
      event.preventDefault()
      element.scrollLeft = to
    }
    // Not with React, whose wheel listener is passive and could not prevent scrolling.
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [pane])
}

/**
 * Runs after a navigation, and when the page has reported its name, because its tab then has another width.
 */
function useKeepInSight(list: RefObject<HTMLElement | null>, { visited, active }: TabsState) {
  const count = visited.length
  const title = visited.find(({ path }) => path === active)?.title
  useEffect(() => {
    // After the page has been painted: measuring earlier would cause an extra layout.
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => list.current && keepInSight(list.current))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [list, active, count, title])
}

function keepInSight(list: HTMLElement) {
  const pane = { scrollLeft: list.scrollLeft, width: list.clientWidth, scrollWidth: list.scrollWidth }
  const tabs = [...list.children].filter((child) => child instanceof HTMLElement)
  const at = tabs.findIndex((tab) => 'active' in tab.dataset)
  if (at < 0 || pane.scrollWidth <= pane.width) return
  const extents = tabs.map(({ offsetLeft, offsetWidth }) => ({ left: offsetLeft, width: offsetWidth }))
  list.scrollTo({ left: afterNavigation(pane, extents, at), behavior: 'instant' })
}
