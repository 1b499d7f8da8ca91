// Queries and mutations of the profile, always about the caller.
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { SessionUser } from '#contract/benutzer.ts'
import type { OwnAccount, NutzerRecord } from '#contract/nutzer.ts'
import { PERSON_INPUTS } from '#domain/benutzer-fields.ts'
import { pickColumns } from '#domain/fields.ts'
import { ApiError, errorText } from '../../../data/api-error.ts'
import { callGeneral } from '../../../data/client.ts'
import { rpc } from '../../../data/rpc.ts'
import type { RecordSave } from '../../../record/use-record-form.ts'
import { isExternal } from '../../../record/account/account.data.ts'
import { changedMeanwhile } from '../../../record/person/person.data.ts'
import type { PersonField } from '../../../record/person/person-kind.ts'

const ALL = ['profil'] as const

async function fetchSelf(signal?: AbortSignal): Promise<NutzerRecord> {
  const [row] = await rpc('a_get_currentuser', {}, { signal })
  if (row === undefined) throw new ApiError('not_found', errorText('not_found'), { status: 404 })
  return row as NutzerRecord
}
export const ownRecord = queryOptions({
  queryKey: [...ALL, 'record'],
  queryFn: ({ signal }) => fetchSelf(signal),
})

/** Whether the code from the mail was valid. */
export const confirmMail = (code: string): Promise<boolean> => rpc('__o_confirm_mail', { code })

/** The user's mail address, and a new one waiting for confirmation. */
export const ownContact = queryOptions({
  queryKey: [...ALL, 'kontakt'],
  queryFn: async ({ signal }) => (await rpc('a_get_kontakt', {}, { signal }))[0] ?? null,
})

/** Sends the link again, if the mail was lost. False if the hourly limit is reached. */
export const sendLink = (): Promise<boolean> => rpc('a_send_kontakt_link', {})

/** With roles, links and the times of this session. */
export const ownSession = queryOptions({
  queryKey: [...ALL, 'session'],
  queryFn: ({ signal }): Promise<SessionUser | null> => rpc('a_get_currentsessionuser', {}, { signal }),
})

/** Null if accounts are kept by an external provider. */
export const ownAccount = queryOptions({
  queryKey: [...ALL, 'konto'],
  queryFn: async ({ signal }): Promise<OwnAccount | null> => {
    try {
      return await callGeneral<OwnAccount>('POST', 'eigenes-konto', { body: {}, signal, quiet: true })
    } catch (error) {
      if (isExternal(error)) return null
      throw error
    }
  },
  retry: false,
})
/** `withKeys`: keys for programs end too. */
export const endOwnSessions = (withKeys: boolean) =>
  callGeneral<null>('POST', 'eigene-sitzungen-beenden', { body: { zugaenge: withKeys } })

const NAME_AND_MAIL: readonly PersonField[] = ['first_name', 'last_name', 'mail']

/** Saves the user's own data; rejects with changed_meanwhile if an admin changed them meanwhile. */
export function useSaveSelf(onSaved: () => Promise<void>) {
  const client = useQueryClient()
  const keep = (row: NutzerRecord) => {
    client.setQueryData(ownRecord.queryKey, row)
    return row
  }
  return async ({ changes, version }: RecordSave<PersonField, NutzerRecord>): Promise<NutzerRecord> => {
    const base = await fetchSelf()
    if (base.version !== version) throw changedMeanwhile(keep(base))
    const wanted = pickColumns({ ...base, ...changes }, PERSON_INPUTS)
    const { first_name, last_name, mail } = wanted
    const clearsMail = 'mail' in changes && mail === null
    const namesOnly =
      !clearsMail && Object.keys(changes).every((field) => NAME_AND_MAIL.includes(field as PersonField))
    try {
      // __o_update_user only takes names and address, and treats an empty address as unchanged.
      await (namesOnly
        ? rpc('__o_update_user', { first_name: first_name ?? '', last_name: last_name ?? '', mail })
        : rpc('a_update_user', { user_id: base.user_id, ...wanted, version }))
    } catch (error) {
      if (error instanceof ApiError && error.rule === 'changed_meanwhile')
        throw changedMeanwhile(keep(await fetchSelf()))
      throw error
    }
    const row = keep(await fetchSelf())
    void client.invalidateQueries(ownContact)
    await onSaved()
    return row
  }
}
