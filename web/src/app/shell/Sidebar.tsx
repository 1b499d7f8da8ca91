// The menu: expanded, collapsed to icons, or as a drawer in narrow windows.
import { useEffect, useMemo, useRef } from 'react'
import { useSession } from '../../data/session.ts'
import { IconButton } from '../../ui/Button.tsx'
import { usePreferences } from '../../ui/preferences.ts'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'
import { menuOf } from '../menu.ts'
import { PlacesRoom } from '../places/PlacesRoom.tsx'
import { activeMenuOf, ROUTES } from '../routes.ts'
import { MenuList } from './MenuList.tsx'
import { Logo } from './Logo.tsx'
import './sidebar.css'
import type { OpenPage } from './page-name.ts'
import { SidebarFoot } from './SidebarFoot.tsx'
import { useGroups } from './use-groups.ts'
import type { SidebarState } from './use-sidebar.ts'

const PlacesMenu = splitOff(
  async () => (await import('../places/PlacesMenu.tsx')).PlacesMenu,
  <PlacesRoom />,
  { optional: true },
)

export function Sidebar({ sidebar, page }: { sidebar: SidebarState; page: OpenPage }) {
  const { config } = useApplication()
  const { roles } = useSession()
  const { sidebarLogo } = usePreferences()
  const { mobile, open, close } = sidebar
  const aside = useDrawerFocus(mobile && open, close)
  const collapsed = !mobile && !open
  const menu = useMemo(() => menuOf(ROUTES, roles), [roles])
  const active = activeMenuOf(page.path)
  const groups = useGroups(menu, active)
  return (
    <>
      {mobile && open && <div className="sidebar-shade" onClick={close} aria-hidden="true" />}
      <aside
        ref={aside}
        id="hauptmenue"
        className={`sidebar${collapsed ? ' sidebar-collapsed' : ''}${mobile && !open ? ' sidebar-away' : ''}`}
        inert={mobile && !open}
      >
        {(sidebarLogo || mobile) && (
          <div className="sidebar-brand">
            {sidebarLogo && (
              <a href="/" className="sidebar-home" title={collapsed ? config.title : undefined}>
                <Logo size={30} />
                <span className="sidebar-label">{config.title}</span>
              </a>
            )}
            {mobile && (
              <IconButton
                icon="close"
                label={t('Menü schließen')}
                size="small"
                onClick={close}
                className="sidebar-close"
              />
            )}
          </div>
        )}
        <nav aria-label={t('Hauptmenü')}>
          <PlacesMenu page={page} collapsed={collapsed} groups={groups} />
          <MenuList entries={menu} active={active} collapsed={collapsed} groups={groups} />
        </nav>
        <SidebarFoot />
      </aside>
    </>
  )
}

/**
 * While the drawer is open it has focus and handles Escape, and the page behind it is inert; focus then
 * returns.
 */
function useDrawerFocus(drawer: boolean, close: () => void) {
  const aside = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!drawer) return
    const before = document.activeElement
    aside.current?.querySelector<HTMLElement>('a, button')?.focus()
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && close()
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [drawer, close])
  return aside
}
