// State shared by the whole application, created once at the start.
import { type ComponentType, createContext, useContext } from 'react'
import type { AppConfig } from '#contract/app-config.ts'
import type { Identity } from './identity.ts'
import type { RouteTable } from './route-line.ts'

export interface Application {
  readonly config: AppConfig
  readonly identity: Identity
  readonly routes: RouteTable
  /** Reloads the roles, for a newcomer who has been linked meanwhile or after a failed call. */
  readonly reloadSession: () => Promise<void>
  /** Why the sign-in at the start failed; shown on the sign-in page, which then waits. */
  readonly signInFault: string | null
  /** The records opened last; handed over, because they know the routes and the routes know the pages. */
  readonly Recent: ComponentType
  /** What is new since the last visit; handed over for the same reason. */
  readonly News: ComponentType
}

export const ApplicationContext = createContext<Application | null>(null)

export function useApplication(): Application {
  const application = useContext(ApplicationContext)
  if (!application) throw new Error('no application')
  return application
}
