// The outermost component of the router: sidebar, top bar and page for who is signed in, the bare page for everybody else.
import { useOptionalSession } from '../../data/session.ts'
import { t } from '../../ui/text.ts'
import { Toaster } from '../../ui/Toaster.tsx'
import { useApplication } from '../app-context.ts'
import { ExpiryDialog } from './ExpiryDialog.tsx'
import './frame.css'
import { FrameExtras } from './FrameExtras.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { useLinks } from './links.ts'
import { PageOutlet } from './PageOutlet.tsx'
import { useNamedPage } from './page-name.ts'
import { Sidebar } from './Sidebar.tsx'
import { TopBar } from './TopBar.tsx'
import { useSidebar } from './use-sidebar.ts'

export function Frame() {
  const session = useOptionalSession()
  const { config } = useApplication()
  const sidebar = useSidebar()
  const page = useNamedPage(config.title)
  useLinks()
  return (
    <>
      {session ? (
        <div className={`frame ${sidebar.mobile ? 'frame-mobile' : sidebar.open ? 'frame-open' : 'frame-closed'}`}>
          <a className="skip" href="#inhalt" data-native>
            {t('Zum Inhalt springen')}
          </a>
          <Sidebar sidebar={sidebar} path={page.path} />
          <div className="frame-main" inert={sidebar.mobile && sidebar.open}>
            {config.trial && <TrialBanner />}
            <TopBar sidebar={sidebar} page={page} />
            <main id="inhalt" className="frame-page" tabIndex={-1}>
              <PageOutlet page={page} />
            </main>
          </div>
        </div>
      ) : (
        <div className="bare">
          {config.trial && <TrialBanner />}
          <PageOutlet page={page} />
        </div>
      )}
      {session && <FrameExtras />}
      <ExpiryDialog />
      <LeaveDialog />
      <Toaster />
    </>
  )
}

const TrialBanner = () => (
  <aside className="trial" aria-label={t('Probebetrieb')}>
    <strong>{t('Probebetrieb')}</strong>
    <span>{t('Beispieldaten, nur auf diesem Rechner erreichbar. Bitte keine echten Kundendaten eingeben.')}</span>
  </aside>
)
