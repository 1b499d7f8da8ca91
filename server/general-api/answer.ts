// The shape of every answer of the general API, and the options of its routes.
import type { Database } from '#server/database/database.ts'
import type { Log } from '#server/log.ts'

export interface GeneralApiOptions {
  readonly database: Database
  /**
   * What the operations page shows; called only after the database has confirmed that the caller is an admin
   * of the provider.
   */
  readonly readOperatingState: () => Promise<unknown>
  /** The template's demo endpoints. */
  readonly demoEndpoints: boolean
  readonly log: Log
}

export const SUCCESS = 20_000
export const ok = (data: unknown) => ({ code: SUCCESS, message: 'ok', data })
