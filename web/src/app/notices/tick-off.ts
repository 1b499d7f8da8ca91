// Marking notices as read. Apart from the queries, which the first load needs.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { rpc } from '../../data/rpc.ts'

/** Marks notices as read or unread; without ids, all of them. The answer says which ones changed. */
export function useTickOff() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ ids, read }: { ids?: readonly number[]; read: boolean }) =>
      rpc('__o_set_meldungen_gelesen', { ...(ids && { ids }), gelesen: read }),
    onSettled: () => client.invalidateQueries({ queryKey: ['meldung'] }),
  })
}
