// A person's account at the embedded identity provider: its state, and admin actions on it. The database
// decides whether the caller may.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { SentInvitation, AccountInfo } from '#contract/nutzer.ts'
import { ApiError } from '../../data/api-error.ts'
import { callGeneral } from '../../data/client.ts'
import { rpc } from '../../data/rpc.ts'
import { t } from '../../ui/text.ts'
import { messageOf } from '../record-faults.ts'

const accountKey = (user_id: number) => ['konto', user_id] as const

export const accountQuery = (user_id: number) =>
  queryOptions({
    queryKey: accountKey(user_id),
    queryFn: ({ signal }) => callGeneral<AccountInfo>('POST', 'konto', { body: { user_id }, signal }),
    staleTime: 5_000,
  })

/** Actions without a response. */
export type AccountAct = 'entsperren' | 'sitzungen-beenden' | 'zweiter-faktor-entfernen'

export function useAccountAct(user_id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (act: AccountAct) => callGeneral<null>('POST', act, { body: { user_id }, quiet: true }),
    onSettled: () => client.invalidateQueries({ queryKey: accountKey(user_id) }),
  })
}

/** An external provider keeps the accounts, so the server does not have this endpoint. */
export const isExternal = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/**
 * Creates a link to set a password: sent by mail if mail is configured, and returned only to callers who may
 * see it. Earlier links become invalid.
 */
export const invite = (user_id: number) =>
  callGeneral<SentInvitation>('POST', 'einladung', { body: { user_id }, timeoutMs: 20_000, quiet: true })

export function useInvite() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: invite,
    onSettled: (_answer, _error, user_id) => client.invalidateQueries({ queryKey: accountKey(user_id) }),
  })
}

/** Locks a person out of everything, or unlocks them. Takes effect on their next request. */
export function useLock(user_id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (enabled: boolean) => rpc('a_set_user_enabled', { user_id, enabled }),
    onSettled: () => client.invalidateQueries({ queryKey: accountKey(user_id) }),
  })
}

/** Why an invitation was not sent. */
export function inviteFault(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOf(error)
  // The server gives the reason: a password is already set, or the mail could not be sent.
  if (error.code === 'conflict') return error.detail ?? error.message
  if (isExternal(error)) return t('Einladungen versendet hier der Anmeldedienst, nicht dieses Programm.')
  return error.message
}
