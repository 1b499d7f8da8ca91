// The menu: the permitted part of the route table, open, collapsed to icons, or as a drawer on narrow windows.
import { useEffect, useRef } from 'react'
import { useSession } from '../../data/session.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'
import { activeMenuOf, type MenuEntry, menuOf } from '../menu.ts'
import { ROUTES } from '../routes.ts'
import { Logo } from './Splash.tsx'
import './sidebar.css'
import { SidebarFoot } from './SidebarFoot.tsx'
import type { SidebarState } from './use-sidebar.ts'

export function Sidebar({ sidebar, path }: { sidebar: SidebarState; path: string }) {
  const { config } = useApplication()
  const { roles } = useSession()
  const aside = useRef<HTMLElement>(null)
  const { mobile, open, close } = sidebar
  const collapsed = !mobile && !open
  useEffect(() => {
    if (!mobile || !open) return
    const before = document.activeElement
    aside.current?.querySelector<HTMLElement>('a, button')?.focus()
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && close()
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [mobile, open, close])
  return (
    <>
      {mobile && open && <div className="sidebar-shade" onClick={close} aria-hidden="true" />}
      <aside
        ref={aside}
        className={`sidebar${collapsed ? ' sidebar-collapsed' : ''}${mobile && !open ? ' sidebar-away' : ''}`}
        inert={mobile && !open}
      >
        <div className="sidebar-brand">
          <a href="/" className="sidebar-home" title={collapsed ? config.title : undefined}>
            <Logo size={30} />
            <span className="sidebar-label">{config.title}</span>
          </a>
          {mobile && <IconButton icon="close" label={t('Menü schließen')} size="small" onClick={close} className="sidebar-close" />}
        </div>
        <nav aria-label={t('Hauptmenü')}>
          <ul className="sidebar-list">
            {menuOf(ROUTES, roles).map((entry) => (
              <Entry key={entry.path} entry={entry} active={activeMenuOf(path)} collapsed={collapsed} />
            ))}
          </ul>
        </nav>
        <SidebarFoot />
      </aside>
    </>
  )
}

function Entry({ entry, active, collapsed }: { entry: MenuEntry; active: string; collapsed: boolean }) {
  const { path, title, icon, external, children } = entry
  const inside = (
    <>
      <Icon name={icon ?? 'file'} size={20} />
      <span className="sidebar-label">{t(title)}</span>
    </>
  )
  if (children.length > 0)
    return (
      <li>
        <details open={children.some((child) => child.path === active)} className="sidebar-group">
          <summary className="sidebar-link" title={collapsed ? t(title) : undefined}>
            {inside}
            <span className="sidebar-chevron sidebar-label">
              <Icon name="chevronDown" size={16} />
            </span>
          </summary>
          <ul className="sidebar-list">
            {children.map((child) => (
              <Entry key={child.path} entry={child} active={active} collapsed={collapsed} />
            ))}
          </ul>
        </details>
      </li>
    )
  return (
    <li>
      <a
        href={path}
        className="sidebar-link"
        title={collapsed ? t(title) : undefined}
        aria-current={path === active ? 'page' : undefined}
        {...(external && { target: '_blank', rel: 'noopener' })}
      >
        {inside}
      </a>
    </li>
  )
}
