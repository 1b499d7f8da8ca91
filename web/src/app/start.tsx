// The start: configuration, sign-in, roles, screens, in this order. Until the roles are known there is only
// the splash screen.
import { QueryClientProvider } from '@tanstack/react-query'
import { Fragment, type ReactNode, useSyncExternalStore } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import type { AppConfig } from '#contract/app-config.ts'
import { ApiError } from '../data/api-error.ts'
import { connectClient } from '../data/client.ts'
import { catchInstallOffer } from '../data/install-offer.ts'
import { makeQueryClient } from '../data/query-client.ts'
import { currentSession, type Session, setSession } from '../data/session.ts'
import { setPreferenceDefaults } from '../ui/preferences.ts'
import { setSupport } from '../ui/support.tsx'
import { splitOff } from '../ui/split-off.tsx'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { forgetUnsavedChanges } from '../ui/unsaved.ts'
import { begin } from './begin.ts'
import { type Application, ApplicationContext } from './app-context.ts'
import { ConfigFault } from './config.ts'
import { logError, watchErrors } from './error-log.ts'
import { setLoss } from './expiry.ts'
import { isFieldDevice } from './field-device.ts'
import { claimStores, forgetPerson } from './forget.ts'
import { Identity, type Started } from './identity.ts'
import { followLanguage, shownLanguage, subscribeLanguage } from './language.ts'
import { loadSession } from './load-session.ts'
import { isFieldwork } from './mobile.ts'
import { pageOf, readyPage } from './page-loading.ts'
import { makeRouter } from './router.ts'
import { homeOf, isPermitted, routeOf, TABLE } from './routes.ts'
import { RouterProvider } from './routing/RouterProvider.tsx'
import { parseSearch } from './search.ts'
import { Frame } from './shell/Frame.tsx'
import { loginPath } from './targets.ts'
import { endTrouble, showUnusable } from './trouble-screen.ts'

const queryClient = makeQueryClient()

export async function start(element: HTMLElement) {
  // Errors of the screens are logged for support; during development the console is enough.
  if (import.meta.env.PROD) watchErrors()
  catchInstallOffer()
  const note = (place: string) => (error: unknown, info: { componentStack?: string | undefined }) => {
    console.error(place, error)
    if (import.meta.env.PROD) logError(error, 'view', info.componentStack)
  }
  const root = createRoot(element, {
    onCaughtError: note('a view failed'),
    onUncaughtError: note('the screens failed'),
  })
  try {
    if (isFieldDevice() && isFieldwork(location.pathname) && (await startInField(root))) return
    const { config, identity, wanted, entering } = await begin()
    follow(config)
    if (entering === null)
      return run(root, { config, identity, routes: TABLE, signInFault: null, reloadSession: async () => {} })
    // In parallel with the redirect to the provider and back: from here on the browser caches the code.
    void fetchCodeAhead(wanted)
    const started = await entering.started
    if (started.kind === 'leaving' || started.kind === 'window') return
    const signInFault = await enter(identity, started, entering.session)
    tellField(identity, config)
    run(root, {
      config,
      identity,
      routes: TABLE,
      signInFault,
      reloadSession: () => reloadSession(identity),
    })
  } catch (error) {
    console.error('the application could not start', error)
    endTrouble()
    showUnusable(error instanceof ConfigFault ? error.message : '')
  }
}

/** With a new token: the one in use names the groups of its own time. */
async function reloadSession(identity: Identity) {
  await identity.refresh()
  setSession(await loadSession(await identity.profile()))
}

function follow(config: AppConfig) {
  document.title = config.title
  setSupport(config.support)
  const { showSettings, tagsView, fixedHeader, sidebarLogo } = config.shell
  setPreferenceDefaults(
    { tagsView, fixedHeader, sidebarLogo },
    showSettings ? [] : ['tagsView', 'fixedHeader', 'sidebarLogo'],
  )
}

/**
 * Starts as the person who prepared the field mode on this device, with the stored data; the page then looks
 * for the server. False if nobody did: the usual start follows.
 */
async function startInField(root: Root): Promise<boolean> {
  const local = await import('./fieldwork-start.ts').then(({ findLocal }) => findLocal()).catch(() => null)
  if (local === null) return false
  await Promise.all([followLanguage(), fetchCodeAhead(location.pathname)])
  follow(local.app)
  const identity = new Identity(local.identity)
  setSession(local.session)
  run(root, {
    config: local.app,
    identity,
    routes: TABLE,
    signInFault: null,
    reloadSession: () => reloadSession(identity),
  })
  return true
}

/** On a field device: the person now signed in becomes the one who works there. */
function tellField(identity: Identity, app: AppConfig) {
  const [sub, session] = [identity.sub, currentSession()]
  if (sub === undefined || session === null || !isFieldDevice()) return
  import('./fieldwork-start.ts')
    .then(({ takeOver }) => takeOver({ sub, session, app, identity: identity.config }))
    .catch((error: unknown) => console.warn('the field mode was not told who is signed in', error))
}

/**
 * Loads the roles of the signed-in person. On any failure: clears the token and goes to the sign-in page,
 * with the reason and the way back. Returns the error message.
 */
async function enter(identity: Identity, started: Started, asked: Promise<Session>): Promise<string | null> {
  if (started.kind !== 'signed-in') {
    if (identity.token() === null) forgetPerson()
    await fetchCodeAhead(routeOf(location.pathname)?.open ? location.pathname : '/login')
    return started.kind === 'signed-out' && started.failed ? notSignedIn() : null
  }
  try {
    const code = fetchCodeAhead(location.pathname)
    const session = await asked
    const home = location.pathname === '/' ? homeOf(session.roles) : null
    await (home === null ? code : fetchCodeAhead(home))
    setSession(session)
    if (session.user) claimStores(session.user.user_id)
    fetchDataAhead(home ?? location.pathname, session)
    return null
  } catch (error) {
    console.error('the session could not be loaded', error)
    identity.clear()
    const message = error instanceof Error && error.message ? error.message : notSignedIn()
    toast.error(message)
    const here = location.pathname + location.search + location.hash
    history.replaceState(null, '', loginPath(routeOf(location.pathname)?.open ? '/' : here, 'fehler'))
    return message
  }
}
/** After this time the frame is shown without the page. */
const LONGEST_FOR_CODE_MS = 5_000
/**
 * Loads the page that will most likely be shown, so that it is ready when the frame is. The page itself
 * reports failures.
 */
async function fetchCodeAhead(path: string): Promise<void> {
  const line = routeOf(path)
  const late = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_FOR_CODE_MS))
  if (line?.page) await Promise.race([pageOf(line).catch(() => {}), late])
}
/** The answer arrives while the frame is rendered. */
function fetchDataAhead(path: string, session: Session) {
  const line = routeOf(path)
  if (line && isPermitted(line, session.roles))
    readyPage(line)?.ahead?.(queryClient, parseSearch(location.search), session)
}
const notSignedIn = () => t('Die Anmeldung ist nicht gelungen. Bitte versuchen Sie es noch einmal.')

const Recent = splitOff(async () => (await import('./places/Recent.tsx')).Recent)
const News = splitOff(async () => (await import('./desk/News.tsx')).News)

function run(root: Root, application: Omit<Application, 'Recent' | 'News'>) {
  const { identity, config } = application
  const router = makeRouter(() => identity.token() !== null)
  connectClient({
    ...config,
    // A token left by the last session does not sign anyone in to the field mode.
    token: () => (currentSession()?.localOnly && identity.sub === undefined ? null : identity.token()),
    refresh: () => identity.refresh(),
    sessionLost: (error: ApiError) => {
      if (currentSession()) setLoss(error)
    },
    leaving: () => identity.leaving,
  })
  identity.on('ended', () => {
    forgetUnsavedChanges()
    // Reloads, so that nothing of the old session stays in memory.
    location.replace(loginPath('/', 'beendet'))
  })
  endTrouble()
  // In one go, not in slices: until something is shown nobody can press anything.
  root.render(
    <ApplicationContext value={{ ...application, Recent, News }}>
      <QueryClientProvider client={queryClient}>
        <InLanguage>
          <RouterProvider router={router}>
            <Frame />
          </RouterProvider>
        </InLanguage>
      </QueryClientProvider>
    </ApplicationContext>,
  )
}

/** Recreates everything when the language changes, because texts are looked up during rendering. */
function InLanguage({ children }: { children: ReactNode }) {
  return <Fragment key={useSyncExternalStore(subscribeLanguage, shownLanguage)}>{children}</Fragment>
}
