// The outermost component: sidebar, top bar, tabs and pages for people who are signed in, the bare page for
// everyone else.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useOptionalSession } from '../../data/session.ts'
import { LANDING } from '../mobile.ts'
import { usePreferences } from '../../ui/preferences.ts'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { currentToasts, subscribeToasts } from '../../ui/toasts.ts'
import { useApplication } from '../app-context.ts'
import { currentLoss, subscribeLoss } from '../expiry.ts'
import { useSignOutAsked } from '../sign-out.ts'
import { useKeptScroll } from '../views/kept-scroll.ts'
import { useViews, type Views } from '../views/use-views.ts'
import './frame.css'
import { FrameExtras } from './FrameExtras.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { useLinks } from './links.ts'
import { PageOutlet } from './PageOutlet.tsx'
import { type OpenPage, titleOf, useRoutedPage, useWindowTitle } from './page-name.ts'
import { Sidebar } from './Sidebar.tsx'
import { TopBar } from './TopBar.tsx'
import { type SidebarState, useSidebar } from './use-sidebar.ts'

// Not in the initial load, because few people need them: most work without tabs, and few sign out of a field
// device.
const ExpiryDialog = splitOff(async () => (await import('./ExpiryDialog.tsx')).ExpiryDialog, null, {
  optional: true,
})
const SignOut = splitOff(async () => (await import('./SignOut.tsx')).SignOut, null, { optional: true })
const Toaster = splitOff(async () => (await import('../../ui/Toaster.tsx')).Toaster, null, { optional: true })
const TabsBar = splitOff(
  async () => (await import('../views/TabsBar.tsx')).TabsBar,
  <div className="frame-tabs" />,
  { optional: true },
)

export function Frame() {
  const session = useOptionalSession()
  const { config } = useApplication()
  const signingOut = useSignOutAsked()
  const isOver = useSyncExternalStore(subscribeLoss, currentLoss) !== null
  const toasted = useToasted()
  const sidebar = useSidebar()
  const routed = useRoutedPage()
  const views = useViews(routed)
  const page: OpenPage = { ...routed, record: views.names[routed.path] ?? null, names: views.names }
  useWindowTitle(titleOf(routed, views.names), config.title)
  useKeptScroll(views.keeps)
  useLinks()
  return (
    <>
      {session && routed.line?.whole ? (
        <div className="frame frame-whole">
          <main id="inhalt" className="frame-whole-page" tabIndex={-1}>
            <PageOutlet views={views} path={page.path} />
          </main>
          <FrameExtras />
        </div>
      ) : session && routed.line?.path !== LANDING ? (
        <SignedInFrame sidebar={sidebar} page={page} views={views} />
      ) : (
        <div className="bare">
          {config.trial && <TrialBanner />}
          <PageOutlet views={views} path={page.path} />
        </div>
      )}
      {isOver && <ExpiryDialog />}
      <LeaveDialog keeps={views.keeps} />
      {signingOut && <SignOut />}
      {toasted && <Toaster />}
    </>
  )
}

/** True from the first toast on. */
function useToasted(): boolean {
  const now = useSyncExternalStore(subscribeToasts, hasToasts)
  const [ever, setEver] = useState(now)
  if (now && !ever) setEver(true)
  return now || ever
}
const hasToasts = () => currentToasts().length > 0

function SignedInFrame({ sidebar, page, views }: { sidebar: SidebarState; page: OpenPage; views: Views }) {
  const { config } = useApplication()
  const { fixedHeader } = usePreferences()
  const { mobile, open, still } = sidebar
  const drawer = mobile && open
  useRootClass('drawer-open', drawer)
  useRootClass('header-fixed', fixedHeader)
  const mode = mobile ? 'frame-mobile' : open ? 'frame-open' : 'frame-closed'
  return (
    <div className={`frame ${mode}${still ? ' frame-still' : ''}`}>
      <a className="skip" href="#inhalt" data-native inert={drawer}>
        {t('Zum Inhalt springen')}
      </a>
      <Sidebar sidebar={sidebar} page={page} />
      <div className="frame-main" inert={drawer}>
        {config.trial && <TrialBanner />}
        <div className={fixedHeader ? 'frame-head frame-head-fixed' : 'frame-head'}>
          <TopBar sidebar={sidebar} page={page} />
          {views.tabsView && <TabsBar views={views} />}
        </div>
        <main id="inhalt" className="frame-page" tabIndex={-1}>
          <PageOutlet views={views} path={page.path} />
        </main>
      </div>
      <div className="frame-extras" inert={drawer}>
        <FrameExtras />
      </div>
    </div>
  )
}

/** Sets a class on the root element. A :has() selector would be re-evaluated on every change of any page. */
function useRootClass(name: string, on: boolean) {
  useEffect(() => {
    document.documentElement.classList.toggle(name, on)
    return () => document.documentElement.classList.remove(name)
  }, [name, on])
}

const TrialBanner = () => (
  <aside className="trial" aria-label={t('Probebetrieb')}>
    <strong>{t('Probebetrieb')}</strong>
    <span>
      {t('Beispieldaten, nur auf diesem Rechner erreichbar. Bitte keine echten Kundendaten eingeben.')}
    </span>
  </aside>
)
