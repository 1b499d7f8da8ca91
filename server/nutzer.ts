// The role and claims under which the statements of a request run.
import type { Caller } from './caller.ts'
import type { Context, Statement } from './database/database.ts'

/** Refuses disabled accounts and ended sessions; runs before the first statement of each request. */
export const CHECK_REQUEST: Statement = { name: 'check_request', text: 'select rights.check_request()' }

export const asNutzer = (caller: Caller, more: Pick<Context, 'readOnly' | 'timeoutMs'> = {}): Context => ({
  role: caller.role ?? 'nutzer',
  settings: {
    'request.jwt.claims': caller.claimsJson,
    ...(caller.target !== undefined && { 'request.path': caller.target }),
  },
  person: caller.person,
  preRequest: CHECK_REQUEST,
  ...more,
  ...(caller.key?.readsOnly === true && { readOnly: true }),
})
