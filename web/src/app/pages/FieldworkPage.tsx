// The field mode, with the things only the application can do for it: signing in and out, and storing its own
// files on the device.
import { useMemo } from 'react'
import { ApiError } from '../../data/api-error.ts'
import { currentSession, setSession } from '../../data/session.ts'
import { RescuePage as Rescue } from '../../features/fieldwork/RescuePage.tsx'
import { FieldworkShell } from '../../features/fieldwork/FieldworkShell.tsx'
import { type AppBridge, readDevice } from '../../features/fieldwork/fieldwork-session.ts'
import { type Application, useApplication } from '../app-context.ts'
import { fetchConfig } from '../config.ts'
import { hearLoss } from '../expiry.ts'
import { remember } from '../fieldwork-start.ts'
import { loadSession } from '../load-session.ts'
import { isFieldwork } from '../mobile.ts'
import { passingOf } from '../passing.ts'
import { askToSignOut } from '../sign-out.ts'
import { keepForField } from '../worker-client.ts'

/** Of the same part, so that the first load does not name another one. */
export const RescuePage = Rescue

export function FieldworkPage() {
  const application = useApplication()
  const bridge = useMemo(() => connectionOf(application), [application])
  return <FieldworkShell bridge={bridge} titel={application.config.title} probe={application.config.trial} />
}

/** Requests the settings, which this device never serves from a cache. */
const isServerThere = (): Promise<boolean> =>
  fetchConfig().then(
    () => true,
    () => false,
  )

function connectionOf({ identity, config }: Application): AppBridge {
  return {
    connect: async () => {
      if (!(await isServerThere())) return 'ohne-netz'
      const owner = readDevice()?.sub ?? identity.sub
      if (owner === undefined) return 'anmelden'
      if (!currentSession()?.localOnly) return 'angemeldet'
      // Refresh the current session first: then the person is not asked, wherever the provider is.
      if (identity.sub === undefined || !(await identity.refresh())) {
        const how = await identity.signInSilently(owner)
        if (how !== 'signed-in') return how === 'other' ? 'andere' : 'anmelden'
      }
      try {
        const session = await loadSession(await identity.profile())
        if (session.incomplete) return 'ohne-netz'
        setSession(session)
        return 'angemeldet'
      } catch (error) {
        if (error instanceof ApiError && error.code === 'account_disabled') return 'gesperrt'
        if (passingOf(error) !== null) return 'ohne-netz'
        throw error
      }
    },
    anmelden: async (target, otherAccount) => {
      // Leaves only if the server answers, because otherwise the browser's "no connection" page would replace
      // the application.
      if (!(await isServerThere())) return false
      try {
        await identity.signIn(target, { otherAccount: otherAccount })
        return true
      } catch (error) {
        console.error('the identity provider cannot be reached', error)
        return false
      }
    },
    signOut: () => askToSignOut(true),
    onSessionEnd: (listener) =>
      hearLoss(({ code }) => {
        const session = currentSession()
        if (!isFieldwork(location.pathname) || session === null) return false
        if (session.localOnly !== true) setSession({ ...session, localOnly: true })
        listener(code === 'account_disabled')
        return true
      }),
    prepareOffline: async () => {
      if (import.meta.env.PROD) await keepForField()
    },
    keep: async () => {
      const [sub, session] = [identity.sub, currentSession()]
      if (sub === undefined || session === null) throw new Error('nobody is signed in')
      await remember({ sub, session, app: config, identity: identity.config })
      return sub
    },
  }
}
