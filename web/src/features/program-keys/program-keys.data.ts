// Queries and mutations for keys of programs.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AskedByDevice, MadeKey, NewKeyRequest } from '#contract/zugang.ts'
import type { OwnAccount } from '#contract/nutzer.ts'
import { ApiError } from '../../data/api-error.ts'
import { callGeneral } from '../../data/client.ts'
import { rpc } from '../../data/rpc.ts'
import { t } from '../../ui/text.ts'

const ALL = ['zugaenge'] as const

/** Own keys, or those of everybody that the user administers. */
export const keysQuery = (ofEverybody: boolean) =>
  queryOptions({
    queryKey: [...ALL, ofEverybody],
    queryFn: ({ signal }) => rpc('a_get_zugaenge', { alle: ofEverybody }, { signal }),
  })

/** What has to be entered with a new key; null: accounts are kept by an external provider. */
export const proofQuery = queryOptions({
  queryKey: [...ALL, 'konto'],
  queryFn: async ({ signal }): Promise<Pick<OwnAccount, 'zweiter_faktor'> | null> => {
    try {
      return await callGeneral<OwnAccount>('POST', 'eigenes-konto', { body: {}, signal, quiet: true })
    } catch (error) {
      // An external provider keeps the accounts: the server has no such address.
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  },
  retry: false,
})

function useChange<Takes, Answers>(mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: ALL }) })
}
export const useMakeKey = () =>
  useChange((wanted: NewKeyRequest) => callGeneral<MadeKey>('POST', 'zugaenge', { body: wanted }))
/** What the program with this code asks for. */
export const useLookAt = () =>
  useMutation({
    mutationFn: async (user_code: string) => {
      try {
        return await callGeneral<AskedByDevice>('POST', 'geraet-ansehen', {
          body: { user_code },
          quiet: true,
        })
      } catch (error) {
        // An external provider connects programs: the server has no such address.
        if (error instanceof ApiError && error.status === 404 && error.fields.length === 0)
          throw new Error(
            t('Programme verbinden Sie nicht hier, sondern auf den Seiten Ihres Anmeldedienstes.'),
            {
              cause: error,
            },
          )
        throw error
      }
    },
  })
export const useConnect = (user_code: string) =>
  useChange((wanted: NewKeyRequest) =>
    callGeneral<{ id: number }>('POST', 'geraet-verbinden', { body: { ...wanted, user_code } }),
  )
export const useDecline = () =>
  useMutation({
    mutationFn: (user_code: string) => callGeneral<null>('POST', 'geraet-ablehnen', { body: { user_code } }),
  })
export const useEndKey = () => useChange((id: number) => rpc('a_end_zugang', { id }))
